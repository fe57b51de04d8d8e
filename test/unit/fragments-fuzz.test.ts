// Any text at all through the whole compiler: bytes, tokens, grammar, mutated fragments of the corpus. It never throws and never hangs;
// what it emits is a valid module that imports the closed list, owns nothing, stores nothing but `select`'s ids and the words that a
// collection looks at, and pays for every loop; what it runs ends within its fuel. The seed is printed; FRAGMENT_SEED repeats a run,
// FRAGMENT_TEXTS says how long it is (`npm run soak:fuzz`).

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { bindFragment, compileDiagnostics } from '../../src/fragments/compile.ts';
import { emitFragment } from '../../src/fragments/emit/emit.ts';
import { foreignImports } from '../../src/fragments/emit/wasm/imports.ts';
import { MAX_FRAGMENT_CHARACTERS } from '../../src/fragments/limits.ts';
import type { BoundFragment, DelegateKind } from '../../src/fragments/tree.ts';
import { compiledResults, corpusCores, corpusGraph, interpretedResults } from './support/fragment-corpus.ts';
import { FragmentGenerator, type Random, randomOf } from './support/fragment-generator.ts';
import { isStore, keepsWord, loopsOf, readCode } from './support/module-code.ts';

const seed = Number(process.env.FRAGMENT_SEED ?? Math.floor(Math.random() * 2 ** 32));
const texts = Number(process.env.FRAGMENT_TEXTS ?? 1_000);
const corpus: readonly { kind: DelegateKind; fragment: string }[] = JSON.parse(
  readFileSync(at('test/fixtures/fragments/results.json'), 'utf8'),
);
const words = corpus.flatMap(
  ({ fragment }) => fragment.match(/"[^"]*"|'[^']*'|\w+|\s+|=>|\?\?=?|[<>=!]=|&&|\|\||./gsu) ?? [],
);

/** Type, import, function, tag, global, export, code. */
const allowedSections = new Set([1, 2, 3, 13, 6, 7, 10]);

function checkModule(bytes: Uint8Array<ArrayBuffer>): void {
  expect(WebAssembly.validate(bytes)).toBe(true);
  expect(foreignImports(new WebAssembly.Module(bytes))).toEqual([]);
  const { sections, functions, exports, importedFunctions } = readCode(bytes);
  expect(sections.filter((id) => !allowedSections.has(id))).toEqual([]);
  // A loop that starts by leaving has nothing in it that is ever reached.
  const goesRound = (loop: readonly { opcode: number; value: number }[]): boolean =>
    !(loop[1]?.opcode === 0x0c && loop[1].value > 0);
  const select = (exports.get('select')?.index ?? -1) - importedFunctions;
  for (const [index, code] of functions.entries()) {
    const stores = code.filter((instruction, at) => isStore(instruction) && !keepsWord(code, at));
    expect(stores).toEqual(index === select ? [{ opcode: 0x36, value: 0 }] : []);
    // Fuel is global 0; the outermost loop of `select` is the block, which whoever calls it pays for.
    const free = loopsOf(code)
      .slice(index === select ? 1 : 0)
      .filter(goesRound)
      .filter((loop) => !loop.some(({ opcode, value }) => opcode === 0x24 && value === 0));
    expect(free).toEqual([]);
  }
}

function bind(text: string, kind: DelegateKind): BoundFragment | null {
  for (const { start, end } of compileDiagnostics(text, kind))
    expect(start >= 0 && end >= start && end <= text.length).toBe(true);
  return bindFragment(text, kind, { report: () => {} });
}

const below = (random: Random, bound: number): number => Math.floor(random() * bound);

function mutated(random: Random): { kind: DelegateKind; fragment: string } {
  const pick = () => corpus[below(random, corpus.length)] as (typeof corpus)[number];
  const { kind, fragment } = pick();
  const parts = fragment.match(/"[^"]*"|'[^']*'|\w+|\s+|=>|./gsu) ?? [];
  for (let left = 1 + below(random, 4); left > 0; left--) {
    const place = below(random, parts.length + 1);
    const other =
      random() < 0.5
        ? [words[below(random, words.length)] as string]
        : (pick().fragment.match(/\([^()]*\)/g) ?? []).slice(0, 1);
    parts.splice(place, below(random, 3), ...(random() < 0.3 ? [] : other));
  }
  return { kind, fragment: parts.join('') };
}

