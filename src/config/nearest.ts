// The known word that a misspelt one most probably means, for messages.

/** Longest word that is compared: the cost grows with the square. */
const longestWord = 100;

/**
 * The one of `words` with the fewest edits (Levenshtein: a letter more, less or another) from `word`, in any case; null when more than a
 * third of the letters differ. Cost: the product of both lengths for each word of about the same length.
 */
export function nearestOf(word: string, words: Iterable<string>): string | null {
  if (word.length > longestWord) return null;
  const lower = word.toLowerCase();
  let nearest: string | null = null;
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const known of words) {
    if (Math.abs(known.length - lower.length) >= fewest) continue;
    const edits = editsBetween(lower, known.toLowerCase());
    if (edits < fewest) {
      fewest = edits;
      nearest = known;
    }
  }
  return nearest;
}

/** One row of the table of distances at a time (Wagner and Fischer). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
