// Declarations of locals and constants.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { arrayFromInitializer } from './arrays.ts';
import type { Binder } from './binder.ts';
import { type Bound, isErroneous, isNullLiteral } from './bound.ts';
import { assignLocal } from './build.ts';
import { classify, convert } from './converting.ts';
import { bindValue } from './expressions.ts';
import { boundText } from './operators.ts';
import { bindRefDeclaration } from './references.ts';
import { bindType, isVar } from './type-names.ts';
import { isPrimitive, typeText } from './typing.ts';
import { inferredType, reportUntyped } from './untyped.ts';

export function bindLocalDeclaration(b: Binder, syntax: Syntax.LocalDeclaration): Tree.Statement {
  if (syntax.type.kind === 'refType') return bindRefDeclaration(b, syntax, syntax.type);
  const inferred = isVar(b, syntax.type);
  const type = inferred ? null : bindType(b, syntax.type);
  if (type && isPrimitive(type, 'void')) b.report('CS1547', syntax.type);
  const symbol = type ? b.library.symbolOf(type) : undefined;
  if (symbol?.shape === 'static class') b.report('CS0723', syntax.type, typeText(type!));
  const whole = { start: syntax.type.start, end: syntax.declarators.at(-1)!.end };
  if (inferred && syntax.const) b.report('CS0822', whole);
  else if (inferred && syntax.declarators.length > 1) b.report('CS0819', whole);
  const statements = syntax.declarators.flatMap((declarator) => {
    if (syntax.const) return bindConstant(b, declarator, type ?? { kind: 'error' });
    const effect = inferred ? bindVar(b, declarator) : bindTypedLocal(b, declarator, type!);
    return effect ? [{ kind: 'evaluate' as const, value: effect }] : [];
  });
  return statements.length === 1 ? statements[0]! : { kind: 'block', declares: [], statements };
}

/** `var`: the name is in scope in its own initializer, but may not be used there. */
function bindVar(b: Binder, declarator: Syntax.Declarator): Tree.Expression | null {
  const { name, initializer } = declarator;
  if (!initializer) {
    b.report('CS0818', name);
    b.retype(b.declare(name, { kind: 'error' }), { kind: 'error' });
    return null;
  }
  if ('entries' in initializer) {
    b.report('CS0820', { start: name.start, end: initializer.end });
    for (const entry of initializer.entries) if (!('entries' in entry)) bindValue(b, entry);
    declare(b, name, { kind: 'error' }, true);
    return null;
  }
  const holder = b.declare(name, { kind: 'error' });
  holder.pending = true;
  const bound = bindInitializer(b, declarator, initializer);
  const type = isErroneous(bound) ? { kind: 'error' as const } : varType(b, bound, name);
  holder.pending = false;
  // The placeholder makes way for the local with its type.
  const symbol = b.retype(holder, type);
  b.assign(symbol);
  symbol.assigned = bound.kind !== 'value' || bound.constant === undefined;
  if (type.kind === 'error') {
    if (!isNullLiteral(bound)) symbol.used = true;
    return null;
  }
  return assignLocal(symbol.local, convert(b, bound, type));
}

/** The value of a variable that is no reference. */
function bindInitializer(b: Binder, declarator: Syntax.Declarator, initializer: Syntax.Expression): Bound {
  if (initializer.kind !== 'ref') return bindValue(b, initializer);
  b.report('CS8171', { start: declarator.name.start, end: initializer.end });
  return bindValue(b, initializer.operand);
}

function varType(b: Binder, bound: Bound, name: Syntax.Name): Type {
  const type = inferredType(b, bound);
  if (type && isPrimitive(type, 'void')) {
    b.report('CS0815', declaratorSpan(b, name, bound), 'void');
    return { kind: 'error' };
  }
  if (type) return type;
  if (bound.kind === 'value' || bound.kind === 'tuple')
    b.report('CS0815', declaratorSpan(b, name, bound), boundText(bound));
  else reportUntyped(b, bound);
  return { kind: 'error' };
}

/** C# marks the whole `name = value`. */
function declaratorSpan(_b: Binder, name: Syntax.Name, bound: Bound): Syntax.Node {
  return { start: name.start, end: bound.syntax.end };
}

function bindTypedLocal(b: Binder, declarator: Syntax.Declarator, type: Type): Tree.Expression | null {
  const { name, initializer } = declarator;
  const symbol = b.declare(name, isPrimitive(type, 'void') ? { kind: 'error' } : type);
  if (!initializer) return null;
  let bound: Bound;
  if ('entries' in initializer) {
    if (type.kind === 'array') bound = arrayFromInitializer(b, initializer, type, initializer, []);
    else {
      if (type.kind !== 'error') b.report('CS0622', initializer);
      bound = { kind: 'error', syntax: initializer };
    }
  } else bound = bindInitializer(b, declarator, initializer);
  const tree = isErroneous(bound) || type.kind === 'error' ? null : convert(b, bound, type);
  b.assign(symbol);
  symbol.assigned = !(tree?.kind === 'constant' || (bound.kind === 'value' && bound.constant !== undefined));
  if (isErroneous(bound) || type.kind === 'error' || !classify(b, bound, type)) symbol.assigned = true;
  return tree ? assignLocal(symbol.local, tree) : null;
}

function bindConstant(b: Binder, declarator: Syntax.Declarator, type: Type): Tree.Statement[] {
  const { name, initializer } = declarator;
  if (!initializer || 'entries' in initializer) {
    b.report('CS0145', name);
    const symbol = b.declare(name, type, { fixed: 'const' });
    if (b.reachable) b.state |= symbol.bit;
    return [];
  }
  const bound = bindValue(b, initializer);
  const wrong = isErroneous(bound) || type.kind === 'error';
  let content: Tree.ConstantValue | undefined;
  if (!wrong) {
    const fits = classify(b, bound, type)?.implicit;
    const tree = convert(b, bound, type);
    if (fits) {
      content = tree.kind === 'constant' ? tree.value : undefined;
      if (content === undefined) b.report('CS0133', initializer, name.text);
    }
  }
  const symbol = b.declare(name, content === undefined ? { kind: 'error' } : type, {
    constant: content,
    fixed: 'const',
  });
  b.assign(symbol);
  symbol.assigned = content === undefined;
  return [];
}

function declare(b: Binder, name: Syntax.Name, type: Type, used: boolean): void {
  const symbol = b.declare(name, type);
  b.assign(symbol);
  symbol.used = used;
}
