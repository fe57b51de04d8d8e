// From the tree to the syntax of the linear-time matcher. Every option is spelled out where it counts, so nothing depends on the matcher's
// defaults; sets are written as ranges, so nothing depends on its idea of a category.

import type { Node } from './nodes.ts';

/** More than this the matcher would have to build; a chain of nested repetitions gets there quickly. */
const mostText = 1_000_000;

export function translate(node: Node): string {
  switch (node.kind) {
    case 'character':
      return cased(escaped(node.code), node.ignoreCase);
    case 'set': {
      const body = node.points.map(([first, last]) =>
        first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`,
      );
      // Nothing, or everything.
      if (body.length === 0) return node.negated ? '(?s:.)' : '[^\\x{0}-\\x{10ffff}]';
      return cased(`[${node.negated ? '^' : ''}${body.join('')}]`, node.ignoreCase);
    }
    case 'any':
      return node.newline ? '(?s:.)' : '[^\\n]';
    case 'anchor':
      return anchors[node.at];
    case 'sequence':
      return bounded(node.parts.map(translate).join(''));
    case 'choice':
      return bounded(`(?:${node.parts.map(translate).join('|')})`);
    case 'repeat':
      return bounded(`(?:${translate(node.part)})${quantifier(node.least, node.most)}${node.lazy ? '?' : ''}`);
  }
}

/** In .NET `$` and `\Z` also match before a newline that ends the text; here they take it along, which is as near as it gets. */
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

function bounded(text: string): string {
  if (text.length > mostText) throw new RangeError('The expression is too long.');
  return text;
}
