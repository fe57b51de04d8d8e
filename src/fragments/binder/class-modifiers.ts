// Modifiers and accessors as they are written: those that a kind of type or member cannot have, and those that exclude each other.

import type * as Syntax from '../syntax.ts';
import type { MemberSyntax } from '../unit-syntax.ts';
import type { Binder } from './binder.ts';
import { accessOf } from './class-declarations.ts';
import type { Access, ClassType } from './class-model.ts';

type Modifiers = ReadonlySet<string>;
type Member<Kind extends MemberSyntax['kind']> = MemberSyntax & { readonly kind: Kind };

const accesses = ['public', 'protected', 'internal', 'private'];
const ofTypes = {
  class: words('abstract sealed static partial new'),
  struct: words('readonly partial new'),
  interface: words('partial new'),
  enum: words('new'),
};
const ofFields = words('static readonly const volatile new required');
const ofFunctions = words('static virtual abstract override sealed new');
const ofIndexers = without(ofFunctions, 'static');
/** Without bodies there is nothing that they could be seen by but their implementation. */
const ofInterfaces: Modifiers = new Set(['public', 'abstract', 'new']);

function words(text: string): Modifiers {
  return new Set([...accesses, ...text.split(' ')]);
}

/** CS0106, CS0107, CS0418, CS0441, CS1527. */
export function checkTypeModifiers(b: Binder, one: ClassType): void {
  const { kind, modifiers, name } = one.syntax;
  checkWords(b, modifiers, ofTypes[kind], name);
  if (one.outer === null && (modifiers.has('private') || modifiers.has('protected'))) b.report('CS1527', name);
  if (kind !== 'class') return;
  const isClosed = modifiers.has('sealed') || modifiers.has('static');
  if (modifiers.has('abstract') && isClosed) b.report('CS0418', name, one.name);
  else if (modifiers.has('sealed') && modifiers.has('static')) b.report('CS0441', name, one.name);
}

/** CS0106, CS0107: a word that stands nowhere here, or two that say how the member is seen. */
function checkWords(b: Binder, modifiers: Modifiers, allowed: Modifiers, at: Syntax.Node): void {
  for (const word of modifiers) if (!allowed.has(word)) b.report('CS0106', at, word);
  const seen = accesses.filter((word) => modifiers.has(word)).join(' ');
  if (seen.includes(' ') && seen !== 'protected internal' && seen !== 'protected private') b.report('CS0107', at);
}

export function checkMemberModifiers(b: Binder, one: ClassType, member: MemberSyntax): void {
  switch (member.kind) {
    case 'field':
      checkField(b, one, member);
      return;
    case 'property':
      checkFunction(b, one, member.modifiers, member.name, member.parameters === null ? ofFunctions : ofIndexers);
      checkAccessors(b, one, member);
      return;
    case 'method':
      if (member.function.name.text.startsWith('operator ')) return;
      checkFunction(b, one, member.modifiers, member.function.name, ofFunctions);
      return;
    case 'constructor':
      checkConstructor(b, one, member);
  }
}

function without(set: Modifiers, word: string): Modifiers {
  return new Set([...set].filter((own) => own !== word));
}

/** CS0681, CS0504, CS0666, CS1057. */
function checkField(b: Binder, one: ClassType, { modifiers, declarators }: Member<'field'>): void {
  const { name } = declarators[0]!;
  if (modifiers.has('abstract')) b.report('CS0681', name);
  checkWords(b, without(modifiers, 'abstract'), ofFields, name);
  if (modifiers.has('const') && modifiers.has('static')) b.report('CS0504', name, name.text);
  checkProtected(b, one, modifiers, name);
}

/** CS0666, CS1057: nothing derives from these. */
function checkProtected(b: Binder, one: ClassType, modifiers: Modifiers, at: Syntax.Name): void {
  if (!modifiers.has('protected') || modifiers.has('override')) return;
  if (one.shape === 'struct') b.report('CS0666', at, at.text);
  else if (one.shape === 'static class') b.report('CS1057', at, at.text);
}

