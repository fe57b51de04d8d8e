// Small steps over text that all readers share: white space as .NET's number parser sees it, white space as Char.IsWhiteSpace
// sees it, words without case. Text is WTF-8; nothing here allocates or keeps state.

/** White space of the number parser: tab, line feed, vertical tab, form feed, carriage return, space. */
// @ts-ignore: decorator
@inline
export function isWhite(byte: u32): bool {
  return byte == 32 || byte - 9 < 5;
}

// @ts-ignore: decorator
@inline
export function isDigit(byte: u32): bool {
  return byte - 48 < 10;
}

export function skipWhite(p: usize, end: usize): usize {
  while (p < end && isWhite(load<u8>(p))) p += 1;
  return p;
}

/** What may follow a number: white space, then NUL characters up to the end. */
export function isTrailingBlank(p: usize, end: usize): bool {
  p = skipWhite(p, end);
  while (p < end && load<u8>(p) == 0) p += 1;
  return p == end;
}

/** Length in bytes of the Char.IsWhiteSpace character at `p`, 0 when there is none. */
function spaceLength(p: usize, end: usize): u32 {
  const byte = <u32>load<u8>(p);
  if (isWhite(byte)) return 1;
  if (byte < 0xc2) return 0;
  if (byte == 0xc2) {
    if (p + 1 >= end) return 0;
    const second = <u32>load<u8>(p, 1);
    return second == 0x85 || second == 0xa0 ? 2 : 0;
  }
  if (byte > 0xe3 || p + 2 >= end) return 0;
  const word = (byte << 16) | ((<u32>load<u8>(p, 1)) << 8) | <u32>load<u8>(p, 2);
  const isSpace =
    word == 0xe19a80 || // U+1680
    word - 0xe28080 <= 10 || // U+2000..200A
    word - 0xe280a8 <= 1 || // U+2028, 2029
    word == 0xe280af || // U+202F
    word == 0xe2819f || // U+205F
    word == 0xe38080; // U+3000
  return isSpace ? 3 : 0;
}

/** First byte of `p`..`end` after leading white space (and NULs when `nulls`). */
export function skipSpace(p: usize, end: usize, nulls: bool): usize {
  while (p < end) {
    const length = nulls && load<u8>(p) == 0 ? 1 : spaceLength(p, end);
    if (length == 0) break;
    p += length;
  }
  return p;
}

/** End of `start`..`end` before trailing white space (and NULs when `nulls`). */
export function skipSpaceBack(start: usize, end: usize, nulls: bool): usize {
  while (end > start) {
    const last = <u32>load<u8>(end - 1);
    if (isWhite(last) || (nulls && last == 0)) end -= 1;
    else if (last < 0x80) break;
    else if (end - start >= 2 && spaceLength(end - 2, end) == 2) end -= 2;
    else if (end - start >= 3 && spaceLength(end - 3, end) == 3) end -= 3;
    else break;
  }
  return end;
}

/** True when `p`..`end` is the lower-case ASCII word of `length` <= 8 letters packed in `word`, in any case. */
export function matchesFolded(p: usize, end: usize, word: u64, length: u32): bool {
  if (end - p != <usize>length) return false;
  let packed: u64 = 0;
  for (let i: u32 = 0; i < length; i++) packed |= (<u64>load<u8>(p + <usize>i) | 0x20) << <u64>(i << 3);
  return packed == word;
}

/** Value of a hexadecimal digit, 16 or more for any other byte. */
// @ts-ignore: decorator
@inline
export function hexValue(byte: u32): u32 {
  const digit = byte - 48;
  if (digit < 10) return digit;
  const letter = (byte | 32) - 97;
  return letter < 6 ? letter + 10 : 16;
}
