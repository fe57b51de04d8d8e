// The small graph that tests of plugins ask about, and a plugin that is there for a while.

import { expect } from 'vitest';
import { createEdges, createVertices, expectJson, property } from './requests.ts';
import type { TestService } from './service.ts';

/** A..D (0..3); 0-1 (10), 0-2 (1), 2-1 (1), 1-0 (5), 1-3 (1) are edges 4..8. */
export async function fillWithRoads(service: TestService): Promise<void> {
  await createVertices(service, [{ label: 'A' }, { label: 'A' }, { label: 'A' }, { label: 'D' }]);
  const edge = (sourceVertex: number, targetVertex: number, edgePropertyId: string, weight: string) => ({
    ...{ sourceVertex, targetVertex, edgePropertyId },
    properties: [property('weight', weight, 'double')],
  });
  await createEdges(service, [
    edge(0, 1, 'road', '10'),
    edge(0, 2, 'path', '1'),
    edge(2, 1, 'path', '1'),
    edge(1, 0, 'road', '5'),
    edge(1, 3, 'road', '1'),
  ]);
}

/** Registers a plugin, and removes it again. */
export async function withPlugin(
  service: TestService,
  json: { name: string; contract?: string; sourceCode: string },
  run: () => Promise<void>,
): Promise<void> {
  const kind = json.contract === undefined ? 'function' : 'algorithm';
  expectJson(await service.call('POST', `/plugins/${kind}`, { json }), 201);
  try {
    await run();
  } finally {
    expect((await service.call('DELETE', `/plugins/${json.name}`)).status).toBe(204);
  }
}
