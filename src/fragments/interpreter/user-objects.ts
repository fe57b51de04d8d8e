// What objects of the classes that a source declares say when the library asks them by their own Equals, GetHashCode, CompareTo and ToString.
// One run at a time has the functions behind these: they see the variables of its call.

import type { Hook, UserType } from '../user-types.ts';
import { badArgument } from './exceptions.ts';
import type { RuntimeType } from './runtime-types.ts';
import { Boxed, type Delegate, StructValue, type Value } from './values.ts';

/** An object of a class of the source. */
export class UserObject {
  readonly type: RuntimeType;
  readonly fields: Value[];

  constructor(type: RuntimeType, fields: Value[]) {
    this.type = type;
    this.fields = fields;
  }
}

let functions = new Map<UserType, Map<Hook, Delegate>>();
let representatives = new Map<UserType, Map<number, Value[]>>();

/** A run begins: the functions of the one before are gone. */
export function forgetHooks(): void {
  functions = new Map();
  representatives = new Map();
}

/** `takesObject`: the other one as object, where a struct is boxed; else as it is, and only one of the type. */
export function setHook(type: UserType, hook: Hook, own: Delegate, takesObject: boolean): void {
  const run: Delegate = (self, other) => {
    if (takesObject) return own(bare(self), boxed(other));
    if (other != null && bare(other).type?.user !== type) {
      return hook === 'equals' ? false : badArgument(`Object must be of type ${type.text}.`);
    }
    return own(bare(self), bare(other ?? null));
  };
  const known = functions.get(type) ?? new Map<Hook, Delegate>();
  functions.set(type, known.set(hook, run));
}

function bare(value: Value): Value {
  return value instanceof Boxed ? value.value : value;
}

function boxed(value: Value): Value {
  return value instanceof StructValue ? new Boxed(value.type, value) : (value ?? null);
}

/** What a value of the source has for a question of the library; undefined: what every object has. */
export function hookOf(value: Value, hook: Hook): Delegate | undefined {
  const user = value.type?.user as UserType | null | undefined;
  return user == null ? undefined : functions.get(user)?.get(hook);
}

/** One and the same value for all that are equal to it by their own Equals: what a Map of ours can tell apart. */
export function representative(value: Value, equals: Delegate): Value {
  const user = value.type.user as UserType;
  const code = Number(functions.get(user)?.get('hash')?.(value) ?? 0);
  let byCode = representatives.get(user);
  if (byCode === undefined) {
    byCode = new Map();
    representatives.set(user, byCode);
  }
  const list = byCode.get(code);
  const found = list?.find((other) => other === value || equals(value, other));
  if (found !== undefined) return found;
  if (list === undefined) byCode.set(code, [value]);
  else list.push(value);
  return value;
}
