// A service in a process that kills itself (SIGKILL) at a write of an ingestion. Arguments: a storage directory, the number of the write, and
// 'before' it or 'behind' it, when its frame is on disk. On its way it tells what the process before it has left. Settings come as JSON.

import { openService } from '../../dist/runtime-node/index.js';
import { NamespaceEngine } from '../../dist/src/engine/namespace-engine.js';

const [, , directory, number, when, given] = process.argv;
const last = Number(number);
let isArmed = false;
let writes = 0;
const { write } = NamespaceEngine.prototype;
const die = () => process.kill(process.pid, 'SIGKILL');
NamespaceEngine.prototype.write = function (operations) {
  if (!isArmed) return write.call(this, operations);
  writes++;
  if (when === 'before' && writes > last) die();
  const outcome = write.call(this, operations);
  if (when === 'behind' && writes === last) void outcome.durable.then(die);
  return outcome;
};

const tell = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const service = await openService({ 'Durability:StorageDirectory': directory, ...JSON.parse(given) });

async function call(method, path, body) {
  const init =
    body === undefined
      ? { method }
      : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await service.fetch(new Request(`http://a${path}`, init));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

async function found() {
  const { documents } = await call('GET', '/document');
  const reads = await Promise.all(documents.map(({ documentId }) => call('GET', `/document/${documentId}`)));
  const { vertexCount, edgeCount, indices } = await call('GET', '/status');
  const { entities } = await call('GET', '/document/entities?limit=10000');
  let mentions = 0;
  for (const { chunks } of reads) {
    for (const { chunkId } of chunks) {
      const vertex = await call('GET', `/vertex/${chunkId}`);
      mentions += (vertex.outEdges?.mentions ?? []).length;
    }
  }
  const sizes = Object.fromEntries(indices.map(({ indexId, valueCount }) => [indexId, valueCount]));
  return {
    documents,
    reads: reads.map(({ chunks }) => chunks.map(({ order }) => order)),
    vertexCount,
    edgeCount,
    mentions,
    entities: entities.length,
    sizes,
  };
}

tell({ found: await found() });
await call('HEAD', '/tabularasa');
await call('POST', '/document/binding/ensure');
const text = (name, sections) =>
  Array.from({ length: sections }, (_, i) => `# ${name} ${i}\n\nwords of section word${i % 5}`).join('\n\n');
const settled = async (id) => {
  while ((await call('GET', `/document/${id}`)).summary.status === 'processing')
    await new Promise((go) => setTimeout(go, 2));
};
isArmed = true;
const first = await call('POST', '/document/text', {
  name: 'first',
  text: text('first', 20),
  properties: { tag: 'a' },
});
await settled(first.documentId);
const second = await call('POST', '/document/text', {
  name: 'second',
  text: text('second', 5),
  replaceDocumentId: first.documentId,
});
const third = await call('POST', '/document/text', { name: 'third', text: text('third', 3), embed: false });
await settled(second.documentId);
await settled(third.documentId);
isArmed = false;
tell({ writes });
await service.close();
