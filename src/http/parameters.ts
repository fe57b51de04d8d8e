// Parameters of paths and queries: what they may be, for the document, and how their text becomes a value.

import { z } from 'zod';
import { integerText } from '../config/number-text.ts';
import { Problem } from './problems.ts';

export interface Parameter<Value> {
  /** What the text stands for. */
  readonly schema: z.ZodType;
  readonly description: string;
  /** From the decoded text; null where a query does not have it. Throws a Problem. */
  readonly read: (text: string | null, name: string) => Value;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type Values<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Parameter<infer Value> ? Value : never;
};

/** A segment of the path that is an element's id, or another 32-bit integer. */
export function idInPath(description: string): Parameter<number> {
  return { schema: z.int32(), description, read: idOf };
}

function idOf(text: string | null): number {
  const id = Number(text);
  if (!integerText.test(text ?? '') || (id | 0) !== id) {
    throw new Problem('badRequest', `'${text}' is not an id: ids are 32-bit integers.`);
  }
  return id;
}

/** A segment of the path that is a name. */
export function textInPath(description: string): Parameter<string> {
  return { schema: z.string(), description, read: (text) => text ?? '' };
}

/** A 32-bit integer of the query; `initial` when it is missing. */
export function integerInQuery(initial: number, description: string): Parameter<number> {
  const read = (text: string | null, name: string): number => (text === null ? initial : integerOf(text, name));
  return { schema: z.int32().default(initial), description, read };
}

/** As integerInQuery, but a blank text is one left out. */
export function optionalIntegerInQuery(initial: number, description: string): Parameter<number> {
  const read = (text: string | null, name: string): number =>
    text === null || text.trim() === '' ? initial : integerOf(text, name);
  return { schema: z.int32().default(initial), description, read };
}

function integerOf(text: string, name: string): number {
  const value = Number(text);
  if (!integerText.test(text.trim()) || (value | 0) !== value) {
    throw new Problem('badRequest', `The query parameter ${name} takes a 32-bit integer.`);
  }
  return value;
}

/** A text of the query; null when missing or empty. */
export function textInQuery(description: string): Parameter<string | null> {
  return { schema: z.string(), description, read: (text) => (text === '' ? null : text) };
}

/** A Boolean of the query; false when missing. */
export function flagInQuery(description: string): Parameter<boolean> {
  const read = (text: string | null, name: string): boolean => {
    if (text === null) return false;
    const word = text.trim().toLowerCase();
    if (word === 'true' || word === 'false') return word === 'true';
    throw new Problem('badRequest', `The query parameter ${name} takes true or false.`);
  };
  return { schema: z.boolean().default(false), description, read };
}

/** Whether a write is waited for (contract part 1, Endpoints). */
export const waitForCompletion = flagInQuery(
  'Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once.',
);
