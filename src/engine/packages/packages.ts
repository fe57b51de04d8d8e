// Packages of namespaces, out and in. A package that comes in is a checkpoint from then on, known to the registry, because the log begins anew
// at it; where nothing is kept its files stay in memory until the graph is there.

import { MemoryCheckpointStore } from '../../storage/memory-store.ts';
import type { CheckpointStore } from '../../storage/types.ts';
import { deleteCheckpoint, readCheckpoint } from '../checkpoint/manifest.ts';
import { CheckpointFailed, CheckpointUnreadable, sectionKinds } from '../checkpoint/types.ts';
import { namesOf } from '../documents.ts';
import { isGone } from '../gone.ts';
import { type Crc32, crc32With } from '../log/crc32.ts';
import type { Namespace } from '../namespace.ts';
import { type NamespaceHome, reasonOf } from '../open-namespace.ts';
import { directoryOf } from '../savegames/locations.ts';
import type { NamespaceKeeper } from '../savegames/restore.ts';
import type { SaveGameBook } from '../savegames/save-games.ts';
import type { GraphEngine } from '../types.ts';
import { engineVersion } from '../version.ts';
import { type PackageLimits, type PackageResult, type PackageSet, PackageUnreadable, type Snapshot } from './types.ts';

/** Packages whose files lie in the store until their clients have them. */
const mostOnTheirWay = 4;

export interface PackageParts {
  readonly keeper: NamespaceKeeper;
  readonly engines: NamespaceHome;
  /** Null where nothing is kept. */
  readonly book: SaveGameBook | null;
}

type Refused = PackageResult & { readonly ok: false };

/** The body broke off: what threw is its client's business. */
class BodyBroken extends Error {
  constructor(cause: unknown) {
    super('The body broke off.', { cause });
  }
}

/** Ends an opening where the namespace stays as it is. */
class Refusal extends Error {
  readonly failure: Refused['failure'];

  constructor(failure: Refused['failure'], detail: string) {
    super(detail);
    this.failure = failure;
  }
}

export class Packages implements PackageSet {
  private readonly parts: PackageParts;
  private readonly crc32: Crc32;
  private onTheirWay = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(parts: PackageParts) {
    this.parts = parts;
    this.crc32 = crc32With(parts.engines.nativeCrc32);
  }

