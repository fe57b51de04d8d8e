// What records have without writing it, as syntax.

import type * as Syntax from '../syntax.ts';
import type { ClassType } from './class-model.ts';

/** Parameters of a record that become properties: those that a base has are the base's. */
export function ownParameters(one: ClassType): readonly Syntax.Parameter[] {
  const inherited = new Set<string>();
  for (let at = one.base; at !== null; at = at.base) {
    for (const { name } of at.syntax.parameters ?? []) inherited.add(name.text);
  }
  return (one.syntax.parameters ?? []).filter(({ name }) => !inherited.has(name.text));
}

/** `this.X = X;` */
export function settingProperty({ name: own }: Syntax.Parameter): Syntax.Statement {
  const read: Syntax.Expression = {
    kind: 'identifier',
    name: own,
    typeArguments: null,
    start: own.start,
    end: own.end,
  };
  const self: Syntax.Expression = { ...read, name: { ...own, text: 'this' } };
  const target: Syntax.Expression = { ...read, kind: 'member', receiver: self };
  const value: Syntax.Expression = {
    kind: 'assignment',
    operator: '=',
    target,
    value: read,
    start: own.start,
    end: own.end,
  };
  return { kind: 'expression', value, start: own.start, end: own.end };
}
