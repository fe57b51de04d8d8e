// What a misspelt name most probably means. It becomes the end of the message, never more: the diagnostic stays the one that C# reports.

import { nearestOf } from '../../words/nearest.ts';
import { step } from '../steps.ts';
import type { Type } from '../types.ts';
import type { Binder } from './binder.ts';
import type { Value } from './bound.ts';
import { typeText } from './typing.ts';

/** Misspelt names that are looked after in one compilation. Each costs a comparison with every name that is there. */
const mostLooks = 10;
/** Steps for a comparison of two names: about a tenth of a microsecond for each pair of letters. */
const stepsPerName = 40;

/** The sentence for a member that `type` does not have; empty when none resembles it. `receiver`: extension methods count as well. */
export function nearestMember(b: Binder, type: Type, name: string, receiver: Value | null = null): string {
  return looked(b, `${typeText(type)}.${name}`, name, () => {
    const bases = b.library.selfAndBases(type);
    const names = bases.flatMap((base) => [...(b.library.symbolOf(base)?.memberNames() ?? [])]);
    const isSequence = bases.some((base) => base.kind === 'named' && base.name === 'IEnumerable');
    return receiver !== null && isSequence ? [...names, ...b.library.extensionNames()] : names;
  });
}

/** The sentence for a name that nothing has: neither a variable or function around it nor a type. */
export function nearestName(b: Binder, name: string): string {
  return looked(b, name, name, () => {
    const names: string[] = [];
    for (let scope: Binder['scope'] | null = b.scope; scope !== null; scope = scope.parent) {
      names.push(...scope.names.keys());
      step(names.length);
    }
    return [...names, ...b.library.typeNames()];
  });
}

/** Names are looked for once, however often a lambda that holds them is bound again. */
function looked(b: Binder, key: string, name: string, names: () => readonly string[]): string {
  const before = b.nearest.get(key);
  if (before !== undefined) return before;
  if (b.nearest.size >= mostLooks) return '';
  const candidates = names().filter((candidate) => isWritable(candidate) && candidate !== name);
  step(candidates.length * stepsPerName);
  const nearest = nearestOf(name, candidates);
  const sentence = nearest === null ? '' : ` Did you mean '${nearest}'?`;
  b.nearest.set(key, sentence);
  return sentence;
}

/** Constructors, indexers and operators have names that nobody writes. */
function isWritable(name: string): boolean {
  return name !== 'new' && name !== 'this' && !name.startsWith('op_');
}
