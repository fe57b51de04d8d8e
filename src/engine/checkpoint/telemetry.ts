// What is recorded of checkpoints: how long saving and loading took, how much was written or read, and what failed.

import { instruments } from '../../telemetry/instruments.ts';
import type { EngineTelemetry } from '../../telemetry/telemetry.ts';
import type { CheckpointInfo } from './types.ts';

/** A save that is given up counts as failed. */
export async function recordSave(
  telemetry: EngineTelemetry,
  save: () => Promise<CheckpointInfo>,
): Promise<CheckpointInfo> {
  const began = telemetry.seconds();
  try {
    const info = await save();
    telemetry.record(instruments.saveDuration, telemetry.seconds() - began);
    telemetry.record(instruments.saveBytes, info.totalBytes);
    return info;
  } catch (error) {
    telemetry.add(instruments.checkpointFailures, 1, 'save');
    throw error;
  }
}

/** A load in its two steps: reading the checkpoint, and replaying the log. Time between them is not its own. */
export class LoadRecord {
  private readonly telemetry: EngineTelemetry;
  private seconds = 0;

  constructor(telemetry: EngineTelemetry) {
    this.telemetry = telemetry;
  }

  async step<T>(run: () => Promise<T>): Promise<T> {
    const began = this.telemetry.seconds();
    try {
      return await run();
    } catch (error) {
      this.telemetry.add(instruments.checkpointFailures, 1, 'load');
      throw error;
    } finally {
      this.seconds += this.telemetry.seconds() - began;
    }
  }

  done(bytes: number): void {
    this.telemetry.record(instruments.loadDuration, this.seconds);
    this.telemetry.record(instruments.loadBytes, bytes);
  }
}
