// Syntax errors: ids and places against those of a real C# compiler (`source` is `compiler`; what is newer than that
// compiler, or refused by design, is worked out from the language specification), and texts that nobody would write.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../src/fragments/diagnostics.ts';
import { parseFragment } from '../../src/fragments/parser/parser.ts';
import { LineMap } from '../../src/fragments/positions.ts';

interface BrokenFragment {
  readonly text: string;
  readonly source: 'compiler' | 'specification';
  /** `id line:column-endLine:endColumn`, in any order. */
  readonly diagnostics: readonly string[];
}

const BROKEN: BrokenFragment[] = JSON.parse(
  readFileSync(new URL('../fixtures/fragments/syntax-errors.json', import.meta.url), 'utf8'),
);

function diagnosticsOf(text: string): string[] {
  const lines = new LineMap(text);
  const said: string[] = [];
  const report = ({ id, start, end }: Diagnostic) => {
    const { line, column, endLine, endColumn } = lines.span(start, end);
    said.push(`${id} ${line}:${column}-${endLine}:${endColumn}`);
  };
  parseFragment(text, { report });
  return said;
}

describe('broken fragments', () => {
  it.each(BROKEN)('$source: $text', ({ text, diagnostics }) => {
    expect(diagnosticsOf(text).sort()).toEqual([...diagnostics].sort());
  });
});

/** A small generator of numbers that a seed repeats. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

const SOUP = (
  '( ) [ ] { } < > , ; : ? . => = + - ! & | && || ?? ?. .. is as not and or when switch case default new int string var x y ' +
  '1 2.5 "s" \'c\' $"{ }" $" $""" """ @" $$""" if else for foreach in while do return throw try catch finally static const ' +
  'out ref typeof nameof checked yield lock class from // /* */ # \\u0041 @ 0x _ >> >= <<= :: ^1 delegate stackalloc async'
).split(' ');

const SEEDS_OF_MUTATION = [
  'return (v) => v.Label == "person" && v.TryGetProperty<int>(out var age, "age") && age > 30;',
  'return v => { foreach (var (k, es) in v.OutEdges) { for (int i = 0, j = 1; i < es.Count; i++) s += i; } return true; };',
  'return e => e.Label switch { "a" or "b" => 1.0, { Length: > 3 } s when s.Length > 1 => 4, _ => double.MaxValue };',
  'int F(int a, int b = 3) => a + b; (int a, string b) t = (1, "x"); var (c, (d, _)) = t; return v => F(v.Id) > 3;',
  'return v => $"{v.Id,5:N2}a{{b}}{(v.Id > 3 ? "x" : $"y{1}")}" == @"a""b" + $$"""a{{v}}b""";',
];

function anyText(next: (below: number) => number): string {
  let text = '';
  switch (next(3)) {
    case 0:
      for (let left = next(40); left >= 0; left--) text += SOUP[next(SOUP.length)] + (next(3) > 0 ? ' ' : '');
      return text;
    case 1:
      for (let left = next(60); left >= 0; left--) text += String.fromCharCode(next(4) > 0 ? next(128) : next(65536));
      return text;
    default:
      text = SEEDS_OF_MUTATION[next(SEEDS_OF_MUTATION.length)]!;
      for (let left = next(5); left >= 0; left--) {
        const from = next(text.length + 1);
        const to = Math.min(text.length, from + next(8));
        text = text.slice(0, from) + (next(2) > 0 ? SOUP[next(SOUP.length)] : '') + text.slice(next(2) > 0 ? from : to);
      }
      return text;
  }
}

/** The first node that does not lie inside the one around it, by its path; empty when all do. */
function strayNode(value: unknown, start: number, end: number, path = 'fragment'): string {
  if (typeof value !== 'object' || value === null) return '';
  const node = value as { start?: number; end?: number };
  let [from, to] = [start, end];
  if (node.start !== undefined && node.end !== undefined) {
    if (node.start < start || node.end > end || node.start > node.end) return path;
    [from, to] = [node.start, node.end];
  }
  for (const [key, child] of Object.entries(value)) {
    const stray = strayNode(child, from, to, `${path}.${key}`);
    if (stray !== '') return stray;
  }
  return '';
}

describe('any text at all', () => {
  it('is parsed without a throw, with spans that nest', () => {
    const next = random(20);
    for (let left = 4_000; left > 0; left--) {
      const text = anyText(next);
      const diagnostics: Diagnostic[] = [];
      const fragment = parseFragment(text, { report: (diagnostic) => diagnostics.push(diagnostic) });
      expect(strayNode(fragment, 0, text.length), text).toBe('');
      const outside = diagnostics.filter(({ start, end }) => start < 0 || end < start || end > text.length);
      expect(outside, text).toEqual([]);
    }
  });

  it('may be as long as a fragment can be', { tags: ['long'] }, () => {
    for (const unit of [
      ...SOUP,
      'a<',
      'a?',
      '\0',
      '\ud800',
      'a::',
      'int F(int a) => ',
      '[A]',
      'x => ',
      'else if (x) ',
    ]) {
      const text = unit.repeat(Math.ceil(100_000 / unit.length)).slice(0, 100_000);
      expect(() => parseFragment(text, { report: () => {} })).not.toThrow();
    }
  });
});
