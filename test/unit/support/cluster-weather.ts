// The ways of a cluster under simulation to its stores: messages are late, lost, answered to nobody, delivered twice or out of order, and lists are old.

import type { MemoryObjectStore } from '../../../src/storage/memory-objects.ts';
import type { MemorySharedLog } from '../../../src/storage/memory-shared-log.ts';
import type { ObjectStore } from '../../../src/storage/objects.ts';
import type { AppendOutcome, LogBatch, LogOwner, LogOwnership, SharedLog } from '../../../src/storage/shared-log.ts';
import type { Clock } from './virtual-clock.ts';

export const leaseMs = 400;
const deadlineMs = 80;

/** What is wrong with the cluster under test, for canaries; a bucket without fence is one that ignores conditions, who skips frames follows so. */
export type Defect = 'none' | 'noFence' | 'unknownIsSuccess' | 'skipsFrames';

/** The way to a store. */
export class Network {
  readonly clock: Clock;
  readonly random: () => number;
  isCalm = false;

  constructor(clock: Clock, random: () => number) {
    this.clock = clock;
    this.random = random;
  }

  /** A message there and one back, within the deadline or not. Messages of one node pass each other. */
  async call<T>(run: () => Promise<T>, mayRepeat = false): Promise<T> {
    const { clock, random } = this;
    // Whoever sends stands still before it does.
    if (!this.isCalm && random() < 0.002) await clock.sleep(random() * 4 * leaseMs);
    const dice = this.isCalm ? 1 : random();
    const thereMs = 1 + random() * 8;
    if (dice < 0.04) {
      await clock.sleep(deadlineMs);
      throw new Error('lost on its way');
    }
    if (dice < 0.1) {
      // It arrives after whoever sent it has given up.
      if (mayRepeat) clock.at(clock.nowMs + deadlineMs + random() * 4 * leaseMs, () => void run());
      else await run();
      await clock.sleep(deadlineMs);
      throw new Error('no answer');
    }
    await clock.sleep(thereMs);
    const answer = await run();
    if (mayRepeat && dice < 0.14) clock.at(clock.nowMs + random() * 2 * leaseMs, () => void run());
    await clock.sleep(1 + random() * 8);
    return answer;
  }
}

export type NodeLog = SharedLog & LogOwnership;

/** The log in a table, as a node reaches it. */
export class TableLog implements NodeLog {
  private readonly log: MemorySharedLog;
  private readonly network: Network;
  private readonly defect: Defect;

  constructor(log: MemorySharedLog, network: Network, defect: Defect) {
    this.log = log;
    this.network = network;
    this.defect = defect;
  }

  append(batch: LogBatch): Promise<AppendOutcome> {
    return this.network.call(() => this.appendThere(batch), true).catch((): AppendOutcome => 'unknown');
  }

  read(from: number, limitBytes: number): Promise<LogBatch[]> {
    return this.network.call(() => this.log.read(from, limitBytes));
  }

  first(): Promise<number> {
    return this.network.call(() => this.log.first());
  }

  truncate(sequence: number): Promise<void> {
    return this.network.call(() => this.log.truncate(sequence));
  }

  owner(): Promise<LogOwner> {
    return this.network.call(() => this.log.owner());
  }

  take(term: number, holder: string, ms: number, beat?: string): Promise<boolean> {
    return this.network.call(() => this.log.take(term, holder, ms, beat));
  }

  renew(term: number, ms: number): Promise<boolean> {
    return this.network.call(() => this.log.renew(term, ms));
  }

  private async appendThere(batch: LogBatch): Promise<AppendOutcome> {
    if (this.defect !== 'noFence') return this.log.append(batch);
    const { term } = await this.log.owner();
    return this.log.append({ ...batch, term, firstSequence: this.log.end });
  }
}

/** Objects as a node reaches them. */
export class Objects implements ObjectStore {
  private readonly store: MemoryObjectStore;
  private readonly network: Network;
  private readonly ignoresConditions: boolean;

  constructor(store: MemoryObjectStore, network: Network, ignoresConditions: boolean) {
    this.store = store;
    this.network = network;
    this.ignoresConditions = ignoresConditions;
  }

  get: ObjectStore['get'] = (name) => this.network.call(() => this.store.get(name));
  put: ObjectStore['put'] = (name, bytes) => this.network.call(() => this.store.put(name, bytes), true);
  delete: ObjectStore['delete'] = (name) => this.network.call(() => this.store.delete(name), true);

  putIfAbsent: ObjectStore['putIfAbsent'] = (name, bytes) =>
    this.network.call(async () => {
      if (this.ignoresConditions) await this.store.delete(name);
      return this.store.putIfAbsent(name, bytes);
    }, true);

  putIfMatch: ObjectStore['putIfMatch'] = (name, bytes, tag) =>
    this.network.call(async () => {
      const found = this.ignoresConditions ? await this.store.get(name) : null;
      return this.store.putIfMatch(name, bytes, found?.tag ?? tag);
    }, true);

  /** What was put last may be missing. */
  list: ObjectStore['list'] = (prefix) =>
    this.network.call(async () => {
      const names = await this.store.list(prefix);
      return this.network.isCalm ? names : names.slice(0, names.length - Math.floor(this.network.random() * 4));
    });
}
