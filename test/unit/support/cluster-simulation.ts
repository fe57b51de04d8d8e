// A cluster in one thread under a virtual clock: nodes with the real log, recovery, journal, checkpoint files and, where there is only a bucket, log
// of objects (src/engine/log, src/storage), over stores whose messages are late, lost, answered to nobody, delivered twice or out of order, whose
// lists are old, and nodes that stand still for as long as they like, also between any two messages, compact, back up, follow each other, are killed,
// take over, from the state that followed where the log goes through it, and
// give the log up for the node where it is to be, which is changed all the time. All of it follows from one seed. The
// auditor keeps what was acknowledged, and looks for it in the end; it restores the backup; then it takes an object away, or part of one, and
// looks again.

import zlib from 'node:zlib';
import { NamespaceBackup } from '../../../src/engine/backup/namespace-backup.ts';
import { PacedStore } from '../../../src/engine/backup/paced-store.ts';
import { BackupReader } from '../../../src/engine/backup/reading.ts';
import { type Anchor, type CheckpointInfo, LogElsewhere } from '../../../src/engine/checkpoint/types.ts';
import { crc32With } from '../../../src/engine/log/crc32.ts';
import { firstHeader, openSegments } from '../../../src/engine/log/open-segments.ts';
import type { SegmentedLog } from '../../../src/engine/log/segments.ts';
import { framesAfter } from '../../../src/engine/replication/frames.ts';
import { FrameTail } from '../../../src/engine/replication/tail.ts';
import { BlobCheckpoints } from '../../../src/storage/blob-checkpoints.ts';
import { BucketLog } from '../../../src/storage/bucket-log.ts';
import { FencedBlobs } from '../../../src/storage/fenced-blobs.ts';
import { MemoryObjectStore } from '../../../src/storage/memory-objects.ts';
import { MemorySharedLog } from '../../../src/storage/memory-shared-log.ts';
import { blobsIn } from '../../../src/storage/object-files.ts';
import { askedAgain, type ObjectStore } from '../../../src/storage/objects.ts';
import { mayTake, Placement, placedIn, placeOf } from '../../../src/storage/placement.ts';
import type { SharedLog } from '../../../src/storage/shared-log.ts';
import { SharedLogStore } from '../../../src/storage/shared-log-store.ts';
import { randomFrom } from '../../durability/choices.ts';
import { type Defect, leaseMs, Network, type NodeLog, Objects, TableLog } from './cluster-weather.ts';
import { Clock } from './virtual-clock.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const runMs = 6_000;
/** Runs are short, and so are their logs. */
const packFrames = 8;

/** What nodes share. */
export type Shared = 'table' | 'bucket';

export interface SimulationResult {
  readonly acknowledged: number;
  readonly takeovers: number;
  /** Checkpoints after which the log before them went. */
  readonly compactions: number;
  /** Logs that were given up for another node. */
  readonly moves: number;
  /** Answers that were looked at. */
  readonly reads: number;
  /** Take-overs that went on from a state that had followed, and how often one was refused. */
  readonly keptOn: number;
  readonly keptOff: number;
  /** What the backup held in the end. */
  readonly restored: number;
  /** Of all that happened: equal for equal seeds. */
  readonly trace: string;
  /** Empty: nothing was lost, doubled or out of order. */
  readonly flaws: readonly string[];
}

class Auditor {
  readonly acknowledged: { readonly number: number; readonly by: string }[] = [];
  readonly flaws: string[] = [];
  takeovers = 0;
  compactions = 0;
  moves = 0;
  reads = 0;
  keptOn = 0;
  keptOff = 0;
  trace = '';

  /** What a node shows: all that was acknowledged until then, by whomever. */
  read(numbers: readonly number[], by: string): void {
    this.reads++;
    if (numbers.includes(never)) this.flaws.push(`${by} goes on from a state that differs`);
    const last = this.acknowledged.at(-1);
    if (last !== undefined && !numbers.includes(last.number))
      this.flaws.push(`${by} answers without ${last.number}, which ${last.by} has acknowledged`);
  }

