// What of a body its schema does not use: members it has no name for, and placeholders it puts where a value was left out. Made from the
// schema once, asked only about values that went the slow way: a plain value has every member under its own name.

import type { z } from 'zod';
import { isPlaceholder, shownFor } from './schemas.ts';
import type { Warnings } from './warnings.ts';

/** Looks at one value, which the schema took; `at` is its place in the body, empty for the whole. */
export type Inspection = (value: unknown, at: string, warnings: Warnings) => void;

/** Null when nothing of the schema can be unused: it takes any member, or has none. */
export function inspectionOf(schema: z.ZodType): Inspection | null {
  const shown = shownFor(schema);
  if (shown !== undefined) return inspectionOf(shown);
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return ofObject(def);
    case 'array':
      return ofItems(def.element as z.ZodType);
    case 'record':
      return ofValues(def.valueType as z.ZodType);
    case 'default':
    case 'nullable':
    case 'optional':
      return inspectionOf(def.innerType as z.ZodType);
    case 'pipe':
      return inspectionOf(def.out as z.ZodType);
    default:
      return null;
  }
}

interface Member {
  readonly name: string;
  readonly inspect: Inspection | null;
}

function ofObject({ shape, catchall }: z.core.$ZodObjectDef): Inspection | null {
  if (catchall !== undefined) return null;
  const members = new Map<string, Member>();
  const placeholders: { readonly name: string; readonly key: string; readonly value: unknown }[] = [];
  for (const [name, schema] of Object.entries(shape) as [string, z.ZodType][]) {
    members.set(name.toLowerCase(), { name, inspect: inspectionOf(schema) });
    if (isPlaceholder(schema)) placeholders.push({ name, key: name.toLowerCase(), value: schema.parse(undefined) });
  }
  const names = [...members.values()].map(({ name }) => name).join(', ');
  return (value, at, warnings) => {
    if (typeof value !== 'object' || value === null) return;
    const given = new Set<string>();
    for (const name of Object.keys(value)) {
      if (warnings.isOver) return;
      const key = name.toLowerCase();
      const member = members.get(key);
      const place = at === '' ? name : `${at}.${name}`;
      if (member === undefined) {
        warnings.add('ignoredMember', place, `No member of this name is read here; there are ${names}.`);
        continue;
      }
      given.add(key);
      member.inspect?.((value as Record<string, unknown>)[name], place, warnings);
    }
    for (const { name, key, value: used } of placeholders) {
      if (given.has(key)) continue;
      warnings.add('placeholder', at === '' ? name : `${at}.${name}`, `Left out; ${JSON.stringify(used)} is used.`);
    }
  };
}

function ofItems(element: z.ZodType): Inspection | null {
  const inspect = inspectionOf(element);
  if (inspect === null) return null;
  return (value, at, warnings) => {
    if (!Array.isArray(value)) return;
    for (let i = 0; i < value.length && !warnings.isFull; i++) inspect(value[i], `${at}[${i}]`, warnings);
  };
}

function ofValues(valueType: z.ZodType): Inspection | null {
  const inspect = inspectionOf(valueType);
  if (inspect === null) return null;
  return (value, at, warnings) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) inspect(member, at === '' ? name : `${at}.${name}`, warnings);
  };
}
