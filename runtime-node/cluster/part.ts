// One log of a cluster, as a node takes part in it: it writes while the log is its own, follows whoever has it otherwise, and takes it when the lease
// of that one has run out. While it has no part, and once its own lease may have run out, it answers nothing but 503 with where the writer is. That only
// one node writes is the store's doing (store.ts); leases merely keep nodes from trying.
//
// Where the log has a place (src/storage/placement.ts), a writer elsewhere gives it up for the node that is to have it, as soon as that one says that
// it follows and is waiting. That one has read the log ahead by then, and looks often.
//
// Behind each `Cluster:CheckpointMegabytes` of log the writer writes checkpoints, and lets go of the log before them: a take-over opens from there.

import type { Settings } from '../../src/config/catalogue.ts';
import type { Configuration } from '../../src/config/configuration.ts';
import type { Logger } from '../../src/engine/logger.ts';
import { defaultNamespace } from '../../src/engine/names.ts';
import { type ArcwiseService, createService, type ServiceHome, type ServiceStorage } from '../../src/service.ts';
import { mayTake } from '../../src/storage/placement.ts';
import { LogTruncated } from '../../src/storage/shared-log.ts';
import { SharedLogStore } from '../../src/storage/shared-log-store.ts';
import { openNodeHome } from '../home.ts';
import { saidBy } from './hand-over.ts';
import { backupOf, type ClusterStore, storageOf } from './store.ts';

/** How often a node looks, as a part of the lease. */
export const looksInLease = 8;
/** The same while it waits for a log that is being given up for it. */
const looksInLeaseWhileNext = 80;
const mebibyte = 2 ** 20;
/** Between two attempts of a write whose outcome is not known. */
const againMs = 50;

export type Role = 'writer' | 'replica' | 'none';

/** Settings beside those that were given. */
export type Configure = (extra: readonly string[]) => Configuration;

/** What the parts of a node have in common. */
export interface PartNode {
  readonly configure: Configure;
  readonly logger: Logger;
  /** Where others find it. */
  readonly address: () => string;
  /** What its services say of the cluster. */
  readonly home: Pick<ServiceHome, 'cluster'>;
  /** Whether another part than that of `id` has a namespace of that name. */
  readonly isNameTaken: (name: string, id: string) => boolean;
  /** Whether that name is now that part's, for a namespace that is to have it. */
  readonly claimName: (name: string, id: string) => Promise<boolean>;
}

export interface PartOptions {
  readonly node: PartNode;
  readonly cluster: ClusterStore;
  /** In paths: what follows it asks for exactly this log. */
  readonly id: string;
  /** Of its own save games' locations. */
  readonly directory: string;
  /** The node that is to write; null: whichever takes the log. */
  readonly place: () => string | null;
  /** This node has taken the log from `holder`, which is not where it was to be. */
  readonly taken: (holder: string) => void;
}

/** Below this path a node answers from the log of that id, whatever the namespaces in it are called. */
export const partPath = '/cluster/parts/';

export class ClusterPart {
  role: Role = 'none';
  term = 0;
  readonly id: string;
  writer: string | null = null;
  private readonly options: PartOptions;
  private readonly cluster: ClusterStore;
  private readonly logger: Logger;
  private readonly settings: Settings;
  private readonly leaseMs: number;
  private readonly checkpointBytes: number;
  private service: ArcwiseService | null = null;
  /** Of the last renewal, by this machine's clock, which also runs while the process stands still. */
  private renewedMs = Number.NEGATIVE_INFINITY;
  private ended = false;
  private isRetiring = false;
  private beginning: Promise<void> | null = null;
  private looking: Promise<void> = Promise.resolve();
  private wake: (() => void) | null = null;

  constructor(options: PartOptions) {
    const { cluster, node } = options;
    this.options = options;
    this.id = options.id;
    this.cluster = cluster;
    this.logger = node.logger;
    this.settings = node.configure([]).settings;
    this.leaseMs = this.settings['Cluster:LeaseMilliseconds'];
    this.checkpointBytes = this.settings['Cluster:CheckpointMegabytes'] * mebibyte;
  }

  /** Resolves behind the first look, however often it is called. */
  start(): Promise<void> {
    // Another node may take the log while this one opens it: it follows then.
    this.beginning ??= this.lookOrTell().then(() => {
      this.looking = this.keepLooking();
    });
    return this.beginning;
  }

  /** What is asked for from now on is answered by 503. */
  endOpenEnded(): void {
    this.ended = true;
    this.wake?.();
    this.service?.endOpenEnded();
  }

  async stop(): Promise<void> {
    this.endOpenEnded();
    await this.beginning;
    await this.looking;
    const { role, term } = this;
    await this.leave();
    // Whoever waits for the log need not wait for the lease.
    if (role === 'writer') await this.cluster.renew(term, 0).catch(() => {});
  }

  /** Its namespace is gone. The lease stays, so that no node that does not know yet takes the log, and its writer deletes what it held. */
  async remove(): Promise<void> {
    this.endOpenEnded();
    await this.beginning;
    await this.looking;
    const { role, term } = this;
    await this.leave();
    if (role !== 'writer') return;
    await this.cluster.clear(term).catch((error: unknown) => {
      this.logger.warn(`The log of a namespace that is gone was not deleted: ${String(error)}`);
    });
  }

