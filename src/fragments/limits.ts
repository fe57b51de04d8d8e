// How large a fragment may be, in length and in nesting.

import type { Diagnostic } from './diagnostics.ts';

/** The characters (UTF-16 units) a fragment may have. @testonly until the routes ask. */
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

/**
 * How high the finished tree may be. Chains such as `a + b + c` grow the tree without nesting the parser, and whoever walks
 * the tree later recurses over it.
 */
export const MAX_TREE_HEIGHT = 1_000;

/** How many diagnostics the parser hands out for one fragment; garbage of the allowed length has far more. */
export const MAX_DIAGNOSTICS = 1_000;

/** The one diagnostic of a fragment that is too long to be compiled, or null. To be asked before anything else. @testonly until the routes ask. */
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
