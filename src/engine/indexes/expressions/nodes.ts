// A regular expression as a tree: what parse.ts reads and what is made of it. Groups are there only where somebody asks what they captured.

import type { CodePoints } from './code-points.ts';

export type Node =
  | { readonly kind: 'character'; readonly code: number; readonly ignoreCase: boolean }
  | { readonly kind: 'set'; readonly points: CodePoints; readonly negated: boolean; readonly ignoreCase: boolean }
  | { readonly kind: 'any'; readonly newline: boolean }
  | {
      readonly kind: 'anchor';
      readonly at: 'start' | 'end' | 'lineStart' | 'lineEnd' | 'veryEnd' | 'word' | 'notWord';
    }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  /** `captures`: what it matches is asked for. */
  | { readonly kind: 'choice'; readonly parts: readonly Node[]; readonly captures?: true }
  | {
      readonly kind: 'repeat';
      readonly part: Node;
      readonly least: number;
      /** Infinity: no limit. */
      readonly most: number;
      readonly lazy: boolean;
    };

/** Why an expression is not taken: it is none, or it uses a construct that cannot be matched in linear time. */
export class ExpressionRefused extends Error {
  override readonly name = 'ExpressionRefused';
}

/** What a job answers instead of throwing ExpressionRefused, which does not go between threads. */
export interface Refusal {
  readonly refused: string;
}

/** What a job answered for an expression. Throws ExpressionRefused where the job refused it. */
export function unlessRefused<Answer>(answer: Answer | Refusal): Answer {
  if (typeof answer === 'object' && answer !== null && 'refused' in answer) throw new ExpressionRefused(answer.refused);
  return answer as Answer;
}
