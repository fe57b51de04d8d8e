// Extracted graphs of one namespace: their handles, who reads them, and when their memory goes back. A handle is good only over the core it was
// made in; after a restore that core is another one, and whatever still names a graph of the old one finds it gone.

import type { Core } from '../../core/core.ts';
import { dropGraph, extractGraph } from '../../core/extract.ts';
import type { CreateEdge, CreateVertex } from '../../core/requests.ts';
import type { JsonBody } from '../answer-stream.ts';
import type { GraphAccess } from '../indexes/access.ts';
import type { JobKind, JobOptions, JobOutcome } from '../jobs/types.ts';
import { readGraph } from '../reads.ts';
import type { ExtractedGraph, ExtractOutcome, Extracts, HeldSource } from './types.ts';

class Held implements ExtractedGraph {
  readonly core: Core;
  readonly handle: number;
  readonly vertexCount: number;
  readonly edgeCount: number;
  readers = 0;
  dropped = false;

  constructor(core: Core, handle: number) {
    this.core = core;
    this.handle = handle;
    this.vertexCount = core.vertexCount(handle);
    this.edgeCount = core.edgeCount(handle);
  }
}

interface Source extends HeldSource {
  readonly core: Core;
  /** Null: the namespace's own. */
  readonly held: Held | null;
  readonly handle: number;
  readonly ids: number;
  readonly renumberings: number;
}

/** The source is not what it was when it was taken. */
class SourceChanged extends Error {
  override readonly name = 'SourceChanged';
}

export class GraphExtracts implements Extracts {
  private readonly access: () => GraphAccess;
  private readonly listeners: (() => void)[] = [];
  /** Not dropped, and of the engine that is in place. */
  private readonly live = new Set<Held>();
  /** Settles when the extraction before has ended. */
  private turn: Promise<unknown> = Promise.resolve();
  /** Dropped, but there was no memory to note it. */
  private undropped: Held[] = [];

  /** `access`: to the engine that is in place now. */
  constructor(access: () => GraphAccess) {
    this.access = access;
  }

  get count(): number {
    return this.live.size;
  }

  hold(graph: ExtractedGraph | null): HeldSource {
    const { core, graph: own, renumberings } = this.access();
    const held = graph as Held | null;
    const isHere = held === null || (held.core === core && !held.dropped);
    if (held !== null && isHere) held.readers++;
    let released = !isHere;
    const handle = held?.handle ?? own;
    const source: Source = {
      core: isHere ? core : (held as Held).core,
      held,
      handle,
      vertexCount: held?.vertexCount ?? core.vertexCount(own),
      edgeCount: held?.edgeCount ?? core.edgeCount(own),
      ids: isHere ? core.nextId(handle) : 0,
      renumberings: isHere ? renumberings() : -1,
      release: () => {
        if (released) return;
        released = true;
        if (held !== null) this.leave(held);
      },
    };
    return source;
  }

  async runJob<Request extends object, Result>(
    source: HeldSource,
    kind: JobKind<Request & { readonly graph: number }, Result>,
    request: Request,
    options: JobOptions,
  ): Promise<JobOutcome<Result> | 'changed'> {
    const from = source as Source;
    const access = this.access();
    if (!isUnchanged(from, access)) return 'changed';
    return access.task(() => access.jobs.run(kind, { ...request, graph: from.handle }, options));
  }

  extract(source: HeldSource, bits: Uint8Array | null, signal?: AbortSignal): Promise<ExtractOutcome> {
    const mine = this.turn.then(() => this.extractNow(source as Source, bits, signal));
    this.turn = mine.catch(() => {}); // whoever asked for it is told
    return mine;
  }

