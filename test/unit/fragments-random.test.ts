// Random fragments in both back ends: the same answers, exceptions included, for every vertex of a graph of random values. The seed is
// printed; FRAGMENT_SEED repeats a run, FRAGMENT_EVALUATIONS says how long it is (`npm run soak:fragments`).

// @module-tag long

import { expect, it } from 'vitest';
import {
  bound,
  compiledResults,
  corpusCores,
  corpusGraph,
  type GraphFile,
  interpretedResults,
} from './support/fragment-corpus.ts';
import { FragmentGenerator, type Random, randomOf } from './support/fragment-generator.ts';

const seed = Number(process.env.FRAGMENT_SEED ?? Math.floor(Math.random() * 2 ** 32));
const evaluations = Number(process.env.FRAGMENT_EVALUATIONS ?? 100_000);
const vertexCount = 500;

/** Values at the edges of their types, and others. */
function randomGraph(random: Random): GraphFile {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const whole = (least: bigint, most: bigint): string => {
    if (random() < 0.3) return String(pick([least, most, 0n, 1n]));
    const bits = BigInt(Math.floor(random() * 2 ** 32)) * 2n ** 32n + BigInt(Math.floor(random() * 2 ** 32));
    return String(least + (bits % (most - least + 1n)));
  };
  const real = (): string =>
    pick(['0', '-0', '0.1', '-1.5', '1e300', '4e-320', '2147483648', '-9223372036854775808', '1e19', '0.5', String((random() - 0.5) * 10 ** (random() * 24))]); // biome-ignore format: a list
  const two = (bound: number): string => String(1 + Math.floor(random() * bound)).padStart(2, '0');
  const date = (): string => `${1000 + Math.floor(random() * 8000)}-${two(12)}-${two(28)}T${two(23)}:${two(59)}:${two(59)}.${Math.floor(random() * 1e7)}`.padEnd(27, '0'); // biome-ignore format: one expression
  const texts = ['Trent', 'Ångström', 'Zürich', '', ' x ', '😀 smile', 'aaa', 'Straße', 'PERSON', 'hello world'];
  const types: readonly [key: string, type: string, value: () => string][] = [
    ['age', 'Int32', () => whole(-(2n ** 31n), 2n ** 31n - 1n)],
    ['ui', 'UInt32', () => whole(0n, 2n ** 32n - 1n)],
    ['l', 'Int64', () => whole(-(2n ** 63n), 2n ** 63n - 1n)],
    ['ul', 'UInt64', () => whole(0n, 2n ** 64n - 1n)],
    ['f', 'Single', () => String(Math.fround(Number(real()))).replace('Infinity', '3e38')],
    ['score', 'Double', real],
    ['b', 'Byte', () => whole(0n, 255n)],
    ['sb', 'SByte', () => whole(-128n, 127n)],
    ['s', 'Int16', () => whole(-(2n ** 15n), 2n ** 15n - 1n)],
    ['us', 'UInt16', () => whole(0n, 2n ** 16n - 1n)],
    ['c', 'Char', () => pick(['a', 'Z', '0', 'ß', 'é', ' ', '\uffff'])],
    ['active', 'Boolean', () => pick(['true', 'false'])],
    ['name', 'String', () => pick(texts)],
    [
      'm',
      'Decimal',
      () =>
        pick([
          '0',
          '0.00',
          '1',
          '-1.10',
          '0.5',
          '2.5',
          '79228162514264337593543950335',
          '-0.0000000000000000000000000001',
          whole(-(2n ** 90n), 2n ** 90n),
          ((random() - 0.5) * 1e6).toFixed(Math.floor(random() * 12)),
        ]),
    ],
    [
      't',
      'DateTime',
      () => pick(['0001-01-01T00:00:00', '9999-12-31T23:59:59.9999999', '2024-02-29T12:00:00Z', date()]),
    ],
    [
      'p',
      'TimeSpan',
      () =>
        pick([
          '00:00:00',
          '10675199.02:48:05.4775807',
          '-1.02:03:04.0050000',
          `${Math.floor(random() * 1000)}.10:20:30.4567000`,
        ]),
    ],
    ['o', 'DateTimeOffset', () => pick(['2024-02-29T12:00:00+05:30', '0001-01-01T00:00:00+00:00', `${date()}-03:00`])],
    [
      'y',
      'Guid',
      () =>
        pick([
          '00000000-0000-0000-0000-000000000000',
          '0f8fad5b-d9cb-469f-a165-70867728950e',
          '0f8fad5b-d9cb-469f-a165-70867728950f',
        ]),
    ],
  ];
  const vertices = Array.from({ length: vertexCount }, () => ({
    label: pick(['person', 'city', null, '', 'straße']),
    created: 1_600_000_000,
    properties: types.flatMap(([key, type, value]) => (random() < 0.85 ? [[key, type, value()] as const] : [])),
  }));
  const edges = Array.from({ length: vertexCount }, () => ({
    source: Math.floor(random() * vertexCount * 0.7),
    target: Math.floor(random() * vertexCount),
    type: pick(['knows', 'livesIn']),
    label: null,
    created: 1_600_000_000,
    properties: [],
  }));
  return { modified: 1_700_000_000, queryVector: [1], vertices, edges };
}

it(`agrees with itself: FRAGMENT_SEED=${seed}`, { timeout: 0 }, () => {
  // Thousands of calls end in an exception; nobody reads where.
  Error.stackTraceLimit = 0;
  const random = randomOf(seed);
  const generator = new FragmentGenerator(random, 'core');
  // Every second seed with a collection wherever one is possible.
  const over = corpusGraph(corpusCores[0], randomGraph(random), seed % 2 === 0);
  let [done, made, invalid, left] = [0, 0, 0, 0];
  const wrong: string[] = [];
  const problems = new Map<string, number>();
  while (done < evaluations && wrong.length < 5) {
    const text = generator.next();
    let fragment: ReturnType<typeof bound>;
    try {
      fragment = bound(text, 'VertexCost');
    } catch (error) {
      // Constants that C# refuses: a division by zero, an overflow.
      invalid++;
      const id = String(error).slice(7, 13);
      problems.set(id, (problems.get(id) ?? 0) + 1);
      continue;
    }
    const compiled = compiledResults(over, fragment);
    if (!Array.isArray(compiled)) {
      left++;
      problems.set((compiled as { left: string }).left, (problems.get((compiled as { left: string }).left) ?? 0) + 1);
      continue;
    }
    made++;
    done += vertexCount;
    const interpreted = interpretedResults(over, fragment);
    for (const [index, given] of compiled.entries()) {
      if (given === interpreted[index] || given === '!NotCompiled') continue;
      wrong.push(
        `${text}\n  vertex ${index} ${JSON.stringify(over.file.vertices[index])}\n  wasm ${given}, interpreter ${interpreted[index]}`,
      );
      break;
    }
  }
  console.log(
    `FRAGMENT_SEED=${seed}: ${done} evaluations of ${made} fragments; ${invalid} do not compile, ${left} are left to the interpreter`,
  );
  if (process.env.FRAGMENT_PROBLEMS) console.log(problems);
  expect(wrong.join('\n')).toBe('');
  expect(made).toBeGreaterThan((invalid + left) / 2);
});
