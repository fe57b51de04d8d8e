// Sorting the neighbours of one vertex: quicksort with the median of three down to short runs, then insertion. In place, no
// memory, O(n log n) expected, O(n log n) worst since a run that splits badly goes on as a heapsort. Knows only words.

import { setWord, word } from './job';

/** Runs up to this length are sorted by insertion. */
const SHORT: u32 = 24;

/** Sorts `count` words at `at`, drops `self` and repeats; answers how many are left. What lies behind them is garbage. */
export function sortDistinct(at: usize, count: u32, self: u32): u32 {
  if (!isAscending(at, count)) sort(at, 0, count, 2 * (32 - <u32>clz(count)));
  let kept: u32 = 0;
  let last = self;
  for (let i: u32 = 0; i < count; i++) {
    const value = word(at, i);
    if (value == self || value == last) continue;
    setWord(at, kept++, value);
    last = value;
  }
  return kept;
}

function isAscending(at: usize, count: u32): bool {
  for (let i: u32 = 1; i < count; i++) {
    if (word(at, i - 1) > word(at, i)) return false;
  }
  return true;
}

function sort(at: usize, from: u32, to: u32, depth: u32): void {
  while (to - from > SHORT) {
    if (depth-- == 0) {
      heapSort(at + ((<usize>from) << 2), to - from);
      return;
    }
    const middle = partition(at, from, to);
    // The smaller part by recursion, so that the stack stays logarithmic.
    if (middle - from < to - middle) {
      sort(at, from, middle, depth);
      from = middle;
    } else {
      sort(at, middle, to, depth);
      to = middle;
    }
  }
  insertionSort(at, from, to);
}

/** Hoare's partition: everything before the answer is at most everything from it on; neither part is empty. */
function partition(at: usize, from: u32, to: u32): u32 {
  const a = word(at, from);
  const b = word(at, from + ((to - from) >> 1));
  const c = word(at, to - 1);
  const pivot = max<u32>(min<u32>(a, b), min<u32>(max<u32>(a, b), c));
  let i = from;
  let j = to - 1;
  while (true) {
    while (word(at, i) < pivot) i++;
    while (word(at, j) > pivot) j--;
    if (i >= j) break;
    const value = word(at, i);
    setWord(at, i++, word(at, j));
    setWord(at, j--, value);
  }
  return max<u32>(min<u32>(j + 1, to - 1), from + 1);
}

function insertionSort(at: usize, from: u32, to: u32): void {
  for (let i = from + 1; i < to; i++) {
    const value = word(at, i);
    let j = i;
    while (j > from && word(at, j - 1) > value) {
      setWord(at, j, word(at, j - 1));
      j--;
    }
    setWord(at, j, value);
  }
}

function heapSort(at: usize, count: u32): void {
  for (let root = count >> 1; root > 0; root--) sink(at, root - 1, count);
  for (let end = count - 1; end > 0; end--) {
    const value = word(at, end);
    setWord(at, end, word(at, 0));
    setWord(at, 0, value);
    sink(at, 0, end);
  }
}

function sink(at: usize, root: u32, count: u32): void {
  const value = word(at, root);
  while (true) {
    let child: u32 = 2 * root + 1;
    if (child >= count) break;
    if (child + 1 < count && word(at, child + 1) > word(at, child)) child++;
    if (word(at, child) <= value) break;
    setWord(at, root, word(at, child));
    root = child;
  }
  setWord(at, root, value);
}
