// The value test module for the tests beside it: an instance over a memory of its own, text in and out as JavaScript strings (which
// may hold lone surrogates), whole lists at once where there are many, and random numbers from a seed that failures print.

import { readFileSync } from 'node:fs';

export const BUILDS = ['release', 'debug'] as const;
export type Build = (typeof BUILDS)[number];

export const TYPES = {
  String: 1,
  Boolean: 2,
  Byte: 3,
  SByte: 4,
  Int16: 5,
  UInt16: 6,
  Int32: 7,
  UInt32: 8,
  Int64: 9,
  UInt64: 10,
  Single: 11,
  Double: 12,
  Decimal: 13,
  Char: 14,
  DateTime: 15,
  DateTimeOffset: 16,
  TimeSpan: 17,
  Guid: 18,
  'Single[]': 19,
} as const;
export type TypeName = keyof typeof TYPES;

export const BULK = 0;
export const READ = 1;
export const SCAN = 2;

// Three regions of the memory, all above the value tables.
const PAGES = 1024;
export const IN = 0x200000;
export const SLOTS = 0x1400000;
export const OUT = 0x2400000;

const modules = new Map<Build, WebAssembly.Module>();

function moduleOf(build: Build): WebAssembly.Module {
  const known = modules.get(build);
  if (known) return known;
  const name = build === 'debug' ? 'values.debug.wasm' : 'values.wasm';
  const module = new WebAssembly.Module(readFileSync(new URL(`../../dist/wasm/test/${name}`, import.meta.url)));
  modules.set(build, module);
  return module;
}

export type Values = ReturnType<typeof openValues>;

/** A fresh memory with its tables and the module over it. */
export function openValues(build: Build) {
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: 65536, shared: true });
  const abort = (code: number): never => {
    throw new Error(`check ${code}`);
  };
  const instance = new WebAssembly.Instance(moduleOf(build), { env: { memory, abort } });
  const core = instance.exports as Record<string, (...values: number[]) => number>;
  const globals = instance.exports as unknown as Record<string, WebAssembly.Global>;
  core.initValueTables!();
  const bytes = new Uint8Array(memory.buffer);
  const view = new DataView(memory.buffer);

  const write = (address: number, text: string): number => {
    const encoded = toWtf8(text);
    bytes.set(encoded, address);
    return encoded.length;
  };
  const read = (address: number, length: number): string => fromWtf8(bytes.slice(address, address + length));

  /** Parses one text to SLOTS; the text of the value in `form`, or null when it was refused. */
  const convert = (type: TypeName, text: string, form = READ): string | null => {
    if (!core.parseValue!(TYPES[type], IN, write(IN, text), SLOTS)) return null;
    return read(OUT, core.formatValue!(TYPES[type], SLOTS, form, OUT));
  };

  /** Parses ASCII texts to the slots from SLOTS on, 16 bytes apart; how many were values. */
  const parseAll = (type: TypeName, texts: string[]): number => {
    let p = IN;
    for (const text of texts) {
      view.setUint32(p, text.length, true);
      p += 4;
      for (let i = 0; i < text.length; i++) bytes[p++] = text.charCodeAt(i);
    }
    return core.parseMany!(TYPES[type], IN, texts.length, SLOTS, 1);
  };

  /** The ASCII texts of `count` slots from SLOTS on. */
  const formatAll = (type: TypeName, count: number, form = BULK): string[] => {
    const total = core.formatMany!(TYPES[type], SLOTS, count, form, OUT, 1);
    const all = Buffer.from(memory.buffer, OUT, total);
    const texts: string[] = [];
    for (let p = 0; p < total; ) {
      const length = all.readUInt32LE(p);
      texts.push(all.toString('latin1', p + 4, p + 4 + length));
      p += 4 + length;
    }
    return texts;
  };

  return { core, globals, bytes, view, write, read, convert, parseAll, formatAll };
}

/** UTF-8 in which a lone surrogate stands as its own three bytes. */
export function toWtf8(text: string): Uint8Array {
  const out: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 0x80) out.push(code);
    else if (code < 0x800) out.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) out.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else {
      out.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    }
  }
  return Uint8Array.from(out);
}

export function fromWtf8(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i]!;
    const part = (offset: number) => bytes[i + offset]! & 63;
    if (lead < 0x80) text += String.fromCharCode(lead);
    else if (lead < 0xe0) text += String.fromCharCode(((lead & 31) << 6) | part(1));
    else if (lead < 0xf0) text += String.fromCharCode(((lead & 15) << 12) | (part(1) << 6) | part(2));
    else text += String.fromCodePoint(((lead & 7) << 18) | (part(1) << 12) | (part(2) << 6) | part(3));
    i += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  }
  return text;
}

/** A random source: the seed comes from VALUES_SEED or the clock, and `seed` belongs in every failure message. */
export function randomSource() {
  const seed = Number(process.env.VALUES_SEED ?? Date.now() % 0x7fffffff);
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 0x100000000) * limit);
  const pick = <T>(...choices: T[]): T => choices[below(choices.length)]!;
  const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('');
  return { seed, next, below, pick, digits };
}