  /** Whether the log is given up for this node, and it is ready to take it. */
  get isNext(): boolean {
    return this.isToWrite && this.role === 'replica' && this.ahead !== null;
  }

  /** Whether a namespace of that name is in it, as far as this node knows. */
  has(name: string): boolean {
    return this.service?.engine.find(name) !== undefined;
  }

  /** Of its namespace, while this node writes it; null: it has none, or several. */
  get ownName(): string | null {
    const names = this.role === 'writer' ? (this.service?.engine.list() ?? []) : [];
    const [first, ...more] = names.map(({ name }) => name).filter((name) => name !== defaultNamespace);
    return more.length === 0 ? (first ?? null) : null;
  }

  /** Who has the log, as the store says. */
  async holder(): Promise<string> {
    return (await this.cluster.owner()).holder;
  }

  private get isToWrite(): boolean {
    return this.options.place() === this.address;
  }

  private get address(): string {
    return this.options.node.address();
  }

  private get isSilent(): boolean {
    return this.role === 'writer' && performance.now() - this.renewedMs > this.leaseMs;
  }

  private home(
    configuration: Configuration,
    storage: ServiceStorage | null = null,
    isReplaced = () => false,
  ): Promise<ServiceHome> {
    const { id, node } = this.options;
    const { home } = node;
    const names = {
      isNameTaken: (name: string) => node.isNameTaken(name, id),
      claimName: (name: string) => node.claimName(name, id),
    };
    return openNodeHome(configuration, this.logger, 'listener', storage).then((one) => ({
      ...{ ...one, ...home, ...(storage === null ? {} : { ...names, isReplaced }) },
    }));
  }

  async answer(request: Request, target: string): Promise<Response> {
    const { role, service } = this;
    if (service !== null && !this.isSilent) {
      const response = await service.fetch(request, target);
      // It may have stood still meanwhile. What a write came to is so all the same.
      const isOld = role === 'writer' && (this.service !== service || this.isSilent);
      const reads = request.method === 'GET' || request.method === 'HEAD' || response.status === 503;
      if (!isOld || !reads) return response;
      await response.body?.cancel();
    }
    const detail = `This node neither writes nor follows now; the writer is ${this.writer ?? 'not known'}.`;
    const problem = { title: 'Service overloaded', status: 503, detail, writer: this.writer };
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
    return new Response(JSON.stringify(problem), { status: 503, headers });
  }

