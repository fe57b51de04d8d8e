// Names of things in prose, which link a chunk to elements of the graph (reference 20.3, identifiers): words joined by underscores,
// CamelCase, and hexadecimal numbers.

/** Characters that belong to one word. */
const words = /[\p{L}\p{M}\p{N}\p{Pc}]+/gu;

const joined = /^[A-Z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+$/;
const shortestJoined = 4;

const letters = /^[A-Z][A-Za-z0-9]*$/;
/** The turn inside a hump: behind its upper-case letters comes another character. */
const hump = /[A-Z][a-z0-9]/g;
const shortestCamel = 6;

const hexadecimal = /^0x[0-9A-Fa-f]{2,}$/;

/** The first `limit` different ones by position, in ordinal order. Linear in the text. */
export function identifiersOf(text: string, limit: number): string[] {
  const found = new Set<string>();
  for (const [word] of text.matchAll(words)) {
    if (!isIdentifier(word)) continue;
    found.add(word);
    if (found.size >= limit) break;
  }
  return [...found].sort();
}

function isIdentifier(word: string): boolean {
  if (hexadecimal.test(word)) return true;
  if (word.length >= shortestJoined && joined.test(word)) return true;
  return word.length >= shortestCamel && letters.test(word) && (word.match(hump)?.length ?? 0) >= 2;
}
