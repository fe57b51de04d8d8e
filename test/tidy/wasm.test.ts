// The promises of the built modules: the check refuses every module that breaks one, and the debug-only checks of the core
// exist in debug builds alone.

import { readFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';
import { describe, expect, test } from 'vitest';
import { inspectModule, problemsOf } from '../../scripts/check-wasm.mjs';
import { at, listFiles } from '../../scripts/lib/freshness.mjs';

const options = [
  '-O1',
  '--runtime',
  'stub',
  '--importMemory',
  '--noExportMemory',
  '--initialMemory',
  '1',
  '--use',
  'abort=',
];
const shared = ['--enable', 'threads', '--sharedMemory', '--maximumMemory', '65536'];

async function problemsOfSource(source: string, flags: string[], variant: 'shared' | 'plain', debug = false) {
  let bytes = new Uint8Array();
  const { error, stderr } = await asc.main(['a.ts', '-o', 'a.wasm', ...options, ...flags], {
    readFile: (name) => (name === 'a.ts' ? source : null),
    writeFile: (_name, content) => {
      bytes = content as Uint8Array<ArrayBuffer>;
    },
    listFiles: () => [],
  });
  expect(error, String(stderr)).toBeNull();
  return problemsOf(bytes, { variant, debug });
}

const clean = 'export function f(p: usize): u32 { return load<u32>(p); }';

describe('the check of built modules', () => {
  test('accepts a clean module of both variants', async () => {
    expect(await problemsOfSource(clean, shared, 'shared')).toEqual([]);
    expect(await problemsOfSource(clean, [], 'plain')).toEqual([]);
  });

  test.each([
    ['a string literal', 'export function f(): usize { return changetype<usize>("text"); }', /data section/],
    [
      'a start function',
      'let x = g(); @inline function h(): i32 { return load<i32>(0); } function g(): i32 { return h(); } export function f(): i32 { return x; }',
      /start function/,
    ],
    [
      'a function value',
      'function g(): i32 { return 1; } export function f(): i32 { return load<() => i32>(changetype<usize>(g))(); }',
      /element section/,
    ],
    [
      'a foreign import',
      '@external("env", "now") declare function now(): f64; export function f(): f64 { return now(); }',
      /env\.now/,
    ],
    [
      'the abort hook in a release build',
      '@external("env", "abort") declare function hook(code: i32): void; export function f(): void { hook(1); }',
      /env\.abort/,
    ],
  ])('refuses %s', async (_name, source, message) => {
    const problems = await problemsOfSource(source, shared, 'shared');
    expect(problems.join('\n')).toMatch(message);
  });

  test('refuses the wrong memory', async () => {
    expect(await problemsOfSource(clean, shared, 'plain')).toHaveLength(1);
    expect(await problemsOfSource(clean, [], 'shared')).toHaveLength(1);
    expect(await problemsOfSource(clean, ['--initialMemory', '2'], 'plain')).toHaveLength(1);
    expect(await problemsOfSource(clean, ['--maximumMemory', '99'], 'plain')).toHaveLength(1);
  });

  test('refuses what is not a module or is cut short anywhere', async () => {
    const bytes = readFileSync(at('dist/wasm/core.shared.wasm'));
    for (let length = 0; length < Math.min(bytes.length, 64); length++) {
      // A cut between two sections leaves a readable module; only the code validation can tell then.
      const problems = await problemsOf(bytes.subarray(0, length), { variant: 'shared', debug: false });
      if (length < 8) expect(problems, `${length} bytes`).not.toEqual([]);
    }
    expect(() => inspectModule(bytes.subarray(0, 10))).toThrow('cut short');
  });

  test('accepts every module of the build', async () => {
    const files = listFiles(['dist/wasm'], (path) => path.endsWith('.wasm'));
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const path of files) {
      const variant = path.includes('machine.') ? 'machine' : path.includes('core.plain') ? 'plain' : 'shared';
      const debug = path.includes('/debug/') || path.endsWith('.debug.wasm');
      expect(await problemsOf(readFileSync(at(path)), { variant, debug }), path).toEqual([]);
    }
  });
});

describe('checks of the core', () => {
  const load = (name: string) => new WebAssembly.Module(readFileSync(at(`dist/wasm/test/${name}.wasm`)));
  const memory = new WebAssembly.Memory({ initial: 65536, maximum: 65536, shared: true });

  test('leave nothing in a release build', () => {
    const module = load('canary-check');
    expect(WebAssembly.Module.imports(module)).toEqual([]);
    const { checked } = new WebAssembly.Instance(module).exports as { checked: (address: number) => number };
    // Far outside any memory: a load that stayed would trap (or the module would import a memory for it).
    expect(checked(-8)).toBe(1);
  });

  test('call the hook with their code in a debug build', () => {
    const abort = (code: number): never => {
      throw new Error(`check ${code}`);
    };
    const { checked } = new WebAssembly.Instance(load('canary-check.debug'), { env: { memory, abort } }).exports as {
      checked: (address: number) => number;
    };
    expect(checked(1024)).toBe(1);
    new Uint32Array(memory.buffer)[1028 / 4] = 7;
    expect(() => checked(1024)).toThrow('check 42');
    new Uint32Array(memory.buffer)[1028 / 4] = 8;
    expect(() => checked(1024)).toThrow('check 43');
  });
});
