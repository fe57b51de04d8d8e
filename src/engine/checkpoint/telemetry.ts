// What is recorded of checkpoints: how long saving and loading took, how much was written or read, and what failed.

import { instruments } from '../../telemetry/instruments.ts';
import { type Span, spanAttributes, spans } from '../../telemetry/spans.ts';
import type { EngineTelemetry } from '../../telemetry/telemetry.ts';
import type { CheckpointInfo } from './types.ts';

/** A save that is given up counts as failed. */
export function recordSave(telemetry: EngineTelemetry, save: () => Promise<CheckpointInfo>): Promise<CheckpointInfo> {
  return telemetry.traced(spans.save, (span) => recordedSave(telemetry, span, save));
}

async function recordedSave(
  telemetry: EngineTelemetry,
  span: Span,
  save: () => Promise<CheckpointInfo>,
): Promise<CheckpointInfo> {
  const beganMs = telemetry.monotonicMs();
  try {
    const info = await save();
    telemetry.record(instruments.saveDuration, (telemetry.monotonicMs() - beganMs) / 1000);
    telemetry.record(instruments.saveBytes, info.totalBytes);
    span.set(spanAttributes.bytes, info.totalBytes);
    return info;
  } catch (error) {
    telemetry.add(instruments.checkpointFailures, 1, 'save');
    throw error;
  }
}

/** A load in its two steps: reading the checkpoint, and replaying the log. Time between them is not its own. */
export class LoadRecord {
  private readonly telemetry: EngineTelemetry;
  private ms = 0;

  constructor(telemetry: EngineTelemetry) {
    this.telemetry = telemetry;
  }

  async step<T>(run: () => Promise<T>): Promise<T> {
    const beganMs = this.telemetry.monotonicMs();
    try {
      return await run();
    } catch (error) {
      this.telemetry.add(instruments.checkpointFailures, 1, 'load');
      const span = this.telemetry.span(spans.load, beganMs - this.ms);
      span.fail();
      span.end();
      throw error;
    } finally {
      this.ms += this.telemetry.monotonicMs() - beganMs;
    }
  }

  done(bytes: number): void {
    this.telemetry.record(instruments.loadDuration, this.ms / 1000);
    this.telemetry.record(instruments.loadBytes, bytes);
    const span = this.telemetry.span(spans.load, this.telemetry.monotonicMs() - this.ms);
    span.set(spanAttributes.bytes, bytes);
    span.end();
  }
}
