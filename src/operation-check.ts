// Operations as a program wrote them, which may be no TypeScript program: every member has to be there and of its type. The core's
// encoder trusts them.

import type { WriteOperation } from './core/requests.ts';
import { TypeId } from './core/values.ts';
import { nearestOf } from './words/nearest.ts';

/** An operation that is none; nothing was changed. `at` is the place of what is wrong: `[2].properties[0].text`. */
export class InvalidOperation extends TypeError {
  override readonly name = 'InvalidOperation';
  readonly at: string;

  constructor(at: string, message: string) {
    super(`Operation ${at} ${message}`);
    this.at = at;
  }
}

interface Check {
  readonly takes: string;
  readonly allows: (value: unknown) => boolean;
}

const text: Check = { takes: 'a string', allows: (value) => typeof value === 'string' };
const textOrNull: Check = {
  takes: 'a string or null',
  allows: (value) => value === null || typeof value === 'string',
};
const textOrBytes: Check = {
  takes: 'a string, or bytes',
  allows: (value) => typeof value === 'string' || value instanceof Uint8Array,
};
const flag: Check = { takes: 'true or false', allows: (value) => typeof value === 'boolean' };
const id: Check = {
  takes: 'an id, a 32-bit integer',
  allows: (value) => (value as number) === ((value as number) | 0),
};
const count: Check = {
  takes: 'a whole number from 0 to 4294967295',
  allows: (value) => (value as number) === (value as number) >>> 0,
};
const lastType = Math.max(...Object.values(TypeId));
const type: Check = {
  takes: 'a member of TypeId',
  allows: (value) => Number.isInteger(value) && (value as number) > TypeId.none && (value as number) <= lastType,
};
const list: Check = { takes: 'a list, which may be empty', allows: Array.isArray };

type Members = Readonly<Record<string, Check>>;

const property: Members = { key: text, type, text };
const created: Members = { creationDate: count, label: textOrNull, properties: list };

/** Each kind of operation with its members. */
const kinds: Readonly<Record<WriteOperation['kind'], Members>> = {
  createVertex: created,
  createEdge: { source: id, target: id, edgeType: text, ...created },
  setProperty: { element: id, key: text, type, text: textOrBytes },
  removeProperty: { element: id, key: text },
  removeElement: { element: id, skipRemoved: flag },
  erase: {},
  trim: {},
  createIndex: { index: text, indexKind: count, definition: textOrNull },
  dropIndex: { index: text },
  clearIndex: { index: text },
  addToIndex: { index: text, element: id, type, text: textOrBytes },
  removeFromIndex: { index: text, element: id },
  removeIndexKey: { index: text, type, text },
  putDocument: { documentKind: count, name: text, text },
  removeDocument: { documentKind: count, name: text },
};

/** Throws InvalidOperation at the first member that is missing or of another type. */
export function checkOperations(operations: readonly WriteOperation[]): void {
  if (!Array.isArray(operations)) throw new TypeError('A transaction is a list of operations.');
  for (const [index, operation] of operations.entries()) checkOperation(operation, `[${index}]`);
}

function checkOperation(operation: unknown, at: string): void {
  if (typeof operation !== 'object' || operation === null) throw new InvalidOperation(at, 'is no object.');
  const given = operation as Readonly<Record<string, unknown>>;
  const kind = given.kind as WriteOperation['kind'];
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) throw unknownKind(at, kind);
  checkMembers(given, kinds[kind], at, `'${kind}'`);
  if (!('properties' in kinds[kind])) return;
  for (const [index, one] of (given.properties as readonly unknown[]).entries()) {
    const place = `${at}.properties[${index}]`;
    if (typeof one !== 'object' || one === null) throw new InvalidOperation(place, 'is no object.');
    checkMembers(one as Readonly<Record<string, unknown>>, property, place, 'a property');
  }
}

function checkMembers(given: Readonly<Record<string, unknown>>, members: Members, at: string, whose: string): void {
  for (const name in members) {
    const { takes, allows } = members[name] as Check;
    const value = given[name];
    if (allows(value)) continue;
    const place = `${at}.${name}`;
    if (value !== undefined) throw new InvalidOperation(place, `takes ${takes}, not ${shown(value)}.`);
    const other = nearestOf(
      name,
      Object.keys(given).filter((one) => !(one in members)),
    );
    const hint = other === null ? '' : ` There is '${other}', which ${whose} does not have.`;
    throw new InvalidOperation(place, `is missing: ${whose} needs it, ${takes}.${hint}`);
  }
}

function unknownKind(at: string, kind: unknown): InvalidOperation {
  const all = Object.keys(kinds);
  const nearest = typeof kind === 'string' ? nearestOf(kind, all) : null;
  const proposal = nearest === null ? '' : ` Did you mean '${nearest}'?`;
  const what = kind === undefined ? 'is missing' : `is ${shown(kind)}`;
  return new InvalidOperation(`${at}.kind`, `${what}; there are ${all.join(', ')}.${proposal}`);
}

const longestShown = 60;

function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const all = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return all.length > longestShown ? `${all.slice(0, longestShown)}…` : all;
}
