// The force layout: links pull, vertices push, what is fixed stands. It draws no chance: the same input gives the same picture. How
// many steps it takes follows from the size alone, so it ends, in about two seconds on one core, whatever the graph.

import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type Simulation } from 'd3-force';

export interface LayoutInput {
  /** x and y of each vertex, one behind the other. */
  readonly places: Float32Array;
  /** 1: the vertex does not move. */
  readonly fixed: Uint8Array;
  /** Positions of both ends in the list of vertices, one pair a link. */
  readonly links: Uint32Array;
  /** 1 is as usual. */
  readonly spacing: number;
}

interface Body {
  x: number;
  y: number;
  fx?: number;
  fy?: number;
}

const linkLength = 42;
const push = -90;
const farthestPush = 700;
const pull = 0.045;
const elbowRoom = 11;
/** The coldest a run gets; d3-force's own end. */
const alphaEnd = 0.001;

const stepsBySize: readonly (readonly [vertices: number, steps: number])[] = [
  [1000, 300],
  [3000, 150],
  [8000, 60],
  [20_000, 24],
];

/** Steps of a layout of so many vertices; 0: there are too many, and they stay where they were put. */
export function stepsFor(vertices: number): number {
  return stepsBySize.find(([most]) => vertices <= most)?.[1] ?? 0;
}

export class ForceLayout {
  private readonly bodies: Body[] = [];
  private readonly simulation: Simulation<Body, undefined>;
  private left: number;

  constructor({ places, fixed, links, spacing }: LayoutInput) {
    for (let i = 0; i < fixed.length; i++) {
      const [x, y] = [places[2 * i] as number, places[2 * i + 1] as number];
      this.bodies.push(fixed[i] === 1 ? { x, y, fx: x, fy: y } : { x, y });
    }
    const pairs = Array.from({ length: links.length / 2 }, (_, i) => ({
      source: links[2 * i] as number,
      target: links[2 * i + 1] as number,
    }));
    this.left = stepsFor(fixed.length);
    this.simulation = forceSimulation(this.bodies)
      .stop()
      .alphaDecay(1 - alphaEnd ** (1 / Math.max(1, this.left)))
      .force('link', forceLink<Body, { source: number; target: number }>(pairs).distance(linkLength * spacing))
      .force(
        'push',
        forceManyBody<Body>()
          .strength(push * spacing * spacing)
          .theta(1)
          .distanceMax(farthestPush * spacing),
      )
      .force('room', forceCollide<Body>(elbowRoom * spacing).iterations(1))
      .force('x', forceX<Body>().strength(pull))
      .force('y', forceY<Body>().strength(pull));
  }

  /** One step; false when it was the last one. */
  step(): boolean {
    if (this.left === 0) return false;
    this.simulation.tick();
    return --this.left > 0;
  }

  places(): Float32Array<ArrayBuffer> {
    const places = new Float32Array(2 * this.bodies.length);
    for (const [i, { x, y }] of this.bodies.entries()) places.set([x, y], 2 * i);
    return places;
  }
}