  private async keepLooking(): Promise<void> {
    while (!this.ended) {
      const looks = this.isToWrite && this.role !== 'writer' ? looksInLeaseWhileNext : looksInLease;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.leaseMs / looks);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (this.ended) return;
      await this.lookOrTell();
    }
  }

  private async lookOrTell(): Promise<void> {
    await this.look().catch((error: unknown) => {
      this.logger.warn(`This node has no part in the cluster for now: ${String(error)}`);
    });
  }

  private async look(): Promise<void> {
    const askedMs = performance.now();
    if (this.role === 'writer') {
      if (!(await this.cluster.renew(this.term, this.leaseMs))) return this.leave();
      this.renewedMs = askedMs;
      if (await this.isAwaitedElsewhere()) return this.giveUp();
      this.saveWhenDue();
      return;
    }
    const { beat, holder, leftMs, term } = await this.cluster.owner();
    this.writer = holder === '' ? null : holder;
    this.freeSinceMs = leftMs > 0 ? null : (this.freeSinceMs ?? askedMs);
    if (this.isRetiring) return;
    if (this.mayTake(holder, leftMs) && askedMs >= this.triesAgainMs) {
      if (await this.cluster.take(term, this.address, this.leaseMs, beat)) await this.write(term + 1, holder, askedMs);
    } else if (holder === '' || holder === this.address) return;
    else if (this.role === 'none') await this.follow(holder);
    else if (this.following !== holder) await this.leave();
    if (this.isToWrite && this.role === 'replica') await this.readAhead();
    else this.ahead = null;
  }

  private following: string | null = null;
  /** Not before then, behind a take-over that came to nothing. */
  private triesAgainMs = Number.NEGATIVE_INFINITY;
  /** Since when nobody has the log, as this node has seen; null: somebody has it. */
  private freeSinceMs: number | null = null;
  /** The log as far as it was read before it is this node's. */
  private ahead: SharedLogStore | null = null;

  private mayTake(holder: string, leftMs: number): boolean {
    const { address: node, leaseMs } = this;
    const freeMs = this.freeSinceMs === null ? 0 : performance.now() - this.freeSinceMs;
    return mayTake({ holder, leftMs, freeMs, place: this.options.place(), node, leaseMs });
  }

  private async readAhead(): Promise<void> {
    try {
      const ahead = this.ahead ?? (await SharedLogStore.readAhead(this.cluster));
      await ahead.readOn('near');
      this.ahead = ahead;
    } catch (error) {
      this.ahead = null;
      if (!(error instanceof LogTruncated)) throw error;
    }
  }

  /** Whether the log is to be another node's, and that one stands by. */
  private async isAwaitedElsewhere(): Promise<boolean> {
    const place = this.options.place();
    if (place === null || place === this.address) return false;
    const namespaces = (await saidBy(place, this.settings))?.namespaces ?? [];
    return namespaces.some(({ id, isNext }) => id === this.options.id && isNext);
  }

  /** What it gives up from now on, it does not follow. */
  retire(): void {
    this.isRetiring = true;
  }

  private async giveUp(): Promise<void> {
    const { term } = this;
    const beganMs = performance.now();
    await this.leave(false);
    await this.cluster.renew(term, 0);
    const endMs = performance.now() - beganMs;
    this.logger.info(`This node gives up a log for ${this.options.place()}.`, { term, endMs });
  }

  private async write(term: number, holder: string, askedMs: number): Promise<void> {
    const { ahead } = this;
    const takenMs = performance.now();
    this.ahead = null;
    const before = this.withdraw();
    this.term = term;
    this.renewedMs = askedMs;
    const renewing = setInterval(() => {
      const sentMs = performance.now();
      this.cluster.renew(term, this.leaseMs).then(
        (isOurs) => {
          if (isOurs) this.renewedMs = sentMs;
        },
        () => {}, // the next one may come through
      );
    }, this.leaseMs / looksInLease);
    try {
      const again = async (): Promise<void> => {
        if (this.term !== term) throw new Error('This node does not write any more.');
        await new Promise((resolve) => setTimeout(resolve, againMs));
      };
      const onFenced = (): void => void this.leave();
      const logs = await SharedLogStore.open({ log: this.cluster, term, again, onFenced }, ahead);
      const readMs = performance.now();
      const configuration = this.options.node.configure([
        '--Service:Replica:Serve=true',
        '--Service:Durability:SaveOnShutdown=false',
        ...backupOf(this.settings, this.id),
      ]);
      const storage = await storageOf(this.cluster, term, logs, this.options.directory);
      let made: ArcwiseService | null = null;
      const isReplaced = (): boolean => made !== null && (this.service !== made || this.isSilent);
      const service = await createService(await this.home(configuration, storage, isReplaced), configuration);
      await service.ready;
      made = service;
      this.service = service;
      this.journal = { logs, savedBytes: 0, saving: false };
      this.role = 'writer';
      this.writer = this.address;
      const took = { takeMs: takenMs - askedMs, readMs: readMs - takenMs, openMs: performance.now() - readMs };
      this.logger.info(`This node writes, in term ${term}.`, { term, log: this.options.id, ...took });
      if (!this.isToWrite) this.options.taken(holder);
    } catch (error) {
      // Somebody else may manage, and so may this node later.
      this.triesAgainMs = performance.now() + this.leaseMs;
      await this.cluster.renew(term, 0).catch(() => {});
      throw error;
    } finally {
      clearInterval(renewing);
      await before;
    }
  }

  /** Of the log since the last checkpoints, while this node writes. */
  private journal: { readonly logs: SharedLogStore; savedBytes: number; saving: boolean } | null = null;

  /** Begins checkpoints where so much was logged since the ones before. */
  private saveWhenDue(): void {
    const { journal, service } = this;
    if (journal === null || journal.saving) return;
    if (journal.logs.journalBytes - journal.savedBytes < this.checkpointBytes) return;
    journal.saving = true;
    journal.savedBytes = journal.logs.journalBytes;
    const saving = service?.engine.saveGames?.saveBases() ?? Promise.resolve();
    const over = (): void => {
      journal.saving = false;
    };
    saving.then(over, (error: unknown) => {
      over();
      this.logger.warn(`Checkpoints of the cluster were not written: ${String(error)}`);
    });
  }

  private async follow(holder: string): Promise<void> {
    const said = await saidBy(holder, this.settings);
    // A node of an older version has one log alone, and answers from it everywhere.
    const isOlder = said !== null && said.namespaces === undefined;
    const configuration = this.options.node.configure([
      `--Service:Replica:Of=${holder}${isOlder ? '' : partPath + this.options.id}`,
      `--Service:Replica:WriterUrl=${holder}`,
    ]);
    const service = await createService(await this.home(configuration), configuration);
    await service.ready;
    this.service = service;
    this.role = 'replica';
    this.following = holder;
    this.logger.info(`This node follows ${holder}.`);
  }

  /** Ends its part. From the first step on it answers nothing. */
  private async leave(wasReplaced = true): Promise<void> {
    if (this.role === 'writer' && !this.ended && wasReplaced)
      this.logger.warn('This node does not write any more: another one has the log.');
    await this.withdraw();
  }

  private withdraw(): Promise<void> {
    const { role, service } = this;
    this.service = null;
    this.role = 'none';
    this.journal = null;
    this.following = null;
    if (role === 'writer' && !this.ended) this.term = 0;
    const closed = service?.close() ?? Promise.resolve();
    return closed.catch((error: unknown) => this.logger.warn(`It did not end well: ${String(error)}`));
  }
}