  /** What a node has that has taken the log: all that was acknowledged before. */
  opened(numbers: readonly number[], by: string): void {
    const found = new Set(numbers);
    const missing = this.acknowledged.find(({ number }) => !found.has(number));
    if (missing !== undefined) this.flaws.push(`${by} begins without ${missing.number} of ${missing.by}`);
  }

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

/** The graph of this cluster: numbers in the order in which they were written. */
interface Base {
  readonly anchor: Anchor;
  readonly numbers: readonly number[];
}

interface Opened {
  readonly file: SegmentedLog;
  readonly numbers: number[];
  readonly checkpoints: BlobCheckpoints;
}

const logName = 'arcwise.wal';
/** A number that nobody has written. */
const never = 0xffff_ffff;
/** How often the state of a node that follows is not its writer's. */
const differs = 0.02;
const placementName = 'placement';
const numberOf = (payload: Uint8Array): number => new DataView(payload.buffer, payload.byteOffset).getUint32(0, true);

/** What a node that has taken the log opens: the newest checkpoint that the log goes on from, and the log behind it. */
async function openAll(
  log: NodeLog,
  objects: ObjectStore,
  term: number,
  world: World,
  again: () => Promise<void>,
  onFenced: () => void,
  { ahead = null, kept = null }: { readonly ahead?: SharedLogStore | null; readonly kept?: Base | null } = {},
): Promise<Opened> {
  const store = await SharedLogStore.open({ log, term, again, onFenced }, ahead);
  const index = new FencedBlobs({ store: objects, prefix: 'blobs/', term, crc32, pause: again });
  const checkpoints = await BlobCheckpoints.open({
    ...{ index, parts: blobsIn(objects, 'files/'), nowMs: () => world.clock.nowMs },
  });
  const options = {
    ...{ crc32, namespaceId: 'default', nowMs: 0, log: { crc32, fullGroupFrames: 2 }, newEpoch: world.epoch },
    restart: false,
  };
  const from = async (base: Base | null, isProven: boolean): Promise<Opened> => {
    const numbers = [...(base?.numbers ?? [])];
    const given = { ...options, anchor: base?.anchor ?? null, isProven };
    const { log: file } = await openSegments(store, logName, given, (payload) => {
      numbers.push(numberOf(payload));
    });
    return { file, numbers, checkpoints };
  };
  const { auditor } = world;
  if (kept !== null) {
    try {
      const opened = await from(kept, true);
      auditor.keptOn++;
      return opened;
    } catch (error) {
      if (!(error instanceof LogElsewhere)) throw error;
      auditor.keptOff++;
    }
  }
  return from(await baseFor(checkpoints, await firstHeader(store, logName, options)), false);
}

/** What a node that writes answers to those who follow it. */
class Lead {
  readonly tail = new FrameTail({ crc32, limitBytes: 2 ** 20 });
  private readonly numbers: readonly number[];
  /** By sequences: how many numbers there are behind each. */
  private readonly counts = new Map<number, number>();

  constructor({ file, numbers }: Opened) {
    this.numbers = numbers;
    this.counts.set(file.position.sequence, numbers.length);
    this.tail.begin(file.position, 0);
  }

  appended(payload: Uint8Array, position: Anchor, durable: Promise<boolean>): void {
    this.counts.set(position.sequence, this.numbers.length);
    void durable.then(this.tail.append({ payload, kind: 'nothing', committedMs: 0, position }, () => 0));
  }

  snapshot(): Base | null {
    const anchor = this.tail.position;
    return anchor === null ? null : { anchor, numbers: this.numbers.slice(0, this.counts.get(anchor.sequence)) };
  }

