// Sources of plugins that would keep a compiler busy for seconds, or take all its stack: each is answered with what is wrong with it, within the
// steps that a compilation has.

import { expect, it } from 'vitest';
import { bindPlugin } from '../../src/fragments/plugins/compile.ts';
import { pluginHead as head } from './support/plugin-head.ts';

const repeated = (text: string, count: number): string => text.repeat(count);
const deep = 20_000;
const spaces = ' '.repeat(90_000);

const overloads = Array.from({ length: 400 }, (_, i) => `static int F(int a, C${i} b) => 0; `).join('');
const classes = Array.from({ length: 400 }, (_, i) => `class C${i} { } `).join('');

const sources: Readonly<Record<string, readonly [source: string, error: RegExp]>> = {
  'parentheses of a directive': [`#if ${repeated('(', deep)}A\nclass A{}\n#endif\n`, /CS8078/],
  'negations of a directive': [`#if ${repeated('!', deep)}A\nclass A{}\n#endif\n`, /CS8078/],
  'types in types': [repeated('class A{', deep), /CS8078/],
  'namespaces in namespaces': [repeated('namespace a{', 16_000), /CS8078/],
  'a namespace of many parts': [`namespace ${repeated('a.', 99_000)}b{class A{}}`, /F8LIMIT/],
  'usings beside namespaces': [`${repeated('using a;', 9000)}${repeated('namespace b{}', 9000)}`, /F8LIMIT/],
  directives: [`${repeated('#if A\n#elif B\n#else\n#endif\n', 7000)}class A{}`, /CS0535/],
  'calls among hundreds of methods of a name': [
    `${head}${classes}class Z { static int F(int a) => 0; ${overloads}int G() => ${repeated('F(1)+', 4000)}0; }`,
    /F8LIMIT/,
  ],
  'blanks in a directive': [`#region a${spaces}b${spaces}c\n#endregion\nclass A{}`, /CS0535/],
};

it.each(Object.entries(sources))('%s end within the steps of a compilation', (_, [source, error]) => {
  const began = process.cpuUsage();
  const binding = bindPlugin(source, 'GraphFunction');
  expect(binding.ok ? [] : binding.errors.join('\n')).toMatch(error);
  // Of the processor, whoever else wants it: fifty times what most take; without their bounds they took as long as they were let.
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(20_000);
});

it('a # inside of a comment or a string of several lines begins no directive', () => {
  const errorsOf = (source: string): string => {
    const binding = bindPlugin(source, 'GraphFunction');
    return binding.ok ? '' : binding.errors.join('\n');
  };
  const inComment = '/* one\n#if\n two */ class A { }\n';
  const inText = 'class A { string s = @"one\n#if\ntwo"; }\n';
  for (const source of [inComment, inText]) expect(errorsOf(source)).not.toMatch(/CS10|CS15/);
  expect(errorsOf(`${inComment}#if\n#endif\n`)).toMatch(/CS1517/);
});
