// What the readers of types and of their members share: modifiers, and how what cannot be read ends the reading.

import type { Name } from '../syntax.ts';
import { IDENTIFIER, isPredefinedType } from '../tokens.ts';
import type { TypeKind } from '../unit-syntax.ts';
import type { TokenStream } from './stream.ts';

const MODIFIERS = new Set(
  (
    'public private protected internal static readonly override virtual sealed new abstract extern unsafe volatile const ' +
    'partial async required file'
  ).split(' '),
);

/** What follows could not be understood; why has been reported. */
export class Unreadable extends Error {}

export function giveUp(p: TokenStream, id: string, message: string): never {
  p.report(id, message, p.current.start, p.current.end);
  throw new Unreadable();
}

/** What C# has and plugins do not. */
export function refuse(p: TokenStream, what: string): never {
  return giveUp(p, 'CS8652', `${what} cannot be used in a plugin.`);
}

export function required(p: TokenStream, kind: string): void {
  if (p.accept(kind)) return;
  p.reportExpected(kind);
  throw new Unreadable();
}

export function parseModifiers(p: TokenStream): Set<string> {
  const found = new Set<string>();
  for (;;) {
    const { kind, text } = p.current;
    const word = kind === IDENTIFIER ? text : kind;
    const isModifier = MODIFIERS.has(word) && (kind !== IDENTIFIER || isContextual(p, word));
    if (!isModifier) return found;
    if (word === 'extern' || word === 'async' || word === 'volatile') refuse(p, `'${word}'`);
    if (word === 'unsafe') giveUp(p, 'CS0227', 'Unsafe code cannot be used in a plugin.');
    if (found.has(word)) p.report('CS1004', `The modifier '${word}' is there twice.`, p.current.start, p.current.end);
    found.add(word);
    p.next();
  }
}

/** `partial`, `async` and `required` are words only before what goes on as a declaration. */
function isContextual(p: TokenStream, word: string): boolean {
  if (!p.isWord(word)) return false;
  const { kind } = p.peek(1);
  return kind !== '=' && kind !== ';' && kind !== '(' && kind !== ',' && kind !== '{' && kind !== '=>';
}

export const kinds: readonly TypeKind[] = ['class', 'struct', 'interface', 'enum'];

/** Whether what follows the modifiers declares a type. */
export function startsType(p: TokenStream): boolean {
  if ((kinds as readonly string[]).includes(p.current.kind)) return true;
  if (p.is('ref') && p.peek(1).kind === 'struct') return true;
  if (!p.isWord('record')) return false;
  const { kind } = p.peek(1);
  if (kind === 'class' || kind === 'struct') return true;
  return kind === IDENTIFIER && ['(', '{', ':', ';', '<'].includes(p.peek(2).kind);
}

/** A name that is none of a type's, for what follows a mistake. */
export function parseMemberName(p: TokenStream): Name {
  if (!p.is(IDENTIFIER))
    giveUp(p, isPredefinedType(p.current.kind) ? 'CS1041' : 'CS1519', 'A member’s name is expected.');
  return p.identifier();
}
