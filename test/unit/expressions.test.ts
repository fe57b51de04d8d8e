// .NET's regular expressions in linear time: what is translated matches as .NET matches, what cannot be is refused by its name, and the
// literals that narrow a scan down are in every match.

import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { matcherOf, prepareExpression } from '../../src/engine/indexes/expressions/expression.ts';
import { machineOf } from '../../src/engine/indexes/expressions/machine.ts';
import { ExpressionRefused } from '../../src/engine/indexes/expressions/nodes.ts';
import { parseExpression } from '../../src/engine/indexes/expressions/parse.ts';
import { shortMatcherOf } from '../../src/engine/indexes/expressions/short.ts';
import { translate } from '../../src/engine/indexes/expressions/translate.ts';
import { pick, randomFrom } from './support/reads-values.ts';

function matches(expression: string, text: string): number {
  return matcherOf(prepareExpression(expression))(text)?.count ?? 0;
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
    ['\\bchin', 'Köchin', 0],
    ['\\bé\\w+', 'éa été', 2],
    ['é\\b', 'éa é', 1],
    ['\\Bn', 'ön n', 1],
    ['\\b', 'ä ö', 4],
    ['$', 'a\n', 2],
    ['b$\\n', 'b\n', 1],
    ['(?x)a #' + 'c'.repeat(3000) + '\nb', 'ab', 1],
    ['a(?#x)*', 'aaa', 2],
    ['(?x)a + ?', 'aaa', 3],
    ['[\\p{Lu}]', 'aB', 1],
    ['[a-z]', '\u212a', 1],
    ['[k-l]', 'K', 1],
    ['[^k]', '\u212a', 0],
    ['[i]', 'İıI', 1],
    ['\\p{IsRunic}\\p{IsThaana}', 'ᚠހ', 1],
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
    ['a{2147483647}', '1000'],
    ['a{0,99999999999999999999999999999999999999999}', '1000'],
    ['\\p{^L}', 'braces'],
    ['\\p{Isconstructor}', 'Isconstructor'],
    ['(?<1a>b)', 'name'],
    ['(?<0>b)', 'name'],
    ['(?:' + 'a'.repeat(9000) + '){1000}', 'too large'],
    ['\\w'.repeat(4000), 'too long'],
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
      const prepared = prepareExpression(expression);
      const { literals } = prepared;
      const text = Array.from({ length: 12 }, () => pick(['a', 'b', 'c', 'A', 'x'], random)).join('');
      const expected = new RegExp(expression, 'gi');
      const found = [...text.matchAll(expected)];
      expect(matcherOf(prepared)(text)?.count ?? 0, expression).toBe(found.length);
      if (found.length === 0 || literals.length === 0) continue;
      const folded = text.toLowerCase();
      expect(
        literals.some((all) => all.every((literal) => folded.includes(literal))),
        expression,
      ).toBe(true);
    }
  });

  it('counts a million matches in one text', () => {
    const match = matcherOf(prepareExpression('a'));
    expect(match('a'.repeat(1_000_000))).toEqual({ count: 1_000_000, highlights: ['a'.repeat(1_000_000)] });
    expect(match('a '.repeat(500_000))).toEqual({ count: 500_000, highlights: ['a'] });
  });

  it('matches the same with its own machine as with the other one', () => {
    const random = randomFrom(11);
    const pieces = ['a', 'b', '(?:a|bc)', 'a?', 'b*?', '[ab]', '.', '(ab)+?', '(?:a|ab)', '(?:ab?){1,2}', '^', 'c'];
    for (let i = 0; i < 3_000; i++) {
      const one = (): string =>
        Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(pieces, random)).join('');
      const expression = `${one()}|${one()}`;
      const text = Array.from({ length: 12 }, () => pick(['a', 'b', 'c', ' '], random)).join('');
      const node = parseExpression(expression);
      const matcher = RE2JS.compile(translate(node)).matcher(text);
      const expected: number[][] = [];
      while (matcher.find()) expected.push([matcher.start(), matcher.end()]);
      expect(machineOf(node)(text), `${expression} in ${text}`).toEqual(expected);
    }
  });

  it('matches the same with the quick matcher as with the other one', () => {
    const random = randomFrom(13);
    const pieces = [
      'a',
      'B',
      '(?:a|bc)',
      'a?',
      'b??',
      '[^a]',
      '.',
      '(?:ab){1,2}',
      '(?:a|ab)',
      '(?:ab?){1,2}?',
      '[a-k]',
      '\\w',
    ];
    const anchors = ['^', '$', '\\z', '\\b', '\\B', '(?-i:b)', '\u017f', '\u212a', '[^s\u212a]', '(?:c|\\b)'];
    let taken = 0;
    for (let i = 0; i < 2_000; i++) {
      const expression = Array.from({ length: 1 + Math.floor(random() * 5) }, () =>
        pick(random() < 0.8 ? pieces : anchors, random),
      ).join('');
      const node = parseExpression(expression);
      const quick = shortMatcherOf(node);
      if (quick === null) continue;
      taken++;
      const text = Array.from({ length: 14 }, () => pick(['a', 'b', 'c', ' ', 'B', 's', 'K', '\n'], random))
        .join('')
        .concat('k');
      const matcher = RE2JS.compile(translate(node)).matcher(text);
      const expected: number[][] = [];
      while (matcher.find()) expected.push([matcher.start(), matcher.end()]);
      expect(quick(text), `${expression} in ${JSON.stringify(text)}`).toEqual(expected);
    }
    expect(taken).toBeGreaterThan(800);
  });

  it.each(['a*', 'a+', '.*b', '(?m:^a)', '(?:)', 'a?', '(?:a|b){6}', 'a{300}', '(?:ab?)*'])(
    'the quick matcher leaves %s to the others',
    (expression) => {
      expect(shortMatcherOf(parseExpression(expression))).toBeNull();
    },
  );

  it('knows words and ends as .NET does', { tags: ['long'] }, () => {
    const random = randomFrom(12);
    const word =
      '(?:(?<=[\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}])(?![\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}])|(?<![\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}])(?=[\\p{L}\\p{Mn}\\p{Nd}\\p{Pc}]))';
    const pieces = ['a', 'ä', '\\b', '\\b', '$', '(?:ä\\b|a)', '.', ' ?', 'ä*', '(?:\\ba)?'];
    for (let i = 0; i < 300; i++) {
      const expression = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(pieces, random)).join('');
      const text = Array.from({ length: 10 }, () => pick(['a', 'ä', ' ', '€', '\n'], random)).join('');
      const other = expression.replaceAll('\\b', word).replaceAll('$', '(?=\\n?(?![\\s\\S]))');
      const expected = [...text.matchAll(new RegExp(other, 'giu'))].length;
      expect(matches(expression, text), `${expression} in ${JSON.stringify(text)}`).toBe(expected);
    }
  });

  it('widens highlights to words, each once', () => {
    const match = matcherOf(prepareExpression('li'));
    expect(match('Alice likes line, Alice')).toEqual({ count: 4, highlights: ['Alice', 'likes', 'line,'] });
    expect(match('nospace-li-here')).toEqual({ count: 1, highlights: ['nospace-li-here'] });
  });
});
