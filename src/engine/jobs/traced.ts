// A job in a trace: the span from its request to its outcome, waiting included.

import type { EngineTelemetry } from '../../telemetry/telemetry.ts';
import type { AnyJobKind, JobOutcome } from './types.ts';

/** Runs `run` in the span of its kind, if that has one. */
export function tracedJob<Result>(
  telemetry: EngineTelemetry,
  { span: name }: AnyJobKind,
  run: () => Promise<JobOutcome<Result>>,
): Promise<JobOutcome<Result>> {
  if (name === undefined) return run();
  return telemetry.traced(name, async (span) => {
    const outcome = await run();
    if (!outcome.ok) span.fail();
    return outcome;
  });
}
