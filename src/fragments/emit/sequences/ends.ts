// The members of LINQ that end a chain and keep no items: Any, Count, First, Aggregate, Contains… as one loop over the chain in front.

import type { Expression } from '../../tree.ts';
import { emitContains, pushEqual } from '../collections/equality.ts';
import { foldsCase } from '../collections/hash-tables.ts';
import { argument, type Call, type CallEmitter } from '../control/call-parts.ts';
import { type Applied, delegate, memberCall, primitive, variable } from '../control/callbacks.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { representation } from '../representation.ts';
import { i32, i64 } from '../wasm/opcodes.ts';
import { numberEnds } from './aggregates.ts';
import { makers } from './makers.ts';
import { optional } from './memory.ts';
import { goOver, type Sequence } from './sequence.ts';
import { source } from './stepping.ts';

const S = 'IEnumerable<TSource>';
const P = 'Func<TSource,bool>';

/** Any; All is Any of the opposite, turned around. */
function any(all: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const items = source(f, call);
    const predicate = predicateOf(f, call, items);
    if (predicate === null && items.count !== undefined) {
      items.count(f);
      code.i32(0);
      code.op(i32.ne);
      return;
    }
    const result = code.local('i32');
    code.i32(all ? 1 : 0);
    code.set(result);
    const after = code.block();
    goOver(f, items, (item) => {
      if (predicate !== null) {
        predicate.apply([item]);
        if (all) code.op(i32.eqz);
        code.if();
      }
      code.i32(all ? 0 : 1);
      code.set(result);
      code.branch(after);
      if (predicate !== null) code.end();
    });
    code.end();
    code.get(result);
  };
}

/** The predicate that is the second argument. */
function predicateOf(f: FunctionEmitter, call: Call, items: Sequence, index = 1): Applied | null {
  return call.arguments.length > index ? delegate(f, argument(call, index), [items.item]) : null;
}

function count(wide: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const items = source(f, call);
    const predicate = predicateOf(f, call, items);
    if (predicate === null && items.count !== undefined) {
      items.count(f);
      if (wide) code.op(i64.extendI32S);
      return;
    }
    const result = code.local('i32');
    code.i32(0);
    code.set(result);
    goOver(f, items, (item) => {
      code.get(result);
      if (predicate === null) code.i32(1);
      else {
        predicate.apply([item]);
        code.i32(0);
        code.op(i32.ne);
      }
      code.op(i32.add);
      code.set(result);
    });
    code.get(result);
    if (wide) code.op(i64.extendI32S);
  };
}

type Which = 'First' | 'Last' | 'Single';

/** First, Last and Single, and what they give without an item: `predicate` and `otherwise` are places of arguments, -1 for none. */
function pick(which: Which, predicateAt: number, orDefault: boolean, otherwise: number): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const items = source(f, call);
    const predicate = predicateAt < 0 ? null : delegate(f, argument(call, predicateAt), [items.item]);
    const result = code.local(representation(call.type));
    const seen = code.local('i32');
    if (otherwise < 0) f.zero(call.type);
    else f.expression(argument(call, otherwise));
    code.set(result);
    code.i32(0);
    code.set(seen);
    const after = code.block();
    goOver(f, items, (item) => {
      if (predicate !== null) {
        predicate.apply([item]);
        code.if();
      }
      if (which === 'Single') {
        code.get(seen);
        f.failIf('InvalidOperationException');
      }
      code.get(item);
      code.set(result);
      code.i32(1);
      code.set(seen);
      if (which === 'First') code.branch(after);
      if (predicate !== null) code.end();
    });
    code.end();
    if (!orDefault) {
      code.get(seen);
      code.op(i32.eqz);
      f.failIf('InvalidOperationException');
    }
    code.get(result);
  };
}

function elementAt(orDefault: boolean): CallEmitter {
  return (f, call) => {
    const { code } = f;
    const items = source(f, call);
    const left = f.toLocal(argument(call, 1)).local;
    const result = code.local(representation(call.type));
    f.zero(call.type);
    code.set(result);
    const after = code.block();
    const missing = code.block();
    code.get(left);
    code.i32(0);
    code.op(i32.ltS);
    code.branchIf(missing);
    goOver(f, items, (item) => {
      code.get(left);
      code.op(i32.eqz);
      code.if();
      code.get(item);
      code.set(result);
      code.branch(after);
      code.end();
      code.get(left);
      code.i32(1);
      code.op(i32.sub);
      code.set(left);
    });
    code.end();
    if (!orDefault) f.fail('ArgumentOutOfRangeException');
    code.end();
    code.get(result);
  };
}

const bool = primitive('bool');
/** StringComparison.OrdinalIgnoreCase. */
const ignoreCase = 5;

const contains: CallEmitter = (f, call) => {
  const items = source(f, call);
  const wanted = f.toLocal(argument(call, 1)).local;
  if (!foldsCase(optional(call, 2))) {
    emitContains(f, items, wanted);
    return;
  }
  const comparison: Expression = {
    kind: 'constant',
    type: { kind: 'named', name: 'StringComparison', arguments: [] },
    value: ignoreCase,
  };
  emitContains(f, items, wanted, (item) => {
    const sides = [item, wanted].map((side) => variable(f, items.item, side));
    f.expression(memberCall('String.Equals(string,string,StringComparison)', bool, null, [...sides, comparison]));
  });
};

