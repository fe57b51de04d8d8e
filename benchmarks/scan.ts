// A property scan on one thread: `age > 41` (Int32) over 1 M elements of mixed shapes, beside the two things one would write in
// JavaScript: a loop over objects and a loop over a flat Int32Array that already knows where the values are.
// `npm run bench -- scan [--elements 1000000]`

import type { PropertyText, WriteOperation } from '../src/core/requests.ts';
import { scanPropertySlice } from '../src/core/scans.ts';
import { TypeId } from '../src/core/values.ts';
import { Random } from './lib/graphs.ts';
import { loadedAt, newCore } from './lib/load-core.ts';
import { type Contestant, compete, machineLine, setting, table, target, timed } from './lib/measure.ts';

const elements = setting('elements', 1_000_000);
const rounds = setting('rounds', 15);
const batchSize = 10_000;
const limitAge = 41;

/** Eight shapes: `age` with none to three other properties, in different places of the row. */
function propertiesOf(index: number, age: number): PropertyText[] {
  const list: PropertyText[] = [{ key: 'age', type: TypeId.int32, text: `${age}` }];
  if (index & 1) list.push({ key: 'a', type: TypeId.double, text: `${index / 8}` });
  if (index & 2) list.push({ key: 'name', type: TypeId.string, text: `person ${index}` });
  if (index & 4) list.push({ key: 'active', type: TypeId.boolean, text: index % 3 === 0 ? 'true' : 'false' });
  return list;
}

const core = newCore();
const graph = core.createGraph();
const random = new Random(1);
const ages = new Int32Array(elements);
const objects: Record<string, unknown>[] = [];
for (let from = 0; from < elements; from += batchSize) {
  const operations: WriteOperation[] = [];
  for (let i = from; i < Math.min(elements, from + batchSize); i++) {
    const shape = random.below(8);
    const age = random.below(90);
    ages[i] = age;
    const properties = propertiesOf((i & ~7) | shape, age);
    operations.push({ kind: 'createVertex', creationDate: loadedAt, label: null, properties });
    objects.push(Object.fromEntries(properties.map(({ key, text }) => [key, key === 'age' ? age : text])));
  }
  const written = core.write(graph, operations, loadedAt * 1000);
  if (!written.ok) throw new Error(`The core refused a batch: status ${written.status}`);
}
const expected = ages.reduce((sum, age) => sum + (age > limitAge ? 1 : 0), 0);

function contestant(name: string, count: () => number): Contestant {
  let found = 0;
  return {
    name,
    round: () => {
      const ms = timed(() => {
        found = count();
      });
      if (found !== expected) throw new Error(`${name} found ${found}, not ${expected}`);
      return ms;
    },
  };
}

const query = { key: 'age', operator: 1, type: TypeId.int32, text: `${limitAge}`, label: null, mask: 3 } as const;
const results = await compete(
  [
    contestant(
      'arcwise, ids of all matches',
      () => scanPropertySlice(core.instance, graph, query, 0, elements)?.length ?? -1,
    ),
    contestant('JavaScript objects, ids of all matches', () => {
      const ids: number[] = [];
      for (let id = 0; id < objects.length; id++) if ((objects[id]?.age as number) > limitAge) ids.push(id);
      return ids.length;
    }),
    contestant('flat Int32Array, ids of all matches', () => {
      const ids = new Uint32Array(elements);
      let count = 0;
      for (let id = 0; id < elements; id++) if ((ages[id] as number) > limitAge) ids[count++] = id;
      return count;
    }),
  ],
  rounds,
);
console.log(machineLine());
const ours = results[0] as (typeof results)[number];
console.log(
  table([
    ['', 'median ms', 'M elements/s', 'arcwise ×'],
    ...results.map(({ name, medianMs }) => [name, medianMs, elements / medianMs / 1000, medianMs / ours.medianMs]),
  ]),
);
console.log(
  target(`Int32 comparison over ${elements.toLocaleString('en-US')} elements`, ours.medianMs, '<=', 10, 'ms'),
);
