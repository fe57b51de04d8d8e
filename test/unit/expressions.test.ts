// .NET's regular expressions in linear time: what is translated matches as .NET matches, what cannot be is refused by its name, and the
// literals that narrow a scan down are in every match.

import { describe, expect, it } from 'vitest';
import { matcherOf, prepareExpression } from '../../src/engine/indexes/expressions/expression.ts';
import { ExpressionRefused } from '../../src/engine/indexes/expressions/nodes.ts';
import { pick, randomFrom } from './support/reads-values.ts';

function matches(expression: string, text: string): number {
  return matcherOf(prepareExpression(expression).pattern)(text)?.count ?? 0;
}

describe('expressions', () => {
  it.each([
    ['alice', 'ALICE and Alice', 2],
    ['(?-i)alice', 'ALICE and alice', 1],
    ['(?-i:A)lice', 'ALICE alice Alice', 2],
    ['a.c', 'abc a\nc', 1],
    ['(?s)a.c', 'abc a\nc', 2],
    ['^b', 'a\nb', 0],
    ['(?m)^b$', 'a\nb\nc', 1],
    ['b$', 'ab\n', 1],
    ['b\\z', 'ab\n', 0],
    ['\\d+', '12 ٣٤ x', 2],
    ['\\w+', 'né_3 –', 1],
    ['\\s', 'a\u00a0b\u2003c', 2],
    ['[\\w-[aeiou]]+', 'stop', 2],
    ['[a-z-[aeiou]]', 'A', 0],
    ['[^\\W\\d]+', 'ab12cd', 2],
    ['[]a]', ']', 1],
    ['[^]a]', 'b]', 1],
    ['[a-]', '-', 1],
    ['\\u0041\\x42', 'ab', 1],
    ['\\uD83D\\uDE00', '😀', 1],
    ['\\p{IsGreek}+', 'abc αβγ', 1],
    ['\\P{L}', 'a1', 1],
    ['(?x) a b # c', 'ab', 1],
    ['a(?#nothing)b', 'ab', 1],
    ["(?<name>a)(?'other'b)", 'ab', 1],
    ['(?n)(a)(b)', 'ab', 1],
    ['a{2,3}?', 'aaaa', 2],
    ['a{', 'a{', 1],
    ['x{,3}', 'x{,3}', 1],
    ['a*', 'b', 2],
    ['K', '\u212a', 1],
    ['\\cA|\\e|\\07', '\u0001\u001b\u0007', 3],
    ['(a|b)*c', 'abac', 1],
    ['[\\[\\]]', '[]', 2],
    ['\\$\\.', '$.', 1],
    ['\\bcat\\b', 'cat concat', 1],
  ])('%s in %j has %i matches', (expression, text, count) => {
    expect(matches(expression, text)).toBe(count);
  });

  it.each([
    ['a(?=b)', 'Lookaheads'],
    ['a(?!b)', 'Lookaheads'],
    ['(?<=a)b', 'Lookbehinds'],
    ['(?<!a)b', 'Lookbehinds'],
    ['(?>a+)b', 'Atomic groups'],
    ['(?(a)b|c)', 'Conditionals'],
    ['(?<a-b>c)', 'Balancing groups'],
    ['(a)\\1', 'Backreferences'],
    ['(?<n>a)\\k<n>', 'Backreferences'],
    ['\\Ga', 'Contiguous matches'],
    ['a{1001}', '1000'],
    ['\\p{IsNowhere}', 'IsNowhere'],
    ['(a', 'no .\\).'],
    ['a)', 'no .\\(.'],
    ['[a', 'no .\\].'],
    ['[b-a]', 'wrong order'],
    ['a{3,2}', 'wrong order'],
    ['*a', 'nothing to repeat'],
    ['a**', 'repeated'],
    ['\\y', 'no escape'],
    ['\\u12', 'hexadecimal'],
    ['('.repeat(300), 'deeper'],
    ['a'.repeat(10_001), 'longer'],
    ['((a{1000}){1000}){1000}', 'too large|valid'],
  ])('refuses %s', (expression, reason) => {
    expect(() => prepareExpression(expression)).toThrow(ExpressionRefused);
    expect(() => prepareExpression(expression)).toThrow(new RegExp(reason));
  });

  it('takes time in proportion to the text', () => {
    expect(matches('(a+)+$', `${'a'.repeat(50_000)}b`)).toBe(0);
    expect(matches('^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(2_000))).toBe(1);
  });

  it.each([
    ['alice', [['alice']]],
    ['Alice.*Bob', [['alice', 'bob']]],
    [
      '(?:red|GREEN) light',
      [
        ['red', ' light'],
        ['green', ' light'],
      ],
    ],
    ['a?bc', [['bc']]],
    ['(abc)+', [['abc']]],
    ['(abc)*', []],
    ['a|\\d', []],
    ['[ab]c', [['c']]],
    ['zoë smith', [['zo', ' smith']]],
    ['.*', []],
  ])('%s asks for %j', (expression, literals) => {
    expect(prepareExpression(expression).literals).toEqual(literals);
  });

  it('asks only for what every match has', () => {
    const random = randomFrom(7);
    const pieces = ['a', 'b', 'ab', '(?:a|b)', 'a?', 'b*', '[ab]', '.', '(ab)+', 'c', '(?:ab|c)', 'B', '(?:a{2})'];
    for (let i = 0; i < 3_000; i++) {
      const expression = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(pieces, random)).join('');
      const { literals, pattern } = prepareExpression(expression);
      const text = Array.from({ length: 12 }, () => pick(['a', 'b', 'c', 'A', 'x'], random)).join('');
      const expected = new RegExp(expression, 'gi');
      const found = [...text.matchAll(expected)];
      expect(matcherOf(pattern)(text)?.count ?? 0, expression).toBe(found.length);
      if (found.length === 0 || literals.length === 0) continue;
      const folded = text.toLowerCase();
      expect(
        literals.some((all) => all.every((literal) => folded.includes(literal))),
        expression,
      ).toBe(true);
    }
  });

  it('widens highlights to words, each once', () => {
    const match = matcherOf(prepareExpression('li').pattern);
    expect(match('Alice likes line, Alice')).toEqual({ count: 4, highlights: ['Alice', 'likes', 'line,'] });
    expect(match('nospace-li-here')).toEqual({ count: 1, highlights: ['nospace-li-here'] });
  });
});
