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

/** The set with all cases of its letters, as far as one character becomes one character. */
export function bothCases(set: CodePoints): CodePoints {
  const added: (readonly [number, number])[] = [];
  const cased = casedLetters();
  let range = 0;
  for (const [code, others] of cased) {
    while (range < set.length && (set[range] as readonly [number, number])[1] < code) range++;
    if (range === set.length) break;
    if ((set[range] as readonly [number, number])[0] > code) continue;
    for (const other of others) added.push([other, other]);
  }
  return added.length === 0 ? set : union(set, added);
}

let casedList: readonly (readonly [code: number, others: readonly number[]])[] | null = null;

/** Every letter that has another case, ascending, with all its cases: those that fold to the same letter. */
function casedLetters(): readonly (readonly [code: number, others: readonly number[]])[] {
  if (casedList !== null) return casedList;
  const groups = new Map<number, Set<number>>();
  for (const [first, last] of matching('\\p{Changes_When_Casemapped}')) {
    for (let code = first; code <= last; code++) {
      if (code === dotlessI) continue;
      const folded = single(single(code, 'toUpperCase'), 'toLowerCase');
      const group = groups.get(folded);
      if (group === undefined) groups.set(folded, new Set([folded, code]));
      else group.add(code);
    }
  }
  const list: [number, readonly number[]][] = [];
  for (const group of groups.values()) {
    if (group.size === 1) continue;
    const others = [...group].sort((one, other) => one - other);
    for (const code of others) list.push([code, others]);
  }
  casedList = list.sort((one, other) => one[0] - other[0]);
  return casedList;
}

/** Its upper case is I, but it is no case of i. */
const dotlessI = 0x131;

/** The character in another case if that is one character, else itself. */
function single(code: number, change: 'toUpperCase' | 'toLowerCase'): number {
  const text = String.fromCodePoint(code)[change]();
  const changed = text.codePointAt(0) as number;
  return text.length === (changed > 0xffff ? 2 : 1) ? changed : code;
}

const cache = new Map<string, CodePoints>();

/** The characters of a Unicode category by its name in an expression; null for a name there is none of. */
export function category(name: string): CodePoints | null {
  const known = cache.get(name);
  if (known !== undefined) return known;
  if (!/^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfson]?)$/.test(name)) return null;
  const set = matching(`\\p{${name}}`);
  cache.set(name, set);
  return set;
}

const surrogates = [0xd800, 0xdfff] as const;
/** Characters of a text that is searched at once; the surrogates begin and end at multiples of it. */
const charactersAtOnce = 2048;
const planeLength = 0x1_0000;
/** Planes without a character yet; one that gets some gets them at its beginning. */
const unassigned = [0x4_0000, 0xd_ffff] as const;

/** The characters that an expression for one matches: runs of them, in texts of all there are. One at a time was ten times slower. */
function matching(expression: string): CodePoints {
  const runs = new RegExp(`(?:${expression})+`, 'gu');
  const found: (readonly [number, number])[] = [];
  for (let first = 0; first <= highest; ) {
    if (first === surrogates[0]) {
      // Beside each other two of them are one character; they are all of the same category.
      if (String.fromCharCode(first).match(runs) !== null) found.push(surrogates);
      first = surrogates[1] + 1;
      continue;
    }
    const units = first > 0xffff ? 2 : 1;
    const text = charactersFrom(first, units);
    runs.lastIndex = 0;
    for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
      found.push([first + run.index / units, first + runs.lastIndex / units - 1]);
    }
    const isEmpty = (found.at(-1)?.[1] ?? -1) < first;
    const skips = isEmpty && first % planeLength === 0 && first >= unassigned[0] && first <= unassigned[1];
    first += skips ? planeLength : charactersAtOnce;
  }
  return union(found);
}

/** The text of `charactersAtOnce` characters, each of that many units. */
function charactersFrom(first: number, units: 1 | 2): string {
  const text = new Uint16Array(charactersAtOnce * units);
  for (let i = 0; i < charactersAtOnce; i++) {
    if (units === 1) {
      text[i] = first + i;
    } else {
      const rest = first + i - 0x1_0000;
      text[2 * i] = 0xd800 | (rest >> 10);
      text[2 * i + 1] = 0xdc00 | (rest & 0x3ff);
    }
  }
  return utf16.decode(text);
}

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true });

const shorthands = new Map<string, CodePoints>();

/** `\d`, `\w` and `\s` as .NET has them, and their complements in upper case. */
export function shorthand(letter: string): CodePoints {
  let set = shorthands.get(letter);
  if (set !== undefined) return set;
  const small = letter.toLowerCase();
  set = small === letter ? shorthandSet(letter) : complement(shorthand(small));
  shorthands.set(letter, set);
  return set;
}

function shorthandSet(letter: string): CodePoints {
  if (letter === 'd') return category('Nd') as CodePoints;
  if (letter !== 's') return matching('[\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}]');
  const controls = [
    [9, 13],
    [0x85, 0x85],
  ] as const;
  return union(controls, category('Z') as CodePoints);
}

