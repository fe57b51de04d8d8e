// A node of a cluster: it writes while the log is its own, follows whoever has it otherwise, and takes it when the lease of that one has run out. It
// listens all the time; what answers behind it changes with its part. While it has none, and once its own lease may have run out, it answers nothing
// but 503 with where the writer is. That only one node writes is the store's doing (store.ts); leases merely keep nodes from trying.
//
// Behind each `Cluster:CheckpointMegabytes` of log the writer writes checkpoints, and lets go of the log before them: a take-over opens from there.

import type { Configuration } from '../../src/config/configuration.ts';
import type { Logger } from '../../src/engine/logger.ts';
import { placesIn } from '../../src/engine/savegames/named-places.ts';
import type { ClusterDescription } from '../../src/http/replication/cluster.ts';
import { type ArcwiseService, createService, type ServiceHome, type ServiceStorage } from '../../src/service.ts';
import { BlobCheckpoints } from '../../src/storage/blob-checkpoints.ts';
import { blobsUnder } from '../../src/storage/object-files.ts';
import { SharedLogStore } from '../../src/storage/shared-log-store.ts';
import { openNodeHome } from '../home.ts';
import { type Listener, listen } from '../listener.ts';
import { outboundFetches } from '../outbound-fetch.ts';
import type { RunningService } from '../service.ts';
import { type ClusterStore, openClusterStore } from './store.ts';

/** How often a node looks, as a part of the lease. */
const looksInLease = 8;
const drainMs = 10_000;
const mebibyte = 2 ** 20;
/** Between two attempts of a write whose outcome is not known. */
const againMs = 50;

type Role = 'writer' | 'replica' | 'none';

/** Settings beside those that were given. */
type Configure = (extra: readonly string[]) => Configuration;

export async function startClusterNode(configure: Configure, logger: Logger): Promise<RunningService> {
  const { settings } = configure([]);
  const outbound = outboundFetches();
  const cluster = await openClusterStore(settings, outbound.pool('service')).catch(async (error: unknown) => {
    await outbound.close();
    throw error;
  });
  const node = new ClusterNode(configure, cluster, logger);
  try {
    await node.start();
  } catch (error) {
    await node.stop().catch(() => {}); // the first failure is the one to tell
    await outbound.close();
    throw error;
  }
  const stop = (): Promise<void> => node.stop().finally(() => outbound.close());
  return { url: node.url, storageDirectory: 'of the cluster', stop };
}

class ClusterNode {
  url = '';
  private readonly configure: Configure;
  private readonly cluster: ClusterStore;
  private readonly logger: Logger;
  private readonly leaseMs: number;
  private readonly checkpointBytes: number;
  private listener: Listener | null = null;
  private service: ArcwiseService | null = null;
  private role: Role = 'none';
  private term = 0;
  /** Of the last renewal, by this machine's clock, which also runs while the process stands still. */
  private renewedMs = Number.NEGATIVE_INFINITY;
  private writer: string | null = null;
  private ended = false;
  private looking: Promise<void> = Promise.resolve();

  constructor(configure: Configure, cluster: ClusterStore, logger: Logger) {
    this.configure = configure;
    this.cluster = cluster;
    this.logger = logger;
    const { settings } = configure([]);
    this.leaseMs = settings['Cluster:LeaseMilliseconds'];
    this.checkpointBytes = settings['Cluster:CheckpointMegabytes'] * mebibyte;
  }

  async start(): Promise<void> {
    const { settings } = this.configure([]);
    const answer = (request: Request, target?: string): Promise<Response> => this.answer(request, target);
    this.listener = await listen(answer, { host: settings['Http:Host'], port: settings['Http:Port'] });
    this.url = this.listener.url;
    // Another node may take the log while this one opens it: it follows then.
    await this.lookOrTell();
    this.looking = this.keepLooking();
  }

  async stop(): Promise<void> {
    this.ended = true;
    this.service?.endOpenEnded();
    await this.listener?.close(drainMs);
    await this.looking;
    const { role, term } = this;
    await this.leave();
    // Whoever waits for the log need not wait for the lease.
    if (role === 'writer') await this.cluster.renew(term, 0).catch(() => {});
    await this.cluster.close();
  }

