// The members of `context`.

import { argument, type Call, type CallEmitter, outTarget, receiver, storeDefault } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { NotCompiled } from '../unsupported.ts';
import { f32, i32 } from '../wasm/opcodes.ts';

/** The context itself is nowhere: only its members are. */
function requireContext(f: FunctionEmitter, call: Call): void {
  const node = receiver(call);
  if (node.kind !== 'local' || node.local !== f.module.context) throw new NotCompiled('another context');
}

const ofContext =
  (name: 'contextHasQuery' | 'contextMetric' | 'contextName' | 'contextQuery'): CallEmitter =>
  (f, call) => {
    requireContext(f, call);
    f.core(name);
  };

function trySimilarity(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  requireContext(f, call);
  const target = outTarget(call, 1);
  const score = code.borrow('f32');
  const element = f.toLocal(argument(call, 0));
  code.get(element.local);
  code.i32(-1);
  code.op(i32.eq);
  code.if('f32');
  code.f32(Number.NaN);
  code.else();
  code.get(element.local);
  f.core('contextScore');
  code.end();
  code.release(element.type, element.local);
  code.tee(score);
  // A number less itself is 0 unless it is infinite or none.
  code.get(score);
  code.op(f32.sub);
  code.f32(0);
  code.op(f32.eq);
  code.if('i32');
  code.get(score);
  f.store(target);
  code.i32(1);
  code.else();
  storeDefault(f, target);
  code.i32(0);
  code.end();
  code.release('f32', score);
}

export const contextCalls: readonly [string, CallEmitter][] = [
  ['TraversalContext.get_HasQueryVector()', ofContext('contextHasQuery')],
  ['TraversalContext.get_QueryVector()', ofContext('contextQuery')],
  ['TraversalContext.get_EmbeddingName()', ofContext('contextName')],
  ['TraversalContext.get_Metric()', ofContext('contextMetric')],
  ['TraversalContext.TrySimilarity(AGraphElementModel,out float)', trySimilarity],
];
