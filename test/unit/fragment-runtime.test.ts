// What the runtime of searches keeps of compiled fragments: one in steady use stays where it is however many others come, and one that was
// forgotten is made anew.

import { expect, it } from 'vitest';
import type { JobControl } from '../../src/engine/jobs/types.ts';
import { emitFragment } from '../../src/fragments/emit/emit.ts';
import type { SearchValues } from '../../src/queries/fragments/interpreted.ts';
import { FragmentRuntime } from '../../src/queries/fragments/runtime.ts';
import { Spending } from '../../src/queries/fragments/spending.ts';
import { bound, corpusGraph } from './support/fragment-corpus.ts';

it('a fragment in steady use stays installed while thousands of others come and go', () => {
  const { core } = corpusGraph('dist/wasm/core.shared.wasm');
  const emitted = emitFragment(bound('return v => v.Id > 1;', 'VertexFilter'), true);
  if (!emitted.ok) throw new Error(emitted.reason);
  const { bytes, names, texts } = emitted.fragment;
  const module = new WebAssembly.Module(bytes);
  const asked: string[] = [];
  const control = {
    stopReason: () => null,
    endsAtMs: Number.POSITIVE_INFINITY,
    module: (key: string) => {
      asked.push(key);
      return module;
    },
  } as unknown as JobControl;
  const runtime = FragmentRuntime.of(core.instance);
  runtime.begin(new Spending({ maxFuel: 1_000_000, maxSeconds: 300 }, control), true);
  const install = (key: string): number => {
    const fragment = { key, kind: 'VertexFilter', text: '', compiled: { names, texts } } as const;
    return runtime.install(fragment, control, false, {} as SearchValues)?.call ?? 0;
  };
  const place = install('steady');
  // More than the table has room for, and more than are kept beside it.
  for (let i = 0; i < 2_500; i++) {
    install(`other ${i}`);
    if (i % 100 === 0) expect(install('steady')).toBe(place);
  }
  expect(asked.filter((key) => key === 'steady')).toHaveLength(1);
  install('other 0');
  expect(asked.filter((key) => key === 'other 0')).toHaveLength(2);
});
