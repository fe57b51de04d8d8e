// A compiler of fragments on the thread of the test, which keeps nothing.

import { FragmentCompiler } from '../../../src/queries/fragments/compiler.ts';
import { compilersHere } from '../../../src/queries/fragments/compiler-here.ts';
import { silent } from '../../../src/telemetry/telemetry.ts';

export function fragmentCompiler(emits: boolean): FragmentCompiler {
  const compilers = compilersHere({ maxWaiting: 16, maxMs: 60_000 });
  const cache = { entries: 0, bytes: 0, ageMs: 0 };
  return new FragmentCompiler({
    compilers,
    shared: true,
    emits,
    cache,
    maxSeconds: 60,
    now: () => 0,
    telemetry: silent,
    artifact: 'subgraph',
  });
}
