// The picture on the screen: two canvases, the camera, and what pointer, wheel and fingers do. It draws when something has changed and
// not otherwise, so a picture that stands costs nothing.

import type { VertexData } from '../model/elements.ts';
import type { Point, Positions } from '../model/positions.ts';
import type { Visible } from '../model/scene.ts';
import { type Buffers, buffersOf, type Chosen, type Looks, writeEmphasis, writePositions } from './buffers.ts';
import { type Camera, fitted, type Size, toPicture, toScreen, zoomed } from './camera.ts';
import { CaptionsLayer } from './captions-layer.ts';
import { pointerOf } from './gestures.ts';
import { type GlColours, GlRenderer } from './gl.ts';
import { edgeAt, enclosed, vertexAt } from './hits.ts';
import type { Box, Rectangle } from './labels.ts';
import { Pace } from './pace.ts';

export interface PictureLooks extends Looks, GlColours {
  readonly ink: string;
  readonly quiet: string;
  readonly captionOf: (vertex: VertexData) => string;
}

export interface PictureEvents {
  onPick(vertex: number | null, adds: boolean): void;
  onPickEdge(edge: number): void;
  /** Vertices that were enclosed. */
  onLasso(vertices: ReadonlySet<number>, adds: boolean): void;
  onOpen(vertex: number): void;
  onHover(vertex: number | null): void;
  /** The vertex was put to another place by hand. */
  onPut(vertex: number): void;
}

const nothing: Visible = { vertices: [], edges: [] };
const motionMs = 260;
/** A picture that has not moved for so long stands. */
const standsMs = 160;
/** What is chosen stands at least so far from the right and lower end of the picture. */
const visiblePixels = 80;
/** What a panel that opens takes of the picture, and a little more. */
const panelPixels = 440;

export class Picture {
  readonly canvas: HTMLCanvasElement;
  /** False: the browser draws no picture. */
  readonly draws: boolean;
  camera: Camera = { x: 0, y: 0, scale: 1 };
  size: Size = { width: 1, height: 1 };
  /** Boxes of the captions that stand in the picture. */
  captions: readonly Box[] = [];
  private readonly renderer: GlRenderer | null;
  private readonly layer: CaptionsLayer;
  private readonly positions: Positions;
  readonly texts: HTMLCanvasElement;
  private readonly release: () => void;
  private visible: Visible = nothing;
  buffers: Buffers | null = null;
  looks: PictureLooks | null = null;
  private chosen: Chosen = { vertices: new Set(), edges: new Set() };
  /** True: dragging the ground encloses vertices. */
  isLasso = false;
  private line: readonly Point[] = [];
  private hovered: number | null = null;
  private covered: readonly Rectangle[] = [];
  private frame = 0;
  private motion = 0;
  private isStale = true;
  private readonly pace = new Pace();
  private isTimed = false;
  /** Runs while the picture moves; 0: it stands. */
  private standing = 0;
  /** True: no edge of what is in view was left out for the sake of motion, and nothing has moved since. */
  private isWhole = false;
  /** True: all has been brought into view, and nothing moved the picture since. */
  private isFitted = true;

  constructor(
    canvases: { graph: HTMLCanvasElement; texts: HTMLCanvasElement },
    positions: Positions,
    events: PictureEvents,
  ) {
    this.canvas = canvases.graph;
    this.texts = canvases.texts;
    this.positions = positions;
    this.renderer = GlRenderer.of(canvases.graph);
    this.draws = this.renderer !== null;
    this.layer = new CaptionsLayer(canvases.texts);
    this.release = pointerOf(canvases.texts, {
      vertexAt: (point) => this.vertexAt(point),
      pan: (dx, dy) => this.panBy(dx, dy),
      zoom: (factor, at) => this.setCamera(zoomed(this.camera, this.size, factor, at)),
      drag: (vertex, point) => {
        this.positions.set(vertex, toPicture(this.camera, this.size, point));
        this.moved();
      },
      dropped: events.onPut,
      pick: (vertex, adds, point) => {
        const edge =
          vertex === null && this.buffers !== null ? edgeAt(this.buffers, this.camera, this.size, point) : null;
        if (edge === null) events.onPick(vertex, adds);
        else events.onPickEdge(edge);
      },
      encloses: () => this.isLasso,
      lasso: (line, isDone, adds) => {
        this.line = isDone ? [] : line;
        this.redraw();
        if (isDone && this.buffers !== null)
          events.onLasso(
            enclosed(
              this.buffers,
              line.map((point) => toPicture(this.camera, this.size, point)),
            ),
            adds,
          );
      },
      open: events.onOpen,
      hover: (vertex) => {
        if (vertex === this.hovered) return;
        this.hovered = vertex;
        this.redraw();
        events.onHover(vertex);
      },
    });
  }