function anyText(random: Random, generator: FragmentGenerator): { kind: DelegateKind; fragment: string } {
  const kind = 'VertexFilter';
  switch (below(random, 8)) {
    case 0: {
      const bytes = Uint8Array.from({ length: below(random, 200) }, () => below(random, 256));
      return { kind, fragment: new TextDecoder(random() < 0.5 ? 'utf-8' : 'latin1').decode(bytes) };
    }
    case 1:
      return {
        kind,
        fragment: `return v => ${Array.from({ length: below(random, 30) }, () => words[below(random, words.length)]).join('')};`,
      };
    case 2:
      return { kind: 'VertexCost', fragment: generator.next() };
    default:
      return mutated(random);
  }
}

it(`takes any text: FRAGMENT_SEED=${seed}`, { timeout: 0, tags: ['long'] }, () => {
  Error.stackTraceLimit = 8;
  const random = randomOf(seed);
  const generator = new FragmentGenerator(random, 'whole');
  const over = corpusGraph(corpusCores[0]);
  const failures: string[] = [];
  let [boundCount, emittedCount] = [0, 0];
  for (let left = texts; left > 0; left--) {
    const { kind, fragment } = anyText(random, generator);
    try {
      const tree = bind(fragment, kind);
      if (tree === null) continue;
      boundCount++;
      const emitted = emitFragment(tree, true);
      const interpreted = interpretedResults(over, tree, 20_000);
      if (!emitted.ok) continue;
      emittedCount++;
      checkModule(emitted.fragment.bytes);
      const compiled = compiledResults(over, tree, 20_000) as string[];
      // The two spend their fuel in different coins, and what is deep or large for one may pass in the other.
      const limited = (text: string | undefined) =>
        text === undefined || /^~?[#!](fuel|depth|memory|OutOfMemory|NotCompiled)|call stack/.test(text);
      if (compiled.some(limited) || interpreted.some(limited)) continue;
      // Hash codes of texts, and of what holds them, mean nothing: C# has others in each process. What else has one is in results.json.
      if (fragment.includes('GetHashCode')) continue;
      expect(compiled).toEqual(interpreted);
    } catch (error) {
      failures.push(
        `${kind} ${JSON.stringify(fragment)}\n${error instanceof Error ? (error.stack ?? error.message) : error}`,
      );
      if (failures.length === 10) break;
    }
  }
  console.log(
    `FRAGMENT_SEED=${seed}: ${texts} texts, ${boundCount} of them fragments, ${emittedCount} compiled to WebAssembly`,
  );
  expect(failures.join('\n\n')).toBe('');
});

describe('bad input', () => {
  const scripts = [
    'имя',
    '名前',
    'ชื่อ',
    'الاسم',
    'שם',
    'όνομα',
    'नाम',
    '이름',
    'ñandú',
    'Ⅷ',
    '𝒳',
    'e\u0301',
    'ﬀ',
    '\u200dx',
  ];

  it.each(scripts)('takes %s as a name, or says why not', (name) => {
    const text = `int ${name} = 1; return v => v.Id == ${name};`;
    const found = compileDiagnostics(text, 'VertexFilter').filter(({ severity }) => severity === 'error');
    const isName =
      /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\p{Cf}]*$/u.test(name) && name.codePointAt(0)! < 0x10000;
    expect(found.length === 0).toBe(isName);
  });

  it('names what is enumerated by hand', () => {
    const text =
      'return v => { var e = Enumerable.Range(0, 4).Select(i => i + 1).GetEnumerator(); throw new Exception("" + e); };';
    const names = interpretedResults(corpusGraph(corpusCores[0]), bind(text, 'VertexFilter') as BoundFragment);
    expect(names[0]).toBe('!Exception: System.Collections.Generic.IEnumerator`1[System.Int32]');
  });

  it('refuses what is too long, and nothing else of that length', () => {
    const long = `return v => true;${' '.repeat(MAX_FRAGMENT_CHARACTERS - 17)}`;
    expect(compileDiagnostics(long, 'VertexFilter')).toEqual([]);
    expect(compileDiagnostics(`${long} `, 'VertexFilter').map(({ id }) => id)).toEqual(['F8LIMIT']);
  });

  const nested: readonly (readonly [open: string, middle: string, close: string])[] = [
    ['(', 'true', ')'],
    ['!', 'true', ''],
    ['{', '', '}'],
    ['v.AnyPropertyValueMatches(s => ', 'true', ')'],
    ['true ? ', 'true : false', ' : false'],
    ['new[] { ', '1', ' }'],
    ['f(', '', ')'],
    ['[', '', ']'],
    ['x => ', '1', ''],
    ['$"{', '1', '}"'],
    ['if (true) ', ';', ''],
    ['-', '1', ''],
    ['v.Label ?? ', '""', ''],
    ['checked(', '1', ')'],
    ['(object)', '1', ''],
    ['a<', 'b', '>'],
    ['1 + ', '1', ''],
    ['v is { Id: ', '1', ' }'],
  ]; // biome-ignore format: a table

  it.each(nested)('ends with %s 10,000 deep', (open, middle, close) => {
    for (const depth of [10, 300, 10_000]) {
      const fill = `${open.repeat(depth)}${middle}${close.repeat(depth)}`;
      for (const text of [
        `return v => ${fill};`,
        `return v => { ${fill} return true; };`,
        `return v => ${open.repeat(depth)}`,
      ]) {
        const tree = bind(text.slice(0, MAX_FRAGMENT_CHARACTERS), 'VertexFilter');
        if (tree === null) continue;
        const emitted = emitFragment(tree, true);
        if (emitted.ok) checkModule(emitted.fragment.bytes);
      }
    }
  });

  it.each(['return v => "abc', 'return v => @"abc', "return v => 'a", 'return v => $"{v.Id', 'return v => $"{', 'return v => """abc', '/* abc', 'return v => (', 'return v => {', 'return v => v.', 'return', '#if X', 'return v => 0x', 'return v => 1e', "return v => '", 'return v => "\\u12', 'return v => v[', 'return v => v switch {', '\0', '\ud800', '// '])('says what is wrong with %j', (text) => {
    const errors = compileDiagnostics(text, 'VertexFilter').filter(({ severity }) => severity === 'error');
    expect(errors.length).toBeGreaterThan(0);
  }); // biome-ignore format: a list

  it.each(['2147483648 == (int)v.Id ? 1 : 2147483648L', '18446744073709551616', '0x10000000000000000', '1e400', '1e400f', '79228162514264337593543950336m', '(byte)256', '-9223372036854775809', "'ab'", '(int)2147483648'])('judges the literal %s', (literal) => {
    const errors = compileDiagnostics(`return v => ${literal};`, 'VertexCost').filter(({ severity }) => severity === 'error');
    expect(errors.length > 0).toBe(!literal.startsWith('2147483648 ==') && literal !== '');
  }); // biome-ignore format: a list

  it.each([
    'return v => { while (true) { } };',
    'return v => { for (;;) ; };',
    'bool f() => f(); return v => f();',
    'int f(int n) => f(n + 1) + 1; return v => f(0) > 0;',
    'return v => { Func<int, int> f = null; f = x => f(x + 1) + 1; return f(0) > 0; };',
    'return v => { var s = "x"; while (true) s += s; };',
    'return v => { var s = "x"; while (true) s = s + "y"; };',
    'return v => { var l = new System.Collections.Generic.List<int>(); while (true) l.Add(1); };',
    'return v => { while (true) { var a = new int[1000000]; } };',
    'return v => new string(\'x\', int.MaxValue).Length > 0;',
    'return v => "x".PadLeft(int.MaxValue).Length > 0;',
    'return v => new int[int.MaxValue].Length > 0;',
    'return v => Enumerable.Range(0, int.MaxValue).Sum(x => (long)x) > 0;',
    'return v => Enumerable.Repeat("x", int.MaxValue).ToArray().Length > 0;',
    'return v => string.Join(",", Enumerable.Repeat("xxxxxxxxxxxxxxxx", 100000000)).Length > 0;',
    'return v => { try { while (true) { } } catch { return true; } finally { while (true) { } } };',
    'return v => { try { int f(int n) => f(n + 1) + 1; return f(0) > 0; } catch (Exception) { return true; } };',
    'while (true) { } return v => true;',
    'return v => Enumerable.Range(0, 100000).OrderBy(x => -x).SelectMany(x => Enumerable.Range(0, 100000)).Count() > 0;',
  ])('%s is stopped', (text) => {
    const over = corpusGraph(corpusCores[0]);
    const tree = bind(text, 'VertexFilter') as BoundFragment;
    expect(interpretedResults(over, tree, 100_000)[0]).toMatch(/^~?(#(fuel|memory|depth)|!OutOfMemoryException|!Overflow)/);
    const compiled = compiledResults(over, tree, 100_000);
    if (Array.isArray(compiled)) expect(compiled[0]).toMatch(/^~?(#fuel|!OutOfMemoryException|!InsufficientExecutionStack)/);
  }); // biome-ignore format: a list
});
