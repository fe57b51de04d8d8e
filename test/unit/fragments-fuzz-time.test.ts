// A search for the fragment that takes longest to compile: texts of the corpus and of this file are mutated, and those that take the most steps
// are mutated further. Whatever it finds ends within the steps that a compilation has, and what is over them is refused with F8LIMIT. The seed
// and the time of the worst are printed; FRAGMENT_SEED repeats a run, COMPILE_TEXTS says how long it is, and with COMPILE_CLOCK=1 the search goes
// after time of the processor instead of steps (`npm run soak:fuzz`), which shows what is counted too low: the worst it finds takes less than 50 ms.

// @module-tag long

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { bindFragment } from '../../src/fragments/compile.ts';
import { emitFragment } from '../../src/fragments/emit/emit.ts';
import { MAX_FRAGMENT_CHARACTERS, MAX_STEPS } from '../../src/fragments/limits.ts';
import { stepsTaken } from '../../src/fragments/steps.ts';
import type { DelegateKind } from '../../src/fragments/tree.ts';
import { randomOf } from './support/fragment-generator.ts';

const seed = Number(process.env.FRAGMENT_SEED ?? Math.floor(Math.random() * 2 ** 32));
const texts = Number(process.env.COMPILE_TEXTS ?? 400);
const byClock = process.env.COMPILE_CLOCK === '1';
/** Ends a search whose texts would take longer. */
const seconds = Number(process.env.COMPILE_SECONDS ?? Infinity);
const random = randomOf(seed);
const below = (bound: number): number => Math.floor(random() * bound);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

/** What MAX_STEPS is chosen for, and how often the slowest texts of a search by the clock are compiled again: the least counts. */
const longestMs = 50;
const times = 30;

/** Texts that are mutated further at most, and the characters of one. */
const mostKept = 40;
const mostCharacters = texts > 10_000 ? MAX_FRAGMENT_CHARACTERS : 8_000;

/** What grows when it is repeated or put into itself. */
const growing: readonly string[] = [
  'var t0 = (1, 2); var t1 = (t0, t0); var t2 = (t1, t1); return v => t2.Item1.Item1.Item1 == 1;',
  '(T, T) D<T>(T x) => (x, x); return v => D(D(1)).Item1.Item1 == 1;',
  'int F<T>(T x, int n) => n == 0 ? 0 : F((x, x), n - 1); return v => F(1, 3) == 0;',
  'return v => v.Id switch { >= 1 and <= 3 => true, > 5 or < -4 => false, 7 when v.Label == "a" => true, _ => false };',
  'return v => (v.Id, v.Label) switch { (> 1, "a") => true, (_, "b") => false, (< 7, _) => true, _ => false };',
  'return v => { switch (v.Id) { case 1: goto case 2; case 2: return true; default: goto case 1; } };',
  'const string a = "xy"; const string b = a + a; const string c = $"{b}{b}"; return v => v.Label == c;',
  'return v => Enumerable.Range(0, 3).Select(x => x + 1).Where(x => x > 1).GroupBy(x => x).OrderBy(g => g.Key).Any(g => g.Count() > 1);',
  'return v => { int a = 1, b; if (v.Id == a) b = 1; else if (v.Id == 2) b = 2; else b = 3; return b > a; };',
  'return v => { try { return true; } catch (Exception e) when (e.Message == "a") { } finally { } return false; };',
  'return v => { l: if (v.Id == 1) goto l; foreach (var x in v.OutEdges) { for (int i = 0; i < 3; i++) { } } return true; };',
  'int f(int x, int y = 2) => x == 0 ? y : g(x - 1); int g(int x) => f(x - 1, y: x); return v => f(3) == 1;',
  'return v => new[] { 1, 2, 3 } is [1, .., var last] && last is > 1 and not 7 || v is { Label: { Length: > 1 }, Id: 3 };',
  'Func<int, Func<int, int>> f = a => b => a + b; return v => f(1)(2) == 3 && new[] { 1 }.Sum(x => new[] { 2 }.Max(y => x * y)) > 1;',
  'return v => new { A = 1, B = (v.Id, "a") }.B.Item1.ToString("N2").PadLeft(3)[1..^1] == $"{v.Id,5:X4}" + v.Label ?? "a";',
  'decimal d = 1.5m; int? n = null; return v => (n ?? v.Id) * d + (n + 1 ?? 2) > 1m && DateTime.UnixEpoch.AddDays(v.Id).Year > 1970;',
]; // biome-ignore format: a list

const corpus: readonly { kind: DelegateKind; fragment: string }[] = [
  ...JSON.parse(readFileSync(at('test/fixtures/fragments/results.json'), 'utf8')),
  ...growing.map((fragment) => ({ kind: 'VertexFilter', fragment })),
];

interface Text {
  readonly kind: DelegateKind;
  readonly fragment: string;
  readonly fitness: number;
  readonly steps: number;
  /** Of the processor: other programs may take it away for most of the time. */
  readonly ms: number;
}

