// Delegates that were added up: each calls those in its list, one after the other, and answers what the last one does.

import { allocate } from './machine.ts';
import type { Delegate, Value } from './values.ts';

const lists = new WeakMap<Delegate, readonly Delegate[]>();

const listOf = (delegate: Delegate | null): readonly Delegate[] =>
  delegate === null ? [] : (lists.get(delegate) ?? [delegate]);

interface Origin {
  readonly method: object;
  /** What it takes along; null: nothing. */
  readonly frame: object | null;
}

/** Of delegates that name a method: another one of the same method is the same. */
const origins = new WeakMap<Delegate, Origin>();

export function methodDelegate(delegate: Delegate, method: object, frame: object | null): Delegate {
  origins.set(delegate, { method, frame });
  return delegate;
}

function isSame(left: Delegate | undefined, right: Delegate): boolean {
  if (left === right || left === undefined) return left === right;
  const [one, other] = [origins.get(left), origins.get(right)];
  return one !== undefined && one.method === other?.method && one.frame === other.frame;
}

function ofList(list: readonly Delegate[]): Delegate | null {
  const [only] = list;
  if (only === undefined || list.length === 1) return only ?? null;
  allocate(list.length * 8 + 32);
  const made: Delegate = (...values) => {
    let answer: Value;
    for (const one of list) answer = one(...values);
    return answer;
  };
  lists.set(made, list);
  return made;
}

export function combine(left: Delegate | null, right: Delegate | null): Delegate | null {
  return ofList([...listOf(left), ...listOf(right)]);
}

/** Without the last stretch of its list that is the other's. */
export function remove(source: Delegate | null, value: Delegate | null): Delegate | null {
  const [list, removed] = [listOf(source), listOf(value)];
  if (removed.length === 0) return source;
  for (let at = list.length - removed.length; at >= 0; at--) {
    if (removed.some((one, place) => !isSame(list[at + place], one))) continue;
    return ofList([...list.slice(0, at), ...list.slice(at + removed.length)]);
  }
  return source;
}

/** Whether two delegates call the same, in the same order. */
export function sameDelegates(left: Delegate, right: Delegate): boolean {
  const [one, other] = [listOf(left), listOf(right)];
  return one.length === other.length && other.every((each, at) => isSame(one[at], each));
}
