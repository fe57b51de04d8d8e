// Vectors in requests and answers: lists of numbers in single precision, the rules every one of them has to keep, and scores as the
// shortest text that is their number.

import { z } from 'zod';
import { numberText } from '../config/number-text.ts';
import { maxDimension, type VectorDefinition } from '../core/vectors.ts';
import { Problem } from './problems.ts';
import { number, standsFor } from './schemas.ts';

/** Longest list that is read at all: one more would be refused anyway. */
const mostItems = 2 ** 20;

const anyNumbers = z
  .unknown()
  .default(null)
  .transform((value, context): Float32Array | null => {
    if (value === null) return null;
    if (!Array.isArray(value) || value.length > mostItems) {
      context.addIssue('Expected an array of numbers.');
      return z.NEVER;
    }
    const list = new Float32Array(value.length);
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      const number = typeof item === 'string' && numberText.test(item) ? Number(item) : item;
      if (typeof number !== 'number') {
        context.addIssue({ code: 'custom', message: 'Expected a number.', path: [i] });
        return z.NEVER;
      }
      list[i] = number;
    }
    return list;
  }) as unknown as z.ZodType<Float32Array | null>;

/** A list of numbers; quoted ones count as well. Null when missing. What the numbers may be is the routes' business. */
export const numbers = standsFor(z.array(number).nullable().default(null), anyNumbers);

/** A vector that an element may carry: 1 to 4096 finite components. Throws a Problem. */
export function checkedVector(vector: Float32Array | null, name: string): Float32Array {
  if (vector === null) throw new Problem('badRequest', `The member ${name} is missing.`);
  if (vector.length === 0 || vector.length > maxDimension) {
    throw new Problem('badRequest', `The ${name} has ${vector.length} components; it takes 1 to ${maxDimension}.`);
  }
  const bad = vector.findIndex((component) => !Number.isFinite(component));
  if (bad >= 0) throw new Problem('badRequest', `Component ${bad} of the ${name} is no finite 32-bit number.`);
  return vector;
}

/** What an index asks of a vector, whether it is stored or searched for. Throws a Problem. */
export function checkRanks(
  vector: Float32Array,
  { dimension, metric }: VectorDefinition,
  name: string,
  norm: (vector: Float32Array) => number,
): void {
  if (vector.length !== dimension) {
    const detail = `The ${name} has ${vector.length} components, the index holds vectors of ${dimension}.`;
    throw new Problem('badRequest', detail);
  }
  if (metric === 'Cosine' && norm(vector) === 0) {
    throw new Problem('badRequest', `The ${name} has norm 0 in single precision, which Cosine cannot compare.`);
  }
}

const fewestDigits = 6;
const mostDigits = 9;

/** The shortest decimal number that is this 32-bit one. */
export function shortSingle(single: number): number {
  for (let digits = fewestDigits; digits < mostDigits; digits++) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return short;
  }
  return single === 0 ? 0 : Number(single.toPrecision(mostDigits));
}
