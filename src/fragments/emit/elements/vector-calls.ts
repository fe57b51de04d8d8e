// Embeddings of elements and the arithmetic of vectors. Vectors are read where the graph has them.

import { defaultEmbedding, embeddingModelPrefix, embeddingPrefix } from '../../../core/embeddings.ts';
import type { Expression } from '../../tree.ts';
import { chargeItems, pack, pushView, type View, viewOf } from '../arrays/spans.ts';
import { argument, type Call, type CallEmitter, checkedReceiver, outTarget } from '../control/call-parts.ts';
import { primitive, variable } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { f32, i32 } from '../wasm/opcodes.ts';
import { giveOut, pushName, slotOfName } from './property-calls.ts';

/** The core's property type ids. */
const stringType = 1;
const vectorType = 19;

/** Evaluates the receiver and the name, and puts the address of the slot under the prefix into a local, 0 without. */
function slotOf(f: FunctionEmitter, call: Call, prefix: string, type: number): number {
  const { code } = f;
  const element = checkedReceiver(f, call);
  const slot = code.local('i32');
  const name = argument(call, 1);
  if (name.kind === 'constant') {
    slotOfName(f, element, `${prefix}${(name.value as string | null) ?? defaultEmbedding}`, type, slot);
    return slot;
  }
  const text = f.code.local('i32');
  f.expression(name);
  code.tee(text);
  code.op(i32.eqz);
  code.if();
  f.text(defaultEmbedding);
  code.set(text);
  code.end();
  const string = primitive('string');
  const key: Expression = {
    kind: 'interpolation',
    type: string,
    parts: [
      { kind: 'text', value: prefix },
      { kind: 'hole', value: variable(f, string, text), alignment: 0, format: null },
    ],
  };
  code.get(element);
  pushName(f, key);
  code.i32(type);
  f.core('fragmentSlot');
  code.set(slot);
  return slot;
}

const tryGetEmbedding: CallEmitter = (f, call) => {
  const { code } = f;
  const slot = slotOf(f, call, embeddingPrefix, vectorType);
  const target = outTarget(call, 0);
  code.get(slot);
  giveOut(f, target, () => {
    code.get(slot);
    code.load(i32.load, 0);
    code.tee(slot);
    code.i32(8);
    code.op(i32.add);
    code.get(slot);
    code.load(i32.load, 4);
    pack(f);
  });
};

const tryGetStamp: CallEmitter = (f, call) => {
  const { code } = f;
  const slot = slotOf(f, call, embeddingModelPrefix, stringType);
  const target = outTarget(call, 0);
  code.get(slot);
  giveOut(f, target, () => {
    code.get(slot);
    code.load(i32.load, 0);
  });
};

const isEmbeddingName: CallEmitter = (f, call) => {
  f.expression(argument(call, 0));
  f.core('textIsEmbeddingName');
};

/** Evaluates two spans and a metric; `push` pushes their score. */
function scored(f: FunctionEmitter, call: Call, first: number): { left: View; right: View; push: () => void } {
  const left = viewOf(f, argument(call, first));
  const right = viewOf(f, argument(call, first + 1));
  const metric = f.toLocal(argument(call, first + 2)).local;
  chargeItems(f, left.count);
  const push = (): void => {
    pushView(f, left);
    pushView(f, right);
    f.code.get(metric);
    f.core('viewScore');
  };
  return { left, right, push };
}

const score: CallEmitter = (f, call) => scored(f, call, 0).push();

/** False, and 0, for vectors without or of different dimensions and for a score that is no finite number. */
const tryScore: CallEmitter = (f, call) => {
  const { code } = f;
  const { left, right, push } = scored(f, call, 1);
  const target = outTarget(call, 0);
  const found = code.local('f32');
  code.f32(Number.NaN);
  code.set(found);
  code.get(left.count);
  code.op(i32.eqz, i32.eqz);
  code.get(left.count);
  code.get(right.count);
  code.op(i32.eq, i32.and);
  code.if();
  push();
  code.set(found);
  code.end();
  // A number less itself is 0 unless it is infinite or none.
  code.get(found);
  code.get(found);
  code.op(f32.sub);
  code.f32(0);
  code.op(f32.eq);
  giveOut(f, target, () => {
    code.get(found);
  });
};

const vectors = 'ReadOnlySpan<float>,ReadOnlySpan<float>,VectorDistanceMetric';

export const vectorCalls: readonly [string, CallEmitter][] = [
  ['AGraphElementModel.TryGetEmbedding(out ReadOnlySpan<float>,string)', tryGetEmbedding],
  ['AGraphElementModel.TryGetEmbeddingModelStamp(out string,string)', tryGetStamp],
  ['AGraphElementModel.IsValidEmbeddingName(string)', isEmbeddingName],
  [`VectorMath.Score(${vectors})`, score],
  [`VectorMath.TryScore(out float,${vectors})`, tryScore],
];
