// Fragments: what compiling one costs, and what one call of it costs, over 1 M vertices, beside the same filter as a JavaScript closure over
// plain objects. Compiled fragments are called one by one through the table, and by blocks of ids. Then filters on vectors of 128 numbers.
// `npm run bench -- fragments [--vertices 1000000]`

import { BoundFragmentModule } from '../src/core/fragments.ts';
import type { WriteOperation } from '../src/core/requests.ts';
import { TypeId } from '../src/core/values.ts';
import type { JobControl } from '../src/engine/jobs/types.ts';
import { bindFragment, compileDiagnostics } from '../src/fragments/compile.ts';
import { emitFragment } from '../src/fragments/emit/emit.ts';
import { interpretedFunction } from '../src/queries/fragments/interpreted.ts';
import { Spending } from '../src/queries/fragments/spending.ts';
import { Random } from './lib/graphs.ts';
import { loadedAt, newCore } from './lib/load-core.ts';
import {
  type Contestant,
  compete,
  machineLine,
  median,
  percentile,
  setting,
  table,
  target,
  timed,
} from './lib/measure.ts';

const vertices = setting('vertices', 1_000_000);
const rounds = setting('rounds', 11);
const batchSize = 10_000;
const dimension = 128;
const labels = ['person', 'city', 'thing', 'event'];

const core = newCore();
const graph = core.createGraph();
const random = new Random(1);
const objects: { readonly label: string; readonly properties: Map<string, unknown> }[] = [];
for (let from = 0; from < vertices; from += batchSize) {
  const operations: WriteOperation[] = [];
  for (let i = from; i < Math.min(vertices, from + batchSize); i++) {
    const label = labels[random.below(labels.length)] as string;
    const age = random.below(90);
    const name = `name ${random.below(1000)}`;
    const properties = [
      { key: 'age', type: TypeId.int32, text: `${age}` },
      { key: 'name', type: TypeId.string, text: name },
    ];
    operations.push({ kind: 'createVertex', creationDate: loadedAt, label, properties });
    objects.push({
      label,
      properties: new Map<string, unknown>([
        ['age', age],
        ['name', name],
      ]),
    });
  }
  const written = core.write(graph, operations, loadedAt * 1000);
  if (!written.ok) throw new Error(`The core refused a batch: status ${written.status}`);
}

const silent = { report: () => {} };

/** Compiles, joins and prepares; the functions to put into the table. */
function joined(text: string): { readonly call: WebAssembly.ExportValue; readonly select: WebAssembly.ExportValue } {
  const bound = bindFragment(text, 'VertexFilter', silent);
  const emitted = bound === null ? null : emitFragment(bound, true);
  if (emitted?.ok !== true) throw new Error(`${text} was not compiled: ${emitted?.reason}`);
  const module = new WebAssembly.Module(emitted.fragment.bytes);
  const fuel = new WebAssembly.Global({ value: 'i32', mutable: true }, 0);
  const refuel = (): void => {
    fuel.value = 2_000_000_000;
  };
  const made = new BoundFragmentModule(core.instance, { module, ...emitted.fragment }, { fuel, refuel });
  if (!made.prepare()) throw new Error('No scratch.');
  const { call, select } = made;
  if (select === null) throw new Error(`${text} takes no blocks.`);
  return { call, select };
}

/** Index of the same fragment in the interpreter. */
function interpreted(text: string): number {
  const control = { stopReason: () => null, endsAtMs: Number.POSITIVE_INFINITY } as unknown as JobControl;
  const spending = new Spending({ maxFuel: 1e15, maxSeconds: 1e6 }, control);
  const fragment = { key: `interpreted ${text}`, kind: 'VertexFilter', text } as const;
  const values = { queryVector: null, embeddingName: 'default', metric: 0 } as const;
  return core.instance.functions.install(fragment.key, () => [
    interpretedFunction(core.instance, fragment, spending, values),
  ]);
}

