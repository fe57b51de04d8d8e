// The time of a plugin's call, as the plugin sees it.

import type { PluginInput } from '../engine-reader.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';
import { TimeSpanValue } from './structs.ts';

const ticksPerMs = 10_000;

/** The time of a call: budget guard and cancellation token in one. */
export class CallClock {
  readonly type: RuntimeType = runtimeType({ kind: 'named', name: 'BudgetGuard', arguments: [] });
  readonly input: PluginInput;
  private readonly beganMs: number;

  constructor(input: PluginInput) {
    this.input = input;
    this.beganMs = input.nowMs();
  }

  get isExhausted(): boolean {
    const { budgetMs, isCancelled, nowMs } = this.input;
    return isCancelled() || nowMs() - this.beganMs >= budgetMs;
  }
}

/** A CancellationToken; null: one that nobody cancels. */
export class TokenValue {
  readonly clock: CallClock | null;

  constructor(clock: CallClock | null) {
    this.clock = clock;
  }

  get isCancelled(): boolean {
    return this.clock?.input.isCancelled() ?? false;
  }
}

/** The time that there is; 0 without a bound. */
export const budgetSpan = ({ input }: CallClock): TimeSpanValue =>
  new TimeSpanValue(Number.isFinite(input.budgetMs) ? BigInt(Math.round(input.budgetMs * ticksPerMs)) : 0n);
