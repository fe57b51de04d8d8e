// JavaScript strings in and out of linear memory as WTF-8: UTF-8 in which an unpaired surrogate is its own three bytes, so that
// what a client wrote by JSON escape comes back unchanged. Short strings are copied by a loop, long ones by the platform where it
// takes views on shared memory (a browser refuses those; then they pass through a copy).

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Characters from which the platform's encoder beats the loop (measured: they cross near 48 on Node 20). */
const longString = 48;

let sharedViewsAllowed = true;

/** The most bytes `writeText` can write for a string: three for each UTF-16 unit. */
export function textBound(text: string): number {
  return text.length * 3;
}

/**
 * Writes `text` at `at` and answers the number of bytes. `bytes` must have room for `textBound(text)`.
 */
export function writeText(bytes: Uint8Array, at: number, text: string): number {
  if (text.length >= longString) {
    const written = writeLong(bytes, at, text);
    if (written >= 0) return written;
  }
  return writeUnits(bytes, at, text);
}

/** By the platform's encoder; -1 when the string holds an unpaired surrogate, which that encoder would replace. */
function writeLong(bytes: Uint8Array, at: number, text: string): number {
  if (hasLoneSurrogate(text)) return -1;
  if (sharedViewsAllowed) {
    try {
      return encoder.encodeInto(text, bytes.subarray(at, at + text.length * 3)).written;
    } catch {
      sharedViewsAllowed = false; // a browser: shared views are refused, by specification
    }
  }
  const copy = encoder.encode(text);
  bytes.set(copy, at);
  return copy.length;
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** True when the string holds a surrogate without its partner. */
function hasLoneSurrogate(text: string): boolean {
  const { isWellFormed } = text as { isWellFormed?: () => boolean };
  return isWellFormed === undefined ? loneSurrogate.test(text) : !isWellFormed.call(text);
}

function writeUnits(bytes: Uint8Array, at: number, text: string): number {
  let p = at;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes[p++] = unit;
    } else if (unit < 0x800) {
      bytes[p++] = 0xc0 | (unit >> 6);
      bytes[p++] = 0x80 | (unit & 0x3f);
    } else {
      const next = (unit & 0xfc00) === 0xd800 && i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
      if ((next & 0xfc00) === 0xdc00) {
        const point = 0x10000 + ((unit & 0x3ff) << 10) + (next & 0x3ff);
        bytes[p++] = 0xf0 | (point >> 18);
        bytes[p++] = 0x80 | ((point >> 12) & 0x3f);
        bytes[p++] = 0x80 | ((point >> 6) & 0x3f);
        bytes[p++] = 0x80 | (point & 0x3f);
        i++;
      } else {
        bytes[p++] = 0xe0 | (unit >> 12);
        bytes[p++] = 0x80 | ((unit >> 6) & 0x3f);
        bytes[p++] = 0x80 | (unit & 0x3f);
      }
    }
  }
  return p - at;
}

/** The string of `length` WTF-8 bytes at `at`; unpaired surrogates come back as they went in. */
export function readText(bytes: Uint8Array, at: number, length: number): string {
  const copy = bytes.slice(at, at + length);
  try {
    return decoder.decode(copy);
  } catch {
    return readUnits(copy); // not UTF-8, so it carries an unpaired surrogate
  }
}

function readUnits(bytes: Uint8Array): string {
  const parts: string[] = [];
  let units: number[] = [];
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i] as number;
    const at = (offset: number): number => (bytes[i + offset] as number) & 0x3f;
    if (first < 0x80) {
      units.push(first);
      i += 1;
    } else if (first < 0xe0) {
      units.push(((first & 0x1f) << 6) | at(1));
      i += 2;
    } else if (first < 0xf0) {
      units.push(((first & 0x0f) << 12) | (at(1) << 6) | at(2));
      i += 3;
    } else {
      const point = (((first & 7) << 18) | (at(1) << 12) | (at(2) << 6) | at(3)) - 0x10000;
      units.push(0xd800 | (point >> 10), 0xdc00 | (point & 0x3ff));
      i += 4;
    }
    if (units.length >= 4096) {
      parts.push(String.fromCharCode(...units));
      units = [];
    }
  }
  parts.push(String.fromCharCode(...units));
  return parts.join('');
}