const filters: readonly { readonly text: string; readonly closure: (v: (typeof objects)[number]) => boolean }[] = [
  { text: 'return v => v.Label == "person";', closure: (v) => v.label === 'person' },
  {
    text: 'return v => v.TryGetProperty<int>(out var age, "age") && age > 41;',
    closure: (v) => (v.properties.get('age') as number) > 41,
  },
  {
    text: 'return v => v.TryGetProperty<string>(out var n, "name") && n.StartsWith("name 1");',
    closure: (v) => (v.properties.get('name') as string).startsWith('name 1'),
  },
];

/** Ways to filter `items`, the vertices of a graph: the nanoseconds of one call and of blocks. */
async function compare<T>(
  over: number,
  items: readonly T[],
  text: string,
  closure: (item: T) => boolean,
): Promise<{ readonly single: number; readonly blocks: number }> {
  core.instance.exports.fragmentBegin(over);
  const made = joined(text);
  const index = core.instance.functions.install(text, () => [made.call, made.select]);
  let expected = 0;
  for (const item of items) if (closure(item)) expected++;
  const contestant = (name: string, count: () => number): Contestant => ({
    name,
    round: () => {
      let found = 0;
      const ms = timed(() => {
        found = count();
      });
      if (found !== expected) throw new Error(`${name} found ${found}, not ${expected}`);
      return ms;
    },
  });
  const { length } = items;
  const sweep = (blocks: 0 | 1) => core.instance.exports.fragmentSweep(over, 1, index + blocks, blocks, 0, length);
  const few = Math.min(length, 100_000);
  const slow = interpreted(text);
  const interpretedNs = median(
    [1, 2, 3].map(() => timed(() => core.instance.exports.fragmentSweep(over, 1, slow, 0, 0, few)) * (1e6 / few)),
  );
  const results = await compete(
    [
      contestant('compiled, one call a vertex', () => sweep(0)),
      contestant('compiled, blocks of 1,024', () => sweep(1)),
      contestant('JavaScript closure over objects', () => items.reduce((sum, one) => sum + (closure(one) ? 1 : 0), 0)),
    ],
    rounds,
  );
  const ns = results.map(({ name, medianMs }): [string, number] => [name, (medianMs * 1e6) / length]);
  console.log(`${text}\n${table([['', 'ns a vertex'], ['interpreter, one call a vertex', interpretedNs], ...ns])}\n`);
  return { single: ns[0]?.[1] as number, blocks: ns[1]?.[1] as number };
}

console.log(`${machineLine()}\n`);
for (const { text, closure } of filters) {
  const { single, blocks } = await compare(graph, objects, text, closure);
  if (text.includes('Label')) {
    console.log(target('label comparison with its call', single, '<=', 8, 'ns'));
    console.log(target('label comparison in blocks', blocks, '<=', 2, 'ns'));
  } else if (text.includes('<int>')) console.log(target('int property with its call', single, '<=', 15, 'ns'));
  console.log();
}

// --- Vectors -----------------------------------------------------------------------------------------------------------------

