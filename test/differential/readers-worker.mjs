// A reader thread of the reader proof: one more instance over the shared memory. Runs one job and posts what came of it.
//
//   check    reads and checks until told to stop; `announce: false` is the canary that breaks the protocol
//   hold     one read that stays inside until released: what it looked at must stay as it was
//   endless  one read that never comes to an end: for being ended from outside
//   dump     reads everything once

import { parentPort, workerData } from 'node:worker_threads';
import { ArenaTooSmall, CoreReader } from '../../dist/src/core/reader.js';
import { Checks } from './support/readers-checks.mjs';
import { fingerprint } from './support/readers-memory.mjs';
import { Control } from './support/readers-values.mjs';

const { binary, memory, arena, graph, controlBuffer, job, announce, seed, kinds } = workerData;
const control = new Int32Array(controlBuffer);
const reader = new CoreReader(binary, memory, arena);

/** Reads until stopped or until something is wrong; a trap is as wrong as a bad value. */
function check() {
  let state = seed | 1;
  const random = (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  const checks = new Checks(reader, graph, control, random);
  let violation = null;
  let isVersed = false;
  while (violation === null && Atomics.load(control, Control.stop) === 0) {
    try {
      checks.step();
      if (!isVersed && kinds.every((kind) => checks.counts[kind] > 2)) {
        isVersed = true;
        Atomics.add(control, Control.versed, 1);
      }
    } catch (error) {
      violation = `${error.name}: ${error.message}`;
    }
  }
  return { violation, counts: checks.counts };
}

function hold() {
  return reader.announced(() => {
    const before = fingerprint(memory, graph);
    parentPort.postMessage({ inside: true });
    Atomics.wait(control, Control.release, 0);
    return { intact: before.again() === before.value, bytes: before.bytes };
  });
}

function endless() {
  reader.announced(() => {
    parentPort.postMessage({ inside: true });
    while (true) reader.readGraph(graph, 1, 0, 1000);
  });
}

function dump() {
  const lists = [1, 2].map((kind) => {
    const items = [];
    for (let next = 0; next < reader.nextId(graph); ) {
      const block = reader.readGraph(graph, kind, next, 1_000_000);
      if (block instanceof ArenaTooSmall) throw new Error(`an arena of ${block.neededBytes} bytes is wanted`);
      if (block.count > 0) items.push(Buffer.from(block.items).toString());
      next = block.next;
    }
    return items.join(',');
  });
  return { lists, vertices: reader.vertexCount(graph), edges: reader.edgeCount(graph) };
}

if (announce === false) reader.announced = (read) => read();
else if (!reader.attach()) throw new Error('no reader slot is free');
parentPort.postMessage({ slot: reader.slot });
const result = { check, hold, endless, dump }[job]();
reader.detach();
parentPort.postMessage({ result });
