// Misspelt names: the message ends with the one that was most probably meant, and with nothing where none resembles it.

import { expect, test } from 'vitest';
import { compileDiagnostics } from '../../src/fragments/compile.ts';

const messageOf = (text: string): string =>
  compileDiagnostics(text, 'VertexFilter').find(({ severity }) => severity === 'error')?.message ?? '';

test.each([
  ['return v => v.Lable == "person";', "Did you mean 'Label'?"],
  ['return v => Math.Sqtr(4) > 1;', "Did you mean 'Sqrt'?"],
  ['return v => v.Label.Contian("x");', "Did you mean 'Contains'?"],
  ['int limit = 3; return v => limt > 2;', "Did you mean 'limit'?"],
  ['return vertex => vertx.Id > 2;', "Did you mean 'vertex'?"],
  ['return v => v.Hieght > 1;', `A property is read with 'TryGetProperty(out T value, "Hieght")'.`],
  ['v => true', "It ends with 'return x => …;'."],
  ['return v => DateTme.Now > DateTime.MinValue;', "Did you mean 'DateTime'?"],
])('%s', (text, sentence) => {
  expect(messageOf(text)).toMatch(/^.+$/);
  expect(messageOf(text).endsWith(` ${sentence}`)).toBe(true);
});

test.each(['return v => v.Qwertz;', 'return v => xyzzy(v);'])('%s', (text) => {
  expect(messageOf(text)).not.toBe('');
  expect(messageOf(text)).not.toContain('Did you mean');
});

test('only some of many are looked after', () => {
  const diagnostics = compileDiagnostics(
    `return v => ${Array.from({ length: 40 }, (_, i) => `v.Labe${i}`).join(' == ')};`,
    'VertexFilter',
  );
  const answered = diagnostics.filter(({ message }) => message.includes('Did you mean'));
  expect(diagnostics.length).toBeGreaterThan(20);
  expect(answered.length).toBeGreaterThan(0);
  expect(answered.length).toBeLessThanOrEqual(10);
});