function measured(kind: DelegateKind, fragment: string): Text {
  const ids: string[] = [];
  const began = process.cpuUsage();
  const tree = bindFragment(fragment, kind, { report: ({ id }) => ids.push(id) });
  let steps = stepsTaken();
  if (tree !== null) {
    const emitted = emitFragment(tree, true);
    steps += stepsTaken();
    if (emitted.ok) expect(WebAssembly.validate(emitted.fragment.bytes)).toBe(true);
  }
  const { user, system } = process.cpuUsage(began);
  const ms = (user + system) / 1000;
  expect(steps).toBeLessThanOrEqual(MAX_STEPS);
  if (tree === null && steps === MAX_STEPS) expect(ids).toEqual(['F8LIMIT']);
  return { kind, fragment, fitness: byClock ? ms : steps, steps, ms };
}

const tokens = (text: string): string[] => text.match(/"[^"]*"|'[^']*'|\w+|\s+|=>|\?\?|&&|\|\||./gsu) ?? [];

/** Copies, repetitions and foreign pieces; names that are declared are numbered anew in each copy. */
function mutated({ kind, fragment }: Text): { kind: DelegateKind; fragment: string } {
  const parts = tokens(fragment);
  const from = below(parts.length);
  const piece = parts.slice(from, from + 1 + below(below(4) === 0 ? parts.length : 24));
  const text = piece.join('');
  const wanted = 2 ** below(texts > 10_000 ? 11 : 7);
  // Text that would be cut off again is not made: strings of megabytes keep the collector busy while the next text is measured.
  const many = Math.min(wanted, Math.ceil(mostCharacters / Math.max(1, text.length)));
  const renamed = (copy: number): string =>
    text.replace(/\b([a-z]|[a-z]\d+)\b/g, (name) => (name === 'v' ? name : `${name}${copy}`));
  switch (below(7)) {
    case 0:
      parts.splice(from, piece.length, ...Array.from({ length: many }, () => text));
      break;
    case 1:
      parts.splice(from, piece.length, ...Array.from({ length: many }, (_, copy) => renamed(copy)));
      break;
    case 2: {
      // Into itself: what stands around a place, again around that place.
      const end = Math.min(parts.length, from + piece.length);
      const middle = from + below(end - from + 1);
      const [open, close] = [parts.slice(from, middle).join(''), parts.slice(middle, end).join('')];
      parts.splice(from, end - from, open.repeat(many), close.repeat(many));
      break;
    }
    case 3: {
      const other = tokens(pick(corpus).fragment);
      const place = below(other.length);
      parts.splice(from, below(3), ...other.slice(place, place + 1 + below(30)));
      break;
    }
    case 4:
      parts.splice(from, piece.length);
      break;
    case 5:
      parts.splice(below(parts.length), 0, text);
      break;
    default:
      // Whole declarations before the return.
      parts.unshift(...Array.from({ length: many }, (_, copy) => `${renamed(copy)} `));
  }
  return { kind, fragment: parts.join('').slice(0, mostCharacters) };
}

it(`ends within its steps whatever is compiled: FRAGMENT_SEED=${seed}`, { timeout: 0 }, () => {
  let kept: Text[] = growing.map((fragment) => measured('VertexFilter', fragment));
  let slowest = kept[0] as Text;
  const ends = performance.now() + 1000 * seconds;
  for (let left = texts; left > 0 && performance.now() < ends; left--) {
    const parent = random() < 0.2 ? { ...(kept[0] as Text), ...pick(corpus) } : pick(kept);
    const { kind, fragment } = mutated(parent);
    let child = measured(kind, fragment);
    // Again, the least counts: a time may have paid for the engine's own compiler, or for other programs.
    for (let more = 0; more < 3 && child.ms > slowest.ms; more++) {
      const again = measured(kind, fragment);
      if (again.ms < child.ms) child = again;
    }
    if (child.ms > slowest.ms) slowest = child;
    // What is as long but says no more takes no room: one text of each number of steps.
    if (kept.some(({ steps }) => steps === child.steps)) continue;
    kept.push(child);
    kept.sort((one, other) => other.fitness - one.fitness);
    // The best, and some of the rest, from which there may be a way on.
    if (kept.length > mostKept)
      kept = kept.filter((_, index) => index < mostKept / 2 || random() < 0.7).slice(0, mostKept);
  }
  const best = kept[0] as Text;
  const shown = ({ fragment, steps, ms }: Text): string =>
    `${steps} of ${MAX_STEPS} steps, ${ms.toFixed(1)} ms, ${fragment.length} characters: ${JSON.stringify(fragment.slice(0, 300))}`;
  console.log(`FRAGMENT_SEED=${seed}, ${texts} texts\nmost: ${shown(best)}\nslowest: ${shown(slowest)}`);
  if (process.env.COMPILE_SHOW) console.log(slowest.fragment);
  if (!byClock) return;
  const clocked = ({ kind, fragment }: Text): number => {
    const began = performance.now();
    measured(kind, fragment);
    return performance.now() - began;
  };
  const leastOf = (text: Text): number => Math.min(...Array.from({ length: times }, () => clocked(text)));
  const again = [...kept, slowest].map((text) => ({ ...text, ms: leastOf(text) })).sort((a, b) => b.ms - a.ms);
  const worst = again[0] as Text;
  console.log(`again, the least of ${times}: ${shown(worst)}`);
  expect(worst.ms, `${worst.kind}: ${worst.fragment}`).toBeLessThan(longestMs);
});