  /** The state behind `base`, or another one where the frames that lead there are not to be had. */
  after(base: Base | null, skips: boolean): Base | null {
    const read = base === null ? null : this.tail.read(base.anchor.sequence, 2 ** 20);
    const { epoch, chain } = base?.anchor ?? {};
    if (base === null || read === null || read.before.epoch !== epoch || read.before.chain !== chain)
      return this.snapshot();
    const frames = read.blocks.flatMap((block) => [...framesAfter(block.slice(), base.anchor, crc32)]);
    const numbers = frames.map(({ payload }) => numberOf(payload));
    return { anchor: read.last, numbers: [...base.numbers, ...(skips ? numbers.slice(0, -1) : numbers)] };
  }
}

async function baseFor(
  checkpoints: BlobCheckpoints,
  header: { readonly epoch: string; readonly baseSequence: number } | null,
): Promise<Base | null> {
  if (header === null || header.baseSequence === 0) return null;
  for (const name of (await checkpoints.list('base-')).reverse()) {
    const file = await checkpoints.open(name);
    if (file === null) continue;
    const bytes = new Uint8Array(file.sizeBytes);
    await file.read(0, bytes);
    const base = JSON.parse(new TextDecoder().decode(bytes)) as Base;
    if (base.anchor.epoch === header.epoch && base.anchor.sequence >= header.baseSequence) return base;
  }
  throw new Error('The log goes on from a checkpoint that is not there.');
}

/** Writes a checkpoint and lets the log before it go. */
async function compact({ checkpoints, file, numbers }: Opened): Promise<boolean> {
  const turn = file.turn(await file.prepare());
  const name = `base-${String(turn.anchor.sequence).padStart(9, '0')}`;
  try {
    const bytes = new TextEncoder().encode(JSON.stringify({ anchor: turn.anchor, numbers } satisfies Base));
    if (checkpoints.needsLog && !(await turn.logged)) throw new Error('The log does not have what the checkpoint has.');
    await checkpoints.put(name, bytes);
    await turn.settle();
    for (const other of await checkpoints.list('base-')) if (other !== name) await checkpoints.delete(other);
    return true;
  } catch {
    turn.forget();
    return false;
  }
}

const backupPrefix = 'backup/';
/** How often a backup looks for what it has not. */
const backupLookMs = 60;

/** The backup of what a node writes, while it does. */
function backUp({ file, numbers }: Opened, objects: ObjectStore, world: World): { tail: FrameTail; end: () => void } {
  const { clock } = world;
  const nowMs = (): number => clock.nowMs;
  const ending = new AbortController();
  const { signal } = ending;
  const pause = (ms: number, until: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        until.removeEventListener('abort', end);
        resolve();
      };
      clock.at(clock.nowMs + ms, end);
      until.addEventListener('abort', end);
    });
  const tail = new FrameTail({ crc32, limitBytes: 2 ** 20 });
  tail.changed = (_, ms) => clock.sleep(Math.min(ms, backupLookMs));
  tail.begin(file.position, 0);
  const snapshot = async () => {
    const info = { anchor: file.position } as CheckpointInfo;
    const bytes = new TextEncoder().encode(JSON.stringify(numbers));
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        stream.enqueue(bytes);
        stream.close();
      },
    });
    return { info, body };
  };
  const backup = new NamespaceBackup({
    ...{
      id: 'default',
      name: () => 'default',
      tail,
      snapshot,
      crc32,
      nowMs,
      pause,
      signal,
      prefix: `${backupPrefix}default/`,
    },
    store: new PacedStore({ store: objects, putsPerSecond: 20, nowMs, pause, failed: () => {}, signal }),
    ...{ list: (prefix) => objects.list(prefix), objectEveryMs: 100, baseEveryMs: 2000, keepMs: 1e9 },
    ...{ stored: () => {}, baseFailed: () => {} },
  });
  backup.run().catch(() => {}); // another one has it, or the node was killed
  return { tail, end: () => ending.abort(new Error('killed')) };
}

class Node {
  private readonly name: string;
  private readonly world: World;
  private readonly log: NodeLog;
  private readonly objects: ObjectStore;
  private readonly defect: Defect;
  private readonly placement: Placement;
  /** It stands still until then. */
  private stillUntilMs = 0;
  /** Since when nobody has the log, as far as it has seen. */
  private freeSinceMs: number | null = null;
  /** The log as far as it was read before it is this node's. */
  private ahead: SharedLogStore | null = null;
  private readonly network: Network;
  /** The state that follows, or that was left when the log was given up. */
  private kept: Base | null = null;

  constructor(name: string, world: World, network: Network, defect: Defect) {
    this.name = name;
    this.world = world;
    this.defect = defect;
    this.network = network;
    const isOpen = defect === 'noFence' && world.shared === 'bucket';
    const { clock } = world;
    const steady = { nowMs: () => clock.nowMs, pause: (ms: number) => clock.sleep(ms), patienceMs: 2 * leaseMs };
    this.objects = askedAgain(new Objects(world.objects, network, isOpen), steady);
    this.placement = placementOf(world, new Objects(world.objects, network, false));
    this.log =
      world.shared === 'table'
        ? new TableLog(world.table, network, defect)
        : new BucketLog({ store: this.objects, prefix: '', crc32, nowMs: () => world.clock.nowMs, packFrames });
  }

