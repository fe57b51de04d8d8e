// A check that cannot fail is a defect: each check of this folder gets a file that it must refuse, beside one it must accept.

import { describe, expect, test } from 'vitest';
import { outputOf } from '../../scripts/check.mjs';
import { arrowProblems } from './arrows.ts';
import { circleProblems } from './circles.ts';
import { coreDialectProblems } from './core-dialect.ts';
import { coreRuleProblems } from './core-rules.ts';
import { unusedExportProblems } from './exports.ts';
import { compilingProblems, globalProblems } from './globals.ts';
import { FUNCTION_LINES, fileLengthProblems, functionLengthProblems } from './lengths.ts';
import { markProblems } from './marks.ts';
import type { ProjectFile } from './project.ts';

const file = (path: string, text: string): ProjectFile => ({ path, text });
const importing = (path: string, name: string): ProjectFile => file(path, `import '${name}';\n`);
const lines = (count: number, body = ''): string => `${body}\n`.repeat(count);

describe('arrows', () => {
  test.each([
    ['src/core/a.ts', '../engine/b.ts'],
    ['src/engine/a.ts', '../http/b.ts'],
    ['src/engine/a.ts', '../queries/b.ts'],
    ['src/fragments/a.ts', '../engine/b.ts'],
    ['src/storage/a.ts', '../core/b.ts'],
    ['src/fragments/binder/a.ts', '../emit/b.ts'],
    ['src/fragments/interpreter/members/a.ts', '../../emit/text/b.ts'],
    ['src/fragments/emit/wasm/a.ts', '../control/b.ts'],
    ['src/fragments/unknown/a.ts', '../binder/b.ts'],
    ['src/config/a.ts', '../telemetry/b.ts'],
    ['src/engine/a.ts', '../../runtime-node/b.ts'],
    ['src/core/a.ts', '../../assembly/memory/layout.ts'],
    ['src/core/a.ts', '../index.ts'],
    ['src/unknown/a.ts', '../core/b.ts'],
    ['src/core/a.ts', 'node:fs'],
    ['src/core/a.ts', 'fs/promises'],
    ['src/http/a.ts', 'pino'],
    ['runtime-node/a.ts', '../test/b.ts'],
    ['runtime-node/a.ts', '../runtime-browser/b.ts'],
    ['runtime-browser/a.ts', 'node:fs'],
    ['runtime-edge/a.ts', 'node:fs'],
    ['assembly/graph/a.ts', '../../src/core/b'],
    ['assembly/graph/a.ts', 'some-package'],
    ['assembly/graph/a.ts', '../index/b'],
    ['assembly/graph/a.ts', '../transaction/b'],
    ['assembly/index/a.ts', '../transaction/b'],
    ['assembly/read/a.ts', '../scan/b'],
    ['assembly/traverse/a.ts', '../fragments/b'],
    ['assembly/memory/a.ts', '../index'],
    ['assembly/unknown/a.ts', '../graph/b'],
    ['test/assembly/a.ts', '../unit/b'],
    ['scripts/a.mjs', '../dist/src/b.js'],
    ['explorer/model/a.ts', '../panels/b.tsx'],
    ['explorer/panels/a.tsx', '../../src/client/b.ts'],
    ['explorer/data/a.ts', '../../src/http/b.ts'],
    ['explorer/model/a.ts', 'preact'],
    ['explorer/unknown/a.ts', '../model/b.ts'],
  ])('%s may not import %s', (path, name) => {
    expect(arrowProblems([importing(path, name)])).toHaveLength(1);
  });

  test.each([
    ['src/http/a.ts', '../engine/b.ts'],
    ['src/http/a.ts', 'itty-router'],
    ['explorer/panels/a.tsx', 'preact/hooks'],
    ['explorer/data/a.ts', '../../src/client/b.ts'],
    ['src/core/a.ts', './b.ts'],
    ['src/fragments/emit/text/a.ts', '../control/b.ts'],
    ['src/fragments/emit/wasm/a.ts', '../../steps.ts'],
    ['src/fragments/compile.ts', './emit/emit.ts'],
    ['src/index.ts', './http/b.ts'],
    ['runtime-node/a.ts', '../src/http/b.ts'],
    ['runtime-node/a.ts', 'node:fs'],
    ['assembly/graph/a.ts', '../memory/layout'],
    ['assembly/graph/a.ts', '../status'],
    ['assembly/transaction/a.ts', '../index/b'],
    ['assembly/index.ts', './analytics/b'],
    ['test/assembly/a.ts', '../../assembly/memory/layout'],
  ])('%s may import %s', (path, name) => {
    expect(arrowProblems([importing(path, name)])).toEqual([]);
  });

  test('re-exports, types and dynamic imports count', () => {
    const texts = [
      `export * from '../http/b.ts';`,
      `import type { B } from '../http/b.ts';`,
      `await import('../http/b.ts');`,
    ];
    for (const text of texts) expect(arrowProblems([file('src/engine/a.ts', text)])).toHaveLength(1);
  });
});

