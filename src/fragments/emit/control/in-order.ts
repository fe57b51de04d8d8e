// When the object of a call is looked at. C# evaluates the object and every argument, and then finds out that the object is null; what emits a
// member looks at the object first, which is seen only where an argument does something or throws something else. Such a call is handed on with
// its parts in locals. What is part of the code of a call (functions, comparers, chains that are gone over later) stays where it is.

import type { CallArgument, Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { isEdgeList, isSpan, nameOf, representation } from '../representation.ts';
import { isDeferred, stays } from '../sequences/deferred.ts';
import type { Call } from './call-parts.ts';
import { variable } from './callbacks.ts';
import type { FunctionEmitter } from './function-emitter.ts';

/** Members of whole texts that are emitted piece by piece, and properties: they throw nothing but what a null receiver throws. */
const stillMembers =
  /^(String\.Concat\((string|object)(,\2)*\)|(AGraphElementModel|VertexModel|EdgeModel)\.\w+|.*\.get_(Count|Length|Key|Value)\(\))$/;
/** Static members that look at their first argument. */
const extensions = /^(Enumerable|Array)\./;
const values = new Set([
  'DateTime',
  'DateTimeOffset',
  'TimeSpan',
  'Guid',
  'KeyValuePair',
  'Index',
  'Range',
  'TraversalContext',
]);

/** Whether nobody sees when it is evaluated: it does nothing, and throws at most what a null object throws. */
function isStill(node: Expression): boolean {
  switch (node.kind) {
    case 'constant':
    case 'default':
    case 'local':
    case 'lambda':
    case 'delegateOfLocal':
      return true;
    case 'binary': {
      const mayThrow = node.checked || ((node.operator === '/' || node.operator === '%') && node.operand !== 'double');
      return !mayThrow && isStill(node.left) && isStill(node.right);
    }
    case 'and':
    case 'or':
    case 'referenceEquals':
      return isStill(node.left) && isStill(node.right);
    case 'negate':
    case 'complement':
      return !node.checked && isStill(node.operand);
    case 'not':
    case 'hasValue':
    case 'unwrap':
    case 'typeTest':
      return isStill(node.operand);
    case 'convert':
      return !mayFail(node) && isStill(node.operand);
    case 'conditional':
      return [node.condition, node.whenTrue, node.whenFalse].every(isStill);
    case 'field':
      return isStill(node.object);
    case 'interpolation':
      return node.parts.every((part) => part.kind === 'text' || isStill(part.value));
    case 'call':
      return stays(node) || (stillMembers.test(node.member.key) && partsOf(node).every(isStill));
    default:
      return false;
  }
}

function mayFail({ conversion }: Expression & { readonly kind: 'convert' }): boolean {
  if (conversion.kind === 'numeric') return conversion.checked;
  return conversion.kind === 'unbox' || conversion.kind === 'reference' || conversion.kind === 'unwrapChecked';
}

function partsOf(call: Call): Expression[] {
  const given = call.arguments.flatMap((each) => (each.mode === 'value' ? [each.value] : []));
  return call.receiver === null ? given : [call.receiver, ...given];
}

/** Whether a value may turn out to be null, as far as its type tells. */
function mayBeNull(type: Type): boolean {
  if (type.kind === 'primitive') return type.name === 'string' || type.name === 'object';
  if (type.kind === 'nullable' || type.kind === 'tuple') return false;
  return !isSpan(type) && !isEdgeList(type) && !values.has(nameOf(type));
}

/** The call, or the same one over locals that its parts have been evaluated into. */
export function inOrder(f: FunctionEmitter, call: Call): Call {
  const { receiver, arguments: given } = call;
  const last = given.findLastIndex((each) => each.mode === 'value' && !isStill(each.value));
  const [first] = given;
  const self = receiver ?? (extensions.test(call.member.key) && first?.mode === 'value' ? first.value : null);
  if (self === null || last < (receiver === null ? 1 : 0)) return call;
  if (!mayBeNull(self.type) || isDeferred(f, self)) return call;
  const object = receiver === null ? null : held(f, receiver);
  const evaluated = given.map((each, index): CallArgument => {
    return each.mode !== 'value' || index > last ? each : { mode: 'value', value: held(f, each.value) };
  });
  return { ...call, receiver: object, arguments: evaluated };
}

function held(f: FunctionEmitter, node: Expression): Expression {
  if (stays(node)) return node;
  if (isDeferred(f, node)) return chainHeld(f, node);
  // What it is converted from tells how it is written, or compared.
  if (node.kind === 'convert' && !mayFail(node)) return { ...node, operand: held(f, node.operand) };
  if (node.kind === 'newArray' && node.values !== null) {
    return { ...node, values: node.values.map((value) => held(f, value)) };
  }
  const place = f.code.local(representation(node.type));
  f.expression(node);
  f.code.set(place);
  return variable(f, node.type, place);
}

/** A chain that is gone over later, over operands that have been evaluated. */
function chainHeld(f: FunctionEmitter, node: Expression): Expression {
  if (node.kind === 'convert') return { ...node, operand: chainHeld(f, node.operand) };
  if (isEdgeList(node.type) || isSpan(node.type)) return node;
  if (!isDeferred(f, node)) return isStill(node) ? node : held(f, node);
  if (node.kind !== 'call') return node;
  const given = node.arguments.map((each): CallArgument => {
    return each.mode === 'value' && !stays(each.value) ? { mode: 'value', value: chainHeld(f, each.value) } : each;
  });
  return { ...node, receiver: node.receiver === null ? null : chainHeld(f, node.receiver), arguments: given };
}