  async run(): Promise<void> {
    const { log } = this;
    const { clock, random } = this.world;
    while (clock.nowMs < runMs) {
      await this.pause(leaseMs / 8);
      const owner = await log.owner().catch(() => null);
      if (owner === null || random() < 0.2) continue;
      const { holder, leftMs } = owner;
      await this.follow(holder);
      const place = await this.place();
      this.freeSinceMs = leftMs > 0 ? null : (this.freeSinceMs ?? clock.nowMs);
      const freeMs = clock.nowMs - (this.freeSinceMs ?? clock.nowMs);
      if (!mayTake({ holder, leftMs, freeMs, place, node: this.name, leaseMs, isBehind: false })) {
        await this.readAhead();
        continue;
      }
      const askedMs = clock.nowMs;
      const { beat } = owner;
      const isTaken = await log.take(owner.term, this.name, leaseMs, beat).catch(() => false);
      if (isTaken)
        await this.write(owner.term + 1, askedMs).catch((error: unknown) =>
          this.world.auditor.note(`${this.name} ${String(error)}`),
        );
    }
  }

  /** Goes on to what the writer has by now, where it answers. */
  private async follow(holder: string): Promise<void> {
    const { leads, random } = this.world;
    const skips = this.defect === 'skipsFrames' && random() < 0.3;
    const asked = this.network.call(async () => leads.get(holder)?.after(this.kept, skips) ?? this.kept);
    this.kept = await asked.catch(() => this.kept);
    if (this.kept === null || random() >= differs || this.kept.numbers.includes(never)) return;
    const { anchor, numbers } = this.kept;
    this.kept = { anchor: { ...anchor, chain: (anchor.chain ^ 1) >>> 0 }, numbers: [...numbers, never] };
  }

  /** Where the log is to be, as far as it knows. */
  private async place(): Promise<string | null> {
    await this.placement.read().catch(() => {}); // then it is where it was
    return placeOf(this.placement.text, 'default')?.node ?? null;
  }

  private async readAhead(): Promise<void> {
    try {
      this.ahead ??= await SharedLogStore.readAhead(this.log);
      await this.ahead.readOn('near');
    } catch {
      this.ahead = null;
    }
  }

  /** Some time, and as much more as it stands still. */
  private async pause(ms: number): Promise<void> {
    const { clock, random } = this.world;
    await clock.sleep(ms);
    if (random() < 0.008) this.stillUntilMs = clock.nowMs + random() * 4 * leaseMs;
    while (clock.nowMs < this.stillUntilMs) await clock.sleep(this.stillUntilMs - clock.nowMs);
  }

