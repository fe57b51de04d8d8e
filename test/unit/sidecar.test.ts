// Calls to a service beside this one: which addresses are called at all.

import { expect, test } from 'vitest';
import { askSidecar } from '../../src/documents/sidecar.ts';

const called: string[] = [];
const fetch = (address: string): Promise<Response> => {
  called.push(address);
  return Promise.resolve(new Response('{"well":true}'));
};
const ask = (endpoint: string): Promise<unknown> =>
  askSidecar(fetch as typeof globalThis.fetch, endpoint, 'enrich', { method: 'POST' }, AbortSignal.timeout(60_000));

test('an address is called, with or without a slash at its end', async () => {
  expect(await ask('http://beside:5000/base')).toEqual({ well: true });
  expect(await ask('http://beside:5000/')).toEqual({ well: true });
  expect(called).toEqual(['http://beside:5000/base/enrich', 'http://beside:5000/enrich']);
});

test.each([
  ['http://user:secret@beside:5000', 'POST enrich: the endpoint takes an address without credentials.'],
  ['', 'POST enrich: the endpoint is no absolute address.'],
])('%s is not', async (endpoint, message) => {
  const before = called.length;
  await expect(ask(endpoint)).rejects.toThrow(message);
  expect(called).toHaveLength(before);
});
