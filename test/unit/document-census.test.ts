// The account of chunks and contents that ingestion keeps, beside a scan each time, whoever wrote in between.

import { expect, test } from 'vitest';
import type { WriteOperation } from '../../src/core/requests.ts';
import { chunkCount, documentsWith, written } from '../../src/documents/census.ts';
import { chunkLabel, documentLabel, findVertices } from '../../src/documents/model.ts';
import { graphOf, startedWith, vertex } from './engine-support.ts';

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the account is what a scan finds, after writes of ingestion, of others, and a trim', async () => {
  const { engine } = await startedWith();
  const graph = graphOf(engine);
  const chunk = vertex(chunkLabel, [['kind', 1, 'text']]);
  const documentOf = (hash: string) => vertex(documentLabel, [['contentHash', 1, hash]]);
  let state = 5;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const removal = (): WriteOperation => {
    return { kind: 'removeElement', element: random(graph.vertexCount + 20), skipRemoved: true };
  };
  const steps: readonly (() => unknown)[] = [
    () => written(graph, [chunk, chunk, vertex('other')], { chunks: 2 }),
    () => {
      const hash = `h${random(30)}`;
      return written(graph, [documentOf(hash), vertex('other')], { contentHash: hash });
    },
    () => graph.write([chunk, documentOf(`h${random(30)}`)]),
    () => graph.write([removal()]),
    () => written(graph, [vertex('other')]),
    () => graph.write([{ kind: 'trim' }]),
  ];
  const weights = [0, 0, 0, 1, 1, 1, 1, 2, 3, 3, 4, 5];
  for (let round = 0; round < 400; round++) {
    steps[weights[random(weights.length)] as number]?.();
    if (random(3) === 0) continue;
    const hash = `h${random(30)}`;
    expect(await documentsWith(graph, hash, pause)).toEqual(
      await findVertices(graph, documentLabel, 'contentHash', { is: hash }),
    );
    expect(await chunkCount(graph)).toBe((await findVertices(graph, chunkLabel, 'kind', { not: '' })).length);
  }
  await engine.close();
});

test('a write of somebody else between two looks is seen', async () => {
  const { engine } = await startedWith();
  const graph = graphOf(engine);
  expect([await chunkCount(graph), await documentsWith(graph, 'a', pause)]).toEqual([0, []]);
  graph.write([vertex(chunkLabel, [['kind', 1, 'text']]), vertex(documentLabel, [['contentHash', 1, 'a']])]);
  expect([await chunkCount(graph), await documentsWith(graph, 'a', pause)]).toEqual([1, [1]]);
  await engine.close();
});
