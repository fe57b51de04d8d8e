// The library of fragments: every declared member has an implementation, and thousands of calls answer what the .NET runtime
// (Core 3.1, invariant culture) answered to the same calls. The answers lie in a fixture; no .NET is needed to run this.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readDeclarations } from '../../src/fragments/binder/reader.ts';
import type { TypeSymbol } from '../../src/fragments/binder/symbols.ts';
import { memberEmitters } from '../../src/fragments/emit/control/calls.ts';
import { memberImplementation } from '../../src/fragments/interpreter/members/index.ts';
import { LIBRARY, PLUGIN_LIBRARY } from '../../src/fragments/library/index.ts';
import { replay } from './support/fragment-library.ts';

const OPERATORS = [
  'Equality', 'Inequality', 'Addition', 'Subtraction', 'Multiply', 'Division', 'Modulus', 'LessThan', 'GreaterThan',
  'LessThanOrEqual', 'GreaterThanOrEqual', 'UnaryNegation', 'UnaryPlus', 'Increment', 'Decrement', 'Implicit', 'Explicit',
].map((name) => `op_${name}`); // biome-ignore format: a table

function keysOf(type: TypeSymbol): string[] {
  const names = [...type.memberNames()].filter((name) => name !== 'operator');
  return [...names, ...OPERATORS].flatMap((name) =>
    type.membersNamed(name).flatMap((member) => {
      if (member.refused) return [];
      if (member.kind === 'method') return [member.key];
      if (member.kind === 'property') return [member.getKey, member.setKey].filter((key) => key !== null);
      return member.constant === null ? [member.key] : [];
    }),
  );
}

const declared = (library: typeof LIBRARY): string[] =>
  readDeclarations(library)
    .filter((type) => !type.refused && type.shape !== 'enum' && type.shape !== 'delegate')
    .flatMap(keysOf);
const keys = declared(LIBRARY);

test('every declared member is implemented, under one key each', () => {
  expect(keys.length).toBeGreaterThan(1900);
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(() => memberImplementation(key)).not.toThrow();
  expect(() => memberImplementation('String.NoSuchMember()')).toThrow('String.NoSuchMember()');
});

/** What the host reads itself, or only the emitter and the interpreter's own calls know. */
const ofHost = /^(?:PluginCall|Workspace|BudgetGuard)\./;

test('every member that plugins have beside those is implemented, under one key each', () => {
  const known = new Set(keys);
  const more = declared(PLUGIN_LIBRARY).filter((key) => !known.has(key));
  expect(more.length).toBeGreaterThan(200);
  expect(new Set(more).size).toBe(more.length);
  const missing = more.filter((key) => {
    try {
      memberImplementation(key);
      return false;
    } catch {
      return !ofHost.test(key);
    }
  });
  expect(missing).toEqual([]);
});

test('every member that is compiled is one that is there, under one key each', () => {
  const compiled = memberEmitters.map(([key]) => key);
  expect(compiled.filter((key, at) => compiled.indexOf(key) !== at)).toEqual([]);
  // Some are not declared: the binder makes calls of them.
  for (const key of compiled) expect(() => memberImplementation(key)).not.toThrow();
});

const lines = readFileSync(new URL('../fixtures/fragments/library.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n');

test(`${lines.length} calls answer as the .NET runtime did`, () => {
  expect(lines.length).toBeGreaterThan(4000);
  const wrong = lines.map(replay).filter(({ expected, actual }) => expected !== actual);
  expect(wrong).toEqual([]);
});

test('a wrong answer would be seen', () => {
  const { expected, actual } = replay('Int32.ToString()\ti:7\t=>\ts:8');
  expect(actual).not.toBe(expected);
});
