// GET /cluster of a service that is no node of one, and what documents say of positions.

import { expect, it } from 'vitest';
import { startService } from './support/service.ts';

it('answers that a service alone is alone', async () => {
  const service = await startService();
  try {
    const answer = await service.call('GET', '/cluster');
    expect(answer.status).toBe(200);
    const nobody = { node: null, role: 'alone', term: 0, writer: null, nodes: [], namespaces: [] };
    expect(answer.json).toEqual(nobody);
    const moved = await service.call('PUT', '/cluster/namespaces/default', { json: { node: 'http://127.0.0.1:1' } });
    expect(moved.status).toBe(409);
    expect((await service.call('PUT', '/cluster/namespaces/default', { json: {} })).status).toBe(400);
    expect((await service.call('PUT', '/cluster')).status).toBe(405);
  } finally {
    await service.stop();
  }
});
