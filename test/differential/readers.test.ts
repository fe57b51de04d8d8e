// One writer, many readers, no locks: threads read with their own instances of the core while the writer changes the graph at full
// speed, and every value they see is checked. `READERS_SECONDS` makes it longer, `READERS_SEED` repeats one.

import { describe, expect, it } from 'vitest';
import {
  ArenaTooSmall,
  allocateReaderArena,
  CoreReader,
  freeReaderArena,
  type ReaderArena,
} from '../../src/core/reader.ts';
import type { PropertyQuery } from '../../src/core/scans.ts';
import { TypeId } from '../../src/core/values.ts';
import { randomFrom } from '../unit/memory-module.ts';
import { binaryOf, builds, type CheckResult, checkKinds, ReaderThread } from './support/readers-threads.ts';
import { Control } from './support/readers-values.mjs';
import { ReadersWriter } from './support/readers-writer.ts';

const seconds = Number(process.env.READERS_SECONDS ?? 3);
const seed = Number(process.env.READERS_SEED ?? (Date.now() ^ 0x5eed) >>> 0);
const readerCount = 3;
const writes = [
  'create',
  'change',
  'remove edges',
  'remove vertices',
  'remove hub',
  'thin hub',
  'trim',
  'stretch',
  'taken back',
];

function createWriter(build: (typeof builds)[number], offset: number) {
  const binary = binaryOf(build);
  const control = new Int32Array(new SharedArrayBuffer(64));
  const writer = new ReadersWriter(binary, control, randomFrom(seed + offset));
  const exports = writer.core.instance.exports as unknown as Record<'retiredCount' | 'retireAdvance', () => number>;
  return { binary, writer, control, retired: () => exports.retiredCount(), advance: () => exports.retireAdvance() };
}

/** Writes for so long and until it is enough, or until `isOver`, with short rests in which readers can compare exactly. */
async function writeFor(
  writer: ReadersWriter,
  milliseconds: number,
  { isEnough = () => true, isOver = () => false },
): Promise<void> {
  for (const end = performance.now() + milliseconds; (performance.now() < end || !isEnough()) && !isOver(); ) {
    writer.run(performance.now() + 12);
    await new Promise((next) => setTimeout(next, 2));
  }
}

