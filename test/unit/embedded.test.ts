// The engine inside a program: what is asked of it in a wrong way, or too late, is told.

import { expect, test } from 'vitest';
import { openService } from '../../runtime-node/index.ts';

test('a program is told that its service is closed, that a namespace is not there, and what fetch takes', async () => {
  const service = await openService({ 'Durability:Volatile': true });
  const graph = service.graph();
  const vertex = { kind: 'createVertex', creationDate: 0, label: 'person', properties: [] } as const;
  expect(await graph.transact([vertex])).toMatchObject({ firstId: 0, createCount: 1 });
  expect(() => service.graph('nope').vertexCount).toThrow('There is no namespace "nope".');
  await expect(service.fetch('/vertex/0' as never)).rejects.toThrow("new Request('http://localhost/vertex/0')");
  await service.close();
  await expect(graph.transact([vertex])).rejects.toThrow('The service is closed.');
  expect(() => graph.vertexCount).toThrow('The service is closed.');
});
