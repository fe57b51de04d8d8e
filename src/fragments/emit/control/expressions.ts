// Expressions of the typed tree as WebAssembly, except calls of the library (calls.ts).

import type { Conversion, Expression } from '../../tree.ts';
import { emitNewArray, itemPlace, loadItemOf } from '../arrays/arrays.ts';
import { emitBinary, emitUnary } from '../numbers/arithmetic.ts';
import { emitNumericConversion } from '../numbers/conversions.ts';
import { decimalWords } from '../numbers/decimal-calls.ts';
import { asObject, unbox } from '../objects/boxes.ts';
import { emitReferenceConversion, emitReferenceEquals, emitTypeTest } from '../objects/casts.ts';
import { emptyNullable, hasValue, unwrap, wrap } from '../objects/nullables.ts';
import { tags } from '../objects/object-layout.ts';
import { isNull } from '../objects/objects.ts';
import { emitTuple, loadItem } from '../objects/tuples.ts';
import { emitNewObject, loadUserField } from '../objects/user-objects.ts';
import { isString, nullOf, representation } from '../representation.ts';
import { pushAbsent } from '../sequences/sequences.ts';
import { emitInterpolation } from '../text/text-builds.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, i64 } from '../wasm/opcodes.ts';
import { checkedReference } from './call-parts.ts';
import { isVoid } from './delegate-code.ts';
import { emitThrow } from './exceptions.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { emitAssign } from './places.ts';

export function emitExpression(f: FunctionEmitter, node: Expression): void {
  const { code } = f;
  switch (node.kind) {
    case 'constant':
      emitConstant(f, node);
      return;
    case 'default':
      f.zero(node.type);
      return;
    case 'local':
      f.getLocal(node.local);
      return;
    case 'assign':
      emitAssign(f, node);
      return;
    case 'binary':
      emitBinary(f, node);
      return;
    case 'referenceEquals':
      if (!(isNull(node.right) && pushAbsent(f, node.left))) emitReferenceEquals(f, node.left, node.right);
      return;
    case 'and':
    case 'or':
      emitShortCircuit(f, node);
      return;
    case 'not':
      f.expression(node.operand);
      code.op(i32.eqz);
      return;
    case 'negate':
    case 'complement':
      emitUnary(f, node);
      return;
    case 'conditional':
    case 'sequence':
      emitBranches(f, node);
      return;
    case 'call':
      f.call(node);
      return;
    case 'callLocal':
      f.module.closures.call(f, node);
      return;
    case 'convert':
      emitConversion(f, node.conversion, node);
      return;
    case 'hasValue':
      f.expression(node.operand);
      hasValue(f, representation(node.operand.type));
      return;
    case 'unwrap':
      f.expression(node.operand);
      unwrap(f, node.type);
      return;
    case 'interpolation':
      emitInterpolation(f, node);
      return;
    case 'throw':
      emitThrow(f, node.operand);
      return;
    default:
      emitObjectExpression(f, node);
  }
}

/** Expressions that make or open objects. */
function emitObjectExpression(f: FunctionEmitter, node: Expression): void {
  const { code } = f;
  switch (node.kind) {
    case 'typeTest':
      emitTypeTest(f, node);
      return;
    case 'newArray':
      emitNewArray(f, node);
      return;
    case 'element':
      loadItemOf(f, itemPlace(f, node.array, node.indices));
      return;
    case 'tuple':
      emitTuple(f, tags.tuple, node.type, node.elements);
      return;
    case 'tupleElement':
      f.expression(node.tuple);
      loadItem(f, node.index, node.type);
      return;
    case 'anonymous':
      emitTuple(f, tags.record, node.type, node.values);
      return;
    case 'anonymousMember':
      code.get(checkedReference(f, node.object, 'NullReferenceException'));
      loadItem(f, node.index, node.type);
      return;
    case 'newObject':
      emitNewObject(f, node.type);
      return;
    case 'field':
      loadUserField(f, node, checkedReference(f, node.object, 'NullReferenceException'));
      return;
    case 'exceptionBase':
      throw new NotCompiled('an exception of its own');
    case 'lambda':
      f.module.closures.lambda(f, node.code, node.type);
      return;
    case 'delegateOf':
      f.module.closures.ofMember(f, node);
      return;
    case 'delegateOfLocal':
      f.module.closures.ofLocal(f, node);
      return;
    case 'invoke':
      f.module.closures.invoke(f, node);
      return;
    default:
      throw new NotCompiled(`'${node.kind}'`);
  }
}

