// The caller's side of one thread: what the thread keeps, the part it is at, and its end. A thread that does not answer within the grace
// time after it was told to stop is terminated; what its part was lent is taken back when it has ended, not before.

import type { CoreBinary } from '../../core/instance.ts';
import type { FromThread, ThreadListener, ThreadPort } from './messages.ts';
import { type Part, type PartHolder, refusal } from './ticket.ts';
import type { JobModule, JobOutcome } from './types.ts';

/** Cores, one a memory, and modules that a thread keeps; the ones that were not used for longest go. */
const mostSpaces = 64;
const mostModules = 128;

export interface ThreadOptions {
  readonly binary: CoreBinary;
  readonly graceMs: number;
  readonly spawn: (listener: ThreadListener) => ThreadPort;
  /** The thread has nothing to do any more. */
  readonly onIdle: (thread: PoolThread) => void;
  readonly onEnded: (thread: PoolThread) => void;
}

export class PoolThread implements ThreadListener, PartHolder {
  private readonly options: ThreadOptions;
  private readonly port: ThreadPort;
  private readonly spaces = new Set<number>();
  private readonly modules = new Set<string>();
  private part: Part | null = null;
  private job = 0;
  private graceTimer: ReturnType<typeof setTimeout> | null = null;
  private isTerminated = false;

  /** Throws when the thread cannot be started. */
  constructor(options: ThreadOptions) {
    this.options = options;
    this.port = options.spawn(this);
    this.port.post({ kind: 'start', binary: options.binary });
  }

  get isIdle(): boolean {
    return this.part === null && !this.isTerminated;
  }

  knows(space: number): boolean {
    return this.spaces.has(space);
  }

  begin(part: Part, job: number, space: number): void {
    const { kind, core, request, options } = part.ticket.plan;
    this.part = part;
    this.job = job;
    part.holder = this;
    const modules = options.modules ?? [];
    const isKnown = this.spaces.has(space);
    const missing = modules.filter(({ key }) => !this.modules.has(key));
    this.forgetOldest(space, modules);
    this.port.setBusy(true);
    try {
      this.port.post({
        kind: 'run',
        job,
        name: kind.name,
        request,
        space,
        memory: isKnown ? null : core.instance.memory,
        lease: part.lease,
        gang: part.gang,
        remainingMs: part.ticket.remainingMs,
        keys: modules.map(({ key }) => key),
        modules: missing,
      });
    } catch (error) {
      // The request is no plain data: the thread has heard nothing.
      this.spaces.delete(space);
      for (const { key } of missing) this.modules.delete(key);
      this.finish(refusal('failed', String(error)));
    }
  }

  /** Notes what this job uses as used last, and lets go of what goes beyond the limits. */
  private forgetOldest(space: number, modules: readonly JobModule[]): void {
    touch(this.spaces, space);
    for (const { key } of modules) touch(this.modules, key);
    const spaces = beyond(this.spaces, mostSpaces);
    const keys = beyond(this.modules, Math.max(mostModules, modules.length));
    if (spaces.length + keys.length > 0) this.port.post({ kind: 'forget', spaces, modules: keys });
  }

  /** The memory will serve another core. */
  forget(space: number): void {
    if (this.spaces.delete(space)) this.port.post({ kind: 'forget', spaces: [space], modules: [] });
  }

  message(message: FromThread): void {
    const { part } = this;
    if (part === null || message.job !== this.job) return;
    switch (message.kind) {
      case 'block':
        part.block(message.block, () => {
          if (!part.isOver) this.port.post({ kind: 'taken', job: message.job });
        });
        return;
      case 'wants':
        this.port.post({ kind: 'arena', job: this.job, arena: part.widen(message.bytes) });
        return;
      case 'done':
        this.finish({ ok: true, value: message.value });
        return;
      default:
        this.finish(this.failureOf(part, message));
    }
  }

  private failureOf(part: Part, { reason, detail }: FromThread & { kind: 'failed' }): JobOutcome<unknown> {
    if (reason === 'failed') this.spaces.clear();
    return reason === 'stopped' ? part.ticket.stopped() : refusal(reason, detail);
  }

  ended(reason: string): void {
    this.isTerminated = true;
    this.finish(this.part?.ticket.wasStopped === true ? this.part.ticket.stopped() : refusal('crashed', reason));
    this.options.onEnded(this);
  }

  private finish(outcome: JobOutcome<unknown>): void {
    const { part } = this;
    if (part === null) return;
    if (this.graceTimer !== null) clearTimeout(this.graceTimer);
    this.graceTimer = null;
    this.part = null;
    this.port.setBusy(false);
    part.over(outcome);
    if (!this.isTerminated) this.options.onIdle(this);
  }

  /** The stop word of the part is set; the thread has the grace time to notice. */
  stop(part: Part): void {
    if (part !== this.part || this.graceTimer !== null) return;
    this.port.post({ kind: 'stop', job: this.job });
    if (this.port.terminate === null) return;
    this.graceTimer = setTimeout(() => void this.terminate(), this.options.graceMs);
  }

  /** Ends the thread wherever it is. */
  async terminate(): Promise<void> {
    this.isTerminated = true;
    await this.port.terminate?.();
  }
}

function touch<Key>(keys: Set<Key>, key: Key): void {
  keys.delete(key);
  keys.add(key);
}

/** Takes the oldest away until `most` are left. */
function beyond<Key>(keys: Set<Key>, most: number): Key[] {
  const old: Key[] = [];
  for (const key of keys) {
    if (keys.size <= most) break;
    keys.delete(key);
    old.push(key);
  }
  return old;
}
