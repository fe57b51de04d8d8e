// Constraints of type parameters: what the clauses of a generic local function mean, what is said about wrong ones, and which
// constraint a type argument breaks.

import type * as Syntax from '../syntax.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import { hasImplicit, isReferenceType, isValueType } from './conversions.ts';
import type { TypeParameter } from './symbols.ts';
import { bindType } from './type-names.ts';
import { isPrimitive, mentionsParameter, type Substitution, sameType, substitute, typeText } from './typing.ts';

type Kind = TypeParameter['constraints'][number];

/** The type parameters of a local function with their constraints; their names are in scope. */
export function bindTypeParameters(
  b: Binder,
  names: readonly Syntax.Name[],
  clauses: readonly Syntax.ConstraintClause[],
): TypeParameter[] {
  const known = new Map<string, readonly Kind[]>();
  if (names.length === 0 && clauses.length > 0) b.report('CS0080', clauses[0]!.keyword);
  for (const clause of names.length > 0 ? clauses : []) {
    const { text } = clause.name;
    if (!names.some((name) => name.text === text)) b.report('CS0699', clause.name, text);
    else if (known.has(text)) b.report('CS0409', clause.name, text);
    const kinds = constraintsOf(b, clause);
    if (!known.has(text)) known.set(text, kinds);
  }
  return names.map(({ text }) => ({ name: text, variance: '', constraints: known.get(text) ?? [] }));
}

function constraintsOf(b: Binder, { constraints }: Syntax.ConstraintClause): Kind[] {
  const kinds: Kind[] = [];
  for (const [at, one] of constraints.entries()) {
    if (one.kind === 'struct' || one.kind === 'class') {
      if (at > 0) b.report('CS0449', one);
      kinds.push(one.kind);
    } else if (one.kind === 'new') {
      if (kinds.includes('struct')) b.report('CS0451', one);
      else if (at < constraints.length - 1) b.report('CS0401', one);
      kinds.push('new()');
    } else {
      const word = one.type.kind === 'nameType' && one.type.arguments.length === 0 ? one.type.name.text : '';
      if (word === 'notnull' || word === 'unmanaged') {
        if (at > 0) b.report('CS0449', one);
        kinds.push(word);
      } else kinds.push(...typeConstraint(b, one, kinds));
    }
  }
  return kinds;
}

function typeConstraint(b: Binder, { type: syntax }: Syntax.Constraint & { kind: 'type' }, before: Kind[]): Kind[] {
  const type = bindType(b, syntax);
  if (type.kind === 'error') return [type];
  const text = typeText(type);
  const symbol = b.library.symbolOf(type);
  if (before.some((other) => typeof other !== 'string' && sameType(other, type))) b.report('CS0405', syntax, text);
  else if (type.kind === 'parameter') return [type];
  else if (type.kind === 'array' || type.kind === 'tuple' || type.kind === 'anonymous') b.report('CS0706', syntax);
  else if (isPrimitive(type, 'object') || ['Array', 'ValueType'].includes(text)) b.report('CS0702', syntax, text);
  else if (symbol?.shape === 'static class') b.report('CS0717', syntax, text);
  else if (
    symbol?.shape === 'interface' ||
    (symbol?.shape === 'class' && !symbol.sealed && !isPrimitive(type, 'string'))
  )
    return [type];
  else b.report('CS0701', syntax, text);
  return [];
}

/** The id for the first constraint that a type argument breaks; null when it keeps them all. */
export function brokenConstraint(b: Binder, parameter: TypeParameter, type: Type, map: Substitution): string | null {
  const { constraints } = parameter;
  const isValue = isValueType(b, type) && type.kind !== 'nullable';
  if (constraints.includes('class') && !isReferenceType(b, type)) return 'CS0452';
  if (constraints.includes('unmanaged') && !isValue) return 'CS8377';
  if (constraints.includes('struct') && !isValue) return 'CS0453';
  for (const constraint of constraints) {
    if (typeof constraint === 'string') continue;
    const base = substitute(constraint, map);
    if (base.kind !== 'error' && (mentionsParameter(base) || hasImplicit(b, type, base))) continue;
    if (type.kind === 'nullable') return 'CS0313';
    return isValueType(b, type) ? 'CS0315' : 'CS0311';
  }
  return constraints.includes('new()') && !canBeMade(b, type) ? 'CS0310' : null;
}

/** Whether `new T()` makes one. */
function canBeMade(b: Binder, type: Type): boolean {
  if (isValueType(b, type) || isPrimitive(type, 'object')) return true;
  const symbol = b.library.symbolOf(type);
  if (symbol?.shape !== 'class' || symbol.abstract) return false;
  return symbol.membersNamed('new').some((member) => member.kind === 'method' && member.parameters.length === 0);
}
