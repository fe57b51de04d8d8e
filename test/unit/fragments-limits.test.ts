// What a compilation may take: every limit one below, at and above; texts that grow without end from a few characters; and long chains, which
// are no deeper than short ones. Nothing here looks at a clock: steps are counted.

import { describe, expect, it } from 'vitest';
import { bindFragment, compileDiagnostics } from '../../src/fragments/compile.ts';
import { emitFragment } from '../../src/fragments/emit/emit.ts';
import { createInterpreter } from '../../src/fragments/interpreter/index.ts';
import {
  MAX_CONSTANT_CHARACTERS,
  MAX_DIAGNOSTICS,
  MAX_INSTANCES,
  MAX_NAME_CHARACTERS,
  MAX_NESTING,
  MAX_STEPS,
  MAX_SWITCH_ARMS,
  MAX_TYPE_PARTS,
} from '../../src/fragments/limits.ts';
import { CompilationLimit, counted, step, stepsTaken, uncounted } from '../../src/fragments/steps.ts';
import type { BoundFragment } from '../../src/fragments/tree.ts';
import { compiledResults, corpusCores, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';

const times = (count: number, text: (at: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(between);

/** Ids of errors. */
function errors(text: string): string[] {
  return compileDiagnostics(text, 'VertexFilter')
    .filter(({ severity }) => severity === 'error')
    .map(({ id }) => id);
}

describe('steps', () => {
  it('end with the last one', () => {
    expect(counted(3, 3, () => step(2) ?? step() ?? 'done')).toBe('done');
    expect(stepsTaken()).toBe(3);
    expect(() => counted(3, 3, () => step(4))).toThrow(CompilationLimit);
    expect(() => step(2 ** 40)).not.toThrow();
  });

  it('are not taken by what is kept for other compilations', () => {
    expect(counted(3, 3, () => uncounted(() => step(9)) ?? step(3) ?? 'done')).toBe('done');
  });

  it('are the same however often a fragment is compiled', () => {
    const text =
      "return v => v.Label.Split('a').GroupBy(x => x.Length).OrderBy(g => g.Key).Any(g => g.Count() is > 1 and < 9);";
    const taken = [1, 2, 3].map(() => {
      expect(compileDiagnostics(text, 'VertexFilter')).toEqual([]);
      return stepsTaken();
    });
    expect(new Set(taken).size).toBe(1);
    expect(taken[0]).toBeLessThan(MAX_STEPS / 100);
  });

  it('end a fragment with one diagnostic, which says where', () => {
    const text = `return v => { ${times(14_000, () => '{} ;')} ${times(9_000, () => 'f;')} return true; };`;
    const found = compileDiagnostics(text.slice(0, 100_000), 'VertexFilter');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ id: 'F8LIMIT', severity: 'error' });
    expect(found[0]!.message).toContain(`${MAX_STEPS} steps`);
    expect(found[0]!.start).toBeGreaterThan(0);
    expect(stepsTaken()).toBe(MAX_STEPS);
  });
});

describe('limits', () => {
  it('of the parts of a type', () => {
    const tuple = (parts: number): string =>
      `var t = (${times(parts - 1, () => '1', ', ')}); return v => t.Item1 == 1;`;
    for (const parts of [MAX_TYPE_PARTS - 1, MAX_TYPE_PARTS]) expect(errors(tuple(parts))).toEqual([]);
    expect(errors(tuple(MAX_TYPE_PARTS + 1))).toEqual(['F8LIMIT']);
  });

  it('of the characters of a constant string', () => {
    const half = MAX_CONSTANT_CHARACTERS / 2;
    const text = (more: string): string =>
      `const string a = "${'x'.repeat(half - 1)}"; const string b = a + a + "${more}"; return v => v.Label == b;`;
    for (const more of ['y', 'yy']) expect(errors(text(more))).toEqual([]);
    expect(errors(text('yyy'))).toEqual(['F8LIMIT']);
  });

  it('of the arms of a switch', () => {
    const expression = (arms: number): string =>
      `return v => v.Id switch { ${times(arms - 1, (at) => `${at} => true`, ',')}, _ => false };`;
    const statement = (arms: number): string =>
      `return v => { switch (v.Id) { ${times(arms - 1, (at) => `case ${at}:`)} return true; default: return false; } };`;
    for (const text of [expression, statement]) {
      for (const arms of [MAX_SWITCH_ARMS - 1, MAX_SWITCH_ARMS]) expect(errors(text(arms))).toEqual([]);
      expect(errors(text(MAX_SWITCH_ARMS + 1))).toEqual(['F8LIMIT']);
    }
  });

  it('of the lists of type arguments of one function', () => {
    // Two are those that the function is checked with where it stands.
    const text = (lists: number): string =>
      `int F<T>(T x) => 1; return v => ${times(lists - 2, (at) => `F(new int[0]${'[]'.repeat(at)})`, ' + ')} > 0;`;
    for (const lists of [MAX_INSTANCES - 1, MAX_INSTANCES]) expect(errors(text(lists))).toEqual([]);
    expect(errors(text(MAX_INSTANCES + 1))).toEqual(['CS8652']);
  });

  it('of nesting', () => {
    // Around the parentheses are the statement, its expression, the lambda and its body.
    const text = (levels: number): string => `return v => ${'('.repeat(levels)}true${')'.repeat(levels)};`;
    expect(errors(text(MAX_NESTING - 10))).toEqual([]);
    expect(errors(text(MAX_NESTING + 1))).toEqual(['CS8078']);
  });

  it('of diagnostics, where errors come before warnings', () => {
    const text = (count: number): string =>
      `return v => { ${times(MAX_DIAGNOSTICS, (at) => `int a${at};`)} ${times(count, () => 'f();')} return true; };`;
    for (const count of [1, MAX_DIAGNOSTICS - 1, MAX_DIAGNOSTICS, MAX_DIAGNOSTICS + 1]) {
      const found = compileDiagnostics(text(count), 'VertexFilter');
      expect(found).toHaveLength(MAX_DIAGNOSTICS);
      expect(found.filter(({ id }) => id === 'CS0103')).toHaveLength(Math.min(count, MAX_DIAGNOSTICS));
    }
  });

  it('of a name in a message', () => {
    const [one] = compileDiagnostics(`return v => ${'x'.repeat(50_000)};`, 'VertexFilter');
    expect(one!.message.length).toBeLessThan(MAX_NAME_CHARACTERS + 100);
    const [type] = compileDiagnostics(`int x = (${times(900, () => '"a"', ', ')}); return v => true;`, 'VertexFilter');
    expect(type).toMatchObject({ id: 'CS0029' });
    expect(type!.message.length).toBeLessThan(2 * MAX_NAME_CHARACTERS + 100);
  });
});

describe('a few characters that grow without end', () => {
  const growing: readonly string[] = [
    `var t0 = (1, 2); ${times(60, (at) => `var t${at + 1} = (t${at}, t${at});`)} return v => true;`,
    `(T, T) D<T>(T x) => (x, x); return v => ${'D('.repeat(30)}1${')'.repeat(30)}.Item1 == null;`,
    `var t0 = (1, 2); ${times(18, (at) => `var t${at + 1} = (t${at}, t${at});`)} int x = t18; return v => true;`,
    `const string a0 = "xxxxxxxx"; ${times(30, (at) => `const string a${at + 1} = a${at} + a${at};`)} return v => true;`,
    `const string a0 = "xx"; ${times(16, (at) => `const string a${at + 1} = $"{a${at}}{a${at}}{a${at}}";`)} return v => true;`,
    'int F<T>(T x, int n) => n == 0 ? 0 : F((x, x), n - 1); return v => F(1, 3) == 0;',
    `var t0 = Tuple.Create(1, 2); ${times(22, (at) => `var t${at + 1} = Tuple.Create(t${at}, t${at});`)} return v => true;`,
    `var t0 = new { A = 1 }; ${times(22, (at) => `var t${at + 1} = new { A = t${at}, B = t${at} };`)} return v => true;`,
    `Func<T, T> D<T>(T x) => null; Func<int, int> f0 = null; ${times(22, (at) => `var f${at + 1} = D(f${at});`)} return v => true;`,
    `return v => Enumerable.Range(0, 1)${'.Select(x => (x, x))'.repeat(20)}.Count() > 0;`,
    `return v => Enumerable.Range(0, 1)${'.GroupBy(x => x)'.repeat(1_200)}.Count() > 0;`,
    `return v => (v.Id, v.Label, v.GetPropertyCount()) switch { ${times(2_000, (at) => `(>= ${at}, "a${at % 7}", <= ${2 * at}) => true,`)} _ => false };`,
  ];

  it.each(growing)('%s', (text) => {
    expect(errors(text)).toEqual(['F8LIMIT']);
    expect(stepsTaken()).toBeLessThanOrEqual(MAX_STEPS);
  });
});

describe('runs of one character, each looked at from many places', () => {
  it.each([
    ['dollars', (count: number) => `return v => ${'$'.repeat(count)};`],
    [
      'braces in a raw string',
      (count: number) => `return v => ${'$'.repeat(count)}"""${'{'.repeat(count)}1${'}'.repeat(count - 1)}`,
    ],
    ['marks of a letter', (count: number) => `return v => a${'\u0f73'.repeat(count)}${'\u0334'.repeat(count)};`],
    [
      'marks as escapes',
      (count: number) => `return v => a${'\\u0301'.repeat(count / 4)}${'\\u0316'.repeat(count / 4)};`,
    ],
  ])('%s end', (_, text) => {
    expect(errors(text(20))).not.toContain('F8LIMIT');
    expect(errors(text(32_000))).toEqual(['F8LIMIT']);
    expect(stepsTaken()).toBeLessThanOrEqual(MAX_STEPS);
  });
});

describe('chains of nothing valid', () => {
  const many = (text: string): string => text.repeat(Math.floor(90_000 / text.length));
  const links: readonly (readonly [string, string, string])[] = [
    ['int', '[]', ' a = null; return v => true;'],
    ['return v => typeof(int', '[,]', ') == null;'],
    ['return v => v is int', '[]', ';'],
    ['a', '.b', ' x; return v => true;'],
    ['a', '.b<int>', ' x; return v => true;'],
    ['return v => v is a', '.b', ';'],
    ['return v => nameof(v', '.Id', ') == "Id";'],
    ['return v => (a', '.b', ')v;'],
    ['return v => v is { a', '.b', ': 1 };'],
    ['int', '?', ' x; return v => true;'],
    ['return v => v', '[1]', ' == null;'],
    ['return v => v', '()', ' == null;'],
    ['return v => v', '!', ' == null;'],
    ['return v => v', '++', ' == null;'],
    ['return v => v', ' is 1', ';'],
    ['return v => v', ' as object', ' == null;'],
    ['return v => v.Label[', '1..', '] == "";'],
    ['return v => v.Id', ' switch{_=>1}', ' == 1;'],
    ['return v => ', '1<', '1;'],
    ['return v => ', 'global::', 'v == null;'],
    ['return v => ', 'await ', 'v;'],
    ['return v => { ', 'a:', ' return true; };'],
  ];

  it.each(links)('%s%s%s ends', (before, link, after) => {
    const text = `${before}${many(link)}${after}`;
    const tree = bindFragment(text, 'VertexFilter', { report: () => {} });
    expect(stepsTaken()).toBeLessThanOrEqual(MAX_STEPS);
    if (tree !== null) emitFragment(tree, true);
  });
});

describe('switches of many arms', () => {
  it.each([
    ['ranges', times(3_000, (at) => `>= ${3 * at} and <= ${3 * at + 1} => true,`)],
    ['ranges of doubles', times(2_500, (at) => `>= ${3 * at}.0 and <= ${3 * at + 1}.5 => true,`)],
  ])('%s are exact', (name, arms) => {
    const subject = name === 'ranges' ? 'v.Id' : '(v.Id / 2.0)';
    expect(errors(`return v => ${subject} switch { ${arms} _ => false };`)).toEqual([]);
    expect(errors(`return v => ${subject} switch { ${arms} 5999 => true, _ => false };`)).toEqual([]);
    expect(errors(`return v => ${subject} switch { ${arms} 6000 => true, _ => false };`)).toEqual(['CS8510']);
  });

  it.each([
    ['float', 'F', '< 1F => 1, >= 1F => 2, float.NaN => 3'],
    ['double', '', '<= 0.1 => 1, > 0.1 => 2, double.NaN => 3'],
    ['decimal', 'M', '< 0.10M => 1, 0.1M => 2, > 0.1M => 3'],
  ])('those over %s that leave nothing out are complete', (type, _, arms) => {
    const text = (list: string): string => `${type} x = 1; return v => (x switch { ${list} }) > 0;`;
    expect(compileDiagnostics(text(arms), 'VertexFilter').map(({ id }) => id)).toEqual([]);
    const less = arms.split(', ').slice(0, -1).join(', ');
    expect(compileDiagnostics(text(less), 'VertexFilter').map(({ id }) => id)).toEqual(['CS8509']);
  });
});

describe('literals of decimal', () => {
  it.each([
    [`0.${'3'.repeat(300)}m`, `0.${'3'.repeat(28)}m`],
    [`0.${'6'.repeat(300)}m`, `0.${'6'.repeat(27)}7m`],
    [`0.${'0'.repeat(27)}25m`, `0.${'0'.repeat(27)}2m`],
    [`0.${'0'.repeat(27)}25${'0'.repeat(200)}1m`, `0.${'0'.repeat(27)}3m`],
    [`0.${'0'.repeat(400)}1m`, '0m'],
  ])('%s is %s', (literal, rounded) => {
    const tree = bindFragment(`return v => ${literal} == ${rounded};`, 'VertexFilter', { report: () => {} });
    const over = corpusGraph(corpusCores[0]);
    expect(new Set(interpretedResults(over, tree!, 20_000))).toEqual(new Set(['1']));
    expect(emitFragment(tree!, true).ok).toBe(true);
  });
});

describe('long chains', () => {
  const chains: readonly (readonly [string, string])[] = [
    ['||', `v.Id == 3 || ${times(1_500, (at) => `v.Id == ${2 * at}`, ' || ')}`],
    ['&&', times(1_500, (at) => `v.Id != ${2 * at + 1}`, ' && ')],
    ['sum', `${times(2_500, () => 'v.Id', ' + ')} > ${2_500 * 3}`],
    ['sum of mixed types', `${times(1_500, (at) => (at % 7 === 0 ? `${at}.5` : 'v.Id'), ' + ')} > 60000`],
    ['+ on strings', `(${times(1_500, (at) => (at % 3 === 0 ? 'v.Id' : 'v.Label'), ' + "," + ')}).Length % 2 == 0`],
    ['??', `(${times(1_500, () => 'v.Label', ' ?? ')} ?? "x").Length > 4`],
    ['?:', `${times(1_500, (at) => `v.Id == ${2 * at} ? ${at % 3 === 0} : `)} v.Label == null`],
    ['calls', `"x"${times(1_200, (at) => `.Replace("${at}", "${at + 1}").Trim()`, '')} == "x"`],
    ['casts', `${'(long)(int)'.repeat(1_500)}v.Id > 3`],
    ['!', `${'!'.repeat(3_001)}(v.Id > 3)`],
    ['~', `${'~-'.repeat(2_000)}v.Id > 3`],
    ['or in patterns', `v.Id is ${times(2_000, (at) => String(3 * at), ' or ')}`],
    ['and in patterns', `v.Id is ${times(2_000, (at) => `not ${3 * at}`, ' and ')}`],
    ['and in patterns, few', `v.Id is ${times(200, (at) => `not ${3 * at}`, ' and ')}`],
    ['a range and what is not in it', `v.Id is > 2 and ${times(1_000, (at) => `not ${3 * at}`, ' and ')}`],
    ['texts in patterns', `v.Label is ${times(500, (at) => `not "${at}"`, ' and ')} and not "city"`],
    ['properties in patterns', `v is ${times(500, (at) => `{ Id: not ${3 * at} }`, ' and ')}`],
    ['arms of pairs', `(v.Id, v.Label) switch { ${times(600, (at) => `(${at}, "l${at}") => false,`)} _ => v.Id > 3 }`],
    ['arguments', `string.Concat(${times(1_500, () => 'v.Label', ',')}).Length > 9000`],
    ['elements', `new[] { ${times(4_000, (at) => String(at), ',')} }[v.Id] == v.Id`],
    ['LINQ', `Enumerable.Range(0, 3)${'.Where(x => x != 7)'.repeat(300)}.Count() == 3`],
  ];

  const statements: readonly (readonly [string, string])[] = [
    [
      'else if',
      `${times(1_500, (at) => `if (v.Id == ${2 * at}) return ${at % 3 === 0};`, ' else ')} return v.Label == null;`,
    ],
    [
      'else if with variables',
      `${times(600, (at) => `if (v.Id is var x${at} && x${at} == ${2 * at}) return x${at} > 4;`, ' else ')} return v.Label == null;`,
    ],
    [
      'labels of one section',
      `switch (v.Id) { ${times(2_000, (at) => `case ${2 * at}:`)} return true; } return false;`,
    ],
    ['sections', `switch (v.Id) { ${times(1_000, (at) => `case ${2 * at}: return ${at % 3 === 0};`)} } return false;`],
    [
      'goto case',
      `switch (v.Id) { ${times(300, (at) => `case ${at}: ${at < 299 ? `goto case ${at + 1};` : 'return true;'}`)} } return false;`,
    ],
    ['statements', `var n = 0; ${times(2_000, () => 'n += v.Id;')} return n > 9000;`],
  ];

  const all = [
    ...chains.map(([name, text]) => [name, `return v => ${text};`] as const),
    ...statements.map(([name, text]) => [name, `return v => { ${text} };`] as const),
  ];

  it.each(all)('of %s compile, and give the same in both back ends', (_, text) => {
    const over = corpusGraph(corpusCores[0]);
    const found: string[] = [];
    const tree = bindFragment(text, 'VertexFilter', {
      report: ({ id, severity, message }) => severity === 'error' && found.push(`${id} ${message}`),
    }) as BoundFragment;
    expect(found).toEqual([]);
    const interpreted = interpretedResults(over, tree);
    expect(interpreted.some((one) => /^~?[#!]/.test(one))).toBe(false);
    const compiled = compiledResults(over, tree);
    if (Array.isArray(compiled)) expect(compiled).toEqual(interpreted);
  });

  it.each([
    ['links', (count: number) => `return v => new[] { 1 }${'.Append(1)'.repeat(count)}.Count() == ${count + 1};`],
    [
      'variables and branches',
      (count: number) =>
        `return v => { ${times(count, (at) => `var a${at} = v.Id; if (a${at} == 9) a${at} = 1;`)} return a0 == v.Id; };`,
    ],
  ])('of many %s are left to the interpreter, which gives the same', (_, text) => {
    const over = corpusGraph(corpusCores[0]);
    const few = bindFragment(text(20), 'VertexFilter', { report: () => {} })!;
    expect(compiledResults(over, few)).toEqual(interpretedResults(over, few));
    const many = bindFragment(text(1_600), 'VertexFilter', { report: () => {} })!;
    expect(emitFragment(many, true)).toMatchObject({ ok: false });
    expect(interpretedResults(over, many)).toEqual(interpretedResults(over, few));
  });

  it('need no stack of their own', () => {
    // Some twenty frames of whoever calls are left free, a few hundred are needed.
    const deep = (left: number, run: () => void): void => (left === 0 ? run() : deep(left - 1, run));
    for (const [, text] of all) {
      deep(4_000, () => {
        const tree = bindFragment(text, 'VertexFilter', { report: () => {} });
        expect(tree).not.toBeNull();
        emitFragment(tree!, true);
        createInterpreter(tree!);
      });
    }
  });
});
