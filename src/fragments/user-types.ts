// Types that a source declares itself, by the names that the compiler gives them: the name of the source, `@` and a number of this thread. A
// type lives as long as a tree, a closure or a value mentions it; what is known of it goes with it.

import type { LocalFunction } from './tree.ts';
import type { Type } from './types.ts';

/** What the library asks of objects of any type. */
export type Hook = 'equals' | 'hash' | 'compare' | 'text';

export interface UserType {
  /** As types are named. */
  readonly name: string;
  /** As the source has it, types around it included. */
  readonly text: string;
  readonly namespace: string;
  readonly shape: 'class' | 'struct' | 'interface' | 'enum';
  /** Base class and interfaces. */
  bases: readonly Type[];
  /** Of an object, those of its bases first. */
  fields: readonly Type[];
  /** Of an enum: number to name. */
  members: ReadonlyMap<number, string> | null;
  /** Of a record: what is public of it, by name, as its text shows it. Records are equal when they are of one type and their fields are. */
  shown: readonly { readonly name: string; readonly index: number; readonly type: Type }[] | null;
  /** Members of object and of IComparable that the type has of its own; each takes the object first. */
  readonly hooks: Map<Hook, LocalFunction>;
  /** What is known at run time of types that mention this one, by their keys. */
  readonly known: Map<string, unknown>;
}

const types = new Map<string, WeakRef<UserType>>();
const gone = new FinalizationRegistry((name: string) => types.delete(name));
let last = 0;

export function newUserType(
  described: Pick<UserType, 'text' | 'namespace' | 'shape'> & { readonly simple: string },
): UserType {
  const { simple, text, namespace, shape } = described;
  const name = `${simple}@${++last}`;
  const made: UserType = {
    ...{
      name,
      text,
      namespace,
      shape,
      bases: [],
      fields: [],
      members: null,
      shown: null,
      hooks: new Map(),
      known: new Map(),
    },
  };
  types.set(name, new WeakRef(made));
  gone.register(made, name);
  return made;
}

export function userType(name: string): UserType | undefined {
  return name.includes('@') ? types.get(name)?.deref() : undefined;
}

/** The type of a source that a name or a key mentions first. */
export function mentionedType(key: string): UserType | undefined {
  const found = /[\p{L}_][\p{L}\p{N}_]*@\d+/u.exec(key);
  return found === null ? undefined : userType(found[0]);
}

/** A text for people: without the numbers. */
export function withoutNumbers(text: string): string {
  return text.includes('@') ? text.replace(/([\p{L}\p{N}_])@\d+/gu, '$1') : text;
}
