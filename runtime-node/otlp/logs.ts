// Lines of the log as they are exported, beside where they go anyway: each with the trace and the namespace of the request it was written in.

import type { Logger } from '../../src/engine/logger.ts';
import { spanAttributes } from '../../src/telemetry/spans.ts';
import type { AttributeValues, LogRecord, TraceContext } from './messages.ts';
import { type SpanTracer, untraced } from './tracer.ts';

type Fields = Readonly<Record<string, unknown>>;
type Level = LogRecord['level'];

/** A logger that writes to `lines` and exports what `isShown` lets through: the level of the log is one for both. */
export function exportedLogger(
  lines: Logger,
  exported: (record: LogRecord) => void,
  tracer: SpanTracer,
  isShown: (level: Level) => boolean,
): Logger {
  const write = (level: Level) => (message: string, fields?: Fields) => {
    lines[level](message, fields);
    if (!isShown(level)) return;
    const { context, namespaceName } = tracer.place;
    exported({
      ...{ level, body: message, atMs: Date.now(), context: contextOf(context) },
      attributes: {
        ...(namespaceName === null ? {} : { [spanAttributes.namespaceName]: namespaceName }),
        ...attributesOf(fields),
      },
    });
  };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}

/** Of a span no more than where it stands. */
function contextOf(context: TraceContext | null): TraceContext | null {
  if (context === null || context === untraced) return null;
  const { traceId, spanId, sampled, state } = context;
  return { traceId, spanId, sampled, state };
}

/** Fields as attributes: what is neither a text, a number nor a truth value becomes JSON. */
function attributesOf(fields: Fields = {}): AttributeValues {
  const attributes: AttributeValues = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    attributes[name] = isPlain ? value : JSON.stringify(value);
  }
  return attributes;
}
