// A matcher of its own for what the linear-time matcher has no exact form of: `\b` and `\B` beyond ASCII, and `$` before a last newline.
// It walks the text once with all states of the expression abreast, in the order of their priority, so its time is the product of both
// lengths whatever the expression. Slower than the other one by a factor; only texts that need it come here.

import { bothCases, type CodePoints, complement, shorthand, union } from './code-points.ts';
import { ExpressionRefused, type Node } from './nodes.ts';

/** Most states. */
const mostStates = 100_000;

const opSet = 0;
const opSplit = 1;
const opAssert = 2;
const opMatch = 3;

type Anchor = (Node & { kind: 'anchor' })['at'];
type Test = (code: number) => boolean;

interface Program {
  readonly op: number[];
  /** Of a split the state that comes first, of all others the next one. */
  readonly next: number[];
  /** Of a split the state that comes second. */
  readonly other: number[];
  readonly test: (Test | null)[];
  readonly anchor: (Anchor | null)[];
}

/** Start and end of every match in a text, in UTF-16 units. */
export type MatchesOf = (text: string) => readonly (readonly [start: number, end: number])[];

/** Throws ExpressionRefused for an expression of too many states. */
export function machineOf(node: Node): MatchesOf {
  checkSize(node);
  const program: Program = { op: [], next: [], other: [], test: [], anchor: [] };
  const match = emit(program, opMatch);
  const start = build(program, node, match);
  const marks = new Int32Array(program.op.length).fill(-1);
  return (text) => allMatches(new Walk(program, start, marks, text));
}

/** Throws ExpressionRefused for an expression of more states than any matcher should be asked to hold. */
export function checkSize(node: Node): void {
  if (sizeOf(node) > mostStates) throw new ExpressionRefused('The expression is too large with its repetitions.');
}

function sizeOf(node: Node): number {
  switch (node.kind) {
    case 'sequence':
    case 'choice':
      return node.parts.reduce((sum, part) => sum + sizeOf(part) + 1, 1);
    case 'repeat':
      return (sizeOf(node.part) + 1) * Math.max(1, Number.isFinite(node.most) ? node.most : node.least + 1);
    default:
      return 1;
  }
}

function emit(program: Program, op: number, next = -1, other = -1): number {
  program.test.push(null);
  program.anchor.push(null);
  program.next.push(next);
  program.other.push(other);
  return program.op.push(op) - 1;
}

/** The states of a node that goes on to `next`; the first of them. Built from behind. */
function build(program: Program, node: Node, next: number): number {
  switch (node.kind) {
    case 'character':
    case 'set':
    case 'any': {
      const state = emit(program, opSet, next);
      program.test[state] = testOf(node);
      return state;
    }
    case 'anchor': {
      const state = emit(program, opAssert, next);
      program.anchor[state] = node.at;
      return state;
    }
    case 'sequence':
      return node.parts.reduceRight((after, part) => build(program, part, after), next);
    case 'choice':
      return node.parts
        .map((part) => build(program, part, next))
        .reduceRight((second, first) => emit(program, opSplit, first, second));
    case 'repeat':
      return repeat(program, node, next);
  }
}

function repeat(program: Program, { part, least, most, lazy }: Node & { kind: 'repeat' }, next: number): number {
  let at = next;
  if (most === Number.POSITIVE_INFINITY) {
    const loop = emit(program, opSplit);
    fill(program, loop, build(program, part, loop), next, lazy);
    at = loop;
  } else {
    for (let i = least; i < most; i++) {
      const split = emit(program, opSplit);
      fill(program, split, build(program, part, at), next, lazy);
      at = split;
    }
  }
  for (let i = 0; i < least; i++) at = build(program, part, at);
  return at;
}

function fill(program: Program, split: number, again: number, done: number, lazy: boolean): void {
  program.next[split] = lazy ? done : again;
  program.other[split] = lazy ? again : done;
}

function testOf(node: Node & { kind: 'character' | 'set' | 'any' }): Test {
  if (node.kind === 'any') return node.newline ? () => true : (code) => code !== 10;
  const points = node.kind === 'set' ? node.points : ([[node.code, node.code]] as const);
  const folded = node.ignoreCase ? bothCases(points) : points;
  return testOfPoints(node.kind === 'set' && node.negated ? complement(folded) : folded);
}