/** Pushes whether a sequence holds what lies in a local. */

/** The second sequence moves with the first, and once more after it. */
const sequenceEqual: CallEmitter = (f, call) => {
  const { code } = f;
  const [first, second] = [source(f, call), source(f, call, 1)];
  const [result, ended] = [code.local('i32'), code.local('i32')];
  for (const local of [result, ended]) {
    code.i32(0);
    code.set(local);
  }
  const [one, other] = [first.start(f), second.start(f)];
  const after = code.block();
  const top = code.loop();
  const got = code.block();
  const through = code.block();
  const left = one(through);
  code.branch(got);
  code.end();
  code.i32(1);
  code.set(ended);
  code.end();
  const short = code.block();
  const right = other(short);
  code.get(ended);
  code.branchIf(after);
  pushEqual(f, first.item, left, right);
  code.branchIf(top);
  code.branch(after);
  code.end();
  code.get(ended);
  code.set(result);
  code.end();
  code.end();
  code.get(result);
};

/** Without a seed, with one, and with a selector of the result. */
const aggregate: CallEmitter = (f, call) => {
  const { code } = f;
  const items = source(f, call);
  const seeded = call.arguments.length > 2;
  const type = seeded ? argument(call, 1).type : items.item;
  const total = code.local(representation(type));
  if (seeded) {
    f.expression(argument(call, 1));
    code.set(total);
  }
  const step = delegate(f, argument(call, seeded ? 2 : 1), [type, items.item]);
  const finish = call.arguments.length > 3 ? delegate(f, argument(call, 3), [type]) : null;
  if (seeded) {
    goOver(f, items, (item) => {
      step.apply([total, item]);
      code.set(total);
    });
  } else aggregateFromFirst(f, items, step, total);
  if (finish === null) code.get(total);
  else finish.apply([total]);
};

/** The first item is what the others are added to. */
function aggregateFromFirst(f: FunctionEmitter, items: Sequence, step: Applied, total: number): void {
  const { code } = f;
  const seen = code.local('i32');
  code.i32(0);
  code.set(seen);
  goOver(f, items, (item, type) => {
    code.get(seen);
    code.if(type);
    step.apply([total, item]);
    code.else();
    code.i32(1);
    code.set(seen);
    code.get(item);
    code.end();
    code.set(total);
  });
  code.get(seen);
  code.op(i32.eqz);
  f.failIf('InvalidOperationException');
}

const entries = (): [string, CallEmitter][] => [
  ...makers,
  ...numberEnds,
  [`Enumerable.Any<TSource>(${S})`, any(false)],
  [`Enumerable.Any<TSource>(${S},${P})`, any(false)],
  [`Enumerable.All<TSource>(${S},${P})`, any(true)],
  [`Enumerable.Count<TSource>(${S})`, count(false)],
  [`Enumerable.Count<TSource>(${S},${P})`, count(false)],
  [`Enumerable.LongCount<TSource>(${S})`, count(true)],
  [`Enumerable.LongCount<TSource>(${S},${P})`, count(true)],
  ...(['First', 'Last', 'Single'] as const).flatMap((which): [string, CallEmitter][] => [
    [`Enumerable.${which}<TSource>(${S})`, pick(which, -1, false, -1)],
    [`Enumerable.${which}<TSource>(${S},${P})`, pick(which, 1, false, -1)],
    [`Enumerable.${which}OrDefault<TSource>(${S})`, pick(which, -1, true, -1)],
    [`Enumerable.${which}OrDefault<TSource>(${S},TSource)`, pick(which, -1, true, 1)],
    [`Enumerable.${which}OrDefault<TSource>(${S},${P})`, pick(which, 1, true, -1)],
    [`Enumerable.${which}OrDefault<TSource>(${S},${P},TSource)`, pick(which, 1, true, 2)],
  ]),
  [`Enumerable.ElementAt<TSource>(${S},int)`, elementAt(false)],
  [`Enumerable.ElementAtOrDefault<TSource>(${S},int)`, elementAt(true)],
  [`Enumerable.Contains<TSource>(${S},TSource)`, contains],
  [`Enumerable.Contains<TSource>(${S},TSource,IEqualityComparer<TSource>)`, contains],
  [`Enumerable.SequenceEqual<TSource>(${S},${S})`, sequenceEqual],
  [`Enumerable.Aggregate<TSource>(${S},Func<TSource,TSource,TSource>)`, aggregate],
  [`Enumerable.Aggregate<TSource,TAccumulate>(${S},TAccumulate,Func<TAccumulate,TSource,TAccumulate>)`, aggregate],
  [
    `Enumerable.Aggregate<TSource,TAccumulate,TResult>(${S},TAccumulate,Func<TAccumulate,TSource,TAccumulate>,Func<TAccumulate,TResult>)`,
    aggregate,
  ],
];

/** Made when it is first asked for: the modules that fill it know this one. */
let ends: ReadonlyMap<string, CallEmitter> | null = null;

function end(call: Call): CallEmitter | undefined {
  ends ??= new Map(entries());
  return ends.get(call.member.key);
}

/** Members that are emitted as a loop. */
export function isSequenceCall(call: Call): boolean {
  return end(call) !== undefined;
}

export function emitSequenceCall(f: FunctionEmitter, call: Call): void {
  end(call)?.(f, call);
}
