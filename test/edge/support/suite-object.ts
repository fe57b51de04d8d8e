// Runs the suite of all stores inside an object, over its database, and answers what came of it.

import type { Environment, ObjectState } from '../../../runtime-edge/platform.ts';
import { TableBlobStore, TableCheckpointStore, TableLogStore } from '../../../runtime-edge/storage/stores.ts';
import { Tables } from '../../../runtime-edge/storage/tables.ts';
import { expect, it, runCases } from '../../browser/support/vitest-in-page.ts';
import { checkpointStoreSuite } from '../../unit/checkpoint-store-suite.ts';
import { storageSuite } from '../../unit/storage-suite.ts';

let opened: ObjectState | null = null;

storageSuite('an object', async () => {
  const { storage } = opened as ObjectState;
  await storage.deleteAll();
  const tables = new Tables(storage, () => 0);
  return { logs: new TableLogStore(tables, () => {}), blobs: new TableBlobStore(tables), dispose: async () => {} };
});

checkpointStoreSuite('an object', async () => {
  const { storage } = opened as ObjectState;
  await storage.deleteAll();
  return new TableCheckpointStore(new Tables(storage, () => 0));
});

it('parts that are written over, cut and joined read as the bytes they hold', () => {
  const { storage } = opened as ObjectState;
  const tables = new Tables(storage, () => 0);
  const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);
  // Files beside it: what is done to one reaches no other.
  const before = tables.put('c/before', bytes(10, 255));
  const file = tables.put('c/parts', bytes(10, 1));
  const behind = tables.put('c/behind', bytes(10, 254));
  const model = bytes(40, 0);
  model.fill(1, 0, 10);
  let seed = 7;
  const below = (most: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let round = 1; round < 200; round++) {
    const start = below(40);
    const end = start + 1 + below(40 - start);
    tables.cut(file, start, end);
    model.fill(0, start, end);
    if (round % 3 !== 0) {
      tables.write(file, start, bytes(end - start, round));
      model.fill(round, start, end);
    }
    const found = new Uint8Array(40);
    tables.read(file, 0, found);
    expect([...found]).to.deep.equal([...model]);
    const part = new Uint8Array(9);
    tables.read(file, 13, part);
    expect([...part]).to.deep.equal([...model.subarray(13, 22)]);
  }
  tables.cut(file, 0, Number.MAX_SAFE_INTEGER);
  expect([tables.end(before), tables.end(file), tables.end(behind)]).to.deep.equal([10, 0, 10]);
  tables.write(file, 2 ** 35, bytes(3, 7));
  expect(tables.end(file)).to.equal(2 ** 35 + 3);
  tables.remove(file);
  for (const [neighbour, value] of [
    [before, 255],
    [behind, 254],
  ] as const) {
    const found = new Uint8Array(10);
    tables.read(neighbour, 0, found);
    expect([...found]).to.deep.equal([...bytes(10, value)]);
  }
  expect(tables.contentBytes('c/')).to.equal(20);
});

it('a store of the version before is taken along', async () => {
  const { storage } = opened as ObjectState;
  await storage.deleteAll();
  const { sql } = storage;
  sql.exec('CREATE TABLE arcwise_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)');
  sql.exec("INSERT INTO arcwise_facts VALUES ('format', '1')");
  sql.exec(
    'CREATE TABLE arcwise_files (id INTEGER PRIMARY KEY, name TEXT UNIQUE, bytes INTEGER NOT NULL, modified INTEGER NOT NULL)',
  );
  sql.exec("INSERT INTO arcwise_files VALUES (3, 'l/log', 5, 9), (4, NULL, 0, 9)");
  sql.exec(
    'CREATE TABLE arcwise_parts (file INTEGER NOT NULL, position INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (file, position)) WITHOUT ROWID',
  );
  sql.exec("INSERT INTO arcwise_parts VALUES (3, 0, x'0102'), (3, 3, x'0405'), (4, 0, x'09')");
  for (let opening = 0; opening < 2; opening++) {
    const tables = new Tables(storage, () => 0);
    const found = new Uint8Array(5);
    tables.read(3, 0, found);
    expect([...found]).to.deep.equal([1, 2, 0, 4, 5]);
    expect([tables.fact('format'), tables.end(4), tables.names('')]).to.deep.equal(['2', 0, ['l/log']]);
  }
});

it('a store of a newer version is refused', () => {
  const { storage } = opened as ObjectState;
  new Tables(storage, () => 0).note('format', '3');
  expect(() => new Tables(storage, () => 0)).to.throw('The store has format 3');
});

it('a canary that must fail', () => {
  expect(1).to.equal(2);
});

// biome-ignore lint/suspicious/noExportsInTest: the runtime looks for it
export class ArcwiseObject {
  private readonly state: ObjectState;

  constructor(state: ObjectState) {
    this.state = state;
  }

  async fetch(): Promise<Response> {
    opened = this.state;
    return new Response(JSON.stringify(await runCases()));
  }
}

// biome-ignore lint/suspicious/noExportsInTest: the runtime looks for it
export default {
  fetch: (request: Request, { ARCWISE }: Environment): Promise<Response> =>
    ARCWISE.get(ARCWISE.idFromName('suite')).fetch(request),
};
