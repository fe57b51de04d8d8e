// Indexers of types of the library and of the source.

import type * as Syntax from '../syntax.ts';
import type { Binder } from './binder.ts';
import type { Bound, BoundArgument, Candidate, Value } from './bound.ts';
import { value } from './build.ts';
import { giveUp, layArguments } from './calls.ts';
import { propertyBound } from './class-members.ts';
import { readMember } from './members.ts';
import { reportMisfits } from './misfits.ts';
import { resolve } from './overloads.ts';
import { receiverTree } from './receivers.ts';
import type { MethodSymbol, PropertySymbol } from './symbols.ts';
import { substitute } from './typing.ts';

/** `x[…]` on a type with indexers; null when it has none. */
export function bindIndexer(
  b: Binder,
  syntax: Syntax.Node,
  receiver: Value,
  given: readonly BoundArgument[],
): Bound | null {
  const found = b.library.members(receiver.type, 'this').filter((entry) => entry.symbol.kind === 'property');
  if (found.length === 0) return null;
  const candidates = found.map(({ symbol, map }): Candidate => {
    const property = symbol as PropertySymbol;
    const method: MethodSymbol = {
      kind: 'method',
      owner: property.owner,
      name: 'this',
      typeParameters: [],
      parameters: property.parameters,
      returnType: property.type,
      static: false,
      extension: false,
      key: property.getKey ?? property.setKey ?? '',
      refused: property.refused,
    };
    return { method, local: null, map, extension: false };
  });
  const resolution = resolve(b, candidates, given, null);
  if (resolution.kind !== 'chosen') {
    if (given.some((argument) => argument.value.kind === 'error')) return giveUp(b, syntax, given);
    const group = {
      kind: 'methods',
      syntax,
      nameSpan: syntax,
      name: 'this',
      receiver,
      candidates,
      typeArguments: null,
    } as const;
    if (resolution.kind === 'none') reportMisfits(b, resolution.misfits, given, group);
    else b.report('CS0121', syntax, 'this', 'this');
    return giveUp(b, syntax, given, true);
  }
  const { fit } = resolution;
  const at = candidates.indexOf(fit.candidate);
  const symbol = found[at]!.symbol as PropertySymbol;
  const type = substitute(symbol.type, found[at]!.map);
  const { values } = layArguments(b, fit, given);
  if (symbol.user !== undefined) return propertyBound(b, syntax, { ...syntax, text: 'this' }, symbol, receiver, values);
  return value(syntax, type, readMember(b, symbol, type, receiver, values), {
    place: {
      kind: 'member',
      symbol,
      receiver: receiverTree(b, receiver, symbol.owner.name),
      receiverIsValueType: false,
      arguments: values.map((argument) => (argument.mode === 'value' ? argument.value : { kind: 'default', type })),
    },
  });
}
