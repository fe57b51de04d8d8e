// Waiting before a call is made again: twice as long each time, with chance in it, and never shorter than the service asked for.

export interface RetryOptions {
  /** Calls of one request at most, the first included. */
  readonly attempts?: number;
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  /** Waits so long; rejects when the signal is aborted. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface Pace {
  readonly attempts: number;
  /** Waits before the attempt behind `failed` ones. */
  wait(failed: number, leastMs: number, signal: AbortSignal | undefined): Promise<void>;
}

export function paceOf(options: RetryOptions, defaults: Required<Omit<RetryOptions, 'sleep'>>): Pace {
  const { attempts, firstDelayMs, maxDelayMs } = { ...defaults, ...options };
  const sleep = options.sleep ?? sleepUntil;
  return {
    attempts,
    wait: (failed, leastMs, signal) => {
      const highest = Math.min(maxDelayMs, firstDelayMs * 2 ** (failed - 1));
      // At least half of it, so that clients that failed together come back apart, and none at once.
      return sleep(Math.max(leastMs, highest * (0.5 + Math.random() / 2)), signal);
    },
  };
}

function sleepUntil(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
