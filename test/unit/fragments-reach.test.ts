// Arms of switches that can never be reached, and switches that do not handle everything: what the compiler says beside what trying all values
// says. Patterns are made at random; FRAGMENT_SEED repeats a run, REACH_TEXTS says how long it is.

import { expect, it } from 'vitest';
import { bindFragment } from '../../src/fragments/compile.ts';
import type { Diagnostic } from '../../src/fragments/diagnostics.ts';
import { randomOf } from './support/fragment-generator.ts';

const seed = Number(process.env.FRAGMENT_SEED ?? Math.floor(Math.random() * 2 ** 32));
const texts = Number(process.env.REACH_TEXTS ?? 3_000);
const random = randomOf(seed);
const below = (bound: number): number => Math.floor(random() * bound);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

type Value = number | string | null;

interface Subject {
  readonly text: string;
  /** What its patterns name. */
  readonly constants: readonly Value[];
  /** One of each kind of value that patterns of these constants tell apart. */
  readonly all: readonly Value[];
}

const numbers = [-2_147_483_648, -1, 0, 1, 2, 3, 4, 5, 6, 2_147_483_647];
const subjects: readonly Subject[] = [
  { text: 'v.Id', constants: [0, 1, 2, 3, 5], all: numbers },
  { text: '((int?)v.Id)', constants: [0, 1, 2, null], all: [...numbers, null] },
  { text: 'v.Label', constants: ['"a"', '"b"', '"c"', null], all: ['"a"', '"b"', '"c"', '"d"', null] },
  { text: '(v.Id > 3)', constants: ['true', 'false'], all: ['true', 'false'] },
];

interface Pattern {
  readonly text: string;
  readonly matches: (value: Value) => boolean;
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

function simple({ constants, all }: Subject): Pattern {
  if (typeof all[0] === 'number' && random() < 0.4) {
    const [operator, bound] = [pick(Object.keys(comparisons)), below(6)];
    const holds = comparisons[operator] as (a: number, b: number) => boolean;
    return { text: `${operator} ${bound}`, matches: (value) => typeof value === 'number' && holds(value, bound) };
  }
  const constant = pick(constants);
  return { text: String(constant), matches: (value) => value === constant };
}

function pattern(subject: Subject, depth: number): Pattern {
  const kind = depth === 0 ? 0 : below(6);
  if (kind < 2) return simple(subject);
  const one = pattern(subject, depth - 1);
  if (kind < 4) return { text: `not (${one.text})`, matches: (value) => !one.matches(value) };
  const other = pattern(subject, depth - 1);
  const [word, both] = kind === 4 ? ['and', true] : ['or', false];
  const matches = (value: Value): boolean =>
    both ? one.matches(value) && other.matches(value) : one.matches(value) || other.matches(value);
  return { text: `(${one.text}) ${word} (${other.text})`, matches };
}

it(`says of every switch what trying all values says: FRAGMENT_SEED=${seed}`, { timeout: 0 }, () => {
  const counts = { unreachable: 0, open: 0, whole: 0 };
  for (let left = texts; left > 0; left--) {
    const subject = pick(subjects);
    const arms = [0, 1, 2].map(() => pattern(subject, 3));
    const text = `return v => ${subject.text} switch { ${arms.map((arm, at) => `${arm.text} => ${at}`).join(', ')} } == 1;`;
    const found: Diagnostic[] = [];
    bindFragment(text, 'VertexFilter', { report: (diagnostic) => found.push(diagnostic) });
    const rest = new Set(subject.all);
    const isUnreachable = arms.some(({ matches }) => {
      const taken = [...rest].filter(matches);
      for (const value of taken) rest.delete(value);
      return taken.length === 0;
    });
    const errors = found.filter(({ severity }) => severity === 'error');
    // The constant null of what is never null.
    if (errors.some(({ id }) => id === 'CS0037')) continue;
    expect(errors.length > 0, text).toBe(isUnreachable);
    if (isUnreachable) {
      counts.unreachable++;
      continue;
    }
    // A missing null alone is another warning, and none where the type does not say that it may be null.
    const isOpen = [...rest].some((value) => value !== null);
    expect(found.some(({ id }) => id === 'CS8509') || !isOpen, text).toBe(true);
    if (rest.size === 0) expect(found, text).toEqual([]);
    counts[isOpen ? 'open' : 'whole']++;
  }
  expect(Math.min(counts.unreachable, counts.open, counts.whole)).toBeGreaterThan(texts / 100);
});
