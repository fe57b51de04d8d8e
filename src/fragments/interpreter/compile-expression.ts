// Expressions as closures.

import type { ConstantValue, Conversion, Expression } from '../tree.ts';
import type { Type } from '../types.ts';
import { type ArrayObject, emptyArray, newArray } from './array-objects.ts';
import { compileCall, compileInvoke, compileLocalCall, compileMethodGroup } from './compile-call.ts';
import { compileAssignment } from './compile-target.ts';
import type { Scope } from './compiler.ts';
import { compileConversion } from './conversions.ts';
import { decimalFromText } from './decimal.ts';
import { sameReference } from './equality.ts';
import { type ExceptionObject, nullReference, overflow, Thrown, UserException } from './exceptions.ts';
import type { Run } from './frames.ts';
import { allocate } from './machine.ts';
import { methodDelegate } from './multicast.ts';
import { binaryFunction, complement, negation } from './operators.ts';
import { isAssignable, type RuntimeType, runtimeType } from './runtime-types.ts';
import { TupleValue } from './structs.ts';
import { align, textFormatter } from './to-text.ts';
import { UserObject } from './user-objects.ts';
import { AnonymousObject, defaultOf, typeOfObject, type Value } from './values.ts';

export function compileExpression(expression: Expression, scope: Scope): Run {
  switch (expression.kind) {
    case 'constant': {
      const value = constantOf(expression.value, expression.type);
      return () => value;
    }
    case 'default': {
      const value = defaultOf(expression.type);
      return () => value;
    }
    case 'local': {
      const slot = scope.slotOf(expression.local);
      return scope.isCelled(expression.local) ? (frame) => frame[slot].value : (frame) => frame[slot];
    }
    case 'assign':
      return compileAssignment(expression.target, compileExpression(expression.value, scope), scope);
    case 'binary':
      return compileBinary(expression, scope);
    case 'referenceEquals': {
      const [left, right] = [compileExpression(expression.left, scope), compileExpression(expression.right, scope)];
      return (frame) => sameReference(left(frame), right(frame));
    }
    case 'and': {
      const [left, right] = [compileExpression(expression.left, scope), compileExpression(expression.right, scope)];
      return (frame) => left(frame) && right(frame);
    }
    case 'or': {
      const [left, right] = [compileExpression(expression.left, scope), compileExpression(expression.right, scope)];
      return (frame) => left(frame) || right(frame);
    }
    case 'conditional':
    case 'sequence':
      return compileBranches(expression, scope);
    case 'call':
      return compileCall(expression, scope);
    case 'callLocal':
      return compileLocalCall(expression, scope);
    case 'invoke':
      return compileInvoke(expression, scope);
    case 'lambda':
      return scope.lambda(expression.code);
    case 'delegateOf':
      return compileMethodGroup(expression, scope);
    case 'delegateOfLocal': {
      const method = expression.function;
      const create = scope.localFunction(method);
      const takesFrame = method.code.captures.length > 0;
      return (frame) => methodDelegate(create(frame), method, takesFrame ? frame : null);
    }
    default:
      return compileValue(expression, scope);
  }
}

/** Expressions that make or take apart values. */
function compileValue(expression: Expression, scope: Scope): Run {
  switch (expression.kind) {
    case 'not':
      return unary(expression.operand, scope, (value) => !value);
    case 'negate':
      return unary(expression.operand, scope, negation(primitiveName(expression.type), expression.checked));
    case 'complement':
      return unary(expression.operand, scope, complement(primitiveName(expression.type)));
    case 'convert':
      return compileConvert(expression, scope);
    case 'hasValue':
      return unary(expression.operand, scope, (value) => value !== null);
    case 'unwrap': {
      const value = defaultOf(expression.type);
      return unary(expression.operand, scope, (operand) => operand ?? value);
    }
    case 'typeTest':
      return compileTypeTest(expression, scope);
    case 'newArray':
      return compileNewArray(expression, scope);
    case 'element':
      return compileElement(expression, scope);
    case 'tuple': {
      const items = expression.elements.map((element) => compileExpression(element, scope));
      return (frame) => new TupleValue(items.map((item) => item(frame)));
    }
    case 'tupleElement': {
      const { index } = expression;
      return unary(expression.tuple, scope, (tuple) => tuple.items[index]);
    }
    case 'anonymous': {
      const type = runtimeType(expression.type);
      const items = expression.values.map((value) => compileExpression(value, scope));
      return (frame) => {
        allocate(16 + 8 * items.length);
        return new AnonymousObject(
          type,
          items.map((item) => item(frame)),
        );
      };
    }
    case 'anonymousMember': {
      const { index } = expression;
      return unary(expression.object, scope, (object) => (object === null ? nullReference() : object.items[index]));
    }
    case 'interpolation':
      return compileInterpolation(expression, scope);
    case 'throw':
      return unary(expression.operand, scope, throwValue);
    case 'field': {
      const { index } = expression;
      return unary(expression.object, scope, (object) => (object === null ? nullReference() : object.fields[index]));
    }
    case 'newObject':
      return compileNewObject(expression.type);
    case 'exceptionBase':
      return compileExceptionBase(expression, scope);
    default:
      throw new Error(`no closure for ${expression.kind}`);
  }
}

