// Writes the files of this release as its service leaves them when it is killed: a data directory with save game, log, registry, catalogue
// and overrides, and a package. Run once a release, and committed: test/contract/release-files.test.ts opens every release's for good.
//
//   node scripts/release-fixture.mjs 0.1.0

import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { at } from './lib/freshness.mjs';

const folder = at(`test/fixtures/release-${process.argv[2]}`);
/** The registry names where its files lie: a place of no machine's own. */
const data = `${tmpdir()}/arcwise-release`;
const apiKey = 'a-key-of-some-length';
const settings = {
  'Http:Port': 0,
  'Durability:StorageDirectory': data,
  'Metadata:Directory': `${data}/metadata`,
  'Security:ApiKey': apiKey,
  'Security:EnableConfigurationWrite': true,
};

for (const old of [folder, data]) rmSync(old, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const flags = Object.entries(settings).map(([key, value]) => `--Service:${key}=${value}`);
const main = process.env.RELEASE_SERVICE ?? at('dist/node/main.js');
const service = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const url = await addressOf(service);
  await fill(url);
} finally {
  service.kill('SIGKILL');
}
await new Promise((resolve) => service.on('exit', resolve));
for (const name of ['arcwise.lock', 'arcwise.wal.lock', 'metadata/arcwise.lock', 'metadata/arcwise.reserve'])
  rmSync(`${data}/${name}`, { force: true });
cpSync(data, `${folder}/data`, { recursive: true });
rmSync(data, { recursive: true });

function addressOf(child) {
  return new Promise((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const found = /listening on (http:\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}

async function fill(url) {
  const call = async (method, path, body) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const property = (propertyId, propertyValue, fullQualifiedTypeName) => ({
    propertyId,
    propertyValue,
    fullQualifiedTypeName,
  });
  const values = [
    property('Boolean', 'true', 'bool'),
    property('Char', 'ß', 'char'),
    property('DateTime', '2026-05-06T07:08:09.1234567Z', 'DateTime'),
    property('Decimal', '79228162514264337593543950335', 'decimal'),
    property('Double', '0.1', 'double'),
    property('Guid', '6f9619ff-8b86-d011-b42d-00cf4fc964ff', 'Guid'),
    property('Int64', '-9223372036854775808', 'long'),
    property('String', 'Grüße 😀', 'string'),
    property('TimeSpan', '1.02:03:04', 'TimeSpan'),
  ];
  const vertex = (label, ...properties) => ({ label, creationDate: 1_700_000_000, properties });
  const edge = (sourceVertex, edgePropertyId, targetVertex) => ({
    sourceVertex,
    edgePropertyId,
    targetVertex,
    creationDate: 0,
  });
  const wait = '?waitForCompletion=true';
  await call('PUT', `/vertices${wait}`, [
    vertex('all types', ...values),
    vertex('b', property('name', 'Ada', 'string')),
    vertex('b'),
  ]);
  await call('PUT', `/edges${wait}`, [edge(0, 'knows', 1), edge(1, 'knows', 2), edge(2, 'loop', 2)]);
  await call('PUT', `/graphelement/1/embedding/default${wait}`, { vector: [1, 0.5, -1] });
  await call('POST', '/index', { uniqueId: 'names', pluginType: 'DictionaryIndex' });
  await call('POST', '/index/backfill/names', { propertyId: 'name' });
  await call('POST', '/storedquery', {
    name: 'b-only',
    kind: 'Path',
    path: { filter: { vertexFilter: 'return v => v.Label == "b";' } },
  });
  await call('PUT', '/ns/second');
  await call('PUT', `/ns/second/vertices${wait}`, [vertex('there')]);
  await call('PATCH', '/config', { settings: { 'Service:Fragments:MaxFuel': '424242' } });
  const packed = await (await call('GET', '/package')).arrayBuffer();
  writeFileSync(`${folder}/graph.arcwise`, new Uint8Array(packed));
  await call('PUT', '/save');
  // Behind the save game: what only the log has.
  await call('PUT', `/vertices${wait}`, [vertex('logged', property('name', 'Grace', 'string'))]);
  await call('DELETE', `/graphelement/3${wait}`);
}