describe('circles', () => {
  const a = file('src/core/a.ts', `import { b } from './b.ts';`);
  const b = file('src/core/b.ts', `import './c.ts';`);

  test('modules that import each other are found, each with its import', () => {
    const back = file('src/core/c.ts', `import type { B } from './b.ts';\nexport { a } from './a.ts';`);
    expect(circleProblems([a, b, back], {})).toEqual([
      'src/core/a.ts:1 is part of a circle of imports (src/core/b.ts)',
      'src/core/b.ts:1 is part of a circle of imports (src/core/c.ts)',
      'src/core/c.ts:2 is part of a circle of imports (src/core/a.ts)',
    ]);
  });

  test('a type leads nowhere', () => {
    const back = file('src/core/c.ts', `import type { A } from './a.ts';\nimport { type A } from './a.ts';`);
    expect(circleProblems([a, b, back], {})).toEqual([]);
  });

  test('an exception holds within its folder, for functions that call each other, and must be needed', () => {
    const calling = (path: string, name: string, called: string, from: string): ProjectFile =>
      file(path, `import { ${called} } from '${from}';\nexport const ${name} = () => ${called}();\n`);
    const first = calling('src/core/a.ts', 'a', 'b', './b.ts');
    const second = calling('src/core/b.ts', 'b', 'a', './a.ts');
    const exception = { 'src/core': 'recursion' };
    expect(circleProblems([first, second], exception)).toEqual([]);
    // It lends a constant, and has no part in what is recursive.
    const lending = file(
      'src/core/b.ts',
      `import { a } from './a.ts';\nexport const b = 1;\nexport const c = () => a();`,
    );
    expect(circleProblems([first, lending], exception)).toEqual([
      'src/core/a.ts is in a circle of imports and has no function that is called in one',
      'src/core/b.ts is in a circle of imports and has no function that is called in one',
    ]);
    const outside = calling('src/engine/b.ts', 'b', 'a', '../core/a.ts');
    expect(circleProblems([calling('src/core/a.ts', 'a', 'b', '../engine/b.ts'), outside], exception)).toHaveLength(3);
    expect(circleProblems([a, b], exception)).toHaveLength(1);
  });
});

describe('lengths', () => {
  test('a file at its limit passes and one line more does not', () => {
    expect(fileLengthProblems([file('src/a.ts', lines(400)), file('assembly/a.ts', lines(700))], [])).toEqual([]);
    expect(fileLengthProblems([file('src/a.ts', lines(401))], [])).toHaveLength(1);
    expect(fileLengthProblems([file('assembly/a.ts', lines(701))], [])).toHaveLength(1);
  });

  test('an exception lifts the limit, and must be needed', () => {
    const exceptions = [{ path: 'src/a.ts', lines: 450, why: 'one table' }];
    expect(fileLengthProblems([file('src/a.ts', lines(450))], exceptions)).toEqual([]);
    expect(fileLengthProblems([file('src/a.ts', lines(451))], exceptions)).toHaveLength(1);
    expect(fileLengthProblems([file('src/a.ts', lines(400))], exceptions)).toHaveLength(1);
    expect(fileLengthProblems([], exceptions)).toHaveLength(1);
  });

  test.each([
    ['src/a.ts', 'function f(): { a: number } {', '}'],
    ['src/a.ts', 'const f = async (): Promise<void> => {', '};'],
    ['src/a.ts', 'class A {\n  private f(): void {', '}}'],
    ['assembly/a.ts', '@inline export function f(p: usize): u32 {', 'return <u32>p; }'],
  ])('in %s a long function is found: %s', (path, head, tail) => {
    const inner = FUNCTION_LINES - 2;
    expect(functionLengthProblems([file(path, `${head}\n${lines(inner, 'a();')}${tail}\n`)])).toEqual([]);
    expect(functionLengthProblems([file(path, `${head}\n${lines(inner + 1, 'a();')}${tail}\n`)])).toHaveLength(1);
  });
});

describe('globals', () => {
  test.each([
    'process.exit(1);',
    'const a = Buffer.from([]);',
    'globalThis.process;',
    'f(__dirname);',
    'window.alert();',
  ])('%s is found', (text) => expect(globalProblems([file('src/a.ts', text)])).toHaveLength(1));

  test('a property of that name is none', () => {
    const text = 'const a = { process: 1, global() {} };\na.process;\ninterface B { document: string }\n';
    expect(globalProblems([file('src/a.ts', text)])).toEqual([]);
  });
});

describe('compiling', () => {
  const text = 'new WebAssembly.Module(bytes);\nWebAssembly.instantiate(bytes);\nWebAssembly.Module.imports(m);\n';

  test('is found everywhere but in its place', () => {
    expect(compilingProblems([file('src/core/a.ts', text)])).toHaveLength(2);
    expect(compilingProblems([file('src/core/compile-module.ts', text)])).toEqual([]);
  });
});