describe.each(builds)('readers beside the writer (%s)', (build) => {
  it('see whole elements and nothing that is freed', { timeout: seconds * 1000 + 120_000 }, async () => {
    console.log(`readers (${build}): READERS_SEED=${seed}`);
    const { binary, writer, control, retired, advance } = createWriter(build, 0);
    writer.run(performance.now() + 200);
    writer.beginExports();
    const readers = await Promise.all(
      Array.from({ length: readerCount }, (_, index) =>
        ReaderThread.start<CheckResult>(binary, writer, 'check', seed + index + 1),
      ),
    );
    let ended = false;
    for (const { result } of readers) {
      const over = () => {
        ended = true;
      };
      result.then(over, over);
    }
    const isEnough = (): boolean =>
      Atomics.load(control, Control.versed) === readerCount && writes.every((kind) => (writer.counts[kind] ?? 0) > 0);
    await writeFor(writer, seconds * 1000, { isEnough, isOver: () => ended });
    Atomics.store(control, Control.stop, 1);
    const results = await Promise.all(readers.map((reader) => reader.finish()));
    expect(results.map(({ violation }) => violation)).toEqual(results.map(() => null));
    const total: Record<string, number> = {};
    for (const { counts } of results) {
      for (const [kind, count] of Object.entries(counts)) total[kind] = (total[kind] ?? 0) + count;
    }
    console.log(`readers (${build}): read ${JSON.stringify(total)}, wrote ${JSON.stringify(writer.counts)}`);
    for (const kind of checkKinds) expect([kind, (total[kind] ?? 0) > 5]).toEqual([kind, true]);
    for (const kind of writes) expect([kind, (writer.counts[kind] ?? 0) > 0]).toEqual([kind, true]);
    // With the readers gone everything that waited for them is freed, and both sides have the same graph.
    writer.endExports();
    advance();
    expect(retired()).toBe(0);
    Atomics.store(control, Control.stop, 0);
    const dump = await ReaderThread.start<{ lists: string[]; vertices: number; edges: number }>(binary, writer, 'dump');
    const { lists, vertices, edges } = await dump.finish();
    expect([vertices, edges]).toEqual([writer.vertexCount, writer.edgeCount]);
    expect(lists).toEqual([1, 2].map((kind) => wholeList(writer, kind as 1 | 2)));
    writer.removeAll();
    expect(writer.core.memoryUse().properties).toBe(0);
  });

  it('hold memory back as long as one of them stays inside, and no longer', async () => {
    const { binary, writer, control, retired, advance } = createWriter(build, 100);
    while (writer.edgeCount < 2000) writer.run(performance.now() + 50);
    const reader = await ReaderThread.start<{ intact: boolean; bytes: number }>(binary, writer, 'hold');
    // The graph that the reader has in its hands is no longer the graph.
    while (!writer.erase());
    await writeFor(writer, 0, { isEnough: () => retired() > 1000 });
    const waiting = retired();
    advance();
    expect(retired()).toBe(waiting);
    Atomics.store(control, Control.release, 1);
    Atomics.notify(control, Control.release);
    const { intact, bytes } = await reader.finish();
    expect(intact).toBe(true);
    expect(bytes).toBeGreaterThan(100_000);
    advance();
    expect(retired()).toBe(0);
  });

  it('say how large an arena a read wants', () => {
    const { binary, writer } = createWriter(build, 400);
    const { instance } = writer.core;
    const text = 'x'.repeat(200_000);
    const graph = writer.core.createGraph();
    const properties = [{ key: 'text', type: TypeId.string, text }];
    writer.core.write(graph, [{ kind: 'createVertex', creationDate: 0, label: null, properties }], 0);
    const query: PropertyQuery = { key: 'text', operator: 0, type: TypeId.string, text, label: null, mask: 3 };
    const reads: ((reader: CoreReader) => unknown)[] = [
      (reader) => reader.readElement(graph, 0, 1),
      (reader) => reader.readElements(graph, Int32Array.of(0), 0),
      (reader) => reader.readElements(graph, new Int32Array(20_000), 0),
      (reader) => reader.readGraph(graph, 1, 0, 10),
      (reader) => reader.readGroup(graph, 0, 0, text),
      (reader) => reader.readGroupDegree(graph, 0, 0, text),
      (reader) => reader.scanProperty(graph, query, 0, 100),
      (reader) => reader.scanText(graph, { term: text, label: null, mask: 3 }, 0, 100),
    ];
    for (const [index, read] of reads.entries()) {
      let bytes = 4096;
      for (let tries = 0; ; tries++) {
        const arena = allocateReaderArena(instance, bytes) as ReaderArena;
        const reader = new CoreReader(binary, instance.memory, arena);
        expect(reader.attach()).toBe(true);
        const answer = read(reader);
        reader.detach();
        freeReaderArena(instance, arena, -1);
        if (!(answer instanceof ArenaTooSmall)) {
          expect([index, tries > 0]).toEqual([index, true]);
          break;
        }
        expect(answer.neededBytes).toBeGreaterThan(bytes);
        expect([index, tries < 8]).toEqual([index, true]);
        bytes = answer.neededBytes;
      }
    }
  });

  it.each(['hold', 'endless'] as const)('that end in the middle of a read (%s) are cleared away', async (job) => {
    const { binary, writer, retired, advance } = createWriter(build, 200);
    writer.run(performance.now() + 200);
    const reader = await ReaderThread.start(binary, writer, job);
    await writeFor(writer, 0, { isEnough: () => retired() > 100 });
    await reader.terminate();
    advance();
    expect(retired()).toBe(0);
    const next = await ReaderThread.start(binary, writer, job);
    expect(next.slot).toBe(reader.slot);
    await next.terminate();
    expect(leftOver(writer)).toEqual(leftOver(createWriter(build, 0).writer));
  });

  it('canary: readers that do not announce themselves are caught', async () => {
    const { binary, writer, control } = createWriter(build, 300);
    writer.run(performance.now() + 200);
    const reader = await ReaderThread.start<CheckResult>(binary, writer, 'check', seed, false);
    let violation: string | null = null;
    let ended = false;
    const over = (found: string | null): void => {
      violation = found;
      ended = true;
    };
    reader.result.then(
      (result) => over(result.violation),
      (error: Error) => over(error.message),
    );
    await writeFor(writer, 20_000, { isOver: () => ended });
    Atomics.store(control, Control.stop, 1);
    // On freed memory a loop may have lost its end.
    await reader.terminate();
    if (!ended) violation = 'the reader hangs';
    console.log(`readers (${build}): the canary ended with ${violation}`.slice(0, 300));
    expect(violation).not.toBeNull();
  });
});

/** JSON of all vertices or edges by the writer's own core. */
function wholeList({ core, graph }: ReadersWriter, kind: 1 | 2): string {
  const items: string[] = [];
  for (let next = 0; next < core.nextId(graph); ) {
    const block = core.readGraph(graph, kind, next, 1_000_000);
    if (block.count > 0) items.push(Buffer.from(block.items).toString());
    next = block.next;
  }
  return items.join(',');
}

/** What an emptied graph still holds; strings are shared by all graphs of a memory and stay. */
function leftOver(writer: ReadersWriter) {
  while (!writer.erase());
  const { elements, adjacency, properties } = writer.core.memoryUse();
  return { elements, adjacency, properties };
}
