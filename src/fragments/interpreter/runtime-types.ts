// Types at run time: what `is`, `as`, casts, boxing and `ToString` need to know of a type. Shapes, bases and enum members come from the
// heads of the library's declarations, read once.

import { dotNetNames } from '../dotnet-names.ts';
import { PLUGIN_LIBRARY } from '../library/index.ts';
import type { Type } from '../types.ts';
import { mentionedType, type UserType, userType } from '../user-types.ts';

type Shape = 'primitive' | 'struct' | 'class' | 'interface' | 'enum' | 'delegate' | 'array' | 'tuple' | 'anonymous';

/** One object for each distinct type. */
export interface RuntimeType {
  /** Distinct for distinct types: `int`, `List<int>`, `(int,string)[]`. */
  readonly key: string;
  readonly type: Type;
  readonly shape: Shape;
  readonly isValue: boolean;
  /** `Int32`, `List`1`, `Int32[]`. */
  readonly name: string;
  readonly fullName: string;
  readonly namespace: string;
  /** Of an enum: number to name in declaration order. */
  readonly members: ReadonlyMap<number, string> | null;
  /** Of a type of the source. */
  readonly user?: UserType;
}

interface Head {
  readonly namespace: string;
  readonly shape: Shape;
  readonly parameters: readonly string[];
  readonly bases: string;
  readonly members: ReadonlyMap<number, string> | null;
}

