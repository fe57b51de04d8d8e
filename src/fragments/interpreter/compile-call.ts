// Calls: of library members, of the fragment's own functions and of delegates.

import type { CallArgument, Expression, Member } from '../tree.ts';
import type { Type } from '../types.ts';
import { compileExpression } from './compile-expression.ts';
import { compileReference } from './compile-target.ts';
import type { Scope } from './compiler.ts';
import { nullReference } from './exceptions.ts';
import type { Frame, Run } from './frames.ts';
import { charge } from './machine.ts';
import { memberImplementation } from './members/index.ts';
import { type Native, type Site, SiteNative } from './members/native.ts';
import { runtimeType } from './runtime-types.ts';
import type { Delegate, Value } from './values.ts';

/** The implementation of a member, made for one place in the tree. */
export function compileMember(member: Member, site: Site): Native {
  const found = memberImplementation(member.key);
  return found instanceof SiteNative ? found.bind(site) : found;
}

function compileArguments(list: readonly CallArgument[], scope: Scope): Run[] {
  return list.map((argument) =>
    argument.mode === 'value' ? compileExpression(argument.value, scope) : compileReference(argument.target, scope),
  );
}

function typesOf(list: readonly CallArgument[]): Type[] {
  return list.map((argument) => (argument.mode === 'value' ? argument.value.type : argument.target.type));
}

/** Whether a receiver of this type may be null and must not be. */
function mayBeNull(type: Type): boolean {
  return type.kind !== 'nullable' && !runtimeType(type).isValue;
}

export function compileCall(expression: Expression & { kind: 'call' }, scope: Scope): Run {
  const native = compileMember(expression.member, {
    receiver: expression.receiver?.type ?? null,
    arguments: typesOf(expression.arguments),
    typeArguments: expression.typeArguments,
    result: expression.type,
  });
  const values = compileArguments(expression.arguments, scope);
  if (!expression.receiver || expression.member.static) return staticCall(native, values);
  const receiver = compileExpression(expression.receiver, scope);
  return instanceCall(native, receiver, mayBeNull(expression.receiver.type), values);
}

function notNull(receiver: Run): Run {
  return (frame) => {
    const value = receiver(frame);
    return value === null ? nullReference() : value;
  };
}

function staticCall(native: Native, values: readonly Run[]): Run {
  const [first, second, third] = values;
  switch (values.length) {
    case 0:
      return () => native();
    case 1:
      return (frame) => {
        charge(1);
        return native(first!(frame));
      };
    case 2:
      return (frame) => {
        charge(1);
        return native(first!(frame), second!(frame));
      };
    case 3:
      return (frame) => {
        charge(1);
        return native(first!(frame), second!(frame), third!(frame));
      };
    default:
      return (frame) => {
        charge(1);
        return native(...values.map((value) => value(frame)));
      };
  }
}

/** The null test of the receiver comes after the arguments, as in C#. */
function instanceCall(native: Native, receiver: Run, guarded: boolean, values: readonly Run[]): Run {
  const [first, second] = values;
  if (!guarded) return staticCall(native, [receiver, ...values]);
  switch (values.length) {
    case 0:
      return (frame) => {
        charge(1);
        const object = receiver(frame);
        return object === null ? nullReference() : native(object);
      };
    case 1:
      return (frame) => {
        charge(1);
        const object = receiver(frame);
        const value = first!(frame);
        return object === null ? nullReference() : native(object, value);
      };
    case 2:
      return (frame) => {
        charge(1);
        const object = receiver(frame);
        const [left, right] = [first!(frame), second!(frame)];
        return object === null ? nullReference() : native(object, left, right);
      };
    default:
      return (frame) => {
        charge(1);
        const object = receiver(frame);
        const list = values.map((value) => value(frame));
        return object === null ? nullReference() : native(object, ...list);
      };
  }
}

export function compileLocalCall(expression: Expression & { kind: 'callLocal' }, scope: Scope): Run {
  const create = scope.localFunction(expression.function);
  const values = compileArguments(expression.arguments, scope);
  return (frame) => {
    const target = create(frame);
    return target(...values.map((value) => value(frame)));
  };
}

export function compileInvoke(expression: Expression & { kind: 'invoke' }, scope: Scope): Run {
  const delegate = compileExpression(expression.delegate, scope);
  const values = compileArguments(expression.arguments, scope);
  const [only] = values;
  if (values.length === 1) {
    return (frame) => {
      const target: Delegate = delegate(frame);
      const value = only!(frame);
      return target === null ? nullReference() : target(value);
    };
  }
  return (frame) => {
    const target: Delegate = delegate(frame);
    const list = values.map((value) => value(frame));
    return target === null ? nullReference() : target(...list);
  };
}

/** A method group as a delegate: the receiver is evaluated once, now. */
export function compileMethodGroup(expression: Expression & { kind: 'delegateOf' }, scope: Scope): Run {
  const { type } = expression;
  const parameters = type.kind === 'named' ? type.arguments : [];
  const native = compileMember(expression.member, {
    receiver: expression.receiver?.type ?? null,
    arguments: parameters,
    typeArguments: expression.typeArguments,
    result: parameters.at(-1) ?? type,
  });
  const charged = (...values: Value[]) => {
    charge(1);
    return native(...values);
  };
  if (!expression.receiver || expression.member.static) return () => charged;
  const receiver = notNull(compileExpression(expression.receiver, scope));
  return (frame: Frame) => {
    const object = receiver(frame);
    return (...values: Value[]) => charged(object, ...values);
  };
}
