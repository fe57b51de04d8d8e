// How large a fragment and what is made of it may be: in length, in nesting, and in steps of its compilation (steps.ts).

import type { Diagnostic } from './diagnostics.ts';

/** The characters (UTF-16 units) a fragment may have. @testonly */
export const MAX_FRAGMENT_CHARACTERS = 100_000;

/** The characters all fragments of one request may have together, each with the method around it. */
const maxSourceCharacters = 1_000_000;

/** What the method around a fragment takes, about: its signature and braces. */
const methodCharacters = 100;

/**
 * How deep the parser may nest calls of its own: parentheses, lambdas, blocks, patterns, types. Small enough that the
 * stack of a thread with 1 MB is never used up.
 */
export const MAX_NESTING = 300;

/** Variables of one query; more are CS8078, too: each is a level of the objects that travel. */
export const MAX_QUERY_VARIABLES = 32;

/**
 * The steps that compiling one fragment may take, through all stages. Chosen so that they are used up within 50 ms: an ordinary fragment of
 * 10,000 characters takes about an eighth of them.
 */
export const MAX_STEPS = 400_000;

/** The same for a plugin, which may be twice as long and is compiled once: some 500 ms. */
export const MAX_PLUGIN_STEPS = 5_000_000;

/** The parts of one type: `(int, string)[]` has four. */
export const MAX_TYPE_PARTS = 1_000;

/** The characters (UTF-16 units) that a type's name takes in a diagnostic; the rest is left out. */
export const MAX_NAME_CHARACTERS = 500;

/** The characters (UTF-16 units) of a constant string, however it is put together. */
export const MAX_CONSTANT_CHARACTERS = 100_000;

/** The arms of one switch: those of an expression, or the labels of a statement. */
export const MAX_SWITCH_ARMS = 5_000;

/**
 * The steps that are taken to find the arms of switches that can never be reached, in the whole fragment. Beyond it an arm counts as
 * reachable and a switch as one that does not handle everything.
 */
export const MAX_PATTERN_STEPS = 150_000;

/** Lists of type arguments for one generic local function: one that calls itself with ever larger types would have no end. */
export const MAX_INSTANCES = 32;

/** How many diagnostics a fragment gets; garbage of the allowed length has far more. */
export const MAX_DIAGNOSTICS = 1_000;

/** The one diagnostic of a fragment that is too long to be compiled, or null. To be asked before anything else. */
export function tooLong(text: string): Diagnostic | null {
  if (text.length <= MAX_FRAGMENT_CHARACTERS) return null;
  const message = `The fragment has ${text.length} characters, the limit is ${MAX_FRAGMENT_CHARACTERS}.`;
  return { id: 'F8LIMIT', severity: 'error', message, start: 0, end: 0 };
}

/** Why these fragments are too long together to be compiled, however long each of them is; null when they are not. */
export function tooLongTogether(texts: readonly string[]): string | null {
  const characters = texts.reduce((sum, text) => sum + text.length + methodCharacters, 0);
  if (characters <= maxSourceCharacters) return null;
  return `error F8LIMIT: The fragments have ${characters} characters in all, the limit is ${maxSourceCharacters}.`;
}