function testOfPoints(points: CodePoints): Test {
  const bounds = Int32Array.from(points.flatMap(([first, last]) => [first, last + 1]));
  return (code) => {
    // How many bounds are not above: inside a range that is an odd number.
    let [low, high] = [0, bounds.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((bounds[middle] as number) <= code) low = middle + 1;
      else high = middle;
    }
    return (low & 1) === 1;
  };
}

let wordTest: Test | null = null;

/** A character within a word as `\b` has it: the joiners count. */
function isWord(code: number): boolean {
  wordTest ??= testOfPoints(union(shorthand('w'), [[0x200c, 0x200d]]));
  return wordTest(code);
}

/** The threads of one step, in the order of their priority. */
class Threads {
  readonly states: number[] = [];
  readonly starts: number[] = [];
}

class Walk {
  readonly program: Program;
  readonly first: number;
  readonly marks: Int32Array;
  readonly text: string;
  /** Where the last match began, -1 without one. */
  start = -1;
  end = -1;
  private step = 0;

  constructor(program: Program, first: number, marks: Int32Array, text: string) {
    this.program = program;
    this.first = first;
    this.marks = marks.fill(-1);
    this.text = text;
  }

  /** Finds the first match from `from` on; among those that begin there, the one that a backtracking matcher would find. */
  find(from: number): boolean {
    const { text, program } = this;
    this.start = -1;
    let now = new Threads();
    for (let at = from; ; ) {
      this.step++;
      const ready = new Threads();
      for (let i = 0; i < now.states.length; i++) this.add(ready, now.states[i] as number, now.starts[i] as number, at);
      if (this.start < 0) this.add(ready, this.first, at, at);
      const code = text.codePointAt(at);
      now = new Threads();
      for (let i = 0; i < ready.states.length; i++) {
        const state = ready.states[i] as number;
        if (program.op[state] === opMatch) {
          [this.start, this.end] = [ready.starts[i] as number, at];
          break;
        }
        if (code === undefined || !(program.test[state] as Test)(code)) continue;
        now.states.push(program.next[state] as number);
        now.starts.push(ready.starts[i] as number);
      }
      if (code === undefined || (this.start >= 0 && now.states.length === 0)) return this.start >= 0;
      at += code > 0xffff ? 2 : 1;
    }
  }

  /** Follows what takes no character, first choice first; a state that is there already has the higher priority. */
  private add(threads: Threads, from: number, start: number, at: number): void {
    const { program, marks } = this;
    const waiting = [from];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (marks[state] === this.step) continue;
      marks[state] = this.step;
      const op = program.op[state];
      if (op === opSplit) waiting.push(program.other[state] as number, program.next[state] as number);
      else if (op === opAssert) {
        if (this.holds(program.anchor[state] as Anchor, at)) waiting.push(program.next[state] as number);
      } else {
        threads.states.push(state);
        threads.starts.push(start);
      }
    }
  }

  private holds(anchor: Anchor, at: number): boolean {
    const { text } = this;
    const newline = (place: number): boolean => text.charCodeAt(place) === 10;
    switch (anchor) {
      case 'start':
        return at === 0;
      case 'veryEnd':
        return at === text.length;
      case 'end':
        return at === text.length || (at === text.length - 1 && newline(at));
      case 'lineStart':
        return at === 0 || newline(at - 1);
      case 'lineEnd':
        return at === text.length || newline(at);
      case 'word':
        return this.wordBefore(at) !== this.wordAt(at);
      case 'notWord':
        return this.wordBefore(at) === this.wordAt(at);
    }
  }

  private wordAt(at: number): boolean {
    const code = this.text.codePointAt(at);
    return code !== undefined && isWord(code);
  }

  private wordBefore(at: number): boolean {
    if (at === 0) return false;
    const unit = this.text.charCodeAt(at - 1);
    return this.wordAt(unit >= 0xdc00 && unit <= 0xdfff && at > 1 ? at - 2 : at - 1);
  }
}

function allMatches(walk: Walk): [number, number][] {
  const { text } = walk;
  const found: [number, number][] = [];
  for (let from = 0; from <= text.length && walk.find(from); ) {
    found.push([walk.start, walk.end]);
    if (walk.end > walk.start) from = walk.end;
    else from = walk.end + ((text.codePointAt(walk.end) ?? 0) > 0xffff ? 2 : 1);
  }
  return found;
}
