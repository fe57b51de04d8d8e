// Stopwatch, by the clock of the host.

import { type CallEmitter, checkedReceiver } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { f64, i64 } from '../wasm/opcodes.ts';
import { getField, named, newInstance, setField } from './classes.ts';
import { askReal } from './host-calls.ts';

const ticksPerMs = 10_000;

type Field = 'Began' | 'Passed' | 'IsRunning';

const set = (f: FunctionEmitter, watch: number, field: Field, push: () => void): void =>
  setField(f, 'Stopwatch', field, watch, push);

const pushNow = (f: FunctionEmitter): void => askReal(f, 'now', 0);

function start(f: FunctionEmitter, watch: number): void {
  set(f, watch, 'Began', () => pushNow(f));
  set(f, watch, 'IsRunning', () => f.code.i32(1));
}

function reset(f: FunctionEmitter, watch: number): void {
  set(f, watch, 'Passed', () => f.code.f64(0));
  set(f, watch, 'IsRunning', () => f.code.i32(0));
}

/** Pushes the milliseconds that it ran. */
function pushElapsed(f: FunctionEmitter, watch: number): void {
  getField(f, 'Stopwatch', 'Passed', watch);
  getField(f, 'Stopwatch', 'IsRunning', watch);
  f.code.if('f64');
  pushNow(f);
  getField(f, 'Stopwatch', 'Began', watch);
  f.code.op(f64.sub);
  f.code.else();
  f.code.f64(0);
  f.code.end();
  f.code.op(f64.add);
}

function elapsed(unitsPerMs: number): CallEmitter {
  return (f, call) => {
    pushElapsed(f, checkedReceiver(f, call));
    f.code.f64(unitsPerMs);
    f.code.op(f64.mul, i64.truncF64S);
  };
}

/** Runs with the watch in a local. */
function change(work: (f: FunctionEmitter, watch: number) => void): CallEmitter {
  return (f, call) => work(f, checkedReceiver(f, call));
}

export const stopwatchCalls: readonly (readonly [string, CallEmitter])[] = [
  [
    'Stopwatch.StartNew()',
    (f) => {
      const watch = newInstance(f, named('Stopwatch'));
      start(f, watch);
      f.code.get(watch);
    },
  ],
  ['Stopwatch.new()', (f) => f.code.get(newInstance(f, named('Stopwatch')))],
  ['Stopwatch.get_Elapsed()', elapsed(ticksPerMs)],
  ['Stopwatch.get_ElapsedMilliseconds()', elapsed(1)],
  ['Stopwatch.get_ElapsedTicks()', elapsed(ticksPerMs)],
  ['Stopwatch.get_IsRunning()', (f, call) => getField(f, 'Stopwatch', 'IsRunning', checkedReceiver(f, call))],
  [
    'Stopwatch.Start()',
    change((f, watch) => {
      getField(f, 'Stopwatch', 'IsRunning', watch);
      f.code.if();
      f.code.else();
      start(f, watch);
      f.code.end();
    }),
  ],
  [
    'Stopwatch.Stop()',
    change((f, watch) => {
      set(f, watch, 'Passed', () => pushElapsed(f, watch));
      set(f, watch, 'IsRunning', () => f.code.i32(0));
    }),
  ],
  ['Stopwatch.Reset()', change(reset)],
  [
    'Stopwatch.Restart()',
    change((f, watch) => {
      reset(f, watch);
      start(f, watch);
    }),
  ],
];