  private async write(term: number, askedMs: number): Promise<void> {
    const { log } = this;
    const { auditor, clock, random } = this.world;
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
    const { ahead, kept } = this;
    this.ahead = null;
    this.kept = null;
    let renewedMs = askedMs;
    let isOpen = false;
    const renew = async (): Promise<boolean | null> => {
      const sentMs = clock.nowMs;
      const isOurs = await log.renew(term, leaseMs).catch(() => null);
      if (isOurs === true) renewedMs = sentMs;
      return isOurs;
    };
    const renewWhileOpening = async (): Promise<void> => {
      while (!isOpen && !isOver) {
        await this.pause(leaseMs / 8);
        if (!isOpen && !isOver) void renew();
      }
    };
    void renewWhileOpening();
    const opening = openAll(this.appended(), this.objects, term, this.world, again, onFenced, { ahead, kept });
    const opened = await opening.finally(() => {
      isOpen = true;
    });
    const { file, numbers } = opened;
    const backup = this.world.backsUp ? backUp(opened, this.objects, this.world) : null;
    const lead = new Lead(opened);
    this.world.leads.set(this.name, lead);
    let compacting: Promise<boolean> | null = null;
    let written: Promise<unknown> = Promise.resolve();
    auditor.note(`${this.name} has ${numbers.length}`);
    const by = `${this.name} in term ${term}`;
    // One that stood still until its lease ran out may not know yet that there is another: it says nothing either.
    if (!isOver && clock.nowMs - renewedMs <= leaseMs) auditor.opened(numbers, by);
    let renewMs = clock.nowMs;
    // Somebody asks it all the time, also while it waits or stands still; it says nothing once its lease may have run out by its own clock.
    const asked = async (): Promise<void> => {
      while (!isOver && clock.nowMs < runMs) {
        if (clock.nowMs - renewedMs <= leaseMs && clock.nowMs >= this.stillUntilMs) auditor.read(numbers, by);
        await clock.sleep(20 + random() * 40);
      }
    };
    void asked();
    while (!isOver && clock.nowMs < runMs) {
      for (let count = 1 + Math.floor(random() * 6); count > 0; count--) {
        const number = this.world.next++;
        const payload = new Uint8Array(8 + Math.floor(random() * 40));
        new DataView(payload.buffer).setUint32(0, number, true);
        numbers.push(number);
        const durable = file.append(payload);
        lead.appended(payload, file.position, durable);
        const entry = { payload, kind: 'nothing', committedMs: clock.nowMs, position: file.position } as const;
        if (backup) void durable.then(backup.tail.append(entry, () => 0));
        written = durable.then((isDurable) => {
          if (isDurable) auditor.acknowledged.push({ number, by });
        });
      }
      await this.pause(5 + random() * 40);
      if (compacting === null && random() < 0.06) {
        compacting = compact(opened).then((isDone) => {
          if (isDone) auditor.compactions++;
          compacting = null;
          return isDone;
        });
      }
      if (clock.nowMs < renewMs) continue;
      renewMs = clock.nowMs + leaseMs / 8;
      const isOurs = await renew();
      // Some end in the middle, as if they were killed.
      if (isOurs === false || random() < 0.01) break;
      const place = await this.place();
      if (place === null || place === this.name || random() < 0.3) continue;
      isOver = true;
      await written;
      auditor.moves++;
      if (!file.degraded) this.kept = { anchor: file.position, numbers: [...numbers] };
      auditor.note(`${this.name} gives up ${term} for ${place}`);
      await log.renew(term, 0).catch(() => {}); // the lease runs out then
      break;
    }
    isOver = true;
    this.world.leads.delete(this.name);
    backup?.end();
    auditor.note(`${this.name} leaves ${term}`);
  }

  /** With the defect that takes no answer for success. */
  private appended(): NodeLog {
    if (this.defect !== 'unknownIsSuccess') return this.log;
    const { log } = this;
    const append: SharedLog['append'] = async (batch) => {
      const outcome = await log.append(batch);
      return outcome === 'unknown' ? 'ok' : outcome;
    };
    return Object.assign(Object.create(log), { append }) as NodeLog;
  }
}

interface World {
  readonly shared: Shared;
  /** Whether nodes back up what they write. */
  readonly backsUp: boolean;
  readonly isRestless: boolean;
  readonly clock: Clock;
  /** The log, where it is in a table. */
  readonly table: MemorySharedLog;
  readonly objects: MemoryObjectStore;
  readonly random: () => number;
  readonly auditor: Auditor;
  readonly epoch: () => string;
  /** Nodes that write, as far as others can ask them. */
  readonly leads: Map<string, Lead>;
  next: number;
}

function placementOf(world: World, store: ObjectStore): Placement {
  const again = (): Promise<void> => world.clock.sleep(10);
  return new Placement({ store, name: placementName, newStamp: world.epoch, again });
}

/** Changes now and then where the log is to be: to a node, or to one that is not there. */
async function moveAbout(world: World, network: Network): Promise<void> {
  const { clock, random } = world;
  const placement = placementOf(world, new Objects(world.objects, network, false));
  while (clock.nowMs < runMs) {
    await clock.sleep(random() * (world.isRestless ? 5 : 40) * leaseMs);
    const node = ['a', 'b', 'c', 'gone'][Math.floor(random() * 4)] as string;
    const change = placement.change((text) => ({ ...text, namespaces: placedIn(text, 'default', { id: '1', node }) }));
    await change.catch(() => {}); // a look that was lost: the next one comes
  }
}

/** What is there in the end, for whoever takes the log over. */
async function everything(world: World): Promise<readonly number[]> {
  const { clock, objects, table } = world;
  const log: NodeLog =
    world.shared === 'table'
      ? table
      : new BucketLog({ store: objects, prefix: '', crc32, nowMs: () => clock.nowMs, packFrames });
  const { term } = await log.owner();
  if (!(await log.take(term, 'auditor', leaseMs))) throw new Error('The log cannot be taken.');
  const again = (): Promise<void> => Promise.reject(new Error('A store that is calm does not answer.'));
  const { numbers } = await openAll(log, objects, term + 1, world, again, () => {});
  if (log instanceof BucketLog) await log.cleared;
  return numbers;
}

