// The questions of docs/coming-from.md in the languages of the systems that a machine can have beside the service, with the answers that the
// service gives to them: NetworkX where `python3` has it, Kùzu where KUZU names the folder that its package is installed in. Neo4j, Memgraph
// and Qdrant are servers that no registry of packages has.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';

const page = readFileSync(at('docs/coming-from.md'), 'utf8');

/** Lines of the first block below a heading. */
function linesBelow(heading: string): string[] {
  const block = new RegExp(`## ${heading}\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  return (block ?? '').trim().split('\n');
}

const hasNetworkX = spawnSync('python3', ['-c', 'import networkx, scipy']).status === 0;

const withoutNetworkX = { meta: { skipReason: '`python3` has no NetworkX.' } };

test.skipIf(!hasNetworkX)('NetworkX answers the same', withoutNetworkX, () => {
  const lines = linesBelow('NetworkX');
  const program = `
import json, sys, networkx as nx
G = nx.DiGraph()
for n, d in [(0, {"label": "author"}), (1, {"label": "book", "year": 1974}), (2, {"label": "book", "year": 2020}), (3, {"label": "reader"})]:
    G.add_node(n, **d)
for u, v, t in [(0, 1, "wrote"), (3, 1, "read"), (3, 2, "read")]:
    G.add_edge(u, v, type=t)
print(json.dumps([eval(line) for line in json.load(sys.stdin)]))`;
  const output = execFileSync('python3', ['-c', program], { input: JSON.stringify(lines), encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([
    [1],
    [1, 2],
    [0, 1, 3, 2],
    [
      [3, 1],
      [3, 2],
    ],
    [1, expect.closeTo(0.32456, 4)],
  ]);
});

const { KUZU } = process.env;

interface Connection {
  query(text: string): Promise<{ getAll(): Promise<Record<string, unknown>[]> }>;
}

const withoutKuzu = { meta: { skipReason: 'KUZU names no folder that Kùzu is installed in.' } };

test.skipIf(KUZU === undefined)('Kùzu answers the same', withoutKuzu, async () => {
  const { Database, Connection } = createRequire(join(KUZU as string, 'here.js'))('kuzu');
  const connection = new Connection(new Database(':memory:')) as Connection;
  const ask = async (text: string) => (await connection.query(text)).getAll();
  for (const text of [
    'CREATE NODE TABLE Author(id INT64 PRIMARY KEY)',
    'CREATE NODE TABLE Book(id INT64 PRIMARY KEY, year INT64)',
    'CREATE NODE TABLE Reader(id INT64 PRIMARY KEY)',
    'CREATE REL TABLE Wrote(FROM Author TO Book)',
    'CREATE REL TABLE Read(FROM Reader TO Book)',
    'CREATE (:Author {id: 0}), (:Book {id: 1, year: 1974}), (:Book {id: 2, year: 2020}), (:Reader {id: 3})',
    'MATCH (a:Author), (b:Book {id: 1}) CREATE (a)-[:Wrote]->(b)',
    'MATCH (r:Reader), (b:Book) CREATE (r)-[:Read]->(b)',
  ])
    await ask(text);
  const answers: Record<string, unknown>[][] = [];
  for (const line of linesBelow('Kùzu')) answers.push(await ask(line));
  const idsOf = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one));
  expect(answers[0]).toMatchObject([{ b: { id: 1 } }]);
  expect(answers[1]?.map((row) => (row.b as { id: unknown }).id)).toEqual([1, 2]);
  const [{ p }] = answers[2] as [{ p: { _nodes: { id: unknown }[] } }];
  expect(p._nodes.map(({ id }) => id)).toEqual([0, 1, 3, 2]);
  expect(answers[3]).toMatchObject([
    { r: { id: 3 }, b: { id: 1 } },
    { r: { id: 3 }, b: { id: 2 } },
  ]);
  expect(idsOf(answers.at(-1))).toContain('"id":1');
});
