// GET /hash: of now, of a commit that is there, that has gone, that never comes.

import { expect, it } from 'vitest';
import { isReal, startService } from './support/service.ts';

it.runIf(isReal)('answers the hash of a commit, while it is the last one', { tags: ['long'] }, async () => {
  const service = await startService({ 'Replica:MaxWaitSeconds': 1 });
  try {
    await service.call('PUT', '/vertex?waitForCompletion=true', {
      json: { creationDate: 1, label: 'a', properties: [] },
    });
    const first = await service.call('GET', '/hash');
    expect(first.status).toBe(200);
    const { hash, position } = first.json;
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    if (position === null) return;
    const { sequence } = position;
    expect((await service.call('GET', `/hash?at=${sequence}`)).json).toEqual(first.json);
    expect(await service.call('GET', `/hash?at=${sequence + 1}`)).toMatchObject({ status: 404 });
    expect(await service.call('GET', '/hash?at=-1')).toMatchObject({ status: 400 });
    const waiting = service.call('GET', `/hash?at=${sequence + 1}`);
    await service.call('PUT', '/vertex?waitForCompletion=true', {
      json: { creationDate: 1, label: 'b', properties: [] },
    });
    const second = await waiting;
    expect(second.status).toBe(200);
    expect(second.json.hash).not.toBe(hash);
    expect(await service.call('GET', `/hash?at=${sequence}`)).toMatchObject({ status: 409 });
    await service.restart();
    expect((await service.call('GET', '/hash')).json.hash).toBe(second.json.hash);
  } finally {
    await service.stop();
  }
});