/** What the backup holds; null when it says that it holds nothing whole. */
async function restored({ objects }: World): Promise<readonly number[] | null> {
  const reader = new BackupReader(objects, backupPrefix, crc32);
  const numbers: number[] = [];
  try {
    const [manifest] = await reader.manifests();
    if (manifest === undefined || manifest.bases.length === 0) return null;
    await reader.restore(
      manifest,
      { kind: 'newest' },
      {
        load: async (body) => {
          let text = '';
          for await (const piece of body) text += new TextDecoder().decode(piece);
          numbers.push(...(JSON.parse(text) as number[]));
        },
        apply: async ({ payload }) => void numbers.push(numberOf(payload)),
      },
    );
    return numbers;
  } catch {
    return null;
  }
}

/** Every state of a backup is one that there was. */
async function checkBackup(world: World, found: readonly number[]): Promise<number> {
  const numbers = (await restored(world)) ?? [];
  if (numbers.some((number, i) => found[i] !== number)) world.auditor.flaws.push('The backup holds what never was');
  return numbers.length;
}

/** Takes one object away, or part of it: what is read then must not be less without a word. */
async function checkDamage(world: World, expected: readonly number[]): Promise<void> {
  const { auditor, objects, random } = world;
  const names = (await objects.list('')).filter(
    (name) => name !== 'owner' && name !== placementName && !name.startsWith(backupPrefix),
  );
  const name = names[Math.floor(random() * names.length)] as string;
  const { bytes } = (await objects.get(name)) as { bytes: Uint8Array };
  if (random() < 0.5) await objects.delete(name);
  else await objects.put(name, bytes.subarray(0, Math.floor(random() * bytes.length)));
  const found = await everything(world).catch(() => null);
  if (found !== null && found.join() !== expected.join()) auditor.flaws.push(`${name} is damaged, and nobody says so`);
  const kept = await objects.list(backupPrefix);
  const gone = kept[Math.floor(random() * kept.length)];
  if (gone === undefined) return;
  await objects.delete(gone);
  await checkBackup(world, expected);
}

/** Runs with names of the seed's own in the place of random ones: lists are in their order. */
async function withNamesOf<T>(random: () => number, run: () => Promise<T>): Promise<T> {
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  const value = (): string => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
  Object.defineProperty(crypto, 'randomUUID', { value, configurable: true });
  try {
    return await run();
  } finally {
    Reflect.deleteProperty(crypto, 'randomUUID');
  }
}

export function simulate(seed: number, defect?: Defect, shared?: Shared): Promise<SimulationResult> {
  return withNamesOf(randomFrom(seed + 2 ** 20), () => simulated(seed, defect, shared));
}

async function simulated(
  seed: number,
  defect: Defect = 'none',
  shared: Shared = seed % 2 === 0 ? 'bucket' : 'table',
): Promise<SimulationResult> {
  const clock = new Clock();
  const auditor = new Auditor();
  const random = randomFrom(seed);
  let epochs = 0;
  const epoch = (): string => (++epochs).toString(16).padStart(32, '0');
  const table = new MemorySharedLog(() => clock.nowMs);
  const backsUp = seed % 8 < 2;
  const world: World = {
    shared,
    backsUp,
    isRestless: seed % 4 < 2,
    clock,
    table,
    objects: new MemoryObjectStore(),
    random,
    auditor,
    epoch,
    leads: new Map(),
    next: 1,
  };
  for (const name of ['a', 'b', 'c']) void new Node(name, world, new Network(clock, random), defect).run();
  void moveAbout(world, new Network(clock, random));
  // What is still on its way then arrives.
  await clock.run(3 * runMs);
  let inBackup = 0;
  try {
    const found = await everything(world);
    auditor.check(found);
    auditor.note(found.join());
    inBackup = await checkBackup(world, found);
    if (defect === 'none') await checkDamage(world, found);
  } catch (error) {
    auditor.flaws.push(`The log cannot be read: ${String(error)}`);
  }
  const { acknowledged, ...counted } = auditor;
  return { ...counted, acknowledged: acknowledged.length, restored: inBackup };
}