  async write(name: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | null> {
    return (await this.writeCopy(name, signal, false))?.body ?? null;
  }

  snapshot(name: string, signal: AbortSignal): Promise<Snapshot | null> {
    return this.writeCopy(name, signal, true);
  }

  private async writeCopy(name: string, signal: AbortSignal, keepsAnchor: boolean): Promise<Snapshot | null> {
    const { packageOf, Spool } = await import('./spool.ts');
    if (this.onTheirWay === mostOnTheirWay) return null;
    this.onTheirWay++;
    const { book, engines } = this.parts;
    const spool = new Spool(this.newStore());
    let file = '';
    const end = async (): Promise<void> => {
      this.onTheirWay--;
      await spool.clear(file);
    };
    try {
      const { id, graph } = this.loaded(name);
      file = `${directoryOf(id)}arcwise.package-${crypto.randomUUID()}`;
      const partitions = book?.home.defaultPartitions ?? 1;
      const options = { store: spool, name: file, partitions, engineVersion, nowMs: engines.clock.nowMs(), signal };
      const info = await this.inTurn(() => graph.saveCheckpoint({ ...options, isCopy: true, keepsAnchor }));
      return { info, body: streamOf(packageOf(spool, file, this.crc32), end) };
    } catch (error) {
      await end();
      throw error;
    }
  }

  async read(name: string, body: AsyncIterable<Uint8Array>, limits: PackageLimits): Promise<PackageResult> {
    const { book } = this.parts;
    const { namespace, graph, id } = this.loaded(name);
    const store = this.newStore();
    try {
      checkEmpty(graph);
    } catch (error) {
      return this.refused(name, error);
    }
    const file = book === null ? 'package' : await book.newName(id);
    const { unpack } = await import('./spool.ts');
    try {
      await unpack(limited(body, limits.maxBytes), { store, name: file, crc32: this.crc32 });
      await this.inTurn(() => this.install(namespace, graph, store, file, limits));
    } catch (error) {
      await deleteCheckpoint(store, file).catch((left: unknown) => {
        this.parts.engines.logger.warn(`Files of a refused package are left: ${reasonOf(left)}`, { namespace: name });
      });
      return this.refused(name, error);
    }
    const { vertexCount, edgeCount, durability } = graph;
    return { ok: true, vertexCount, edgeCount, durable: !durability.degraded };
  }

  private async install(
    namespace: Namespace,
    graph: GraphEngine,
    store: CheckpointStore,
    file: string,
    { mayHavePlugins }: PackageLimits,
  ): Promise<void> {
    const { book, engines, keeper } = this.parts;
    checkEmpty(graph);
    const info = await readCheckpoint(store, file, this.crc32);
    if (!mayHavePlugins && namesOf(info.sections, sectionKinds.pluginSources).length > 0)
      throw new Refusal('plugins', 'The package brings plugins, and the registration of plugins is disabled.');
    // Entered first: a log must never build on a checkpoint that no start would find.
    const entered = (await book?.enterFound(namespace, { info, modifiedMs: engines.clock.nowMs() })) ?? null;
    try {
      const start = { store, name: file, log: 'restart', anyNamespace: true } as const;
      await keeper.replaceFrom(namespace, start, () => checkEmpty(graph));
    } catch (error) {
      if (entered !== null) await book?.withdraw(entered);
      throw error;
    }
    await book?.dropBases([namespace]);
    engines.logger.info(`Namespace "${namespace.name}" was filled from a package.`, { namespace: namespace.name });
  }

  private loaded(name: string): { namespace: Namespace; graph: NonNullable<Namespace['graph']>; id: string } {
    const namespace = this.parts.keeper.named(name);
    if (namespace === undefined || namespace.graph === null)
      throw new CheckpointFailed(`Namespace "${name}" is not loaded any more.`);
    return { namespace, graph: namespace.graph, id: namespace.id };
  }

  private newStore(): CheckpointStore {
    return this.parts.book?.home.checkpoints ?? new MemoryCheckpointStore();
  }

  /** What the error says of the package or of the disk; what it says of anything else is thrown on. */
  private refused(name: string, error: unknown): Refused {
    if (error instanceof Refusal) return { ok: false, failure: error.failure, detail: error.message };
    if (error instanceof PackageUnreadable) return { ok: false, failure: 'unreadable', detail: error.message };
    if (error instanceof BodyBroken) throw error.cause;
    if (isGone(error)) throw error;
    if (error instanceof CheckpointUnreadable)
      return { ok: false, failure: error.reason === 'noMemory' ? 'noMemory' : 'unreadable', detail: error.message };
    const detail = reasonOf(error);
    this.parts.engines.logger.error(`A package for namespace "${name}" could not be opened: ${detail}`, {
      namespace: name,
    });
    return { ok: false, failure: 'failed', detail };
  }

  /** One checkpoint of a namespace at a time. */
  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.parts.book !== null) return this.parts.book.inTurn(run);
    const next = this.last.then(run);
    this.last = next.catch(() => {}); // the caller has the rejection
    return next;
  }
}

/** Throws Refusal for a graph that has elements, indexes or documents: they would go. */
function checkEmpty({ vertexCount, edgeCount, indexes, documents }: GraphEngine): void {
  const kinds = [sectionKinds.subgraphRecipes, sectionKinds.storedQueries, sectionKinds.pluginSources] as const;
  const holds = [
    [vertexCount, 'vertices'],
    [edgeCount, 'edges'],
    [indexes.list().length, 'indexes'],
    [kinds.reduce((sum, kind) => sum + documents.list(kind).length, 0), 'subgraphs, stored queries and plugins'],
  ] as const;
  const found = holds.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (found.length > 0)
    throw new Refusal('notEmpty', `The namespace has ${found.join(', ')}; a package fills an empty one.`);
}

async function* limited(body: AsyncIterable<Uint8Array>, maxBytes: number | null): AsyncGenerator<Uint8Array> {
  const blocks = body[Symbol.asyncIterator]();
  try {
    for (let bytes = 0; ; ) {
      const { done, value } = await blocks.next().catch((error: unknown) => {
        throw new BodyBroken(error);
      });
      if (done === true) return;
      bytes += value.length;
      if (maxBytes !== null && bytes > maxBytes)
        throw new Refusal('tooLarge', `The body is larger than the ${maxBytes} bytes of BulkIO:MaxImportRequestBytes.`);
      yield value;
    }
  } finally {
    await blocks.return?.();
  }
}

/** `end` is called once, when nobody reads on. */
function streamOf(
  blocks: AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>,
  end: () => Promise<void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await blocks.next();
        if (done !== true) {
          controller.enqueue(value);
          return;
        }
      } catch (error) {
        await end();
        throw error;
      }
      await end();
      controller.close();
    },
    cancel: async () => {
      await blocks.return();
      await end();
    },
  });
}
