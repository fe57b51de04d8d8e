// The state hash of a namespace: reads go on and writes wait while it is taken, one that does not ask makes it begin anew, and documents count.

import { expect, it } from 'vitest';
import { sectionKinds } from '../../src/engine/checkpoint/types.ts';
import { edge, graphOf, startedWith, vertex } from './engine-support.ts';

/** Every step is a slice of its own. */
const slices = () => ({ isOver: () => true });

it('is that of the position it names, and the same after a restart', async () => {
  const home = await startedWith();
  const graph = graphOf(home.engine);
  graph.write([vertex('a'), vertex('b')]);
  await (graph.write([edge(0, 1)]) as { durable?: Promise<boolean> }).durable;
  const { hash, position } = await graph.runs.stateHash();
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect(position).toEqual(graph.position);
  expect(position?.sequence).toBe(2);
  await home.engine.close();
  const again = await startedWith({ logs: home.options.logs, metadata: home.options.metadata });
  expect(await graphOf(again.engine).runs.stateHash()).toEqual({ hash, position });
  await again.engine.close();
});

it('counts documents', async () => {
  const { engine } = await startedWith();
  const graph = graphOf(engine);
  const hashes = [await graph.runs.stateHash()];
  for (const [name, text] of [
    ['q', '1'],
    ['q', '2'],
    ['r', '2'],
  ] as const) {
    graph.documents.put(sectionKinds.storedQueries, name, text);
    hashes.push(await graph.runs.stateHash());
  }
  expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(4);
  graph.documents.remove(sectionKinds.storedQueries, 'r');
  expect((await graph.runs.stateHash()).hash).toBe(hashes[2]?.hash);
  await engine.close();
});

it('lets others have their turn between documents', async () => {
  const { engine } = await startedWith({ slices });
  const graph = graphOf(engine);
  for (let i = 0; i < 50; i++) graph.documents.put(sectionKinds.storedQueries, `q${i}`, 'text');
  let isOver = false;
  const hashing = graph.runs.stateHash().finally(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(turns).toBeGreaterThan(50);
  await hashing;
  await engine.close();
});

it('holds writes that ask, and begins anew after one that does not', async () => {
  const { engine } = await startedWith({ slices });
  const graph = graphOf(engine);
  graph.write(Array.from({ length: 4000 }, () => vertex('a')));
  graph.write(Array.from({ length: 4000 }, (_, i) => edge(i, (i + 1) % 4000)));
  expect(graph.writeHold()).toBeNull();
  const hashing = graph.runs.stateHash();
  while (graph.writeHold() === null) await new Promise((resolve) => setImmediate(resolve));
  graph.write([vertex('b')]);
  const held = graph.writeHold();
  expect(held).not.toBeNull();
  const { hash, position } = await hashing;
  await held;
  expect(graph.writeHold()).toBeNull();
  expect(position?.sequence).toBe(3);
  expect((await graph.runs.stateHash()).hash).toBe(hash);
  await engine.close();
});

it('is given up when the graph never stands still', async () => {
  const { engine } = await startedWith({ slices });
  const graph = graphOf(engine);
  graph.write(Array.from({ length: 20_000 }, () => vertex('a', [['n', 7, '1']])));
  let over = false;
  const writing = (async () => {
    while (!over) {
      graph.write([vertex('b')]);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await expect(graph.runs.stateHash()).rejects.toThrow('changed during each of 8 attempts');
  over = true;
  await writing;
  expect(graph.writeHold()).toBeNull();
  await engine.close();
});