  /** Where others find this node. */
  private get address(): string {
    return this.configure([]).settings['Cluster:AdvertiseUrl'] ?? this.url;
  }

  private get isSilent(): boolean {
    return this.role === 'writer' && performance.now() - this.renewedMs > this.leaseMs;
  }

  private describe(): ClusterDescription {
    const { address: node, role, term, writer } = this;
    return { node, role, term, writer };
  }

  private home(configuration: Configuration, storage: ServiceStorage | null = null): Promise<ServiceHome> {
    const home = openNodeHome(configuration, this.logger, 'listener', storage);
    return home.then((one) => ({ ...one, cluster: () => this.describe() }));
  }

  private async answer(request: Request, target?: string): Promise<Response> {
    const { service, writer } = this;
    if (service !== null && !this.isSilent) return service.fetch(request, target);
    if (new URL(request.url).pathname === '/cluster') return Response.json(this.describe());
    const detail = `This node neither writes nor follows now; the writer is ${writer ?? 'not known'}.`;
    const problem = { title: 'Service overloaded', status: 503, detail, writer };
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' };
    return new Response(JSON.stringify(problem), { status: 503, headers });
  }

  private async keepLooking(): Promise<void> {
    while (!this.ended) {
      await new Promise((resolve) => setTimeout(resolve, this.leaseMs / looksInLease));
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
      this.saveWhenDue();
      return;
    }
    const { holder, leftMs, term } = await this.cluster.owner();
    this.writer = holder === '' ? null : holder;
    // A node that finds itself is another one than the one that was: it takes the log as any other does.
    if ((leftMs <= 0 || holder === this.address) && askedMs >= this.triesAgainMs) {
      if (await this.cluster.take(term, this.address, this.leaseMs)) await this.write(term + 1, askedMs);
    } else if (this.role === 'none') await this.follow(holder);
    else if (this.following !== holder) await this.leave();
  }

  private following: string | null = null;
  /** Not before then, behind a take-over that came to nothing. */
  private triesAgainMs = Number.NEGATIVE_INFINITY;

  private async write(term: number, askedMs: number): Promise<void> {
    await this.leave();
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
      const logs = await SharedLogStore.open({ log: this.cluster, term, again, onFenced: () => void this.leave() });
      const configuration = this.configure([
        '--Service:Replica:Serve=true',
        '--Service:Durability:SaveOnShutdown=false',
      ]);
      const storage = await this.storage(term, logs);
      const service = await createService(await this.home(configuration, storage), configuration);
      await service.ready;
      this.service = service;
      this.journal = { logs, savedBytes: 0, saving: false };
      this.role = 'writer';
      this.writer = this.address;
      this.logger.info(`This node writes, in term ${term}.`, { term });
    } catch (error) {
      // Somebody else may manage, and so may this node later.
      this.triesAgainMs = performance.now() + this.leaseMs;
      await this.cluster.renew(term, 0).catch(() => {});
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  private async storage(term: number, logs: SharedLogStore): Promise<ServiceStorage> {
    const blobs = this.cluster.blobs(term);
    const checkpoints = await BlobCheckpoints.open({
      index: blobsUnder(blobs, 'checkpoints/'),
      parts: this.cluster.files(term),
      nowMs: () => Date.now(),
    });
    const directory = `cluster://${encodeURIComponent(this.configure([]).settings['Cluster:Name'])}`;
    const saveGames = { checkpoints, places: placesIn(directory, checkpoints) };
    return { logs, metadata: blobsUnder(blobs, 'metadata/'), saveGames, release: async () => {} };
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
    const configuration = this.configure([`--Service:Replica:Of=${holder}`]);
    const service = await createService(await this.home(configuration), configuration);
    await service.ready;
    this.service = service;
    this.role = 'replica';
    this.following = holder;
    this.logger.info(`This node follows ${holder}.`);
  }

  /** Ends its part. From the first step on it answers nothing. */
  private async leave(): Promise<void> {
    const { role, service } = this;
    this.service = null;
    this.role = 'none';
    this.journal = null;
    this.following = null;
    if (role === 'writer' && !this.ended) {
      this.term = 0;
      this.logger.warn('This node does not write any more: another one has the log.');
    }
    await service?.close().catch((error: unknown) => this.logger.warn(`It did not end well: ${String(error)}`));
  }
}
