// Lines for the service's log. Templates are constant as a rule, and known here; what is put together otherwise is left to the interpreter.

import { logTemplate } from '../../log-template.ts';
import type { Expression } from '../../tree.ts';
import { argument, type CallEmitter, checkedReceiver, checkedReference, constantOf } from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { listed } from '../text/text-builds.ts';
import { NotCompiled } from '../unsupported.ts';
import { parametric } from '../wasm/opcodes.ts';
import { named, newInstance, string } from './classes.ts';
import { ask } from './host-calls.ts';

/** Numbers of LogLevel that are said. */
const levels = { Information: 2, Warning: 3, Error: 4, Critical: 5 } as const;
const unsaid = ['Trace', 'Debug'];

const newLogger: CallEmitter = (f, call) => {
  checkedReference(f, argument(call, 0), 'ArgumentNullException');
  f.code.get(newInstance(f, named('ILogger')));
};

function formatted(f: FunctionEmitter, message: unknown, values: Expression): void {
  if (typeof message !== 'string') throw new NotCompiled('a line without a text');
  const given = listed(values);
  const { format, count } = logTemplate(message);
  if (given === null || given.length < count) throw new NotCompiled('a line whose values are not written out');
  const text: Expression = { kind: 'constant', type: string, value: format };
  f.expression({
    kind: 'call',
    type: string,
    member: { key: 'String.Format(string,object[])', static: true },
    receiver: null,
    arguments: [text, values].map((value) => ({ mode: 'value', value })),
    typeArguments: [],
  });
}

const say =
  (level: number): CallEmitter =>
  (f, call) => {
    const { code } = f;
    checkedReference(f, argument(call, 0), 'ArgumentNullException');
    const line = code.local('i32');
    formatted(f, constantOf(argument(call, 1)), argument(call, 2));
    code.set(line);
    ask(
      f,
      'log',
      () => code.i32(level),
      () => code.get(line),
    );
    code.op(parametric.drop);
  };

const skip: CallEmitter = (f, call) => {
  checkedReference(f, argument(call, 0), 'ArgumentNullException');
  f.effect(argument(call, 2));
};

export const logCalls: readonly (readonly [string, CallEmitter])[] = [
  [
    'IFallen8Read.get_LoggerFactory()',
    (f, call) => {
      checkedReceiver(f, call);
      f.code.get(newInstance(f, named('ILoggerFactory')));
    },
  ],
  [
    'ILoggerFactory.CreateLogger(string)',
    (f, call) => {
      checkedReceiver(f, call);
      f.effect(argument(call, 0));
      f.code.get(newInstance(f, named('ILogger')));
    },
  ],
  ['LoggerFactoryExtensions.CreateLogger<T>(ILoggerFactory)', newLogger],
  ...Object.entries(levels).map(([name, level]): readonly [string, CallEmitter] => [
    `LoggerExtensions.Log${name}(ILogger,string,object[])`,
    say(level),
  ]),
  ...unsaid.map((name): readonly [string, CallEmitter] => [
    `LoggerExtensions.Log${name}(ILogger,string,object[])`,
    skip,
  ]),
];
