// One log of a cluster, as a node takes part in it: it writes while the log is its own, follows whoever has it otherwise, and takes it when the lease
// of that one has run out. While it has no part, and once its own lease may have run out, it answers nothing but 503 with where the writer is. That only
// one node writes is the store's doing (store.ts); leases merely keep nodes from trying.
//
// Where the log has a place (src/storage/placement.ts), a writer elsewhere gives it up for the node that is to have it, as soon as that one says that
// it follows and is waiting. That one looks often.
//
// Who follows reads the log ahead as well. When it takes the log it goes on from the graphs that followed, with the frames behind them: the log has to
// go through the very commit of each, or that one is loaded anew. So do graphs of a writer that has given the log up, and those that follow another one.
//
// Behind each `Cluster:CheckpointMegabytes` of log the writer writes checkpoints, and lets go of the log before them: a take-over opens from there.

import type { Settings } from '../../src/config/catalogue.ts';
import type { Configuration } from '../../src/config/configuration.ts';
import type { Logger } from '../../src/engine/logger.ts';
import { defaultNamespace } from '../../src/engine/names.ts';
import { type ArcwiseService, createService, type ServiceHome, type ServiceStorage } from '../../src/service.ts';
import { isAwaited, mayTake } from '../../src/storage/placement.ts';
import { SharedLogStore } from '../../src/storage/shared-log-store.ts';
import { openNodeHome } from '../home.ts';
import { answerNoPart } from './answers.ts';
import { saidBy } from './hand-over.ts';
import { Journal } from './journal.ts';
import type { PartOptions } from './part-node.ts';
import { ReadAhead } from './read-ahead.ts';
import { backupOf, type ClusterStore, storageOf } from './store.ts';
import { Successive } from './successive.ts';

/** How often a node looks, as a part of the lease. */
export const looksInLease = 8;
/** The same while it waits for a log that is being given up for it. */
const looksInLeaseWhileNext = 80;
/** A look when the lease of another has run out, and not a moment before. */
const behindLeaseMs = 5;
const mebibyte = 2 ** 20;
/** Of the log between two checkpoints, a node that follows keeps so many in memory at most. */
const checkpointsAhead = 4;
/** Between two attempts of a write whose outcome is not known, and two looks at whether it answers. */
const againMs = 50;

