// The members of LINQ that end a chain: Any, All, Count, First, Sum, Min, Max as one loop over the chain in front of them.

import type { FunctionCode } from '../tree.ts';
import type { Type } from '../types.ts';
import { argument, type Call } from './calls.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { representation } from './representation.ts';
import { lambda, walk, where } from './sequences.ts';
import { NotCompiled } from './unsupported.ts';

const source = 'IEnumerable<TSource>';
const terminals: ReadonlyMap<string, (f: FunctionEmitter, call: Call) => void> = new Map([
  [`Any<TSource>(${source})`, (f: FunctionEmitter, call: Call) => emitAny(f, call, null, false)],
  [
    `Any<TSource>(${source},Func<TSource,bool>)`,
    (f: FunctionEmitter, call: Call) => emitAny(f, call, lambda(call, 1), false),
  ],
  [
    `All<TSource>(${source},Func<TSource,bool>)`,
    (f: FunctionEmitter, call: Call) => emitAny(f, call, lambda(call, 1), true),
  ],
  [`Count<TSource>(${source})`, (f: FunctionEmitter, call: Call) => emitCount(f, call, null)],
  [
    `Count<TSource>(${source},Func<TSource,bool>)`,
    (f: FunctionEmitter, call: Call) => emitCount(f, call, lambda(call, 1)),
  ],
  [`First<TSource>(${source})`, (f: FunctionEmitter, call: Call) => emitFirst(f, call, null, false)],
  [
    `First<TSource>(${source},Func<TSource,bool>)`,
    (f: FunctionEmitter, call: Call) => emitFirst(f, call, lambda(call, 1), false),
  ],
  [`FirstOrDefault<TSource>(${source})`, (f: FunctionEmitter, call: Call) => emitFirst(f, call, null, true)],
  [
    `FirstOrDefault<TSource>(${source},Func<TSource,bool>)`,
    (f: FunctionEmitter, call: Call) => emitFirst(f, call, lambda(call, 1), true),
  ],
  ...(['int', 'long', 'double'] as const).flatMap((type): [string, (f: FunctionEmitter, call: Call) => void][] => [
    [`Sum(IEnumerable<${type}>)`, (f, call) => emitSum(f, call, type, null)],
    [`Sum<TSource>(${source},Func<TSource,${type}>)`, (f, call) => emitSum(f, call, type, lambda(call, 1))],
    [`Max(IEnumerable<${type}>)`, (f, call) => emitExtreme(f, call, type, null, true)],
    [`Max<TSource>(${source},Func<TSource,${type}>)`, (f, call) => emitExtreme(f, call, type, lambda(call, 1), true)],
    [`Min(IEnumerable<${type}>)`, (f, call) => emitExtreme(f, call, type, null, false)],
    [`Min<TSource>(${source},Func<TSource,${type}>)`, (f, call) => emitExtreme(f, call, type, lambda(call, 1), false)],
  ]),
]);

/** Members that are emitted as a loop. */
export function isSequenceCall(call: Call): boolean {
  return call.member.key.startsWith(where) && terminals.has(call.member.key.slice(where.length));
}

export function emitSequenceCall(f: FunctionEmitter, call: Call): void {
  (terminals.get(call.member.key.slice(where.length)) as (f: FunctionEmitter, call: Call) => void)(f, call);
}

/** Any; All is Any of the opposite, turned around. */
function emitAny(f: FunctionEmitter, call: Call, predicate: FunctionCode | null, all: boolean): void {
  const { code } = f;
  const result = code.local('i32');
  code.i32(all ? 1 : 0);
  code.set(result);
  const after = code.block();
  walk(f, argument(call, 0), 'ArgumentNullException', (item) => {
    if (predicate !== null) {
      f.inline(predicate, [item]);
      if (all) code.op(0x45);
      code.if();
    }
    code.i32(all ? 0 : 1);
    code.set(result);
    code.branch(after);
    if (predicate !== null) code.end();
  });
  code.end();
  code.get(result);
}

function emitCount(f: FunctionEmitter, call: Call, predicate: FunctionCode | null): void {
  const { code } = f;
  const result = code.local('i32');
  code.i32(0);
  code.set(result);
  walk(f, argument(call, 0), 'ArgumentNullException', (item) => {
    code.get(result);
    if (predicate === null) code.i32(1);
    else {
      f.inline(predicate, [item]);
      code.i32(0);
      code.op(0x47);
    }
    code.op(0x6a);
    code.set(result);
  });
  code.get(result);
}

function emitFirst(f: FunctionEmitter, call: Call, predicate: FunctionCode | null, orDefault: boolean): void {
  const { code } = f;
  const type = representation(call.type);
  const result = code.local(type);
  const after = code.block();
  walk(f, argument(call, 0), 'ArgumentNullException', (item) => {
    if (predicate !== null) {
      f.inline(predicate, [item]);
      code.if();
    }
    code.get(item);
    code.set(result);
    code.branch(after);
    if (predicate !== null) code.end();
  });
  if (orDefault) {
    f.zero(call.type);
    code.set(result);
  } else {
    f.fail('InvalidOperationException');
  }
  code.end();
  code.get(result);
}

type Summed = 'int' | 'long' | 'double';
const primitive = (name: Summed): Type => ({ kind: 'primitive', name });

/** The number of an item: itself, or what the selector makes of it. */
function pushNumber(f: FunctionEmitter, item: number, selector: FunctionCode | null): void {
  if (selector === null) f.code.get(item);
  else f.inline(selector, [item]);
}

/** Integers are summed checked, as .NET does. */
function emitSum(f: FunctionEmitter, call: Call, type: Summed, selector: FunctionCode | null): void {
  const { code } = f;
  if (type === 'long') throw new NotCompiled('a checked sum of long');
  const result = code.local(type === 'int' ? 'i64' : 'f64');
  if (type === 'int') code.i64(0n);
  else code.f64(0);
  code.set(result);
  walk(f, argument(call, 0), 'ArgumentNullException', (item) => {
    code.get(result);
    pushNumber(f, item, selector);
    code.op(...(type === 'int' ? [0xac, 0x7c] : [0xa0]));
    code.set(result);
    if (type !== 'int') return;
    code.get(result);
    code.get(result);
    code.op(0xa7, 0xac, 0x52);
    f.failIf('OverflowException');
  });
  code.get(result);
  if (type === 'int') code.op(0xa7);
}

function emitExtreme(
  f: FunctionEmitter,
  call: Call,
  type: Summed,
  selector: FunctionCode | null,
  largest: boolean,
): void {
  const { code } = f;
  if (type === 'double') throw new NotCompiled('an extreme of doubles, where NaN counts');
  const kind = representation(primitive(type));
  const result = code.local(kind);
  const seen = code.local('i32');
  const value = code.local(kind);
  code.i32(0);
  code.set(seen);
  walk(f, argument(call, 0), 'ArgumentNullException', (item) => {
    pushNumber(f, item, selector);
    code.set(value);
    code.get(value);
    code.get(result);
    code.op(type === 'int' ? (largest ? 0x4a : 0x48) : largest ? 0x55 : 0x53);
    code.get(seen);
    code.op(0x45, 0x72);
    code.if();
    code.get(value);
    code.set(result);
    code.i32(1);
    code.set(seen);
    code.end();
  });
  code.get(seen);
  code.op(0x45);
  f.failIf('InvalidOperationException');
  code.get(result);
}
