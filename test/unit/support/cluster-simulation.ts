// A cluster in one thread under a virtual clock: nodes with the real log, recovery and journal (src/engine/log, src/storage/shared-log-store.ts) over a
// shared log whose messages are late, lost, answered to nobody or delivered twice, and nodes that stand still for as long as they like. All of it
// follows from one seed. The auditor keeps what was acknowledged, and looks for it in the end.

import zlib from 'node:zlib';
import { crc32With } from '../../../src/engine/log/crc32.ts';
import { openSegments } from '../../../src/engine/log/open-segments.ts';
import type { SegmentedLog } from '../../../src/engine/log/segments.ts';
import { MemorySharedLog } from '../../../src/storage/memory-shared-log.ts';
import type { AppendOutcome, LogBatch, SharedLog } from '../../../src/storage/shared-log.ts';
import { SharedLogStore } from '../../../src/storage/shared-log-store.ts';
import { randomFrom } from '../../durability/choices.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const leaseMs = 400;
const deadlineMs = 80;
const runMs = 6_000;

/** What is wrong with the cluster under test, for canaries. */
export type Defect = 'none' | 'noFence' | 'unknownIsSuccess';

export interface SimulationResult {
  readonly acknowledged: number;
  readonly takeovers: number;
  /** Of all that happened: equal for equal seeds. */
  readonly trace: string;
  /** Empty: nothing was lost, doubled or out of order. */
  readonly flaws: readonly string[];
}

/** Events in the order of their virtual times. */
class Clock {
  nowMs = 0;
  private events: { at: number; number: number; run: () => void }[] = [];
  private count = 0;

  at(at: number, run: () => void): void {
    this.events.push({ at, number: this.count++, run });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.nowMs + ms, resolve));
  }

  /** Runs everything up to `endMs`. */
  async run(endMs: number): Promise<void> {
    while (true) {
      // What follows at once from the last event comes first; it is all promises.
      await new Promise((resolve) => setImmediate(resolve));
      let first = 0;
      for (let i = 1; i < this.events.length; i++) {
        const [one, other] = [this.events[i], this.events[first]] as const;
        if (one && other && (one.at < other.at || (one.at === other.at && one.number < other.number))) first = i;
      }
      const next = this.events[first];
      if (next === undefined || next.at > endMs) return;
      this.events.splice(first, 1);
      this.nowMs = Math.max(this.nowMs, next.at);
      next.run();
    }
  }
}

/** The log as a node reaches it. */
class Network implements SharedLog {
  private readonly log: MemorySharedLog;
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly defect: Defect;
  isCalm = false;

  constructor(log: MemorySharedLog, clock: Clock, random: () => number, defect: Defect) {
    this.log = log;
    this.clock = clock;
    this.random = random;
    this.defect = defect;
  }

  async append(batch: LogBatch): Promise<AppendOutcome> {
    const outcome = await this.call(() => this.appendThere(batch), true).catch((): AppendOutcome => 'unknown');
    return outcome === 'unknown' && this.defect === 'unknownIsSuccess' ? 'ok' : outcome;
  }

  read(from: number, limitBytes: number): Promise<LogBatch[]> {
    return this.call(() => this.log.read(from, limitBytes));
  }

  first(): Promise<number> {
    return this.call(() => this.log.first());
  }

  truncate(sequence: number): Promise<void> {
    return this.call(() => this.log.truncate(sequence));
  }

  async appendThere(batch: LogBatch): Promise<AppendOutcome> {
    if (this.defect !== 'noFence') return this.log.append(batch);
    const { term } = await this.log.owner();
    return this.log.append({ ...batch, term, firstSequence: this.log.end });
  }