/** The blocks of the basic plane that an expression can name behind `Is`. */
const blocks: Readonly<Record<string, readonly [number, number]>> = {
  BasicLatin: [0x0, 0x7f],
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
  Thaana: [0x780, 0x7bf],
  Devanagari: [0x900, 0x97f],
  Bengali: [0x980, 0x9ff],
  Gurmukhi: [0xa00, 0xa7f],
  Gujarati: [0xa80, 0xaff],
  Oriya: [0xb00, 0xb7f],
  Tamil: [0xb80, 0xbff],
  Telugu: [0xc00, 0xc7f],
  Kannada: [0xc80, 0xcff],
  Malayalam: [0xd00, 0xd7f],
  Sinhala: [0xd80, 0xdff],
  Thai: [0xe00, 0xe7f],
  Lao: [0xe80, 0xeff],
  Tibetan: [0xf00, 0xfff],
  Myanmar: [0x1000, 0x109f],
  Georgian: [0x10a0, 0x10ff],
  HangulJamo: [0x1100, 0x11ff],
  Ethiopic: [0x1200, 0x137f],
  Cherokee: [0x13a0, 0x13ff],
  UnifiedCanadianAboriginalSyllabics: [0x1400, 0x167f],
  Ogham: [0x1680, 0x169f],
  Runic: [0x16a0, 0x16ff],
  Tagalog: [0x1700, 0x171f],
  Hanunoo: [0x1720, 0x173f],
  Buhid: [0x1740, 0x175f],
  Tagbanwa: [0x1760, 0x177f],
  Khmer: [0x1780, 0x17ff],
  Mongolian: [0x1800, 0x18af],
  Limbu: [0x1900, 0x194f],
  TaiLe: [0x1950, 0x197f],
  KhmerSymbols: [0x19e0, 0x19ff],
  PhoneticExtensions: [0x1d00, 0x1d7f],
  LatinExtendedAdditional: [0x1e00, 0x1eff],
  GreekExtended: [0x1f00, 0x1fff],
  GeneralPunctuation: [0x2000, 0x206f],
  SuperscriptsandSubscripts: [0x2070, 0x209f],
  CurrencySymbols: [0x20a0, 0x20cf],
  CombiningDiacriticalMarksforSymbols: [0x20d0, 0x20ff],
  CombiningMarksforSymbols: [0x20d0, 0x20ff],
  LetterlikeSymbols: [0x2100, 0x214f],
  NumberForms: [0x2150, 0x218f],
  Arrows: [0x2190, 0x21ff],
  MathematicalOperators: [0x2200, 0x22ff],
  MiscellaneousTechnical: [0x2300, 0x23ff],
  ControlPictures: [0x2400, 0x243f],
  OpticalCharacterRecognition: [0x2440, 0x245f],
  EnclosedAlphanumerics: [0x2460, 0x24ff],
  BoxDrawing: [0x2500, 0x257f],
  BlockElements: [0x2580, 0x259f],
  GeometricShapes: [0x25a0, 0x25ff],
  MiscellaneousSymbols: [0x2600, 0x26ff],
  Dingbats: [0x2700, 0x27bf],
  'MiscellaneousMathematicalSymbols-A': [0x27c0, 0x27ef],
  'SupplementalArrows-A': [0x27f0, 0x27ff],
  BraillePatterns: [0x2800, 0x28ff],
  'SupplementalArrows-B': [0x2900, 0x297f],
  'MiscellaneousMathematicalSymbols-B': [0x2980, 0x29ff],
  SupplementalMathematicalOperators: [0x2a00, 0x2aff],
  MiscellaneousSymbolsandArrows: [0x2b00, 0x2bff],
  CJKRadicalsSupplement: [0x2e80, 0x2eff],
  KangxiRadicals: [0x2f00, 0x2fdf],
  IdeographicDescriptionCharacters: [0x2ff0, 0x2fff],
  CJKSymbolsandPunctuation: [0x3000, 0x303f],
  Hiragana: [0x3040, 0x309f],
  Katakana: [0x30a0, 0x30ff],
  Bopomofo: [0x3100, 0x312f],
  HangulCompatibilityJamo: [0x3130, 0x318f],
  Kanbun: [0x3190, 0x319f],
  BopomofoExtended: [0x31a0, 0x31bf],
  KatakanaPhoneticExtensions: [0x31f0, 0x31ff],
  EnclosedCJKLettersandMonths: [0x3200, 0x32ff],
  CJKCompatibility: [0x3300, 0x33ff],
  CJKUnifiedIdeographsExtensionA: [0x3400, 0x4dbf],
  YijingHexagramSymbols: [0x4dc0, 0x4dff],
  CJKUnifiedIdeographs: [0x4e00, 0x9fff],
  YiSyllables: [0xa000, 0xa48f],
  YiRadicals: [0xa490, 0xa4cf],
  HangulSyllables: [0xac00, 0xd7af],
  HighSurrogates: [0xd800, 0xdb7f],
  HighPrivateUseSurrogates: [0xdb80, 0xdbff],
  LowSurrogates: [0xdc00, 0xdfff],
  PrivateUse: [0xe000, 0xf8ff],
  PrivateUseArea: [0xe000, 0xf8ff],
  CJKCompatibilityIdeographs: [0xf900, 0xfaff],
  AlphabeticPresentationForms: [0xfb00, 0xfb4f],
  'ArabicPresentationForms-A': [0xfb50, 0xfdff],
  VariationSelectors: [0xfe00, 0xfe0f],
  CombiningHalfMarks: [0xfe20, 0xfe2f],
  CJKCompatibilityForms: [0xfe30, 0xfe4f],
  SmallFormVariants: [0xfe50, 0xfe6f],
  'ArabicPresentationForms-B': [0xfe70, 0xfeff],
  HalfwidthandFullwidthForms: [0xff00, 0xffef],
  Specials: [0xfff0, 0xffff],
};

export function block(name: string): CodePoints | null {
  const range = Object.hasOwn(blocks, name) ? blocks[name] : undefined;
  return range === undefined ? null : [range];
}