const embedded = core.createGraph();
const vectors = Array.from({ length: Math.min(vertices, 20_000) }, () =>
  Float32Array.from({ length: dimension }, () => random.below(2001) / 1000 - 1),
);
for (const [operations, kind] of [
  [
    vectors.map(() => ({ kind: 'createVertex', creationDate: loadedAt, label: 'point', properties: [] }) as const),
    'vertices',
  ],
  [
    vectors.map(
      (vector, element) =>
        ({
          kind: 'setProperty',
          element,
          key: '$embedding:default',
          type: TypeId.singleArray,
          text: new Uint8Array(vector.buffer),
        }) as const,
    ),
    'vectors',
  ],
] as const satisfies readonly (readonly [readonly WriteOperation[], string])[]) {
  const written = core.write(embedded, operations, loadedAt * 1000);
  if (!written.ok) throw new Error(`The core refused the ${kind}: status ${written.status}`);
}
const weights = Float32Array.from({ length: dimension }, (_, at) => at / 64 - 1);
const dot = (a: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < a.length; at++)
    sum = Math.fround(sum + Math.fround((a[at] as number) * (weights[at] as number)));
  return sum;
};
await compare(
  embedded,
  vectors,
  'return v => v.TryGetEmbedding(out var x) && x[0] > 0.5f;',
  (vector) => (vector[0] as number) > 0.5,
);
await compare(
  embedded,
  vectors,
  `var w = new float[${dimension}]; for (int i = 0; i < w.Length; i++) w[i] = i / 64f - 1; return v => {
  if (!v.TryGetEmbedding(out var x)) return false; ReadOnlySpan<float> q = w;
  float sum = 0; for (int i = 0; i < x.Length; i++) sum += x[i] * q[i]; return sum > 1; };`,
  (vector) => dot(vector) > 1,
);
await compare(
  embedded,
  vectors,
  'return v => { if (!v.TryGetEmbedding(out var x)) return false; float sum = 0; foreach (var y in x) sum += y * y; return sum > 43; };',
  (vector) => {
    let sum = 0;
    for (const y of vector) sum = Math.fround(sum + Math.fround(y * y));
    return sum > 43;
  },
);

// --- Mathematics: the core's functions in a filter by blocks, beside a loop over the host's Math ------------------------------

const functions: readonly { readonly text: string; readonly loop: (count: number) => number }[] = [
  { text: 'Math.Sin(v.Id * 0.01)', loop: (count) => sumOf(count, (id) => Math.sin(id * 0.01)) },
  { text: 'Math.Exp(v.Id * 0.0001)', loop: (count) => sumOf(count, (id) => Math.exp(id * 0.0001)) },
  { text: 'Math.Log(v.Id + 0.5)', loop: (count) => sumOf(count, (id) => Math.log(id + 0.5)) },
  { text: 'Math.Pow(v.Id, 0.3)', loop: (count) => sumOf(count, (id) => id ** 0.3) },
];

/** How many results are beyond every one there is, so that they must be computed. */
function sumOf(count: number, result: (id: number) => number): number {
  let found = 0;
  for (let id = 0; id < count; id++) if (result(id) < -1000) found++;
  return found;
}

const rows: (string | number)[][] = [['ns a call', 'compiled', 'host’s Math', 'ratio']];
for (const { text, loop } of functions) {
  core.instance.exports.fragmentBegin(graph);
  const made = joined(`return v => ${text} < -1000;`);
  const index = core.instance.functions.install(`mathematics ${text}`, () => [made.call, made.select]);
  const sweep = () => core.instance.exports.fragmentSweep(graph, 1, index + 1, 1, 0, vertices);
  const [ours, host] = await compete(
    [
      { name: 'compiled', round: () => timed(sweep) },
      { name: 'host', round: () => timed(() => loop(vertices)) },
    ],
    rounds,
  );
  if (ours === undefined || host === undefined) throw new Error('No results.');
  const ns = [ours, host].map(({ medianMs }) => (medianMs * 1e6) / vertices);
  rows.push([text, ...ns, ours.medianMs / host.medianMs]);
}
console.log(table(rows));
console.log();

// --- Compilation: every text is new, as a first request's is ----------------------------------------------------------------

const compileMs: number[] = [];
const validateMs: number[] = [];
for (let i = 0; i < 400; i++) {
  const text = `return v => v.TryGetProperty<int>(out var age, "age") && age > ${i} && v.Label == "person";`;
  validateMs.push(timed(() => compileDiagnostics(text.replace('age >', 'age >='), 'VertexFilter')));
  compileMs.push(timed(() => joined(text)));
}
console.log(
  `first compilation of the process: ${compileMs[0]?.toFixed(2)} ms, first validation ${validateMs[0]?.toFixed(2)} ms`,
);
console.log(target('compilation to a function, warm, p50', percentile(compileMs.slice(100), 0.5), '<=', 1, 'ms'));
console.log(target('validation, warm, p50', percentile(validateMs.slice(100), 0.5), '<=', 1, 'ms'));
