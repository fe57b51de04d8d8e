// What compiled code of a plugin asks of the host: a closed list of questions, each a number with plain words as arguments: numbers, ids and
// addresses. There is one function for answers of 32 bits and one for real numbers, which only modules of plugins may import.

import type { FunctionEmitter } from '../control/function-emitter.ts';
import { pluginFunctions } from '../wasm/imports.ts';

/** Answers are words; of what makes an object its reference, 0 where there is no room. */
export const questions = [
  'asksName',
  'vertexCount',
  'edgeCount',
  /** Guid of the graph: a box. */
  'graphId',
  /** Kind (1 vertices, 2 edges, 3 both), label or 0, head of an array of elements: ids, ascending. */
  'all',
  /** Property, operator, literal, label or 0, head of an array. */
  'scan',
  /** Head of a bag: what the request brought along; 0: nothing. */
  'parameters',
  'analyticsParameters',
  /** Number of one of `texts`: a text, 0 without one. */
  'text',
  /** Number of one of `numbers`. */
  'number',
  'isCancelled',
  'isExhausted',
  /** Number of one of `slots`: whether the request has it. */
  'has',
  /** Slot of a filter, id or text. */
  'passes',
  /** Number of LogLevel, text: a line for the log. Answers nothing. */
  'log',
] as const;

export const reals = ['number', 'cost', 'now'] as const;

export const texts = ['vertexLabel', 'edgeType'] as const;
export const numbers = [
  'from',
  'to',
  'maxDepth',
  'maxResults',
  'maxWeight',
  'budgetMs',
  'maxIterations',
  'epsilon',
  'direction',
] as const;
/** Filters and costs of a path request. */
export const slots = ['typeFilter', 'vertexFilter', 'edgeFilter', 'edgeCost', 'vertexCost'] as const;

type Question = (typeof questions)[number];
type Real = (typeof reals)[number];

/** Words that a question takes at most. */
const mostWords = 5;

/** Pushes the answer; each argument pushes a word. */
export function ask(f: FunctionEmitter, question: Question, ...words: readonly (() => void)[]): void {
  f.module.usesScratch = true;
  f.charge(8);
  f.code.i32(questions.indexOf(question));
  for (const push of words) push();
  for (let at = words.length; at < mostWords; at++) f.code.i32(0);
  f.code.call(f.module.writer.import('env', 'ask', pluginFunctions.ask));
}

export function askReal(f: FunctionEmitter, question: Real, first: number, second: (() => void) | null = null): void {
  f.charge(8);
  f.code.i32(reals.indexOf(question));
  f.code.i32(first);
  if (second === null) f.code.i32(0);
  else second();
  f.code.call(f.module.writer.import('env', 'askReal', pluginFunctions.askReal));
}

/** Pushes one of `numbers` as an i32. */
export function pushNumber(f: FunctionEmitter, name: (typeof numbers)[number]): void {
  ask(f, 'number', () => f.code.i32(numbers.indexOf(name)));
}

/** Pushes one of `numbers` as an f64. */
export function pushReal(f: FunctionEmitter, name: (typeof numbers)[number]): void {
  askReal(f, 'number', numbers.indexOf(name));
}
