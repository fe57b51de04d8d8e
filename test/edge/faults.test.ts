// What an object makes of storage that fails at any call, of an end in the middle of anything, of stores and names that are not its own.
// Calls of storage are tried in their turn, as long as there is one more: with EDGE_WHOLE=1 every one, else the later ones in growing steps.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerModule } from './support/modules.ts';
import { Workerd, workerdPath } from './support/workerd.ts';

const json = { 'content-type': 'application/json' };

describe.skipIf(workerdPath === null)('an object', () => {
  let edge: Workerd;

  beforeAll(async () => {
    const settings = { 'Security:SensitiveRateLimitPermitPerWindow': 1_000_000 };
    edge = await Workerd.start({ settings, main: await workerModule('test/edge/support/hooked-worker.ts') });
  });

  afterAll(() => edge?.stop());

  const call = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(edge.url + path, body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) });
  const hook = (command: string, path = '/vertex/count'): Promise<Response> =>
    fetch(edge.url + path, { headers: { 'x-hook': command } });
  const evict = (path: string): Promise<Response> => hook('evict', path);
  const calls = async (): Promise<number> => ((await (await hook('hooks')).json()) as { calls: number }).calls;
  const count = async (space: string): Promise<number> =>
    Number(await (await call('GET', `${space}/vertex/count`)).json());
  const write = async (space: string): Promise<number> =>
    (await call('PUT', `${space}/vertices?waitForCompletion=true`, [{ label: 'one' }])).status;

  /** Does something again and again, where storage fails at the next call of it each time; then checks what is left. */
  async function each(
    how: 'throw' | 'abort',
    path: string,
    run: () => Promise<number>,
    check: (status: number, isWhole: boolean) => Promise<void>,
  ): Promise<number> {
    for (let at = 1; ; at += process.env.EDGE_WHOLE ? 1 : at) {
      await hook(`${how} ${at}`);
      const status = await run();
      const isWhole = (await calls()) < at;
      await hook(`${how} 0`);
      await check(status, isWhole);
      await evict(path);
      await check(status, isWhole);
      if (isWhole) return at;
    }
  }

  it.each(['throw', 'abort'] as const)(
    'keeps what it acknowledged when its storage can only %s from any call of a write on',
    async (how) => {
      const space = `/ns/written-${how}`;
      expect((await call('PUT', space)).status).toBe(201);
      let acknowledged = 0;
      let sent = 0;
      const run = async (): Promise<number> => {
        sent++;
        const status = await write(space);
        if (status === 200) acknowledged++;
        return status;
      };
      const tried = await each(how, `${space}/vertex/count`, run, async (status, isWhole) => {
        if (isWhole) expect(status).toBe(200);
        const found = await count(space);
        expect(found).toBeGreaterThanOrEqual(acknowledged);
        expect(found).toBeLessThanOrEqual(sent);
      });
      // One that failed is not the end of the object.
      expect(await write(space)).toBe(200);
      expect(acknowledged).toBeGreaterThan(0);
      expect(tried).toBeGreaterThan(2);
    },
  );

  it.each(['throw', 'abort'] as const)('opens whole behind an opening whose storage can only %s', async (how) => {
    const space = `/ns/opened-${how}`;
    expect((await call('PUT', space)).status).toBe(201);
    expect(await write(space)).toBe(200);
    const run = async (): Promise<number> => {
      await evict(`${space}/vertex/count`);
      return (await call('GET', `${space}/vertex/count`)).status;
    };
    const tried = await each(how, `${space}/vertex/count`, run, async (status, isWhole) => {
      expect(status === 200).toBe(isWhole);
      expect(await count(space)).toBe(1);
    });
    expect(tried).toBeGreaterThan(7);
  });

  it.each(['throw', 'abort'] as const)('saves whole or not at all when its storage can only %s', async (how) => {
    const space = `/ns/saved-${how}`;
    expect((await call('PUT', space)).status).toBe(201);
    expect(await write(space)).toBe(200);
    let saved = 0;
    const run = async (): Promise<number> => {
      const { status } = await call('PUT', `${space}/save`);
      if (status === 200) saved++;
      return status;
    };
    await each(how, `${space}/vertex/count`, run, async () => {
      expect(await count(space)).toBe(1);
    });
    expect(saved).toBeGreaterThan(0);
    const games = (await (await call('GET', '/savegames')).json()) as { namespaces: { name: string }[] }[];
    const own = games.filter(({ namespaces }) => namespaces.some(({ name }) => name === `saved-${how}`));
    expect(own.length).toBeGreaterThanOrEqual(saved);
  });

  it.each(['throw', 'abort'] as const)(
    'is dropped whole, or is still there, when its storage can only %s',
    async (how) => {
      const space = `/ns/dropped-${how}`;
      const run = async (): Promise<number> => (await call('DELETE', space)).status;
      const prepare = async (): Promise<void> => {
        await call('PUT', space);
        expect(await write(space)).toBe(200);
      };
      await prepare();
      await each(how, `${space}/vertex/count`, run, async (status, isWhole) => {
        const left = await call('GET', `${space}/vertex/count`);
        if (isWhole) expect(status).toBe(204);
        if (status === 204) expect(left.status).toBe(404);
        else expect([200, 404]).toContain(left.status);
        if (left.status === 404 && !isWhole) await prepare();
      });
      expect((await call('PUT', space)).status).toBe(201);
      expect(await count(space)).toBe(0);
    },
  );

  it('answers as a new one behind its deletion, in the middle of requests too', async () => {
    expect((await call('PUT', '/ns/gone')).status).toBe(201);
    const writes = Array.from({ length: 20 }, () => write('/ns/gone'));
    const [deleted, ...written] = await Promise.all([
      call('DELETE', '/ns/gone').then(({ status }) => status),
      ...writes,
    ]);
    expect(deleted).toBe(204);
    for (const status of written) expect([200, 404, 500, 503]).toContain(status);
    expect((await call('GET', '/ns/gone/vertex/count')).status).toBe(404);
    expect(await write('/ns/gone')).toBe(404);
    expect((await call('DELETE', '/ns/gone')).status).toBe(404);
    expect((await call('PUT', '/ns/gone')).status).toBe(201);
    expect(await count('/ns/gone')).toBe(0);
  });

  it('is refused where it is told a name that another one has', async () => {
    const headers = { 'x-hook': 'unnamed', 'x-arcwise-object': 'default' };
    const answer = await fetch(`${edge.url}/vertex/count`, { headers });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      expect.objectContaining({
        detail: 'This object is not the one that the name "default" leads to.',
        namespace: 'default',
      }),
    ]);
  });

  it.each([
    ['store', "UPDATE arcwise_facts SET value = '3' WHERE name = 'format'", 'The store has format 3'],
    [
      'log',
      "UPDATE arcwise_content SET content = substr(content, 1, 8) || x'7f' || substr(content, 10) WHERE place = (SELECT id << 36 FROM arcwise_files WHERE name LIKE 'l/namespaces/%')",
      'could not be loaded',
    ],
  ])('leaves the %s of a newer version alone, and says so', async (what, statement, detail) => {
    const space = `/ns/newer-${what}`;
    expect((await call('PUT', space)).status).toBe(201);
    expect(await write(space)).toBe(200);
    const path = `${space}/vertex/count`;
    const content = async (): Promise<string> =>
      (await hook(`sql ${encodeURIComponent('SELECT name, value FROM arcwise_facts')}`, path)).text();
    await hook(`sql ${encodeURIComponent(statement)}`, path);
    const before = await content();
    await evict(path);
    const answer = await call('GET', path);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      expect.objectContaining({ detail: expect.stringContaining(detail), namespace: `newer-${what}` }),
    ]);
    expect(await content()).toBe(before);
    expect((await call('GET', '/vertex/count')).status).toBe(200);
  });

  /** So many MiB of spaces. */
  const spaces = (mebibytes: number): ReadableStream<Uint8Array> => {
    const block = new Uint8Array(2 ** 20).fill(32);
    let sent = 0;
    return new ReadableStream({
      pull: (controller) => {
        if (sent++ < mebibytes) controller.enqueue(block);
        else controller.close();
      },
    });
  };

  it('refuses a body larger than its memory, told by its length or counted', { tags: ['long'] }, async () => {
    const send = { method: 'PUT', headers: json, body: spaces(130), duplex: 'half' } as RequestInit;
    expect((await fetch(`${edge.url}/vertices`, send)).status).toBe(413);
    const told = { method: 'PUT', headers: json, body: new Uint8Array(130 * 2 ** 20).fill(32) };
    expect((await fetch(`${edge.url}/vertices`, told)).status).toBe(413);
    expect((await call('GET', '/vertex/count')).status).toBe(200);
  });

  it('lets a client that still sends a large import read why it is refused, before it began and in its middle', async () => {
    const lines = { 'content-type': 'application/x-ndjson' };
    expect((await call('PUT', '/ns/importing')).status).toBe(201);
    const url = `${edge.url}/ns/importing/bulk/import`;
    const meta = `${JSON.stringify({ type: 'meta', format: 'service-jsonl', version: 2 })}\n`;
    const bad = new TextEncoder().encode(`${meta}{"type":"vertex","id":-1}\n`);
    const whole = new Uint8Array(20 * 2 ** 20).fill(32);
    whole.set(bad);
    const halfway = await fetch(url, { method: 'POST', headers: lines, body: whole });
    expect([halfway.status, (await halfway.json()).lineNumber]).toEqual([400, 2]);
    expect(await write('/ns/importing')).toBe(200);
    for (const body of [whole, spaces(20)]) {
      const init = { method: 'POST', headers: lines, body, duplex: 'half' } as RequestInit;
      const refused = await fetch(url, init);
      expect([refused.status, (await refused.json()).title]).toEqual([409, 'Import requires an empty graph']);
    }
    expect(await count('/ns/importing')).toBe(1);
  });
});
