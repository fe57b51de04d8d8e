// The change feed as an endless list of events. It outlives the connection: where one ends the next goes on behind the last event, and
// wherever events may be missing the reader is told so by a resync, whether the service or this client noticed.

import { readEvents } from './events.ts';
import { ProblemError } from './problems.ts';
import type { Pace } from './retry.ts';

export interface ChangeFilter {
  readonly kinds?: readonly (
    | 'vertexCreated'
    | 'vertexRemoved'
    | 'edgeCreated'
    | 'edgeRemoved'
    | 'propertySet'
    | 'propertyRemoved'
  )[];
  readonly elements?: readonly ('vertex' | 'edge')[];
  readonly labels?: readonly string[];
  readonly keys?: readonly string[];
}

export interface ChangeOptions extends ChangeFilter {
  /** Position to go on behind: `position` of an event. Without it only what happens from now on comes. */
  readonly since?: string;
  readonly signal?: AbortSignal;
  /** A connection that brings nothing for so long, not even a sign of life, is given up. */
  readonly idleMs?: number;
}

interface Event {
  /** What `since` takes; empty where the service has not told one. */
  readonly position: string;
  readonly seq?: number;
  /** ISO 8601, UTC. */
  readonly ts?: string;
}

/** Something was committed. */
export interface Change extends Event {
  readonly kind: 'vertexCreated' | 'vertexRemoved' | 'edgeCreated' | 'edgeRemoved' | 'propertySet' | 'propertyRemoved';
  readonly element: 'vertex' | 'edge';
  readonly id: number;
  readonly label?: string;
  readonly edgePropertyId?: string;
  readonly key?: string;
  readonly source?: number;
  readonly target?: number;
}

/**
 * Events may be missing: what is shown has to be read again. After `trim`, `tabulaRasa` and `load` ids may mean other elements.
 * `reconnected` is this client's own: a connection ended before it had brought a position to go on from.
 */
export interface Resync extends Event {
  readonly kind: 'resync';
  readonly reason:
    | 'overflow'
    | 'seekOutOfRange'
    | 'trim'
    | 'tabulaRasa'
    | 'load'
    | 'delegateWrite'
    | 'reconnected'
    | (string & {});
}

/** Opens a connection behind a position; null for the present. */
export type OpenFeed = (since: string | null, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

const defaultIdleMs = 60_000;

/** Titles of refusals that pass; every other one ends the reader. */
const passing: readonly string[] = [
  'Change feed unavailable',
  'Subscriber limit reached',
  'Service overloaded',
  'Too Many Requests',
];

export async function* readChanges(
  open: OpenFeed,
  options: ChangeOptions,
  pace: Pace,
): AsyncGenerator<Change | Resync> {
  const { signal, idleMs = defaultIdleMs } = options;
  let position = options.since ?? null;
  let failed = 0;
  let opened = false;
  while (true) {
    signal?.throwIfAborted();
    const connection = new Connection(signal, idleMs);
    try {
      const body = await open(position, connection.signal);
      if (opened && position === null) yield { kind: 'resync', reason: 'reconnected', position: '' };
      opened = true;
      for await (const { id, data } of readEvents(body, () => connection.alive())) {
        failed = 0;
        if (id !== '') position = id;
        yield { ...(JSON.parse(data) as Change | Resync), position: position ?? '' };
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ProblemError && !passing.includes(error.problem.title)) throw error;
    } finally {
      connection.end();
    }
    failed++;
    await pace.wait(failed, 0, signal);
  }
}

/** Ends with the reader's own signal, or when nothing arrives for too long. */
class Connection {
  private readonly controller = new AbortController();
  private readonly idleMs: number;
  private readonly outer: AbortSignal | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly abort = (): void => this.controller.abort(this.outer?.reason);

  constructor(outer: AbortSignal | undefined, idleMs: number) {
    this.outer = outer;
    this.idleMs = idleMs;
    outer?.addEventListener('abort', this.abort, { once: true });
    this.alive();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  alive(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort(new Error('The change feed stood still.')), this.idleMs);
  }

  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.abort);
    this.controller.abort();
  }
}
