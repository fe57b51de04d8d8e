// Fragments of the corpus inside the runtime, as programs of the machine that comes with the deployment: answers what each answers.

import { provideMachine } from '../../../src/core/machine.ts';
import { provideTrampolines } from '../../../src/core/trampoline.ts';
import type { DelegateKind } from '../../../src/fragments/tree.ts';
import { bound, compiledResults, corpusGraph } from '../../unit/support/fragment-corpus.ts';
import core from './core.plain.turns.wasm';
import machine from './machine.plain.wasm';
import f64 from './trampoline.f64.wasm';
import i32 from './trampoline.i32.wasm';

interface Asked {
  readonly kind: DelegateKind;
  readonly fragment: string;
}

provideMachine(machine);
provideTrampolines({ i32, f64 });

export class ArcwiseObject {}

export default {
  fetch: async (request: Request): Promise<Response> => {
    const over = corpusGraph(core);
    const asked = (await request.json()) as readonly Asked[];
    const answers = asked.map(({ kind, fragment }) =>
      compiledResults(over, bound(fragment, kind), undefined, 'program'),
    );
    return new Response(JSON.stringify(answers));
  },
};
