// The known word that a misspelt one most probably means, for messages.

/** Longest word that is compared: the cost grows with the square. */
const longestWord = 100;

/**
 * The one of `words` with the fewest edits (a letter more, less or another, two swapped) from `word`, in any case; null when more than a
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

/** Rows of the table of distances (Wagner and Fischer), with two letters the wrong way round as one edit (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const edits = Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1);
      const swaps = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(swaps ? Math.min(edits, (before[j - 2] as number) + 1) : edits);
    }
    before = row;
    row = next;
  }
  return row[b.length] as number;
}