function compileNewObject(type: Type): Run {
  const described = runtimeType(type);
  const fields = (described.user?.fields ?? []).map(defaultOf);
  const isException = isAssignable(described, EXCEPTION);
  return () => {
    allocate(32 + 8 * fields.length);
    return isException ? new UserException(type, [...fields]) : new UserObject(described, [...fields]);
  };
}

const EXCEPTION = runtimeType({ kind: 'named', name: 'Exception', arguments: [] });

/** The message and the cause that a class of exceptions hands to its base. */
function compileExceptionBase(expression: Expression & { kind: 'exceptionBase' }, scope: Scope): Run {
  const object = compileExpression(expression.object, scope);
  const message = expression.message && compileExpression(expression.message, scope);
  const inner = expression.inner && compileExpression(expression.inner, scope);
  return (frame) => {
    const exception: UserException = object(frame);
    exception.begin(message?.(frame) ?? null, inner?.(frame) ?? null);
    return null;
  };
}

function unary(operand: Expression, scope: Scope, apply: (value: Value) => Value): Run {
  const run = compileExpression(operand, scope);
  return (frame) => apply(run(frame));
}

function primitiveName(type: Type) {
  return type.kind === 'primitive' ? type.name : 'int';
}

/** Throws an exception object; null throws NullReferenceException. */
export function throwValue(exception: ExceptionObject | null): never {
  if (exception === null) return nullReference();
  throw new Thrown(exception);
}

function constantOf(value: ConstantValue, type: Type): Value {
  if (value !== null && typeof value === 'object') return decimalFromText(value.decimal);
  const own = type.kind === 'nullable' ? type.element : type;
  const big = own.kind === 'primitive' && (own.name === 'long' || own.name === 'ulong');
  if (big && typeof value === 'number') return BigInt(value);
  if (!big && typeof value === 'bigint') return Number(value);
  return value;
}

/** The common operators get closures of their own: no call of a function in between. */
function compileBinary(expression: Expression & { kind: 'binary' }, scope: Scope): Run {
  const left = compileExpression(expression.left, scope);
  const right = compileExpression(expression.right, scope);
  switch (expression.operator) {
    case '==':
      return (frame) => left(frame) === right(frame);
    case '!=':
      return (frame) => left(frame) !== right(frame);
    case '<':
      return (frame) => left(frame) < right(frame);
    case '>':
      return (frame) => left(frame) > right(frame);
    case '<=':
      return (frame) => left(frame) <= right(frame);
    case '>=':
      return (frame) => left(frame) >= right(frame);
    default:
      break;
  }
  if (expression.operand === 'int' && !expression.checked) {
    if (expression.operator === '+') return (frame) => (left(frame) + right(frame)) | 0;
    if (expression.operator === '-') return (frame) => (left(frame) - right(frame)) | 0;
  }
  if (expression.operand === 'double') {
    if (expression.operator === '+') return (frame) => left(frame) + right(frame);
    if (expression.operator === '*') return (frame) => left(frame) * right(frame);
  }
  const apply = binaryFunction(expression.operator, expression.operand, expression.checked);
  return (frame) => apply(left(frame), right(frame));
}

type Branching = Expression & { kind: 'conditional' | 'sequence' };

/** One link of a chain of conditionals: what is evaluated first, and the branch that ends the chain. */
interface Link {
  readonly effects: readonly Run[];
  /** Null: nothing is asked, the chain goes on. */
  readonly condition: Run | null;
  readonly ends: boolean;
  readonly branch: Run;
}

/** Conditionals, which may be long chains in either branch, and what is evaluated before them: neither made nor run by recursion. */
function compileBranches(expression: Branching, scope: Scope): Run {
  const links: Link[] = [];
  let at: Expression = expression;
  while (at.kind === 'conditional' || at.kind === 'sequence') {
    if (at.kind === 'sequence') {
      const effects = at.effects.map((effect) => compileExpression(effect, scope));
      links.push({ effects, condition: null, ends: false, branch: nothing });
      at = at.value;
    } else {
      const condition = compileExpression(at.condition, scope);
      const ends = isBranching(at.whenFalse) || !isBranching(at.whenTrue);
      const branch = compileExpression(ends ? at.whenTrue : at.whenFalse, scope);
      links.push({ effects: [], condition, ends, branch });
      at = ends ? at.whenFalse : at.whenTrue;
    }
  }
  const last = compileExpression(at, scope);
  return links.length <= 4 ? links.reduceRight(linked, last) : chained(links, last);
}

