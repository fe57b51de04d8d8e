// What members are handed to call: a lambda becomes part of the code that calls it, a method group a call of the member, and any other
// delegate is evaluated once and invoked. And trees that this back end makes itself, of values that lie in locals.

import type { Expression, FunctionCode, Local } from '../../tree.ts';
import type { PrimitiveName, Type } from '../../types.ts';
import { representation } from '../representation.ts';
import { i32 } from '../wasm/opcodes.ts';
import { assignedAtMost } from './assignments.ts';
import type { Call } from './call-parts.ts';
import type { FunctionEmitter } from './function-emitter.ts';

/** Pushes the result of the delegate for arguments in locals. */
export interface Applied {
  readonly result: Type;
  readonly apply: (places: readonly number[]) => void;
}

let made = 0;

/** A variable of the fragment for what lies in a local. */
export function variable(f: FunctionEmitter, type: Type, place: number): Expression & { kind: 'local' } {
  const local: Local = { id: --made, name: '', type, captured: false, byReference: false };
  f.bind(local, place);
  return { kind: 'local', type, local };
}

export function primitive(name: PrimitiveName): Type {
  return { kind: 'primitive', name };
}

/** A call of a library member with values as its arguments. */
export function memberCall(
  key: string,
  type: Type,
  receiver: Expression | null,
  values: readonly Expression[],
  typeArguments: readonly Type[] = [],
): Call {
  return {
    kind: 'call',
    type,
    member: { key, static: receiver === null },
    receiver,
    arguments: values.map((value) => ({ mode: 'value', value })),
    typeArguments,
  };
}

/** The lambda behind a node; null when it is another delegate. */
export function lambdaOf(node: Expression): FunctionCode | null {
  let inner = node;
  while (inner.kind === 'convert' && inner.conversion.kind === 'identity') inner = inner.operand;
  return inner.kind === 'lambda' ? inner.code : null;
}

/** Makes places the values of a lambda's parameters: copies of those that its body assigns. */
export function argumentPlaces(f: FunctionEmitter, lambda: FunctionCode, places: readonly number[]): readonly number[] {
  return lambda.parameters.map((parameter, index) => {
    const place = places[index] as number;
    if (assignedAtMost(f.module.bound, parameter, 0)) return place;
    const copy = f.code.local(representation(parameter.type));
    f.code.get(place);
    f.code.set(copy);
    return copy;
  });
}

/** Evaluates an argument that is a delegate; null throws. `parameters`: what it will be called with. */
export function delegate(f: FunctionEmitter, node: Expression, parameters: readonly Type[]): Applied {
  const lambda = lambdaOf(node);
  if (lambda !== null) {
    const { returnType } = lambda;
    return { result: returnType, apply: (places) => f.inline(lambda, argumentPlaces(f, lambda, places)) };
  }
  let inner = node;
  while (inner.kind === 'convert' && inner.conversion.kind === 'identity') inner = inner.operand;
  const result = resultOf(node.type);
  const values = (places: readonly number[]): Expression[] =>
    places.slice(0, parameters.length).map((place, index) => variable(f, parameters[index] as Type, place));
  if (inner.kind === 'delegateOf') {
    const { member, receiver, typeArguments } = inner;
    const owner = receiver === null ? null : variable(f, receiver.type, f.toLocal(receiver).local);
    return {
      result,
      apply: (places) => f.expression(memberCall(member.key, result, owner, values(places), typeArguments)),
    };
  }
  if (inner.kind === 'delegateOfLocal') {
    const { function: local } = inner;
    return {
      result,
      apply: (places) =>
        f.expression({
          kind: 'callLocal',
          type: result,
          function: local,
          arguments: values(places).map((value) => ({ mode: 'value', value })),
        }),
    };
  }
  if (inner.kind === 'default' || (inner.kind === 'constant' && inner.value === null)) {
    f.fail('ArgumentNullException');
    return { result, apply: () => f.zero(result) };
  }
  const place = f.toLocal(inner).local;
  f.code.get(place);
  f.code.op(i32.eqz);
  f.failIf('ArgumentNullException');
  const held = variable(f, inner.type, place);
  return {
    result,
    apply: (places) =>
      f.expression({
        kind: 'invoke',
        type: result,
        delegate: held,
        arguments: values(places).map((value) => ({ mode: 'value', value })),
      }),
  };
}

/** What a delegate of this type gives. */
function resultOf(type: Type): Type {
  if (type.kind !== 'named') return primitive('void');
  if (type.name.endsWith('Predicate')) return primitive('bool');
  if (type.name.endsWith('Comparison')) return primitive('int');
  if (type.name.endsWith('Action')) return primitive('void');
  return type.arguments.at(-1) ?? primitive('void');
}
