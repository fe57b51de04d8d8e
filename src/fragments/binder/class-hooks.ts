// What the library asks objects of any type, and a source's types answer by members of their own: a function each, which takes the object and the
// other one.

import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import type { Hook } from '../user-types.ts';
import type { Binder } from './binder.ts';
import { convertTree, localTree } from './build.ts';
import type { ClassType, UserMethod } from './class-model.ts';
import { implementationIn } from './dispatch.ts';
import { BOOL, INT, isPrimitive, STRING, sameType } from './typing.ts';

/** Members that the library calls on objects of any type, with what they take beside the object. */
const asked: readonly {
  readonly hook: Hook;
  readonly name: string;
  readonly parameter: 'none' | 'object' | 'own';
  readonly result: Type;
}[] = [
  { hook: 'text', name: 'ToString', parameter: 'none', result: STRING },
  { hook: 'hash', name: 'GetHashCode', parameter: 'none', result: INT },
  { hook: 'equals', name: 'Equals', parameter: 'own', result: BOOL },
  { hook: 'equals', name: 'Equals', parameter: 'object', result: BOOL },
  { hook: 'compare', name: 'CompareTo', parameter: 'own', result: INT },
  { hook: 'compare', name: 'CompareTo', parameter: 'object', result: INT },
];

export function addHooks(b: Binder, all: readonly ClassType[], functions: Tree.Statement[]): void {
  for (const one of all) {
    if (one.isAlone || one.abstract || (one.shape !== 'class' && one.shape !== 'struct')) continue;
    for (const { hook, name, parameter, result } of asked) {
      if (one.user.hooks.has(hook)) continue;
      const method = memberOf(one, name, parameter);
      if (method !== null && sameType(method.symbol.returnType, result))
        one.user.hooks.set(hook, hookFunction(b, one, method, functions));
    }
  }
}

/** The method of a class or its bases: an override, or what implements an interface of the library. */
function memberOf(one: ClassType, name: string, parameter: 'none' | 'object' | 'own'): UserMethod | null {
  for (let at: ClassType | null = one; at !== null; at = at.base) {
    for (const method of at.methods) {
      if (method.name !== name || method.isStatic || !method.hasThis) continue;
      const types = method.symbol.parameters.map(({ type }) => type);
      const fits =
        parameter === 'none'
          ? types.length === 0
          : types.length === 1 &&
            (parameter === 'object' ? isPrimitive(types[0]!, 'object') : sameType(types[0]!, at.type));
      const isOverride = method.modifiers.has('override');
      const isInterface = parameter === 'own' || name === 'CompareTo' ? implementsLibrary(at, name) : false;
      if (fits && (isOverride || isInterface)) return implementationIn(one, method) ?? method;
    }
  }
  return null;
}

function implementsLibrary(at: ClassType, name: string): boolean {
  const wanted = name === 'CompareTo' ? 'IComparable' : 'IEquatable';
  return at.bases.some((base) => base.kind === 'named' && base.name === wanted);
}

/** Takes the object, which the method takes by reference where it is a struct, and the other one as the library has it. */
function hookFunction(b: Binder, one: ClassType, method: UserMethod, functions: Tree.Statement[]): Tree.LocalFunction {
  const self = b.newLocal('self', one.type);
  const taken = method.symbol.parameters[0]?.type;
  const other = taken === undefined ? [] : [b.newLocal('other', taken)];
  const returnType = method.symbol.returnType;
  const first: Tree.CallArgument =
    one.shape === 'struct'
      ? { mode: 'ref', target: { kind: 'local', type: one.type, local: self } }
      : { mode: 'value', value: convertTree(method.owner.type, localTree(self), 'identity') };
  const call: Tree.Expression = {
    ...{ kind: 'callLocal', type: returnType, function: method.function!.tree },
    arguments: [first, ...other.map((local): Tree.CallArgument => ({ mode: 'value', value: localTree(local) }))],
  };
  const made: Tree.LocalFunction = {
    id: b.newFunctionId(),
    name: method.name,
    code: {
      ...{ parameters: [self, ...other], locals: [], returnType, captures: [] },
      body: { kind: 'block', declares: [], statements: [{ kind: 'return', value: call }] },
    },
  };
  functions.push({ kind: 'localFunction', function: made });
  return made;
}