  show(visible: Visible, looks: PictureLooks, chosen: Chosen): void {
    this.visible = visible;
    this.looks = looks;
    this.buffers = buffersOf(visible, looks);
    this.choose(chosen);
    this.moved();
  }

  choose(chosen: Chosen): void {
    const isNew = chosen.vertices !== this.chosen.vertices;
    this.chosen = chosen;
    if (this.buffers !== null) writeEmphasis(this.buffers, chosen);
    this.isStale = true;
    this.redraw();
    if (isNew) this.reveal();
  }

  /** Positions have changed. */
  moved(): void {
    if (this.buffers !== null) writePositions(this.buffers, this.positions);
    this.isStale = true;
    this.moves();
    this.redraw();
  }

  resize(size: Size): void {
    const ratio = globalThis.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.texts]) {
      canvas.width = Math.round(size.width * ratio);
      canvas.height = Math.round(size.height * ratio);
    }
    const { width, height } = this.size;
    this.size = size;
    if (this.isFitted && size.height !== height) this.setCamera(fitted(this.points(), size), true);
    else this.keep(size.width - width, size.height - height);
    this.isWhole = false;
    this.draw();
  }

  /** Where buttons lie over the picture: no caption is written under them. */
  cover(covered: readonly Rectangle[]): void {
    if (JSON.stringify(covered) === JSON.stringify(this.covered)) return;
    this.covered = covered;
    this.redraw();
  }

  panBy(dx: number, dy: number): void {
    const { x, y, scale } = this.camera;
    this.setCamera({ x: x - dx / scale, y: y - dy / scale, scale });
  }

  zoomBy(factor: number): void {
    this.setCamera(zoomed(this.camera, this.size, factor, { x: this.size.width / 2, y: this.size.height / 2 }));
  }

  /** Brings these vertices into view, or all. */
  fit(ids?: ReadonlySet<number>): void {
    this.moveTo(fitted(this.points(ids), this.size), ids === undefined);
  }

  /** Brings a vertex into the middle. */
  centre(id: number): void {
    const point = this.positions.get(id);
    if (point !== undefined) this.moveTo({ ...point, scale: Math.max(this.camera.scale, 0.9) });
  }

  /** False while something still has to be drawn. */
  get isStill(): boolean {
    return this.frame === 0 && this.motion === 0 && this.standing === 0;
  }

  /** Where a vertex stands, in pixels. */
  screenOf(id: number): Point | null {
    const point = this.positions.get(id);
    return point === undefined ? null : toScreen(this.camera, this.size, point);
  }

  end(): void {
    cancelAnimationFrame(this.frame);
    cancelAnimationFrame(this.motion);
    clearTimeout(this.standing);
    this.release();
  }

  /**
   * The room became wider and higher by so much, at its right and lower end: what is in view stays under the pointer, so that the second click
   * of a double click meets what the first one met.
   */
  private keep(wider: number, higher: number): void {
    const { x, y, scale } = this.camera;
    this.camera = { x: x + wider / (2 * scale), y: y + higher / (2 * scale), scale };
    this.reveal();
  }

  /** Brings the chosen vertex back into view where a panel has just been put over it. */
  private reveal(): void {
    const { size, camera } = this;
    const [id] = this.chosen.vertices;
    const at = id === undefined || this.chosen.vertices.size > 1 ? null : this.screenOf(id);
    if (at === null || this.motion !== 0) return;
    const [right, down] = [at.x - size.width + visiblePixels, at.y - size.height + visiblePixels];
    const isNear = at.x > 0 && at.y > 0 && right < panelPixels && down < panelPixels;
    if (!isNear || (right <= 0 && down <= 0)) return;
    const [x, y] = [Math.max(0, right), Math.max(0, down)];
    this.moveTo({ x: camera.x + x / camera.scale, y: camera.y + y / camera.scale, scale: camera.scale });
  }

  private points(ids?: ReadonlySet<number>): Point[] {
    return this.visible.vertices.flatMap(({ id }) =>
      ids === undefined || ids.has(id) ? [this.positions.get(id) ?? { x: 0, y: 0 }] : [],
    );
  }

  private setCamera(camera: Camera, isFitted = false): void {
    this.isFitted = isFitted;
    cancelAnimationFrame(this.motion);
    this.motion = 0;
    this.camera = camera;
    this.moves();
    this.redraw();
  }

  private moveTo(goal: Camera, isFitted = false): void {
    this.isFitted = isFitted;
    const from = this.camera;
    const startMs = performance.now();
    cancelAnimationFrame(this.motion);
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden;
    const step = (): void => {
      const part = isStill ? 1 : Math.min(1, (performance.now() - startMs) / motionMs);
      const eased = 1 - (1 - part) ** 3;
      this.camera = {
        x: from.x + (goal.x - from.x) * eased,
        y: from.y + (goal.y - from.y) * eased,
        scale: from.scale * (goal.scale / from.scale) ** eased,
      };
      this.moves();
      this.redraw();
      this.motion = part < 1 ? requestAnimationFrame(step) : 0;
    };
    step();
  }

  /** Until it has stood for a moment, frames may show a part of the edges; then all are drawn. */
  private moves(): void {
    this.isWhole = false;
    clearTimeout(this.standing);
    this.standing = window.setTimeout(() => {
      // While a frame is being drawn the next move cannot come yet. All edges in between would hold up the moves behind them.
      if (this.isTimed) {
        this.moves();
        return;
      }
      this.standing = 0;
      if (!this.isWhole) this.redraw();
    }, standsMs);
  }

  private redraw(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(): void {
    const { buffers, looks, renderer, camera, size } = this;
    if (buffers === null || looks === null) return;
    const ratio = globalThis.devicePixelRatio || 1;
    if (renderer === null) return;
    if (this.isStale) renderer.upload(buffers);
    if (this.isStale || !this.isWhole) this.drawGraph(renderer, ratio, looks);
    this.isStale = false;
    const { chosen, hovered, covered } = this;
    const { vertices } = this.visible;
    const captionLooks = { ink: looks.ink, quiet: looks.quiet, halo: looks.rim, captionOf: looks.captionOf };
    const { line } = this;
    const input = { buffers, vertices, camera, size, chosen, hovered, line, covered, looks: captionLooks };
    this.captions = this.layer.draw(input, ratio);
  }

  /** Only when it has changed: what the pointer does to captions draws no graph. */
  private drawGraph(renderer: GlRenderer, ratio: number, looks: PictureLooks): void {
    const all = renderer.edgeCount;
    const edges = this.standing === 0 ? all : this.pace.edgesOf(all);
    renderer.draw(this.camera, this.size, ratio, looks, edges);
    this.isWhole = edges === all;
    if (this.isTimed) return;
    this.isTimed = true;
    renderer.whenDrawn((ms) => {
      this.isTimed = false;
      if (ms !== null) this.pace.took(ms, edges);
    });
  }

  private vertexAt(point: Point): number | null {
    return this.buffers === null ? null : vertexAt(this.buffers, this.camera, this.size, point);
  }
}
