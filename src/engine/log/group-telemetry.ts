// What is recorded of every group of frames that a log has written: its series are looked up once.

import { instruments } from '../../telemetry/instruments.ts';
import type { EngineTelemetry, Series } from '../../telemetry/telemetry.ts';

export class GroupTelemetry {
  private readonly telemetry: EngineTelemetry;
  private durations: Series | null = null;
  private sizes: Series | null = null;

  constructor(telemetry: EngineTelemetry) {
    this.telemetry = telemetry;
  }

  /** `beganMs`: when its write did, by the clock of the telemetry. */
  written(beganMs: number, frames: number): void {
    if (!this.telemetry.on) return;
    this.durations ??= this.telemetry.series(instruments.flushDuration, []);
    this.sizes ??= this.telemetry.series(instruments.groupSize, []);
    this.durations.record((this.telemetry.monotonicMs() - beganMs) / 1000);
    this.sizes.record(frames);
  }
}
