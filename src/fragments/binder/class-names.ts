// Names that stand by themselves as members of the types of a source, `this` and `base`.

import type * as Syntax from '../syntax.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Bound, Value } from './bound.ts';
import { convertTree, errorBound, value } from './build.ts';
import type { ClassType } from './class-model.ts';
import type { FoundMember } from './library.ts';
import { localBound } from './local-names.ts';
import { memberOfFound } from './members.ts';
import { OBJECT } from './typing.ts';

export type Identifier = Syntax.Expression & { readonly kind: 'identifier' };

/** A name that is none of a variable as a member of the class around, or of one around that; null: there is none. */
export function classMember(b: Binder, syntax: Identifier): Bound | null {
  const classes = b.classes;
  const { name } = syntax;
  if (classes === null) return null;
  const around = classes.current;
  if (name.text === 'this' || name.text === 'base') return self(b, syntax, name.text);
  for (let at = around; at !== null; at = at.outer) {
    const found = b.library
      .members(at.type, name.text)
      .filter(({ symbol }) => symbol.owner.name !== 'Object' || at === around);
    if (found.length === 0) continue;
    const isWritten = found.every(({ symbol }) => symbol.owner.name !== 'Object');
    if (!isWritten && found.some(({ symbol }) => symbol.kind === 'method' && symbol.static)) return null;
    return throughClass(b, syntax, at, found);
  }
  return null;
}

function throughClass(b: Binder, syntax: Identifier, at: ClassType, found: readonly FoundMember[]): Bound {
  const classes = b.classes!;
  const instance = found.some(({ symbol }) => !isStaticMember(symbol));
  const isHere = at === classes.current && !classes.isStatic;
  const access: Syntax.Expression & { kind: 'member' } = { ...syntax, kind: 'member', receiver: syntax };
  if (isHere && instance && !at.isAlone) {
    const receiver = selfValue(b, syntax);
    const bound = memberOfFound(b, access, receiver, found, syntax.typeArguments);
    return bound.kind === 'methods' ? { ...bound, implicit: true } : bound;
  }
  const only = found.every(({ symbol }) => !isStaticMember(symbol));
  if (only && !isHere) {
    const symbol = found[0]!.symbol;
    b.report(classes.isInitializing ? 'CS0236' : 'CS0120', syntax.name, `${at.name}.${symbol.name}`);
    return errorBound(syntax);
  }
  const bound = memberOfFound(b, access, { kind: 'type', syntax, type: at.type }, found, syntax.typeArguments);
  return bound.kind === 'methods' ? { ...bound, implicit: true } : bound;
}

/** Static as the source has it. */
function isStaticMember(symbol: FoundMember['symbol']): boolean {
  return symbol.user === undefined
    ? symbol.static
    : symbol.user.isStatic || ('isConst' in symbol.user && symbol.user.isConst);
}

function selfValue(b: Binder, syntax: Syntax.Node): Value {
  const symbol = b.find('this');
  const type = b.classes!.current!.type;
  if (symbol?.kind !== 'local') return value(syntax, type, { kind: 'default', type });
  const name = { ...syntax, text: 'this' };
  const bound = localBound(
    b,
    { kind: 'identifier', name, typeArguments: null, start: syntax.start, end: syntax.end },
    symbol,
  );
  symbol.used = true;
  return bound.kind === 'value' ? bound : value(syntax, type, { kind: 'default', type });
}

/** `this` and `base`. */
function self(b: Binder, syntax: Identifier, word: 'this' | 'base'): Bound {
  const { current, isStatic } = b.classes!;
  if (current === null || isStatic) {
    b.report(b.classes!.isInitializing ? 'CS0027' : word === 'this' ? 'CS0026' : 'CS1511', syntax);
    return errorBound(syntax);
  }
  if (word === 'this') {
    return current.isAlone ? { kind: 'type', syntax, type: current.type } : selfValue(b, syntax);
  }
  const base: Type = current.base?.type ?? current.libraryBase ?? OBJECT;
  if (current.isAlone && current.base !== null) return { kind: 'type', syntax, type: base };
  const own = current.isAlone ? value(syntax, OBJECT, { kind: 'default', type: OBJECT }) : selfValue(b, syntax);
  return { ...value(syntax, base, convertTree(base, own.tree, 'identity')), isBase: true };
}
