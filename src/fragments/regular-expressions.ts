// Regular expressions as plugins have them: between the interpreter and whoever has a matcher.

/** Flags of RegexOptions that mean something here. */
export const expressionFlags = { ignoreCase: 1, multiline: 2, explicitCapture: 4, singleLine: 16, spaced: 32 } as const;
/** Those that ask for what takes no linear time, or for other rules. */
export const refusedFlags = 64 | 256;

export interface MatchedGroup {
  readonly start: number;
  readonly end: number;
}

export interface CompiledExpression {
  /** Names of its groups by their numbers, '0' for the whole match. */
  readonly groupNames: readonly string[];
  /** The first match from a place on, its groups by their numbers; null: there is none. Takes time in proportion to the text. */
  match(text: string, from: number): readonly (MatchedGroup | null)[] | null;
}

/** Compiles an expression in .NET's syntax; a text says why it is not taken. */
export type CompilesExpressions = (pattern: string, flags: number) => CompiledExpression | string;