/** Words that stand nowhere here; then what excludes what, the first of it alone. */
function checkFunction(b: Binder, one: ClassType, modifiers: Modifiers, at: Syntax.Name, allowed: Modifiers): void {
  checkWords(b, modifiers, one.shape === 'interface' ? ofInterfaces : allowed, at);
  if (one.shape === 'interface') return;
  const has = (word: string): boolean => modifiers.has(word);
  const isPrivate = !accesses.some((word) => word !== 'private' && has(word));
  const isOpen = has('virtual') || has('abstract') || has('override');
  const say = (id: string): void => b.report(id, at, `${one.name}.${at.text}`, one.name);
  if (isPrivate && isOpen && !has('static')) say('CS0621');
  else if (has('static') && isOpen) say('CS0112');
  else if (has('override') && (has('new') || has('virtual'))) say('CS0113');
  else if (has('sealed') && !has('override') && !has('abstract')) say('CS0238');
  else if (has('abstract') && has('sealed')) say('CS0502');
  else if (has('abstract') && has('virtual')) say('CS0503');
  else if (one.shape === 'struct' && (has('abstract') || has('virtual')))
    b.report('CS0106', at, has('abstract') ? 'abstract' : 'virtual');
  else if (has('virtual') && one.shape === 'class' && one.sealed) say('CS0549');
  checkProtected(b, one, modifiers, at);
}

/** CS0515, CS0514, CS0710, CS8958. */
function checkConstructor(
  b: Binder,
  one: ClassType,
  { modifiers, name, parameters, chain }: Member<'constructor'>,
): void {
  checkWords(b, modifiers, words('static'), name);
  if (modifiers.has('static')) {
    if (accesses.some((word) => modifiers.has(word))) b.report('CS0515', name, one.name);
    if (chain !== null) b.report('CS0514', name, one.name);
    if (one.constructorCount('static') > 1) b.report('CS0111', name, name.text, one.name);
  } else if (one.shape === 'static class') b.report('CS0710', name, one.name);
  else if (one.shape === 'struct' && parameters.length === 0 && !modifiers.has('public')) b.report('CS8958', name);
}

const openness = ['private', 'protected', 'internal', 'public'];

/** CS0273, CS0274, CS0276, CS0500, CS0501, CS8051, CS8050, CS0547: accessors and what they belong to. */
function checkAccessors(b: Binder, one: ClassType, member: Member<'property'>): void {
  const { name, accessors, modifiers, initializer, parameters } = member;
  const own = accessors.filter((accessor) => accesses.some((word) => accessor.modifiers.has(word)));
  const usual = one.shape === 'interface' ? 'public' : 'private';
  const seen = (of: Modifiers): number => Math.max(...openness.map((word, at) => (of.has(word) ? at : -1)));
  const whole = seen(modifiers) < 0 ? openness.indexOf(usual) : seen(modifiers);
  if (own.length > 1) b.report('CS0274', name, name.text);
  else if (own.length === 1 && accessors.length === 1) b.report('CS0276', name, name.text);
  else for (const accessor of own) if (seen(accessor.modifiers) >= whole) b.report('CS0273', accessor, name.text);
  const isBodiless = modifiers.has('abstract') || one.shape === 'interface';
  const auto = accessors.filter(({ isAuto }) => isAuto);
  if (modifiers.has('abstract')) {
    for (const accessor of accessors)
      if (!accessor.isAuto) b.report('CS0500', accessor, `${name.text}.${accessor.word}`);
  }
  if (!isBodiless) {
    if (auto.length > 0 && auto.length < accessors.length)
      for (const accessor of auto) b.report('CS0501', accessor, `${name.text}.${accessor.word}`);
    else if (auto.length > 0 && auto.every(({ word }) => word === 'set') && parameters === null)
      b.report('CS8051', auto[0]!, name.text);
  }
  if (initializer !== null && (isBodiless || auto.length === 0 || auto.length < accessors.length))
    b.report('CS8050', name, name.text);
}

/** How one accessor is seen: as the property, unless it says otherwise. */
export function accessorAccess(
  { accessors }: MemberSyntax & { kind: 'property' },
  wanted: 'get' | 'set',
  otherwise: Access,
): Access {
  return accessOf(accessors.find(({ word }) => word === wanted)?.modifiers ?? new Set(), otherwise);
}

export function hasConstructor({ syntax }: ClassType): boolean {
  return (
    syntax.parameters !== null ||
    syntax.members.some(({ kind, modifiers }) => kind === 'constructor' && !modifiers.has('static'))
  );
}

/** Those of the field behind a property. */
export function fieldModifiers(modifiers: ReadonlySet<string>, isReadonly: boolean): ReadonlySet<string> {
  const kept = new Set<string>([...modifiers].filter((one) => one === 'static' || one === 'public'));
  if (isReadonly) kept.add('readonly');
  return kept;
}
