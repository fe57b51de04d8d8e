// Everything that one state of a graph consists of, as one number, found by the addresses in memory and not by the core: element
// pages, adjacency, rows, shapes, values. Works on a state that nobody changes any more. Offsets: assembly/graph/state.ts,
// elements.ts, adjacency.ts, rows.ts, shapes.ts.

const pageIds = 65536;
const columnLabel = 65536;
const columnOf = (number) => columnLabel + number * 4 * pageIds;
const columnRow = columnOf(3);
const columnA = columnOf(4);
const columnB = columnOf(5);
const kindVertex = 1;
/** Types whose slot is the address of a record: String and Single[], with a length; Decimal, DateTimeOffset and Guid, 16 bytes. */
const variableTypes = new Set([1, 19]);
const wideTypes = new Set([13, 16, 18]);

/** What the graph's current state holds: `value` now, `again()` later, from the same addresses. */
export function fingerprint(memory, graph) {
  const words = new Uint32Array(memory.buffer);
  const bytes = new Uint8Array(memory.buffer);
  const ranges = rangesOf(words, bytes, words[graph >>> 2]);
  const again = () => ranges.reduce((hash, [at, length]) => hashRange(words, hash, at, length), 1);
  return { value: again(), again, bytes: ranges.reduce((sum, [, length]) => sum + length, 0) };
}

function hashRange(words, hash, at, length) {
  let h = hash;
  const end = (at + length) >>> 2;
  for (let i = at >>> 2; i < end; i++) h = Math.imul(h ^ words[i], 0x01000193) + 1;
  return h;
}

/** Address and length of everything that can be reached from a state. */
function rangesOf(words, bytes, state) {
  const word = (address) => words[address >>> 2];
  const directory = word(state + 4);
  const next = word(state + 12);
  const ranges = [
    [state, 28],
    [directory, 8 * Math.ceil(next / pageIds)],
  ];
  const shapes = new Set();
  for (let id = 0; id < next; id++) {
    const page = word(directory + 8 * Math.floor(id / pageIds));
    const place = id % pageIds;
    if (place === 0) ranges.push([page, 29 * pageIds]);
    const kind = bytes[page + place];
    if (kind === 0) continue;
    if (kind === kindVertex) {
      for (const column of [columnA, columnB]) addAdjacency(word, ranges, word(page + column + 4 * place));
    }
    const row = word(page + columnRow + 4 * place);
    if (row !== 0) addRow(word, ranges, shapes, row);
  }
  return ranges;
}

function addAdjacency(word, ranges, adjacency) {
  if (adjacency === 0) return;
  const groups = [];
  if (adjacency % 2 === 0) {
    groups.push(adjacency);
  } else {
    const directory = adjacency - 1;
    const count = word(directory);
    for (let i = 0; i < count; i++) groups.push(word(directory + 16 + 4 * i));
    ranges.push([directory, 16 + 4 * count]);
  }
  for (const group of groups) ranges.push([group, 16 + 8 * word(group + 4)]);
}

function addRow(word, ranges, shapes, row) {
  const shape = word(row);
  const count = word(shape + 4);
  ranges.push([row, 8 + 8 * count]);
  if (!shapes.has(shape)) ranges.push([shape, 8 + 8 * count + 8]);
  shapes.add(shape);
  for (let i = 0; i < count; i++) {
    const type = word(shape + 16 + 8 * i + 4);
    const record = word(row + 8 + 8 * i);
    if (variableTypes.has(type)) ranges.push([record, 8 + (word(record) & ~3)]);
    else if (wideTypes.has(type)) ranges.push([record, 16]);
  }
}
