// From the tree to the syntax of the linear-time matcher. Every option is spelled out where it counts, so nothing depends on the matcher's
// defaults; sets are written as ranges, so nothing depends on its idea of a category.

import type { CodePoints } from './code-points.ts';
import type { Node } from './nodes.ts';

/** More than this the matcher would have to build. */
const mostText = 1_000_000;

/** The expression in the matcher's syntax. Throws a RangeError when that becomes too long. */
export function translate(node: Node): string {
  const translation: Translation = { left: mostText, sets: new Map() };
  return translated(node, translation);
}

interface Translation {
  /** Characters that may still be written. */
  left: number;
  /** Texts of sets, which come again and again and are long. */
  readonly sets: Map<CodePoints, string>;
}

function translated(node: Node, translation: Translation): string {
  const inner = (part: Node): string => translated(part, translation);
  switch (node.kind) {
    case 'character':
      return written(cased(escaped(node.code), node.ignoreCase), translation);
    case 'set': {
      const body = setText(node.points, translation.sets);
      // Nothing, or everything.
      if (body === '') return node.negated ? '(?s:.)' : '[^\\x{0}-\\x{10ffff}]';
      return written(cased(`[${node.negated ? '^' : ''}${body}]`, node.ignoreCase), translation);
    }
    case 'any':
      return written(node.newline ? '(?s:.)' : '[^\\n]', translation);
    case 'anchor':
      return written(anchors[node.at], translation);
    case 'sequence':
      return node.parts.map(inner).join('');
    case 'choice':
      return `${node.captures ? '(' : '(?:'}${node.parts.map(inner).join('|')})`;
    case 'repeat':
      return `(?:${inner(node.part)})${quantifier(node.least, node.most)}${node.lazy ? '?' : ''}`;
  }
}

function setText(points: CodePoints, known: Map<CodePoints, string>): string {
  let text = known.get(points);
  if (text !== undefined) return text;
  text = points
    .map(([first, last]) => (first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`))
    .join('');
  known.set(points, text);
  return text;
}

/** In .NET `$` and `\Z` also match before a newline that ends the text; here they take it along; texts for
 * which that makes a difference are not matched with this (expression.ts). */
const anchors = {
  start: '\\A',
  end: '(?:\\n?\\z)',
  veryEnd: '\\z',
  lineStart: '(?m:^)',
  lineEnd: '(?m:$)',
  word: '\\b',
  notWord: '\\B',
} as const;

function escaped(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

function cased(text: string, ignoreCase: boolean): string {
  return ignoreCase ? `(?i:${text})` : `(?-i:${text})`;
}

function quantifier(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`;
  if (least === 0 && most === 1) return '?';
  return least === most ? `{${least}}` : `{${least},${most}}`;
}

function written(text: string, translation: Translation): string {
  translation.left -= text.length;
  if (translation.left < 0) throw new RangeError('The expression is too long.');
  return text;
}