const HEAD =
  /^[ \t]*(?:namespace\s+([\w.]+)\s*;|(?:(?:abstract|sealed|ref)\s+)*(?:(static class|struct|class|interface|enum)\s+(\w+)\s*(<[^>{]*>)?\s*(?::([^{;]*))?(?:where[^{]*)?\{(?:([^}]*)\})?|delegate\s+[^(;]*?(\w+)\s*(<[^()]*>)?\())/gm;

let heads: Map<string, Head> | null = null;

function readHeads(): Map<string, Head> {
  const found = new Map<string, Head>();
  for (const text of PLUGIN_LIBRARY) {
    let namespace = 'System';
    for (const match of text.matchAll(HEAD)) {
      const [, space, shapeText, typeName, parameterText, bases, body, delegate, delegateParameters] = match;
      if (space) namespace = space;
      const name = typeName ?? delegate;
      if (!name || shapeText === 'static class') continue;
      const parameters = (parameterText ?? delegateParameters ?? '').replace(/[<>]|\bin\b|\bout\b/g, '').split(',');
      const names = parameters.map((parameter) => parameter.trim()).filter((parameter) => parameter !== '');
      const shape: Shape = delegate ? 'delegate' : (shapeText as Shape);
      const members = shape === 'enum' ? readMembers(body ?? '') : null;
      const head = { namespace, shape, parameters: names, bases: (bases ?? '').replace(/\bwhere\b.*/, ''), members };
      found.set(`${name}\`${names.length}`, head);
    }
  }
  return found;
}

function readMembers(body: string): Map<number, string> {
  const members = new Map<number, string>();
  for (const entry of body.split(',')) {
    const [name, value] = entry.split('=').map((part) => part.trim());
    if (name && value !== undefined) members.set(Number(value), name);
  }
  return members;
}

function headOf(name: string, arity: number): Head | undefined {
  heads ??= readHeads();
  return heads.get(`${name}\`${arity}`);
}

const keys = new WeakMap<Type, string>();

/** A text that is the same for the same types; names of tuple elements do not count. Found once for each object, whatever holds it. */
function keyOf(type: Type): string {
  let key = keys.get(type);
  if (key === undefined) {
    key = composedKey(type);
    keys.set(type, key);
  }
  return key;
}

function composedKey(type: Type): string {
  switch (type.kind) {
    case 'primitive':
      return type.name;
    case 'named':
      return type.arguments.length === 0 ? type.name : `${type.name}<${type.arguments.map(keyOf).join(',')}>`;
    case 'array':
      return `${keyOf(type.element)}[${','.repeat(type.rank - 1)}]`;
    case 'nullable':
      return `${keyOf(type.element)}?`;
    case 'tuple':
      return `(${type.elements.map((element) => keyOf(element.type)).join(',')})`;
    case 'anonymous':
      return `{${type.members.map((member) => `${member.name}:${keyOf(member.type)}`).join(',')}}`;
    case 'parameter':
      return `'${type.name}`;
    default:
      return type.kind;
  }
}

const byKey = new Map<string, RuntimeType>();
const byType = new WeakMap<Type, RuntimeType>();

export function runtimeType(type: Type): RuntimeType {
  let found = byType.get(type);
  if (found) return found;
  const key = keyOf(type);
  // What a source declares is known as long as its types live.
  const known = key.includes('@') ? (mentionedType(key)?.known as Map<string, RuntimeType> | undefined) : byKey;
  found = known?.get(key);
  if (!found) {
    found = describe(type, key);
    known?.set(key, found);
  }
  byType.set(type, found);
  return found;
}

function describe(type: Type, key: string): RuntimeType {
  switch (type.kind) {
    case 'primitive': {
      const name = dotNetNames[type.name];
      const isValue = type.name !== 'string' && type.name !== 'object';
      return {
        key,
        type,
        shape: 'primitive',
        isValue,
        name,
        namespace: 'System',
        fullName: `System.${name}`,
        members: null,
      };
    }
    case 'named':
      return describeNamed(type, key);
    case 'array': {
      const suffix = `[${','.repeat(type.rank - 1)}]`;
      const element = runtimeType(type.element);
      const { namespace } = element;
      const fullName = `${element.fullName}${suffix}`;
      return {
        key,
        type,
        shape: 'array',
        isValue: false,
        name: `${element.name}${suffix}`,
        fullName,
        namespace,
        members: null,
      };
    }
    case 'nullable':
      return {
        ...runtimeType(type.element),
        key,
        type,
        name: 'Nullable`1',
        fullName: genericName('System.Nullable', [type.element]),
        namespace: 'System',
      };
    case 'tuple': {
      const fullName = genericName(
        'System.ValueTuple',
        type.elements.map((element) => element.type),
      );
      const name = `ValueTuple\`${type.elements.length}`;
      return { key, type, shape: 'tuple', isValue: true, name, fullName, namespace: 'System', members: null };
    }
    default: {
      const name = type.kind === 'anonymous' ? '<>f__AnonymousType0' : type.kind;
      return { key, type, shape: 'anonymous', isValue: false, name, fullName: name, namespace: '', members: null };
    }
  }
}

function describeNamed(type: Type & { kind: 'named' }, key: string): RuntimeType {
  const user = userType(type.name);
  if (user !== undefined) {
    const { shape, namespace, text, members } = user;
    const simple = text.slice(text.lastIndexOf('+') + 1);
    const fullName = namespace === '' ? text : `${namespace}.${text}`;
    const isValue = shape === 'struct' || shape === 'enum';
    return { key, type, shape, isValue, name: simple, fullName, namespace, members, user };
  }
  const head = headOf(type.name, type.arguments.length);
  const shape = head?.shape ?? 'class';
  const namespace = head?.namespace ?? 'System';
  const isValue = shape === 'struct' || shape === 'enum';
  const name = type.arguments.length === 0 ? type.name : `${type.name}\`${type.arguments.length}`;
  const fullName = genericName(`${namespace}.${type.name}`, type.arguments);
  return { key, type, shape, isValue, name, fullName, namespace, members: head?.members ?? null };
}

function genericName(name: string, list: readonly Type[]): string {
  if (list.length === 0) return name;
  return `${name}\`${list.length}[${list.map((item) => runtimeType(item).fullName).join(',')}]`;
}

// --- bases ----------------------------------------------------------------------------------------------------------

const ARRAY_INTERFACES = ['IList', 'IReadOnlyList', 'ICollection', 'IReadOnlyCollection', 'IEnumerable'];
/** Interfaces whose type parameters are all `out`. */
const COVARIANT = new Set([
  'IEnumerable',
  'IEnumerator',
  'IReadOnlyCollection',
  'IReadOnlyList',
  'IGrouping',
  'IOrderedEnumerable',
]);
const PRIMITIVES = new Map(Object.keys(dotNetNames).map((name) => [name, { kind: 'primitive', name } as Type]));
const OBJECT: Type = PRIMITIVES.get('object')!;

/** Whether a value of one type is also of another: classes, interfaces, covariant interfaces and arrays. */
export function isAssignable(from: RuntimeType, to: RuntimeType): boolean {
  if (from.key === to.key || to.key === 'object') return true;
  if (to.type.kind === 'named' && to.type.name === 'ValueType') return from.isValue;
  return basesOf(from).some((base) => matches(base, to) || isAssignable(runtimeType(base), to));
}

function matches(base: Type, to: RuntimeType): boolean {
  const target = to.type;
  if (base.kind !== 'named' || target.kind !== 'named' || base.name !== target.name) return false;
  if (base.arguments.length !== target.arguments.length) return false;
  return base.arguments.every((argument, at) => {
    const [own, wanted] = [runtimeType(argument), runtimeType(target.arguments[at] ?? OBJECT)];
    return own.key === wanted.key || (COVARIANT.has(target.name) && !own.isValue && isAssignable(own, wanted));
  });
}

const bases = new Map<string, readonly Type[]>();

function basesOf(from: RuntimeType): readonly Type[] {
  if (from.key.includes('@')) return findBases(from);
  let found = bases.get(from.key);
  if (!found) {
    found = findBases(from);
    bases.set(from.key, found);
  }
  return found;
}

function findBases(from: RuntimeType): Type[] {
  const { type } = from;
  if (from.user !== undefined && from.shape !== 'enum') return [...from.user.bases];
  if (type.kind === 'array') {
    const plain = ['Array', 'IList', 'ICollection', 'IEnumerable'].map(
      (name): Type => ({ kind: 'named', name, arguments: [] }),
    );
    const element = type.element;
    const wider: Type[] = runtimeType(element).isValue
      ? []
      : basesOf(runtimeType(element)).map((base) => ({ ...type, element: base }));
    if (!runtimeType(element).isValue && from.key !== 'object[]') wider.push({ ...type, element: OBJECT });
    if (type.rank > 1) return plain;
    return [
      ...plain,
      ...wider,
      ...ARRAY_INTERFACES.map((name): Type => ({ kind: 'named', name, arguments: [element] })),
    ];
  }
  const name = type.kind === 'primitive' ? from.name : type.kind === 'named' ? type.name : '';
  const given = type.kind === 'named' ? type.arguments : [];
  const head = headOf(name, given.length);
  if (from.shape === 'enum') return [{ kind: 'named', name: 'Enum', arguments: [] }];
  if (!head) return type.kind === 'tuple' ? [{ kind: 'named', name: 'IComparable', arguments: [] }] : [];
  return splitList(head.bases).map((text) => parseType(text, head.parameters, given));
}

/** Splits at the commas that no angle bracket encloses. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of text) {
    if (character === '<') depth++;
    if (character === '>') depth--;
    if (character === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  parts.push(part);
  return parts.map((each) => each.trim()).filter((each) => each !== '');
}

function parseType(text: string, names: readonly string[], given: readonly Type[]): Type {
  const trimmed = text.trim();
  const at = names.indexOf(trimmed);
  if (at >= 0) return given[at]!;
  const primitive = PRIMITIVES.get(trimmed);
  if (primitive) return primitive;
  const open = trimmed.indexOf('<');
  if (open < 0) return { kind: 'named', name: trimmed, arguments: [] };
  const list = splitList(trimmed.slice(open + 1, trimmed.lastIndexOf('>')));
  return { kind: 'named', name: trimmed.slice(0, open), arguments: list.map((each) => parseType(each, names, given)) };
}
