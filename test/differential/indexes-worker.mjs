// A thread that reads indexes while the writer changes them: what it finds must be right for every moment. Key k of each index holds only
// elements whose id leaves k when divided by `keys`, and always element k itself.

import { parentPort, workerData } from 'node:worker_threads';

const { memory, module, arena, arenaBytes, graph, keys, flags } = workerData;
const abort = (code) => {
  throw new Error(`check ${code}`);
};
const core = new WebAssembly.Instance(module, { env: { memory, abort, pulse: () => {} } }).exports;
core.coreAttachReader(arena, arenaBytes);
const slot = core.readerAttach();
const words = new Uint32Array(memory.buffer);
const bytes = new Uint8Array(memory.buffer);
const none = 0xffffffff;
const [typeString, typeInt32] = [1, 7];

function place(...texts) {
  let at = core.inputEnsure(4096) >>> 0;
  return texts.flatMap((text) => {
    const data = Buffer.from(text);
    bytes.set(data, at);
    const pair = [at, data.length];
    at += (data.length + 7) & ~7;
    return pair;
  });
}

function found() {
  const from = (core.outBase() >>> 0) >>> 2;
  return words.slice(from, from + core.indexFound());
}

function check(good, what) {
  if (!good) throw new Error(what);
}

function checkKey(ids, key, what) {
  check(
    ids.every((id, i) => id % keys === key && (i === 0 || ids[i - 1] < id)),
    `${what} ${key}: ${ids}`,
  );
  check(ids.includes(key), `${what} ${key} lacks element ${key}: ${ids}`);
}

function equality(index, key) {
  const isText = index === 'r';
  const [name, nameBytes, text, textBytes] = place(index, isText ? `key ${key}` : `${key}`);
  const type = isText ? typeString : typeInt32;
  check(core.indexScan(graph, name, nameBytes, 0, type, text, textBytes, 0, none, 3) === 0, 'equality failed');
  checkKey(found(), key, index);
}

function range(low, high) {
  const [name, nameBytes, left, leftBytes, right, rightBytes] = place('g', `${low}`, `${high}`);
  const status = core.indexRange(graph, name, nameBytes, typeInt32, left, leftBytes, right, rightBytes, 1, 0, 3);
  check(status === 0, 'range failed');
  const groups = Map.groupBy ? null : new Map();
  let last = -1;
  for (const id of found()) {
    check(id % keys >= last && id % keys >= low && id % keys < high, `range ${low}..${high}: ${id}`);
    last = id % keys;
    groups?.set(last, [...(groups.get(last) ?? []), id]);
  }
  for (const [key, ids] of groups ?? []) checkKey(Uint32Array.from(ids), key, 'range');
  if (groups) for (let key = low; key < high; key++) check(groups.has(key), `range ${low}..${high} lacks ${key}`);
}

function text(key) {
  const [name, nameBytes] = place('r');
  const query = (name + 64) & ~3;
  const literal = Buffer.from(`key ${key}`);
  const texts = 0; // the mode whose records carry the texts of the keys
  words.set([texts, 1, 1, literal.length], query >>> 2);
  bytes.set(literal, query + 16);
  let ids = null;
  for (let [c, s] = [0, 0]; c < 4; [c, s] = [core.indexTextClass(), core.indexTextSlot()]) {
    check(core.indexText(graph, name, nameBytes, query, c, s, 65536) === 0, 'text failed');
    const base = core.outBase() >>> 0;
    for (let at = base; at < base + core.outUsed(); ) {
      const [length, count] = [words[at >>> 2], words[(at >>> 2) + 1]];
      const found = Buffer.from(bytes.slice(at + 8, at + 8 + length)).toString();
      at += 8 + ((length + 3) & ~3);
      if (found === `key ${key}`) ids = words.slice(at >>> 2, (at >>> 2) + count);
      at += 4 * count;
    }
  }
  check(ids !== null, `text ${key} is not there`);
  checkKey(ids, key, 'text');
}

let reads = 0;
parentPort.postMessage('ready');
while (Atomics.load(flags, 0) === 0) {
  const key = (reads * 7) % keys;
  core.readerEnter(slot);
  try {
    for (const index of ['d', 'g', 'r']) equality(index, key);
    range(Math.min(key, keys - 5), Math.min(key, keys - 5) + 5);
    text(key);
  } finally {
    core.readerExit(slot);
  }
  reads++;
}
core.readerDetach(slot);
parentPort.postMessage({ reads });