  private async extractNow(from: Source, bits: Uint8Array | null, signal?: AbortSignal): Promise<ExtractOutcome> {
    const access = this.access();
    const { core } = access;
    if (!isUnchanged(from, access)) return { ok: false, reason: 'changed' };
    const pause = async (): Promise<void> => {
      await access.nextSlice(signal);
      if (!isUnchanged(from, access)) throw new SourceChanged();
    };
    try {
      const extracted = () =>
        access.task(() => extractGraph(core, from.handle, bits === null ? from.ids : 8 * bits.length, bits, pause));
      let made = await extracted();
      if (!made.ok && access.yieldMemory()) made = await extracted();
      return made.ok ? { ok: true, graph: this.made(core, made.graph) } : { ok: false, reason: 'memory' };
    } catch (error) {
      if (error instanceof SourceChanged) return { ok: false, reason: 'changed' };
      throw error;
    }
  }

  build(contents: readonly (CreateVertex | CreateEdge)[], signal?: AbortSignal): Promise<ExtractOutcome> {
    const mine = this.turn.then(() => this.buildNow(contents, signal));
    this.turn = mine.catch(() => {}); // whoever asked for it is told
    return mine;
  }

  private async buildNow(
    contents: readonly (CreateVertex | CreateEdge)[],
    signal?: AbortSignal,
  ): Promise<ExtractOutcome> {
    const { buildGraph } = await import('./build.ts');
    const access = this.access();
    const { core } = access;
    const pause = async (): Promise<void> => {
      await access.nextSlice(signal);
      if (this.access().core !== core) throw new SourceChanged();
    };
    try {
      const made = await access.task(() => buildGraph(core, contents, access.nowMs(), pause));
      return typeof made === 'number' ? { ok: true, graph: this.made(core, made) } : { ok: false, reason: made };
    } catch (error) {
      if (error instanceof SourceChanged) return { ok: false, reason: 'changed' };
      throw error;
    }
  }

  private made(core: Core, handle: number): Held {
    const held = new Held(core, handle);
    if (core === this.access().core) this.live.add(held);
    return held;
  }

  async read(graph: ExtractedGraph, maxElements: number, signal?: AbortSignal): Promise<JsonBody | null> {
    const held = graph as Held;
    const access = this.access();
    if (held.dropped || held.core !== access.core) return null;
    const source = access.answerSource(held.handle, signal);
    held.readers++;
    try {
      // Whoever streams holds the graph for itself.
      return await access.task(() =>
        readGraph({ ...source, hold: () => this.holdFor(held, source.hold(), signal) }, maxElements),
      );
    } finally {
      this.leave(held);
    }
  }

  /** Holds an extracted graph beside what `letGo` lets go of. */
  private holdFor(held: Held, letGo: () => void, signal: AbortSignal | undefined): () => void {
    held.readers++;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.leave(held);
      letGo();
    };
    signal?.addEventListener('abort', end);
    return end;
  }

  drop(graph: ExtractedGraph): void {
    const held = graph as Held;
    if (held.dropped) return;
    held.dropped = true;
    this.live.delete(held);
    if (held.readers === 0) this.giveBack(held);
  }

  onReplaced(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Another engine is in place. */
  replaced(): void {
    this.undropped = [];
    this.live.clear();
    this.recipesChanged();
  }

  /** Gives back what is in a core that its namespace has let go of; nobody reads it any more. */
  forget(core: Core): void {
    for (const held of [...this.live, ...this.undropped]) if (held.core === core) dropGraph(core, held.handle);
    this.undropped = [];
    this.live.clear();
  }

  /** By another's log: what was made of them is made again. */
  recipesChanged(): void {
    for (const listener of this.listeners) listener();
  }

  private leave(held: Held): void {
    held.readers--;
    if (held.dropped && held.readers === 0) this.giveBack(held);
  }

  /** An engine that is not in place any more gives its memory back as a whole. */
  private giveBack(held: Held): void {
    let core: Core;
    try {
      core = this.access().core;
    } catch {
      return; // the namespace has gone
    }
    const waiting = [...this.undropped, held].filter((one) => one.core === core);
    this.undropped = waiting.filter((one) => !dropGraph(core, one.handle));
  }
}

/** Whether ids of the source still mean what they did when it was taken. */
function isUnchanged({ core, held, renumberings }: Source, access: GraphAccess): boolean {
  if (renumberings < 0) return false;
  return core === access.core && (held !== null || renumberings === access.renumberings());
}
