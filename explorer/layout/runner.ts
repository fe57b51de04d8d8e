// Lays out what is shown, on a thread of its own, and puts the places into the table of positions as they come.

import type { Positions } from '../model/positions.ts';
import type { Visible } from '../model/scene.ts';
import { stepsFor } from './force.ts';
import type { FromLayout, LayoutKind, ToLayout } from './messages.ts';

export interface LayoutChoice {
  readonly kind: LayoutKind;
  readonly spacing: number;
  /** In the middle of a radial layout; null: the best-connected vertex. */
  readonly root: number | null;
}

interface RunnerOptions {
  readonly positions: Positions;
  readonly onMove: () => void;
  readonly onDone: () => void;
}

/** Vertices and edges together: dagre takes some seconds for so many, and minutes for many more. */
export const maxLayered = 1500;

function tooMany(kind: LayoutKind, vertices: number, edges: number): boolean {
  if (kind === 'layered') return vertices + edges > maxLayered;
  return kind === 'force' && stepsFor(vertices) === 0;
}

/**
 * Pairs of places, each once however many edges lie between two vertices. Given what is fixed, pairs that cannot move are left out: an expansion
 * beside a million edges looks at its own.
 */
function linksOf(
  edges: Visible['edges'],
  placeOf: ReadonlyMap<number, number>,
  fixed: Uint8Array | null,
): Uint32Array<ArrayBuffer> {
  const known = new Set<number>();
  const links: number[] = [];
  for (const { source, target } of edges) {
    const [from, to] = [placeOf.get(source) as number, placeOf.get(target) as number];
    if (fixed !== null && fixed[from] === 1 && fixed[to] === 1) continue;
    const key = from * placeOf.size + to;
    if (known.has(key)) continue;
    known.add(key);
    links.push(from, to);
  }
  return Uint32Array.from(links);
}

function mostLinked(links: Uint32Array, count: number): number {
  const degrees = new Uint32Array(count);
  for (const end of links) degrees[end] = (degrees[end] as number) + 1;
  return degrees.reduce((best, degree, place) => (degree > (degrees[best] as number) ? place : best), 0);
}

export class LayoutRunner {
  private readonly options: RunnerOptions;
  private readonly worker: Worker;
  private run = 0;
  private ids: readonly number[] = [];
  private pinned: ReadonlySet<number> = new Set();
  isRunning = false;

  constructor(options: RunnerOptions) {
    this.options = options;
    this.worker = new Worker(new URL('./layout.js', import.meta.url), { type: 'module' });
    this.worker.onmessage = ({ data }: MessageEvent<FromLayout>) => this.take(data);
  }

  /** Only `movable` vertices move; all others stand where they are. */
  start(
    { vertices, edges }: Visible,
    movable: ReadonlySet<number>,
    pinned: ReadonlySet<number>,
    { kind, spacing, root }: LayoutChoice,
  ): void {
    const { positions } = this.options;
    this.stop();
    if (movable.size === 0 || tooMany(kind, vertices.length, edges.length)) {
      this.options.onDone();
      return;
    }
    this.ids = vertices.map(({ id }) => id);
    this.pinned = pinned;
    const places = new Float32Array(2 * this.ids.length);
    const fixed = new Uint8Array(this.ids.length);
    const placeOf = new Map<number, number>();
    for (const [i, id] of this.ids.entries()) {
      const { x, y } = positions.get(id) ?? { x: 0, y: 0 };
      places.set([x, y], 2 * i);
      fixed[i] = movable.has(id) && !pinned.has(id) ? 0 : 1;
      placeOf.set(id, i);
    }
    const links = linksOf(edges, placeOf, kind === 'force' ? fixed : null);
    this.isRunning = true;
    const middle = placeOf.get(root ?? -1) ?? mostLinked(links, this.ids.length);
    this.post({ kind: 'start', run: this.run, layout: kind, root: middle, input: { places, fixed, links, spacing } });
  }

  /** What has been laid out so far stands. */
  stop(): void {
    this.run++;
    if (this.isRunning) this.post({ kind: 'stop' });
    this.isRunning = false;
  }

  end(): void {
    this.worker.terminate();
  }

  private post(message: ToLayout): void {
    this.worker.postMessage(message);
  }

  private take({ run, places, isDone }: FromLayout): void {
    if (run !== this.run) return;
    for (const [i, id] of this.ids.entries()) {
      if (!this.pinned.has(id))
        this.options.positions.set(id, { x: places[2 * i] as number, y: places[2 * i + 1] as number });
    }
    this.options.onMove();
    if (!isDone) return;
    this.isRunning = false;
    this.options.onDone();
  }
}
