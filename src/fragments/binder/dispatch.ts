// Which of the methods that override each other a call means. All types of a source are known: where one method alone can be meant it is called, and
// where several can, a function of ours asks the object for its type.

import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { convertTree, localTree } from './build.ts';
import { type ClassType, classOf, type UserMethod } from './class-model.ts';
import { isPrimitive } from './typing.ts';

/** The method that an object of exactly this class answers a call of another one with. */
export function implementationIn(one: ClassType, method: UserMethod): UserMethod | null {
  if (!method.isVirtual) return method;
  for (let at: ClassType | null = one; at !== null; at = at.base) {
    const own = at.methods.find(
      (each) =>
        each.signature === method.signature &&
        !each.isStatic &&
        !each.isConstructor &&
        overrides(at as ClassType, each, method),
    );
    if (own !== undefined && own.function !== null) return own;
  }
  return null;
}

function overrides(at: ClassType, own: UserMethod, method: UserMethod): boolean {
  if (own === method || method.owner.shape === 'interface') return true;
  return own.modifiers.has('override') && at.is(method.owner);
}

/** Whether a class has another one, or an interface, among its bases. */
function derives(b: Binder, one: ClassType, from: ClassType): boolean {
  if (from.shape !== 'interface') return one.is(from);
  for (let at: ClassType | null = one; at !== null; at = at.base) {
    for (const base of at.bases) {
      const own = classOf(b.classes, base);
      if (own !== undefined && own.shape === 'interface' && (own === from || derives(b, own, from))) return true;
    }
  }
  return one === from;
}

/** The function for calls on an expression of a type; null: no object can be there. */
export function dispatched(b: Binder, method: UserMethod, statically: Type): Tree.LocalFunction | null {
  const narrow = classOf(b.classes, statically) ?? method.owner;
  const seen = narrow.shape === 'interface' || derives(b, narrow, method.owner) ? narrow : method.owner;
  if (!method.isVirtual) return method.function?.tree ?? null;
  const key = seen.name;
  const known = method.dispatchers.get(key);
  if (known !== undefined) return known;
  const found = b.classes!.all.flatMap((one) => {
    if (one.abstract || (one.shape !== 'class' && one.shape !== 'struct') || !derives(b, one, seen)) return [];
    const own = implementationIn(one, method);
    return own === null ? [] : [{ one, own }];
  });
  const [first] = found;
  if (first === undefined) return method.function?.tree ?? null;
  const isSame = found.every(({ own }) => own === first.own) && seen.shape !== 'interface';
  if (isSame) {
    // A cast is not needed: every object that can be there is of the method's class.
    const tree = first.own.function!.tree;
    if (seen.is(first.own.owner) || !first.own.hasThis) {
      method.dispatchers.set(key, tree);
      return tree;
    }
  }
  return chooser(b, method, seen, found);
}

interface Chosen {
  readonly one: ClassType;
  readonly own: UserMethod;
}

/** `if (self is Inner x) return x.Method(…); …`, those that derive from others first. */
function chooser(b: Binder, method: UserMethod, seen: ClassType, found: readonly Chosen[]): Tree.LocalFunction {
  const { symbol } = method;
  const self = b.newLocal('self', seen.type);
  const parameters = symbol.parameters.map(({ name, type, mode }) =>
    b.newLocal(name, type, mode === 'out' || mode === 'ref'),
  );
  const locals: Tree.Local[] = [];
  const made: Tree.LocalFunction = {
    id: b.newFunctionId(),
    name: method.name,
    code: {
      parameters: [],
      locals: [],
      body: { kind: 'block', declares: [], statements: [] },
      returnType: symbol.returnType,
      captures: [],
    },
  };
  method.dispatchers.set(seen.name, made);
  const values = parameters.map((local, at): Tree.CallArgument => {
    const { mode } = symbol.parameters[at]!;
    if (mode === 'out' || mode === 'ref') return { mode, target: { kind: 'local', type: local.type, local } };
    return { mode: 'value', value: localTree(local) };
  });
  const isVoid = isPrimitive(symbol.returnType, 'void');
  const sorted = [...found].sort((left, right) => depthOf(right.one) - depthOf(left.one));
  const statements = sorted.map(({ one, own }): Tree.Statement => {
    const target = own.function!.tree;
    let given: Tree.CallArgument[] = [...values];
    const before: Tree.Statement[] = [];
    const declares: Tree.Local[] = [];
    if (own.hasThis && own.owner.shape === 'struct') {
      const copy = b.newLocal('', own.owner.type);
      locals.push(copy);
      declares.push(copy);
      before.push({
        kind: 'evaluate',
        value: {
          ...{ kind: 'assign', type: copy.type, target: { kind: 'local', type: copy.type, local: copy } },
          value: convertTree(own.owner.type, localTree(self), 'unbox'),
        },
      });
      given = [{ mode: 'ref', target: { kind: 'local', type: copy.type, local: copy } }, ...values];
    } else if (own.hasThis) {
      const cast = seen.is(own.owner) ? localTree(self) : convertTree(own.owner.type, localTree(self), 'reference');
      given = [{ mode: 'value', value: cast }, ...values];
    }
    const call: Tree.Expression = { kind: 'callLocal', type: symbol.returnType, function: target, arguments: given };
    const then: Tree.Statement[] = isVoid
      ? [
          { kind: 'evaluate', value: call },
          { kind: 'return', value: null },
        ]
      : [{ kind: 'return', value: call }];
    const test: Tree.Expression = {
      kind: 'typeTest',
      type: { kind: 'primitive', name: 'bool' },
      operand: localTree(self),
      test: one.type,
    };
    const whenTrue: Tree.Statement = { kind: 'block', declares, statements: [...before, ...then] };
    return { kind: 'if', condition: test, whenTrue, whenFalse: null };
  });
  const missing: Tree.Expression = {
    ...{ kind: 'call', type: { kind: 'named', name: 'InvalidCastException', arguments: [] } as Type, receiver: null },
    ...{ member: { key: 'InvalidCastException.new()', static: true }, arguments: [], typeArguments: [] },
  };
  statements.push({ kind: 'throw', value: missing });
  made.code = {
    ...{ parameters: [self, ...parameters], locals, returnType: symbol.returnType, captures: [] },
    body: { kind: 'block', declares: [], statements },
  };
  b.classes!.made.push({ kind: 'localFunction', function: made });
  return made;
}

function depthOf(one: ClassType): number {
  let depth = 0;
  for (let at = one.base; at !== null; at = at.base) depth++;
  return depth;
}