type Role = 'writer' | 'replica' | 'none';

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
  private readonly address = (): string => this.options.node.address();
  private readonly checkpointBytes: number;
  private service: ArcwiseService | null = null;
  private readonly services: Successive;
  private readonly ahead: ReadAhead;
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
    this.services = new Successive(node.logger);
    this.settings = node.configure([]).settings;
    this.leaseMs = this.settings['Cluster:LeaseMilliseconds'];
    this.checkpointBytes = this.settings['Cluster:CheckpointMegabytes'] * mebibyte;
    this.ahead = new ReadAhead(cluster, node.logger, checkpointsAhead * this.checkpointBytes);
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
    const left = this.leave();
    await this.services.graphs;
    // Whoever waits for the log need not wait for the lease.
    if (role === 'writer') await this.cluster.renew(term, 0).catch(() => {});
    await left;
  }

  /** Its namespace is gone. The lease stays, so that no node that does not know yet takes the log, and its writer deletes what it held. */
  async remove(): Promise<void> {
    this.endOpenEnded();
    await this.beginning;
    await this.looking;
    const { role, term } = this;
    await this.leave();
    await this.services.dispose();
    if (role !== 'writer') return;
    await this.cluster.clear(term).catch((error: unknown) => {
      this.logger.warn(`The log of a namespace that is gone was not deleted: ${String(error)}`);
    });
  }

  /** Whether the log is given up for this node, and it is ready to take it. */
  get isNext(): boolean {
    const { isReady } = this;
    const followsMs = performance.now() - (this.followsSinceMs ?? Number.POSITIVE_INFINITY);
    return this.isToWrite && isAwaited({ isReady, hasRead: this.ahead.isThere, followsMs });
  }

  /** Whether it could write within a moment: its graphs follow, and it has read the log ahead. */
  get isReady(): boolean {
    return this.role === 'replica' && this.ahead.isThere && this.service?.isWhole() === true;
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
    return this.options.place() === this.address();
  }

  private get isSilent(): boolean {
    return this.role === 'writer' && performance.now() - this.renewedMs > this.leaseMs;
  }

  /** Resolves when it answers, and writes where the log belongs here; or behind `withinMs`. */
  async standsBy(withinMs: number): Promise<void> {
    const endMs = performance.now() + withinMs;
    const isThere = (): boolean =>
      this.service !== null && !this.isSilent && (this.role === 'writer' || !this.isToWrite);
    while (!isThere() && !this.ended && performance.now() < endMs)
      await new Promise((resolve) => setTimeout(resolve, againMs));
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

  answer(request: Request, target: string): Promise<Response> {
    const { role, service } = this;
    if (service === null || this.isSilent) return Promise.resolve(answerNoPart(this.writer));
    const answered = service.fetch(request, target);
    return role === 'writer' ? answered.then((response) => this.checked(request, service, response)) : answered;
  }

  /** A writer may have stood still meanwhile. What a write came to is so all the same. */
  private async checked({ method }: Request, service: ArcwiseService, response: Response): Promise<Response> {
    const reads = method === 'GET' || method === 'HEAD' || response.status === 503;
    if (!reads || (this.service === service && !this.isSilent)) return response;
    await response.body?.cancel();
    return answerNoPart(this.writer);
  }

  /** Looks at once where the log is to be this node's: its writer may give it up any moment, and clients wait from then on. */
  hurry(): void {
    if (this.isToWrite && this.role !== 'writer') this.wake?.();
  }

  private async keepLooking(): Promise<void> {
    while (!this.ended) {
      const looks = this.isToWrite && this.role !== 'writer' ? looksInLeaseWhileNext : looksInLease;
      const restMs = Math.min(this.leaseMs / looks, this.role === 'writer' ? Infinity : this.freeInMs + behindLeaseMs);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, restMs);
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
      // What is broken off has to be taken back first, and nothing is written meanwhile.
      if (this.journal?.isSaving !== true && (await this.isAwaitedElsewhere())) return this.giveUp();
      this.journal?.saveWhenDue(this.service);
      return;
    }
    const { beat, holder, leftMs, term } = await this.cluster.owner();
    this.writer = holder === '' ? null : holder;
    this.freeSinceMs = leftMs > 0 ? null : (this.freeSinceMs ?? askedMs);
    this.freeInMs = leftMs > 0 ? leftMs : Number.POSITIVE_INFINITY;
    if (this.isRetiring) return;
    if (this.mayTake(holder, leftMs) && askedMs >= this.triesAgainMs) {
      if (await this.cluster.take(term, this.address(), this.leaseMs, beat))
        await this.write(term + 1, holder, askedMs);
    } else if (holder === '' || holder === this.address()) return;
    else if (this.following !== holder) {
      const left = this.leave();
      await this.follow(holder).finally(() => left);
    }
    // Looks do not wait for it. What was read stays right whoever has the log.
    if (this.role === 'replica') this.ahead.go();
  }

  private following: string | null = null;
  private followsSinceMs: number | null = null;
  /** When the lease of whoever has the log runs out, as the last look has it. */
  private freeInMs = Number.POSITIVE_INFINITY;
  /** Not before then, behind a take-over that came to nothing. */
  private triesAgainMs = Number.NEGATIVE_INFINITY;
  /** Since when nobody has the log, as this node has seen; null: somebody has it. */
  private freeSinceMs: number | null = null;

  private mayTake(holder: string, leftMs: number): boolean {
    const { leaseMs } = this;
    const freeMs = this.freeSinceMs === null ? 0 : performance.now() - this.freeSinceMs;
    const isBehind = this.role === 'replica' && !this.isReady;
    return mayTake({ holder, leftMs, freeMs, place: this.options.place(), node: this.address(), leaseMs, isBehind });
  }

  /** Whether the log is to be another node's, and that one stands by. */
  private async isAwaitedElsewhere(): Promise<boolean> {
    const place = this.options.place();
    if (place === null || place === this.address()) return false;
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
    const left = this.leave(false);
    await this.services.graphs;
    await this.cluster.renew(term, 0);
    const endMs = performance.now() - beganMs;
    this.logger.info(`This node gives up a log for ${this.options.place()}.`, { term, endMs });
    await left;
  }

  private async write(term: number, holder: string, askedMs: number): Promise<void> {
    const takenMs = performance.now();
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
      const ahead = await this.ahead.take();
      const reading = SharedLogStore.open({ log: this.cluster, term, again, onFenced }, ahead);
      const storage = await storageOf(this.cluster, term, reading, this.options.directory);
      const readMs = performance.now();
      const configuration = this.options.node.configure([
        '--Service:Replica:Serve=true',
        '--Service:Durability:SaveOnShutdown=false',
        ...backupOf(this.settings, this.id),
      ]);
      let made: ArcwiseService | null = null;
      const isReplaced = (): boolean => made !== null && (this.service !== made || this.isSilent);
      const kept = await this.services.graphs;
      const home = { ...(await this.home(configuration, storage, isReplaced)), kept };
      const service = await createService(home, configuration);
      await service.ready;
      made = service;
      this.service = service;
      this.journal = new Journal(storage.logs, this.checkpointBytes, this.logger);
      this.role = 'writer';
      this.writer = this.address();
      const took = { takeMs: takenMs - askedMs, readMs: readMs - takenMs, openMs: performance.now() - readMs };
      this.logger.info(`This node writes, in term ${term}.`, { term, log: this.options.id, ...took });
      if (!this.isToWrite) this.options.taken(holder);
    } catch (error) {
      // Somebody else may manage, and so may this node later.
      this.triesAgainMs = performance.now() + this.leaseMs;
      await this.cluster.renew(term, 0).catch(() => {});
      throw error;
    } finally {
      await before;
      clearInterval(renewing);
    }
  }

  /** Of the log since the last checkpoints, while this node writes. */
  private journal: Journal | null = null;

  private async follow(holder: string): Promise<void> {
    const said = await saidBy(holder, this.settings);
    // A node of an older version has one log alone, and answers from it everywhere.
    const isOlder = said !== null && said.namespaces === undefined;
    const configuration = this.options.node.configure([
      `--Service:Replica:Of=${holder}${isOlder ? '' : partPath + this.options.id}`,
      `--Service:Replica:WriterUrl=${holder}`,
    ]);
    const home = { ...(await this.home(configuration)), kept: await this.services.graphs };
    const service = await createService(home, configuration);
    await service.ready;
    this.service = service;
    this.followsSinceMs = performance.now();
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
    this.followsSinceMs = null;
    if (role === 'writer' && !this.ended) this.term = 0;
    return service === null ? Promise.resolve() : this.services.end(service);
  }
}