  /** A message there and one back, within the deadline or not. */
  async call<T>(run: () => Promise<T>, mayRepeat = false): Promise<T> {
    const { clock, random } = this;
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

class Auditor {
  readonly acknowledged: { readonly number: number; readonly by: string }[] = [];
  readonly flaws: string[] = [];
  takeovers = 0;
  trace = '';

  note(what: string): void {
    this.trace += `${what};`;
  }

  /** Compares with what the log holds in the end. */
  check(log: readonly number[]): void {
    const places = new Map<number, number>();
    for (const [place, number] of log.entries()) {
      if (places.has(number)) this.flaws.push(`${number} is there twice`);
      places.set(number, place);
    }
    const lastOf = new Map<string, number>();
    for (const { by, number } of this.acknowledged) {
      const place = places.get(number);
      if (place === undefined) this.flaws.push(`${number} was acknowledged by ${by} and is lost`);
      else if (place < (lastOf.get(by) ?? -1)) this.flaws.push(`${number} of ${by} is out of order`);
      else lastOf.set(by, place);
    }
  }
}

async function openLog(
  store: SharedLogStore,
  epoch: () => string,
  apply: (number: number) => void,
): Promise<SegmentedLog> {
  const options = {
    crc32,
    namespaceId: 'default',
    nowMs: 0,
    log: { crc32, fullGroupFrames: 2 },
    newEpoch: epoch,
    anchor: null,
    restart: false,
  };
  const replay = (payload: Uint8Array): void =>
    apply(new DataView(payload.buffer, payload.byteOffset).getUint32(0, true));
  return (await openSegments(store, 'arcwise.wal', options, replay)).log;
}

class Node {
  private readonly name: string;
  private readonly world: World;
  private readonly network: Network;
  /** It stands still until then. */
  private stillUntilMs = 0;

  constructor(name: string, world: World, network: Network) {
    this.name = name;
    this.world = world;
    this.network = network;
  }

  async run(): Promise<void> {
    const { clock, log, random } = this.world;
    while (clock.nowMs < runMs) {
      await this.pause(leaseMs / 8);
      const owner = await this.network.call(() => log.owner()).catch(() => null);
      if (owner === null || owner.leftMs > 0 || random() < 0.2) continue;
      const isTaken = await this.network.call(() => log.take(owner.term, this.name, leaseMs)).catch(() => false);
      if (isTaken)
        await this.write(owner.term + 1).catch((error: unknown) =>
          this.world.auditor.note(`${this.name} ${String(error)}`),
        );
    }
  }

  /** Some time, and as much more as it stands still. */
  private async pause(ms: number): Promise<void> {
    const { clock, random } = this.world;
    await clock.sleep(ms);
    if (random() < 0.008) this.stillUntilMs = clock.nowMs + random() * 4 * leaseMs;
    while (clock.nowMs < this.stillUntilMs) await clock.sleep(this.stillUntilMs - clock.nowMs);
  }

  private async write(term: number): Promise<void> {
    const { auditor, clock, log, random } = this.world;
    auditor.takeovers++;
    auditor.note(`${this.name} takes ${term}`);
    let isOver = false;
    const again = async (): Promise<void> => {
      if (isOver) throw new Error('over');
      await this.pause(50);
    };
    const onFenced = (): void => {
      isOver = true;
    };
    const store = await SharedLogStore.open({ log: this.network, term, again, onFenced });
    let known = 0;
    const file = await openLog(store, this.world.epoch, () => known++);
    auditor.note(`${this.name} has ${known}`);
    const by = `${this.name} in term ${term}`;
    let renewMs = clock.nowMs;
    while (!isOver && clock.nowMs < runMs) {
      for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
        const number = this.world.next++;
        const payload = new Uint8Array(8 + Math.floor(random() * 40));
        new DataView(payload.buffer).setUint32(0, number, true);
        void file.append(payload).then((isDurable) => {
          if (isDurable) auditor.acknowledged.push({ number, by });
        });
      }
      await this.pause(5 + random() * 40);
      if (clock.nowMs < renewMs) continue;
      renewMs = clock.nowMs + leaseMs / 8;
      const isOurs = await this.network.call(() => log.renew(term, leaseMs)).catch(() => null);
      // Some end in the middle, as if they were killed.
      if (isOurs === false || random() < 0.01) break;
    }
    isOver = true;
    auditor.note(`${this.name} leaves ${term}`);
  }
}

interface World {
  readonly clock: Clock;
  readonly log: MemorySharedLog;
  readonly random: () => number;
  readonly auditor: Auditor;
  readonly epoch: () => string;
  next: number;
}

export async function simulate(seed: number, defect: Defect = 'none'): Promise<SimulationResult> {
  const clock = new Clock();
  const auditor = new Auditor();
  const random = randomFrom(seed);
  let epochs = 0;
  const epoch = (): string => (++epochs).toString(16).padStart(32, '0');
  const world: World = { clock, log: new MemorySharedLog(() => clock.nowMs), random, auditor, epoch, next: 1 };
  const networks = ['a', 'b', 'c'].map(() => new Network(world.log, clock, random, defect));
  for (const [i, name] of ['a', 'b', 'c'].entries()) void new Node(name, world, networks[i] as Network).run();
  await clock.run(2 * runMs);
  for (const network of networks) network.isCalm = true;
  const found: number[] = [];
  const reading = (async () => {
    const { term } = await world.log.owner();
    await world.log.take(term, 'auditor', leaseMs);
    const again = () => clock.sleep(10);
    const store = await SharedLogStore.open({ log: world.log, term: term + 1, again, onFenced: () => {} });
    await openLog(store, epoch, (number) => void found.push(number));
  })().catch((error: unknown) => void auditor.flaws.push(`The log cannot be read: ${String(error)}`));
  await clock.run(3 * runMs);
  await reading;
  auditor.check(found);
  const { acknowledged, flaws, takeovers, trace } = auditor;
  return { acknowledged: acknowledged.length, takeovers, flaws, trace: `${trace}${found.join(',')}` };
}
