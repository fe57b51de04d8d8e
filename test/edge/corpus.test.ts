// A sample of the corpus of fragments inside the local runtime: what C# answered is what comes out where nothing may be compiled.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import type { DelegateKind } from '../../src/fragments/tree.ts';
import { readable } from '../unit/support/fragment-corpus.ts';
import { standingFor, workerModule } from './support/modules.ts';
import { Workerd, workerdPath } from './support/workerd.ts';

interface Entry {
  readonly kind: DelegateKind;
  readonly fragment: string;
  readonly results: readonly string[];
  readonly refused?: string;
}

type Answer = readonly string[] | { readonly left: string };

const count = Number(process.env.EDGE_FRAGMENTS ?? 500);
const seed = Number(process.env.EDGE_SEED ?? 7);
const fixture = (name: string): string => readFileSync(at(`test/fixtures/fragments/${name}.json`), 'utf8');

/** As many of the fragments as are asked for, by the seed. */
function sample(entries: readonly Entry[]): Entry[] {
  let state = seed + 1;
  const rest = [...entries];
  const chosen: Entry[] = [];
  while (chosen.length < count && rest.length > 0) {
    state = (state * 48_271) % 2_147_483_647;
    chosen.push(...rest.splice(state % rest.length, 1));
  }
  return chosen;
}

it.skipIf(workerdPath === null)(`${count} fragments answer what C# answers (seed ${seed})`, async () => {
  const files = [
    [/^node:fs$/, `export const readFileSync = () => ${JSON.stringify(fixture('graph'))};`],
    [/freshness\.mjs$/, 'export const at = (path) => path;'],
  ] as const;
  const entries = (JSON.parse(fixture('results')) as Entry[]).filter(({ refused }) => refused === undefined);
  const asked = sample(entries);
  const main = await workerModule('test/edge/support/corpus-worker.ts', [standingFor(files)]);
  const edge = await Workerd.start({ main });
  try {
    const body = JSON.stringify(asked.map(({ kind, fragment }) => ({ kind, fragment })));
    const told = await fetch(edge.url, { method: 'POST', body });
    expect(told.status, edge.log).toBe(200);
    const answers = (await told.json()) as Answer[];
    const left = answers.filter((answer) => 'left' in answer || answer.includes('!NotCompiled'));
    const wrong = asked.flatMap(({ fragment, results }, place) => {
      const answer = answers[place] as Answer;
      if (left.includes(answer)) return [];
      const expected = results.map(readable).join(' | ');
      const found = (answer as readonly string[]).join(' | ');
      return found === expected ? [] : [`${fragment}\n  C#   ${expected}\n  here ${found}`];
    });
    expect(wrong.join('\n')).toBe('');
    expect(answers).toHaveLength(count);
    // A few of the whole corpus have no module: the interpreter answers them.
    expect(left.length).toBeLessThan(count / 50);
  } finally {
    await edge.stop();
  }
});
