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

  /** When a group's write begins; 0 while nothing is recorded, and no clock is looked at. */
  begins(): number {
    return this.telemetry.on ? this.telemetry.monotonicMs() : 0;
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
