// Sets of characters as sorted, disjoint ranges [first, last] of code points, and the sets that .NET's escapes name. Categories come from the
// platform's own Unicode data, asked once each.

export type CodePoints = readonly (readonly [first: number, last: number])[];

const highest = 0x10ffff;

export function union(...sets: readonly CodePoints[]): CodePoints {
  const ranges = sets.flat().sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [first, last] of ranges) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function complement(set: CodePoints): CodePoints {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) gaps.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= highest) gaps.push([next, highest]);
  return gaps;
}

export function without(set: CodePoints, other: CodePoints): CodePoints {
  return complement(union(complement(set), other));
}

/** The set with both cases of its letters, as far as one character becomes one character. */
export function bothCases(set: CodePoints): CodePoints {
  const added: [number, number][] = [];
  for (const [first, last] of set) {
    // Letters with cases lie below here but for a few historic scripts, which fold within themselves.
    for (let code = first; code <= Math.min(last, 0x1ffff); code++) {
      const text = String.fromCodePoint(code);
      for (const other of [text.toLowerCase(), text.toUpperCase()]) {
        const folded = other.codePointAt(0) as number;
        if (folded !== code && other.length === String.fromCodePoint(folded).length) added.push([folded, folded]);
      }
    }
  }
  return union(set, added);
}

const cache = new Map<string, CodePoints>();

/** The characters of a Unicode category by its name in an expression; null for a name there is none of. */
export function category(name: string): CodePoints | null {
  const known = cache.get(name);
  if (known !== undefined) return known;
  if (!/^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfson]?)$/.test(name)) return null;
  const set = matching(new RegExp(`^\\p{${name}}`, 'u'));
  cache.set(name, set);
  return set;
}

function matching(expression: RegExp): CodePoints {
  const ranges: [number, number][] = [];
  let first = -1;
  for (let code = 0; code <= highest; code++) {
    const inside = expression.test(String.fromCodePoint(code));
    if (inside && first < 0) first = code;
    if (!inside && first >= 0) {
      ranges.push([first, code - 1]);
      first = -1;
    }
  }
  if (first >= 0) ranges.push([first, highest]);
  return ranges;
}

/** `\d`, `\w` and `\s` as .NET has them. */
export function shorthand(letter: string): CodePoints {
  if (letter === 'd') return category('Nd') as CodePoints;
  if (letter === 's')
    return union(
      [
        [9, 13],
        [0x85, 0x85],
      ],
      category('Z') as CodePoints,
    );
  return union(...['L', 'Mn', 'Nd', 'Pc'].map((name) => category(name) as CodePoints));
}

/** The blocks that are asked for most, by their names behind `Is`. */
const blocks: Readonly<Record<string, readonly [number, number]>> = {
  BasicLatin: [0, 0x7f],
  'Latin-1Supplement': [0x80, 0xff],
  'LatinExtended-A': [0x100, 0x17f],
  'LatinExtended-B': [0x180, 0x24f],
  IPAExtensions: [0x250, 0x2af],
  SpacingModifierLetters: [0x2b0, 0x2ff],
  CombiningDiacriticalMarks: [0x300, 0x36f],
  Greek: [0x370, 0x3ff],
  GreekandCoptic: [0x370, 0x3ff],
  Cyrillic: [0x400, 0x4ff],
  CyrillicSupplement: [0x500, 0x52f],
  Armenian: [0x530, 0x58f],
  Hebrew: [0x590, 0x5ff],
  Arabic: [0x600, 0x6ff],
  Syriac: [0x700, 0x74f],
  Devanagari: [0x900, 0x97f],
  Bengali: [0x980, 0x9ff],
  Tamil: [0xb80, 0xbff],
  Thai: [0xe00, 0xe7f],
  Georgian: [0x10a0, 0x10ff],
  HangulJamo: [0x1100, 0x11ff],
  LatinExtendedAdditional: [0x1e00, 0x1eff],
  GreekExtended: [0x1f00, 0x1fff],
  GeneralPunctuation: [0x2000, 0x206f],
  CurrencySymbols: [0x20a0, 0x20cf],
  LetterlikeSymbols: [0x2100, 0x214f],
  NumberForms: [0x2150, 0x218f],
  Arrows: [0x2190, 0x21ff],
  MathematicalOperators: [0x2200, 0x22ff],
  BoxDrawing: [0x2500, 0x257f],
  Hiragana: [0x3040, 0x309f],
  Katakana: [0x30a0, 0x30ff],
  Bopomofo: [0x3100, 0x312f],
  CJKUnifiedIdeographs: [0x4e00, 0x9fff],
  HangulSyllables: [0xac00, 0xd7af],
  PrivateUse: [0xe000, 0xf8ff],
  PrivateUseArea: [0xe000, 0xf8ff],
};

export function block(name: string): CodePoints | null {
  const range = blocks[name];
  return range === undefined ? null : [range];
}
