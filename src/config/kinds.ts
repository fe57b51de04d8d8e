// Kinds of settings: how the text of a setting becomes a value, and what to call the expected form in a message. Every source of
// settings speaks text (an environment variable has nothing else), so a kind is a zod schema from text to value.

import { z } from 'zod';

export interface Setting<Value> {
  readonly schema: z.ZodType<Value, string>;
  /** The value when no source names the key. */
  readonly initial: Value;
  /** What a valid value looks like, for messages: "a whole number from 1 to 65535". */
  readonly expected: string;
  readonly description: string;
  /** An invalid value is reported and the initial value stands, instead of refusing to start. */
  readonly resets: boolean;
  /** Its text is never shown. */
  readonly secret: boolean;
  /** The value is a list: `Key:0`, `Key:1` ... or one text with commas. */
  readonly list: boolean;
}

const plain = { resets: false, secret: false, list: false } as const;

/** Seconds above this do not fit a timer of 32 bits in milliseconds. */
export const maxSeconds = 2_147_483;

export function flag(initial: boolean, description: string): Setting<boolean> {
  const schema = z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .transform((text) => text === 'true');
  return { ...plain, schema, initial, description, expected: 'true or false' };
}

function integerSchema(minimum: number, maximum: number): z.ZodType<number, string> {
  return z
    .string()
    .trim()
    .regex(/^[+-]?\d{1,16}$/)
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum));
}

export function integer(initial: number, minimum: number, maximum: number, description: string): Setting<number> {
  const expected = `a whole number from ${minimum} to ${maximum}`;
  return { ...plain, schema: integerSchema(minimum, maximum), initial, description, expected };
}

/** A positive whole number; anything that is not positive resets to the initial value. */
export function positive(initial: number, description: string, maximum = 2_147_483_647): Setting<number> {
  return { ...integer(initial, 1, maximum, description), resets: true };
}

/** A positive whole number or nothing at all; anything that is not positive resets to nothing. */
export function positiveOrNone(description: string): Setting<number | null> {
  const expected = 'a whole number above 0, or nothing';
  const schema = integerSchema(1, Number.MAX_SAFE_INTEGER);
  return { ...plain, schema, initial: null, description, expected, resets: true };
}

/** A number that is clamped into its range. */
export function ratio(initial: number, description: string): Setting<number> {
  const schema = z
    .string()
    .trim()
    .regex(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/)
    .transform((text) => Math.min(1, Math.max(0, Number(text))));
  return { ...plain, schema, initial, description, expected: 'a number from 0 to 1' };
}

export function choice<const Word extends string>(
  words: readonly Word[],
  initial: NoInfer<Word>,
  description: string,
): Setting<Word> {
  const schema = z
    .string()
    .trim()
    .transform((text, context) => {
      const word = words.find((one) => one.toLowerCase() === text.toLowerCase());
      if (word !== undefined) return word;
      context.addIssue('no such word');
      return z.NEVER;
    });
  return { ...plain, schema, initial, description, expected: `one of ${words.join(', ')}` };
}

export function headerName(initial: string, description: string): Setting<string> {
  const schema = z
    .string()
    .trim()
    .regex(/^[!#$%&'*+.^_`|~\w-]*$/);
  return { ...plain, schema, initial, description, expected: 'the name of an HTTP header' };
}

export function text(initial: string, description: string): Setting<string> {
  return { ...plain, schema: z.string(), initial, description, expected: 'a text' };
}

/** A text, or null when it is missing or blank. */
export function optionalText(description: string): Setting<string | null> {
  const schema = z.string().transform((value) => (value.trim() === '' ? null : value));
  return { ...plain, schema, initial: null, description, expected: 'a text' };
}

export function secret(description: string): Setting<string | null> {
  return { ...optionalText(description), secret: true };
}

export function list(description: string): Setting<readonly string[]> {
  const schema = z.string().transform((value) =>
    value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  );
  return { ...plain, schema, initial: [], description, expected: 'texts separated by commas', list: true };
}