describe('exports', () => {
  const module = file('src/core/a.ts', 'export const used = 1;\nexport function unused(): void {}\n');

  test('an unused export is found', () => {
    const user = file('src/core/b.ts', `import { used } from './a.ts';\nused;\n`);
    expect(unusedExportProblems([module, user], [], [])).toEqual([
      'src/core/a.ts:2 exports unused, which no module imports',
    ]);
  });

  test('tools count as users; namespace and dynamic imports use everything', () => {
    for (const text of [`import * as a from '../src/core/a.ts';`, `await import('../src/core/a.ts');`]) {
      expect(unusedExportProblems([module], [file('benchmarks/b.ts', text)], [])).toEqual([]);
    }
  });

  test('a test is no user, unless the export says so', () => {
    const user = file('test/unit/b.test.ts', `import { a } from '../../src/a.ts';`);
    expect(unusedExportProblems([file('src/a.ts', 'export const a = 1;')], [], [user])).toHaveLength(1);
    const marked = file('src/a.ts', '/** Reads it. @testonly */\nexport const a = 1;');
    expect(unusedExportProblems([marked], [], [user])).toEqual([]);
    expect(unusedExportProblems([marked], [], [])).toHaveLength(1);
    // Nor may it say so when it is used: the mark would be kept when the user goes.
    const used = file('src/b.ts', `import { a } from './a.ts';`);
    expect(unusedExportProblems([marked, used], [], [user])).toHaveLength(1);
  });

  test('a type of a signature may be exported, an unreferenced one may not', () => {
    const user = file('src/core/b.ts', `import { f } from './a.ts';`);
    const text = 'export interface Options {\n  a: number;\n}\nexport function f(options: Options): void {}\n';
    expect(unusedExportProblems([file('src/core/a.ts', text), user], [], [])).toEqual([]);
    const lonely = file('src/core/c.ts', 'export type Lonely = 1;');
    expect(unusedExportProblems([lonely], [], [])).toHaveLength(1);
  });
});

describe('rules of the core', () => {
  test.each([
    'export function f(): void { for (;;) { break; } }',
    'export function f(): void { for (let i = 0; ; i++) { break; } }',
    'export function f(): void { atomic.fence(); }',
    'export function f(): void { g(check(true, 1)); }',
    'export function f(): void {} ',
    `// ${'-'.repeat(140)}`,
  ])('%s is found', (text) => {
    expect(coreRuleProblems([file('assembly/a.ts', text)])).toHaveLength(1);
  });

  test('loops with a condition and checks as statements pass', () => {
    const text =
      '@inline function f(n: u32): void {\n  for (let i: u32 = 0; i < n; i++) check(i != 7, 1);\n  while (true) break;\n}\n';
    expect(coreRuleProblems([file('assembly/a.ts', text)])).toEqual([]);
  });
});

describe('the dialect of the core', () => {
  const mark = '// @ts-ignore: decorator\n';
  test.each([
    'export function f(): u32 { let a = g(); return a; }',
    `${mark}@inline export function f(): void {}`,
    '@inline\nexport function f(): void {}',
    "import { b } from './b';\nimport { a } from '../a';\na(b);",
    "import { b, a } from './b';\na(b);",
    "import { a } from './b';\nimport { b } from './b';\na(b);",
    "import { a } from './b'; // a",
  ])('%s is found', (text) => {
    expect(coreDialectProblems([file('assembly/a.ts', text)])).toHaveLength(1);
  });

  test('what changes, and what is written in the one way, passes', () => {
    const text = `import { a } from '../a';\nimport { b } from './b';\nlet kept = 0;\n${mark}@inline\nfunction f(): void {
  let i = 0;\n  while (i < a) i++;\n  for (let k = 0; k < i; k++) kept = b;\n}\n`;
    expect(coreDialectProblems([file('assembly/a.ts', text)])).toEqual([]);
  });
});

describe('marks', () => {
  test.each(['TO_DO: later', 'FIX_ME', 'see /wo_rk/main/a', "'/tm_p/a.log'", '"reso_lved": "x"'])(
    '%s is found',
    (text) => {
      expect(markProblems([file('docs/a.md', text.replace('_', ''))])).toHaveLength(1);
    },
  );

  test('a route, a sentence and a relative path pass', () => {
    const text = 'GET /ns/work/vertex\nwork/home/a\na)/home/b\nlet todos = 1;\n';
    expect(markProblems([file('docs/a.md', text)])).toEqual([]);
  });
});

test('a failing formatter, linter or compiler is a failing check', () => {
  expect(outputOf(['', 'node_modules/@biomejs/biome/bin/biome', ['check', 'no-such-file.ts']])).not.toBe('');
  expect(outputOf(['', 'node_modules/typescript/bin/tsc', ['-p', 'no-such-config.json']])).not.toBe('');
});
