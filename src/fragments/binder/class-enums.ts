// The constants of an enum of the source, and what is wrong with them.

import type * as Syntax from '../syntax.ts';
import type { Binder } from './binder.ts';
import type { ClassType } from './class-model.ts';
import { typeText } from './typing.ts';

export function declareConstants(b: Binder, one: ClassType, checkName: (name: Syntax.Name) => void): void {
  const members = new Map<number, string>();
  let next = 0n;
  for (const { name, value } of one.syntax.constants) {
    checkName(name);
    if (value !== null) next = enumConstant(b, value) ?? next;
    if (value === null && next > 2147483647n) b.report('CS0543', name, name.text);
    if (name.text === 'value__') b.report('CS0076', name);
    members.set(Number(next), members.get(Number(next)) ?? name.text);
    one.add({
      ...{ kind: 'field', owner: one, name: name.text, type: one.type, static: true, readonly: true },
      ...{ key: `${one.name}.${name.text}`, constant: String(next), refused: null },
    });
    next++;
  }
  one.user.members = members;
  const under = typeText(one.underlying);
  if (!/^(?:s?byte|u?short|u?int|u?long)$/.test(under)) b.report('CS1008', one.syntax.bases[0] ?? one.syntax.name);
  else if (under !== 'int') b.report('CS8652', one.syntax.name, 'an enum of another type than int');
}

function enumConstant(b: Binder, syntax: Syntax.Expression): bigint | null {
  const bound = b.classes!.bindConstant(b, syntax);
  if (bound === 'wrong') return null;
  if (typeof bound === 'bigint' || (typeof bound === 'number' && Number.isInteger(bound))) return BigInt(bound);
  if (typeof bound === 'number') b.report('CS0266', syntax, 'double', 'int');
  else if (typeof bound === 'string') b.report('CS0029', syntax, 'string', 'int');
  else b.report('CS0133', syntax);
  return null;
}
