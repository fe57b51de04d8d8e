// Runs the suites of blobs and of checkpoints over the bucket that the configuration binds, and answers what came of them.

import type { Environment } from '../../../runtime-edge/platform.ts';
import { BucketStore, putStream, uploadPartBytes } from '../../../runtime-edge/storage/bucket.ts';
import { expect, it, runCases } from '../../browser/support/vitest-in-page.ts';
import { checkpointStoreSuite } from '../../unit/checkpoint-store-suite.ts';
import { blobSuite } from '../../unit/storage-suite.ts';

let environment: Environment | null = null;
let owners = 0;

const bucketOf = (): NonNullable<Environment['ARCWISE_BUCKET']> => {
  const bucket = environment?.ARCWISE_BUCKET;
  if (!bucket) throw new Error('There is no bucket.');
  return bucket;
};
/** Each case has a prefix of its own: one owner sees nothing of another. */
const fresh = (): BucketStore => new BucketStore(bucketOf(), `owner-${++owners}/`);

blobSuite('a bucket', async () => ({ blobs: fresh(), dispose: async () => {} }));
checkpointStoreSuite('a bucket', async () => fresh());

it('files of several parts, of whole parts and of one byte more read as they were written', async () => {
  const store = fresh();
  for (const length of [uploadPartBytes - 1, uploadPartBytes, uploadPartBytes + 1, 2 * uploadPartBytes]) {
    const name = `file-${length}`;
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 12)) & 255);
    const writer = await store.create(name);
    for (let from = 0; from < length; from += 700_001) await writer.append(bytes.subarray(from, from + 700_001));
    await writer.finish();
    const file = await store.open(name);
    expect(file?.sizeBytes).to.equal(length);
    const whole = new Uint8Array(length);
    for (let from = 0; from < length; from += 300_007) await file?.read(from, whole.subarray(from, from + 300_007));
    expect(whole.every((byte, at) => byte === bytes[at])).to.equal(true);
    expect((await store.facts(name))?.bytes).to.equal(length);
    await store.delete(name);
  }
});

it('a file of several parts that is abandoned is not there', async () => {
  const store = fresh();
  const writer = await store.create('half');
  await writer.append(new Uint8Array(2 * uploadPartBytes));
  await writer.abandon();
  expect(await store.open('half')).to.equal(null);
  await (await store.create('half')).finish();
});

it('clears what an owner has, and nothing else', async () => {
  const [mine, other] = [fresh(), fresh()];
  for (let at = 0; at < 8; at++) await mine.put(`n/${at}`, new Uint8Array(1));
  await other.put('n/0', new Uint8Array(2));
  await mine.clear();
  expect(await mine.list('')).to.deep.equal([]);
  expect(await other.list('')).to.deep.equal(['n/0']);
});

it('a stream that breaks leaves no file', async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('The stream breaks.')),
  });
  let told = '';
  await putStream(bucketOf(), 'broken', broken).catch((error: Error) => {
    told = error.message;
  });
  expect(told).to.equal('The stream breaks.');
  expect(await bucketOf().head('broken')).to.equal(null);
});

it('a canary that must fail', () => {
  expect(1).to.equal(2);
});

// biome-ignore lint/suspicious/noExportsInTest: the runtime looks for it
export class ArcwiseObject {}

// biome-ignore lint/suspicious/noExportsInTest: the runtime looks for it
export default {
  async fetch(_: Request, bindings: Environment): Promise<Response> {
    environment = bindings;
    return new Response(JSON.stringify(await runCases()));
  },
};