const nothing: Run = () => undefined;

function isBranching(expression: Expression): expression is Branching {
  return expression.kind === 'conditional' || expression.kind === 'sequence';
}

/** A link before what the rest of the chain has become. */
function linked(rest: Run, { effects, condition, ends, branch }: Link): Run {
  if (condition !== null) {
    return ends
      ? (frame) => (condition(frame) ? branch(frame) : rest(frame))
      : (frame) => (condition(frame) ? rest(frame) : branch(frame));
  }
  const [only] = effects;
  if (effects.length === 1) {
    return (frame) => {
      only!(frame);
      return rest(frame);
    };
  }
  return (frame) => {
    for (const effect of effects) effect(frame);
    return rest(frame);
  };
}

function chained(links: readonly Link[], last: Run): Run {
  return (frame) => {
    for (const { effects, condition, ends, branch } of links) {
      for (const effect of effects) effect(frame);
      if (condition !== null && Boolean(condition(frame)) === ends) return branch(frame);
    }
    return last(frame);
  };
}

function compileConvert(expression: Expression & { kind: 'convert' }, scope: Scope): Run {
  const conversion: Conversion = expression.conversion;
  const operand = compileExpression(expression.operand, scope);
  if (conversion.kind === 'identity' || conversion.kind === 'wrap') return operand;
  const apply = compileConversion(conversion, expression.operand.type, expression.type);
  return (frame) => apply(operand(frame));
}

/** Whether a value whose static type is `from` is of a type. */
function compileTypeTest(expression: Expression & { kind: 'typeTest' }, scope: Scope): Run {
  const run = compileExpression(expression.operand, scope);
  const own = expression.test.kind === 'nullable' ? expression.test.element : expression.test;
  const wanted = runtimeType(own);
  const from = expression.operand.type;
  const bare: RuntimeType = runtimeType(from.kind === 'nullable' ? from.element : from);
  if (bare.isValue) {
    const fits = isAssignable(bare, wanted);
    return (frame) => run(frame) !== null && fits;
  }
  return (frame) => {
    const value = run(frame);
    return value !== null && isAssignable(typeOfObject(value), wanted);
  };
}

function compileNewArray(expression: Expression & { kind: 'newArray' }, scope: Scope): Run {
  const element = expression.type.kind === 'array' ? expression.type.element : expression.type;
  const sizes = expression.sizes.map((size) => compileExpression(size, scope));
  if (expression.values) {
    const values = expression.values.map((value) => compileExpression(value, scope));
    return (frame) => {
      allocate(32 + 8 * values.length);
      const items = values.map((value) => value(frame));
      const lengths = sizes.length > 1 ? sizes.map((size) => Number(size(frame))) : [items.length];
      return newArray(element, items, lengths);
    };
  }
  return (frame) => {
    const lengths = sizes.map((size) => Number(size(frame)));
    if (lengths.some((length) => length < 0)) return overflow();
    const count = lengths.reduce((product, length) => product * length, 1);
    return emptyArray(element, count, lengths);
  };
}

function compileElement(expression: Expression & { kind: 'element' }, scope: Scope): Run {
  const array = compileExpression(expression.array, scope);
  const indices = expression.indices.map((index) => compileExpression(index, scope));
  const [only] = indices;
  if (indices.length === 1 && expression.type.kind === 'primitive' && expression.type.name === 'bool') {
    return (frame) => {
      const object: ArrayObject | null = array(frame);
      const index = Number(only!(frame));
      if (object === null) return nullReference();
      return object.at(index >= 0 && index < object.lengths[0]! ? index : object.offset([index]));
    };
  }
  if (indices.length === 1) {
    return (frame) => {
      const object: ArrayObject | null = array(frame);
      const index = Number(only!(frame));
      if (object === null) return nullReference();
      return index >= 0 && index < object.items.length ? object.items[index] : object.offset([index]);
    };
  }
  return (frame) => {
    const object: ArrayObject | null = array(frame);
    const list = indices.map((index) => Number(index(frame)));
    return object === null ? nullReference() : object.items[object.offset(list)];
  };
}

function compileInterpolation(expression: Expression & { kind: 'interpolation' }, scope: Scope): Run {
  const parts = expression.parts.map((part): Run => {
    if (part.kind === 'text') return () => part.value;
    const value = compileExpression(part.value, scope);
    const format = textFormatter(part.value.type, part.format);
    return (frame) => align(format(value(frame)), part.alignment);
  });
  return (frame) => {
    let text = '';
    for (const part of parts) {
      const piece: string = part(frame);
      allocate(piece.length * 2);
      text += piece;
    }
    return text;
  };
}
