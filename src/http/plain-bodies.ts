// The common case of a body recognised without a schema: every member there, spelled as documented, of its own JSON type. Such a
// value is already what its schema would make of it, and the check costs a tenth (0.3 against 3 µs for a vertex with one property,
// a sixth of a whole waited write). Anything else goes through the schema, which alone knows defaults, other spellings and errors.

import type { z } from 'zod';
import type { Refusal } from './bodies.ts';

/** The part of a schema that bodies are read with. */
export interface BodySchema<Value> {
  safeParse(value: unknown): z.ZodSafeParseResult<Value>;
}

/** A body that is a list. Its items are checked one by one, in slices of time. */
export interface ListSchema<Item> {
  readonly item: BodySchema<Item>;
  /** Values that the schema of items would leave as they are. */
  readonly isPlain?: (value: unknown) => boolean;
  /** Fewer than the service takes in any list. */
  readonly maxItems?: number;
  /** Asked before all of these. */
  readonly refuse?: Refusal;
}

/** `schema`, asked only about values that are not plain. */
export function unlessPlain<Value>(schema: z.ZodType<Value>, isPlain: (value: unknown) => boolean): BodySchema<Value> {
  return {
    safeParse: (value) => (isPlain(value) ? { success: true, data: value as Value } : schema.safeParse(value)),
  };
}

/** A 32-bit integer. */
export function isPlainId(value: unknown): boolean {
  return typeof value === 'number' && (value | 0) === value;
}

const maxUint32 = 2 ** 32 - 1;

export function isPlainVertex(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Record<string, unknown>;
  let seen = 0;
  for (const name in members) {
    if (!isPlainElementMember(name, members[name])) return false;
    seen++;
  }
  return seen === 3;
}

export function isPlainEdge(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Record<string, unknown>;
  let seen = 0;
  for (const name in members) {
    const member = members[name];
    if (name === 'sourceVertex' || name === 'targetVertex') {
      if (typeof member !== 'number' || (member | 0) !== member) return false;
    } else if (name === 'edgePropertyId') {
      if (!isPlainText(member)) return false;
    } else if (!isPlainElementMember(name, member)) {
      return false;
    }
    seen++;
  }
  return seen === 6;
}

/** One of the three members that vertices and edges share. */
function isPlainElementMember(name: string, member: unknown): boolean {
  if (name === 'label') return typeof member === 'string' || member === null;
  if (name === 'creationDate')
    return Number.isInteger(member) && (member as number) >= 0 && (member as number) <= maxUint32;
  return name === 'properties' && Array.isArray(member) && member.every(isPlainProperty);
}

function isPlainProperty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Record<string, unknown>;
  let seen = 0;
  for (const name in members) {
    const member = members[name];
    if (name === 'propertyValue' ? typeof member !== 'string' : !isPlainName(name, member)) return false;
    seen++;
  }
  return seen === 3;
}

function isPlainName(name: string, member: unknown): boolean {
  return (name === 'propertyId' || name === 'fullQualifiedTypeName') && isPlainText(member);
}

/** A text that starts with something visible, so that it cannot be blank. */
function isPlainText(member: unknown): boolean {
  return typeof member === 'string' && member.charCodeAt(0) > 0x20 && member.charCodeAt(0) < 0x7f;
}
