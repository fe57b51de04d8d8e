// Random fragments beside a real C# compiler, for developers who have one. In two steps, with scripts/fragment-oracle between them:
//
//   FRAGMENT_SAMPLE=<file> FRAGMENT_COUNT=2000 FRAGMENT_SEED=1 npx vitest run --project unit fragments-sample      writes fragments
//   node scripts/fragment-oracle/fragment-oracle.mjs <sdk folder> <cache folder> <file>                           answers them in C#
//   FRAGMENT_ANSWERS=<file> npx vitest run --project unit fragments-sample                                         compares
//
// Compared are the answers over the graph of the corpus, and for fragments that C# refuses that they are refused here. Two differences from
// .NET Core 3.1 remain and are meant: it forgets `checked` around a switch expression (later compilers do not), and rounds twice on the way from
// large ulongs to double.

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileDiagnostics } from '../../src/fragments/compile.ts';
import type { DelegateKind } from '../../src/fragments/tree.ts';
import { bound, corpusCores, corpusGraph, interpretedResults, readable } from './support/fragment-corpus.ts';
import { FragmentGenerator, randomOf } from './support/fragment-generator.ts';

const {
  FRAGMENT_SAMPLE: sample,
  FRAGMENT_ANSWERS: answers,
  FRAGMENT_COUNT: count = 1000,
  FRAGMENT_SEED: seed = 1,
} = process.env;

it.runIf(sample)('writes a sample', () => {
  const random = randomOf(Number(seed));
  const generators = [
    new FragmentGenerator(random, 'core', false),
    new FragmentGenerator(random, 'whole', false),
  ] as const;
  const list = Array.from({ length: Number(count) }, (_, i) => [
    'VertexCost',
    (generators[i % 2] as FragmentGenerator).next(),
  ]);
  writeFileSync(sample as string, JSON.stringify(list));
});

it.runIf(answers)('answers as C# does', { timeout: 0 }, () => {
  const given: [DelegateKind, string][] = JSON.parse(readFileSync(answers as string, 'utf8'));
  const expected: (string | string[] | null)[] = JSON.parse(readFileSync(`${answers}.results.json`, 'utf8'));
  const over = corpusGraph(corpusCores[0]);
  const wrong: string[] = [];
  let refused = 0;
  for (const [index, [kind, text]] of given.entries()) {
    const answer = expected[index] ?? null;
    if (answer === null) continue;
    const errors = compileDiagnostics(text, kind).filter(({ severity }) => severity === 'error');
    if (typeof answer === 'string' || errors.length > 0) {
      refused++;
      const known = typeof answer === 'string' && errors.some(({ id }) => answer.startsWith(id));
      if (!known)
        wrong.push(
          `${text}\n  C#   ${answer}\n  here ${errors.map(({ id, start, end }) => `${id} ${text.slice(start, end)}`)}`,
        );
      continue;
    }
    const found = interpretedResults(over, bound(text, kind));
    const wanted = answer.map(readable);
    if (found.join('|') !== wanted.join('|'))
      wrong.push(`${text}\n  C#   ${wanted.join(' | ')}\n  here ${found.join(' | ')}`);
  }
  console.log(`${given.length} fragments, ${refused} of them refused by C#, ${wrong.length} differ`);
  expect(wrong.slice(0, 20).join('\n')).toBe('');
});
