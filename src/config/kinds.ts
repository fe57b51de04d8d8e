// Kinds of settings: how the text of a setting becomes a value, which values there are, and what to call them in a message. Every
// source of settings speaks text (an environment variable has nothing else), so a kind is a zod schema from text to value.
//
// A start is forgiving where a number leaves its range (`resets`, `clamps`): a service that was configured by hand should come up.
// A write over HTTP is not: whoever sends one reads the answer.

import { z } from 'zod';
import { numberText } from './number-text.ts';

/** The contract's words for what a setting takes (reference 16.1). */
export type SettingKind = 'bool' | 'int' | 'double' | 'string' | 'enum' | 'array';

/** When a value written over HTTP counts; `liveForNewWork`: for what begins after the write. */
export type ApplyMode = 'live' | 'liveForNewWork' | 'restart' | 'never';

/** Why a setting is never written over HTTP: a rule of the contract, and what it means for this one. */
export interface Exclusion {
  readonly rule: string;
  readonly reason: string;
}

export interface Setting<Value> {
  readonly kind: SettingKind;
  readonly schema: z.ZodType<Value, string>;
  /** The value when no source names the key. */
  readonly initial: Value;
  /** Least and greatest number; null where there is no such bound, and for whatever is no number. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** The words of an enumeration. */
  readonly words: readonly string[] | null;
  /** What a valid value looks like, for messages: "a whole number from 1 to 65535". */
  readonly expected: string;
  readonly description: string;
  readonly applyMode: ApplyMode;
  /** There for a setting whose `applyMode` is `never`, and for no other. */
  readonly exclusion: Exclusion | null;
  /** At a start a number that is not positive is reported and the initial value stands, instead of refusing to start. */
  readonly resets: boolean;
  /** Its text is never shown. */
  readonly secret: boolean;
}

type Domain<Value> = Pick<Setting<Value>, 'kind' | 'schema' | 'expected'> & Partial<Setting<Value>>;

/** A setting that a write changes with the next start, as most are; ./writing.ts says otherwise of the others. */
function setting<Value>(initial: Value, description: string, domain: Domain<Value>): Setting<Value> {
  const nothing = { minimum: null, maximum: null, words: null, exclusion: null, resets: false, secret: false };
  return { ...nothing, applyMode: 'restart', ...domain, initial, description };
}

/** Seconds above this do not fit a timer of 32 bits in milliseconds. */
export const maxSeconds = 2_147_483;

/** Longest text of a setting, in UTF-16 units: as long as a path of the file system may be. */
const maxTextLength = 4096;
/** Longest credential in UTF-16 units. */
const maxSecretLength = 16_384;

const flagDomain: Domain<boolean> = {
  kind: 'bool',
  schema: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .transform((text) => text === 'true'),
  expected: 'true or false',
};

export function flag(initial: boolean, description: string): Setting<boolean> {
  return setting(initial, description, flagDomain);
}

/** A flag whose absence means something of its own. */
export function flagOrNone(description: string): Setting<boolean | null> {
  return setting<boolean | null>(null, description, flagDomain as Domain<boolean | null>);
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
  const schema = integerSchema(minimum, maximum);
  return setting(initial, description, { kind: 'int', schema, expected, minimum, maximum });
}

/** A positive whole number; anything that is not positive resets to the initial value. */
export function positive(initial: number, description: string, maximum = 2_147_483_647): Setting<number> {
  return { ...integer(initial, 1, maximum, description), resets: true };
}

/** A positive whole number or nothing at all; anything that is not positive resets to nothing. */
export function positiveOrNone(description: string): Setting<number | null> {
  const expected = 'a whole number above 0, or nothing';
  const bounds = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  const schema = integerSchema(bounds.minimum, bounds.maximum);
  return setting<number | null>(null, description, { kind: 'int', schema, expected, ...bounds, resets: true });
}

/** A number from 0 to 1; a start clamps it. */
export function ratio(initial: number, description: string): Setting<number> {
  const schema = z
    .string()
    .trim()
    .regex(numberText)
    .transform((text) => Math.min(1, Math.max(0, Number(text))));
  const bounds = { minimum: 0, maximum: 1 };
  return setting(initial, description, { kind: 'double', schema, expected: 'a number from 0 to 1', ...bounds });
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
  const expected = `one of ${words.join(', ')}`;
  return setting<Word>(initial, description, { kind: 'enum', schema, expected, words });
}

/**
 * A word that a start takes whatever it is: whoever needs it refuses one that is none of `words`, and the rest of the service goes on. A
 * write over HTTP takes no other.
 */
export function laterChoice(words: readonly string[], initial: string, description: string): Setting<string> {
  const schema = z.string().trim().min(1).max(maxTextLength);
  return setting(initial, description, { kind: 'enum', schema, expected: `one of ${words.join(', ')}`, words });
}

export function headerName(initial: string, description: string): Setting<string> {
  const schema = z
    .string()
    .trim()
    .max(maxTextLength)
    .regex(/^[!#$%&'*+.^_`|~\w-]*$/);
  return setting(initial, description, { kind: 'string', schema, expected: 'the name of an HTTP header' });
}

const anyText = `a text of at most ${maxTextLength} characters`;

export function text(initial: string, description: string): Setting<string> {
  return setting(initial, description, { kind: 'string', schema: z.string().max(maxTextLength), expected: anyText });
}

/** A text, or null when it is missing or blank. */
export function optionalText(description: string): Setting<string | null> {
  return setting<string | null>(null, description, optionalDomain(maxTextLength));
}

export function secret(description: string): Setting<string | null> {
  return setting<string | null>(null, description, { ...optionalDomain(maxSecretLength), secret: true });
}

function optionalDomain(maxLength: number): Domain<string | null> {
  const schema = z
    .string()
    .max(maxLength)
    .transform((value) => (value.trim() === '' ? null : value));
  return { kind: 'string', schema, expected: `a text of at most ${maxLength} characters` };
}

/** `Key:0`, `Key:1` ... or one text with commas. */
export function list(description: string): Setting<readonly string[]> {
  const schema = z.string().transform((value) =>
    value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  );
  return setting<readonly string[]>([], description, { kind: 'array', schema, expected: 'texts separated by commas' });
}