function emitShortCircuit(f: FunctionEmitter, node: Expression & { kind: 'and' | 'or' }): void {
  const { code } = f;
  f.expression(node.left);
  code.if('i32');
  if (node.kind === 'and') f.expression(node.right);
  else code.i32(1);
  code.else();
  if (node.kind === 'and') code.i32(0);
  else f.expression(node.right);
  code.end();
}

/** Conditionals, which may be long chains in either branch, and what is evaluated before them: in a loop. */
function emitBranches(f: FunctionEmitter, node: Expression): void {
  const { code } = f;
  /** What stands behind the `else` of each conditional that is open; null once it has been emitted. */
  const open: (Expression | null)[] = [];
  let at = node;
  for (;;) {
    if (at.kind === 'sequence') {
      for (const effect of at.effects) f.effect(effect);
      at = at.value;
    } else if (at.kind === 'conditional') {
      f.expression(at.condition);
      code.if(isVoid(at.type) ? null : representation(at.type));
      open.push(at.whenFalse);
      at = at.whenTrue;
    } else {
      f.expression(at);
      let next = open.pop();
      for (; next === null; next = open.pop()) code.end();
      if (next === undefined) return;
      code.else();
      open.push(null);
      at = next;
    }
    f.count();
  }
}

function emitConstant(f: FunctionEmitter, { type, value }: Expression & { kind: 'constant' }): void {
  const { code } = f;
  if (value === null) {
    if (type.kind === 'nullable') emptyNullable(f, representation(type));
    else code.i32(nullOf(type));
    return;
  }
  if (isString(type)) {
    f.text(value as string);
    return;
  }
  switch (representation(type)) {
    case 'i32':
      code.i32(typeof value === 'boolean' ? Number(value) : Number(value) | 0);
      return;
    case 'i64':
      code.i64(BigInt(value as bigint | number));
      return;
    case 'f32':
      code.f32(value as number);
      return;
    case 'f64':
      code.f64(value as number);
      return;
    case 'v128':
      code.v128(...decimalWords(value));
  }
}

/** Stores the value on the stack; for `out` arguments. */

function emitConversion(f: FunctionEmitter, conversion: Conversion, node: Expression & { kind: 'convert' }): void {
  const { operand } = node;
  switch (conversion.kind) {
    case 'numeric':
      f.expression(operand);
      emitNumericConversion(f, conversion.from, conversion.to, conversion.checked);
      return;
    case 'enum':
      f.expression(operand);
      if (representation(operand.type) === 'i64') f.code.op(i32.wrapI64);
      if (representation(node.type) === 'i64') f.code.op(i64.extendI32S);
      return;
    case 'identity':
    case 'reference':
    case 'as':
      emitReferenceConversion(f, node, conversion.kind);
      return;
    case 'notNull':
      f.code.get(checkedReference(f, operand, 'NullReferenceException'));
      return;
    case 'box':
      asObject(f, operand);
      return;
    case 'unbox':
      f.expression(operand);
      unbox(f, node.type);
      return;
    case 'wrap':
      if (operand.type.kind === 'null') {
        f.zero(node.type);
        return;
      }
      f.expression(operand);
      wrap(f, operand.type);
      return;
    case 'unwrapChecked': {
      const value = f.toLocal(operand);
      f.code.get(value.local);
      hasValue(f, value.type);
      f.code.op(i32.eqz);
      f.failIf('InvalidOperationException');
      f.code.get(value.local);
      unwrap(f, node.type);
      f.code.release(value.type, value.local);
      return;
    }
  }
}
