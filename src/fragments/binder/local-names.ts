// Names of locals: whether they have a value yet, what functions may take along, and ref locals, which stand for a place.

import type * as Syntax from '../syntax.ts';
import type { Binder } from './binder.ts';
import type { Bound } from './bound.ts';
import { constantValue, errorBound, localTree, value } from './build.ts';
import type { Identifier } from './class-names.ts';
import { readPlace } from './places.ts';
import type { FunctionScope, LocalSymbol } from './scopes.ts';

export function checkAssigned(b: Binder, symbol: LocalSymbol, at: Syntax.Node): void {
  if (symbol.constant !== undefined || b.isAssigned(symbol)) return;
  if (symbol.owner !== b.owner && insideLocalFunction(b.owner, symbol.owner)) {
    b.owner.unassignedReads.add(symbol);
    return;
  }
  const isOut = symbol.parameter;
  b.report(isOut ? 'CS0269' : 'CS0165', at, symbol.name);
  b.assign(symbol);
}

function insideLocalFunction(from: FunctionScope, to: FunctionScope): boolean {
  for (let at: FunctionScope | null = from; at && at !== to; at = at.parent)
    if (at.kind === 'localFunction') return true;
  return false;
}

export function localBound(b: Binder, syntax: Identifier, symbol: LocalSymbol): Bound {
  if (syntax.typeArguments) {
    b.report('CS0307', syntax, symbol.name, 'variable');
    return errorBound(syntax);
  }
  if (symbol.pending) {
    b.report('CS0841', syntax.name, symbol.name);
    return errorBound(syntax);
  }
  if (symbol.alias) return aliasBound(b, syntax, symbol);
  if (symbol.owner !== b.owner && symbol.constant === undefined && !checkCapture(b, symbol, syntax))
    return errorBound(syntax);
  if (symbol.constant !== undefined) {
    symbol.used = true;
    return { ...constantValue(syntax, symbol.local.type, symbol.constant), place: { kind: 'local', symbol } };
  }
  if (symbol.local.type.kind === 'error') {
    symbol.used = true;
    return value(
      syntax,
      symbol.local.type,
      { kind: 'default', type: symbol.local.type },
      { place: { kind: 'local', symbol } },
    );
  }
  return value(syntax, symbol.local.type, localTree(symbol.local), { place: { kind: 'local', symbol } });
}

/** Static functions capture nothing; by-reference parameters and spans cannot be captured at all. */
function checkCapture(b: Binder, symbol: LocalSymbol, syntax: Identifier): boolean {
  for (let at: FunctionScope | null = b.owner; at && at !== symbol.owner; at = at.parent) {
    if (!at.static) continue;
    symbol.used = true;
    b.report(at.kind === 'lambda' ? 'CS8820' : 'CS8421', syntax.name, symbol.name);
    return false;
  }
  if (symbol.local.byReference || symbol.fixed === 'in') {
    b.report('CS1628', syntax.name, symbol.name);
    return false;
  }
  const { type } = symbol.local;
  if (type.kind === 'named' && (type.name === 'Span' || type.name === 'ReadOnlySpan')) {
    b.report(symbol.parameter ? 'CS9108' : 'CS8175', syntax.name, symbol.name);
    return false;
  }
  b.noteUse(symbol);
  return true;
}

/** The value of a ref local where it is named. */
function aliasBound(b: Binder, syntax: Syntax.Expression & { kind: 'identifier' }, symbol: LocalSymbol): Bound {
  const { type, place, readOnly } = symbol.alias!;
  symbol.used = true;
  if (symbol.owner !== b.owner) {
    b.report('CS8175', syntax.name, symbol.name);
    return errorBound(syntax);
  }
  return { ...value(syntax, type, readPlace(b, type, place), readOnly ? {} : { place }), alias: symbol };
}
