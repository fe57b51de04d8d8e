// The log of a plugin (Microsoft.Extensions.Logging): a line goes to the service's log, which bounds how many.

import type { EngineReader } from '../../engine-reader.ts';
import { logTemplate } from '../../log-template.ts';
import type { EngineObject } from '../engine.ts';
import { argumentNull, type ExceptionObject } from '../exceptions.ts';
import { runtimeType } from '../runtime-types.ts';
import { formatComposite } from '../to-text.ts';
import { collect, type Value } from '../values.ts';
import type { MemberTable, Native } from './native.ts';

/** A factory of loggers and a logger in one: what is said has no category. */
class LoggerObject {
  readonly type = runtimeType({ kind: 'named', name: 'ILogger', arguments: [] });
  readonly reader: EngineReader;

  constructor(reader: EngineReader) {
    this.reader = reader;
  }
}

class LoggerFactoryObject extends LoggerObject {
  override readonly type = runtimeType({ kind: 'named', name: 'ILoggerFactory', arguments: [] });
}

const newLogger = (factory: LoggerFactoryObject | null) =>
  new LoggerObject((factory ?? argumentNull('factory')).reader);

/** Below it nothing is said. */
const information = 2;
const none = 6;

function say(
  logger: LoggerObject | null,
  level: number,
  message: string | null,
  values: Value,
  thrown: ExceptionObject | null,
): void {
  const { reader } = logger ?? argumentNull('logger');
  if (level < information || level >= none) return;
  const { format, count } = logTemplate(message ?? '');
  const given = values === null ? [] : collect(values);
  const line = given.length < count ? (message ?? '') : formatComposite(format, given);
  reader.log(level, thrown === null ? line : `${line} ${thrown.type.fullName}: ${thrown.message}`);
}

const levels = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Critical'];

export const LOGGING_MEMBERS: MemberTable = {
  'IFallen8Read.get_LoggerFactory()': (engine: EngineObject) => new LoggerFactoryObject(engine.reader),
  'ILoggerFactory.CreateLogger(string)': newLogger,
  'LoggerFactoryExtensions.CreateLogger<T>(ILoggerFactory)': newLogger,
  'ILogger.IsEnabled(LogLevel)': (_logger: LoggerObject, level: number) => level >= information && level < none,
  'LoggerExtensions.Log(ILogger,LogLevel,string,object[])': (logger, level, message, values) =>
    say(logger, level, message, values, null),
  ...Object.fromEntries(
    levels.flatMap((level, number): [string, Native][] => [
      [
        `LoggerExtensions.Log${level}(ILogger,string,object[])`,
        (logger, message, values) => say(logger, number, message, values, null),
      ],
      [
        `LoggerExtensions.Log${level}(ILogger,Exception,string,object[])`,
        (logger, thrown, message, values) => say(logger, number, message, values, thrown),
      ],
    ]),
  ),
};
