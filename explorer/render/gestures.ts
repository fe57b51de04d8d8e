// What pointer, wheel and fingers mean on the picture: dragging the ground pans (or, with Shift or the lasso, encloses), dragging a vertex puts it elsewhere, wheel and pinch zoom,
// a click chooses, a double click opens.

import type { Point } from '../model/positions.ts';

export interface GestureTargets {
  vertexAt(point: Point): number | null;
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  drag(vertex: number, point: Point): void;
  dropped(vertex: number): void;
  pick(vertex: number | null, adds: boolean, point: Point): void;
  open(vertex: number): void;
  hover(vertex: number | null): void;
  /** True: dragging the ground encloses instead of panning. */
  encloses(): boolean;
  /** The line drawn so far; `isDone` when it is let go. */
  lasso(line: readonly Point[], isDone: boolean, adds: boolean): void;
}

/** Pixels a pointer moves before a click is a drag. */
const slack = 4;
const wheelStep = 0.0016;
/** Within this a second click on the same spot belongs to the first one. */
const doubleMs = 400;

/** Listens on an element; answers what ends it. */
export function pointerOf(element: HTMLElement, targets: GestureTargets): () => void {
  const gestures = new Gestures(element, targets);
  const ending = new AbortController();
  const { signal } = ending;
  element.addEventListener('pointerdown', (event) => gestures.down(event), { signal });
  element.addEventListener('pointermove', (event) => gestures.move(event), { signal });
  element.addEventListener('pointerup', (event) => gestures.up(event, true), { signal });
  element.addEventListener('pointercancel', (event) => gestures.up(event, false), { signal });
  element.addEventListener('pointerleave', () => targets.hover(null), { signal });
  element.addEventListener('dblclick', () => gestures.open(), { signal });
  element.ownerDocument.addEventListener('click', (event) => gestures.second(event), { signal, capture: true });
  element.addEventListener('wheel', (event) => gestures.wheel(event), { signal, passive: false });
  return () => ending.abort();
}

class Gestures {
  private readonly element: HTMLElement;
  private readonly targets: GestureTargets;
  private readonly pointers = new Map<number, Point>();
  private start: Point | null = null;
  private held: number | null = null;
  private isDrag = false;
  private line: Point[] | null = null;
  private clicked: { readonly vertex: number | null; readonly point: Point; readonly ms: number } | null = null;

  constructor(element: HTMLElement, targets: GestureTargets) {
    this.element = element;
    this.targets = targets;
  }

  down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const point = this.pointOf(event);
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, point);
    this.start = point;
    this.isDrag = this.pointers.size > 1;
    this.held = this.pointers.size > 1 ? null : this.targets.vertexAt(point);
    const encloses = this.held === null && this.pointers.size === 1 && (event.shiftKey || this.targets.encloses());
    this.line = encloses ? [point] : null;
  }

  move(event: PointerEvent): void {
    const point = this.pointOf(event);
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) {
      this.targets.hover(this.targets.vertexAt(point));
      return;
    }
    if (!this.isDrag && this.start !== null && distance(point, this.start) < slack) return;
    this.isDrag = true;
    if (this.line !== null) {
      this.line.push(point);
      this.targets.lasso(this.line, false, false);
    } else if (this.pointers.size === 2) this.pinch(event.pointerId, before, point);
    else if (this.held !== null) this.targets.drag(this.held, point);
    else this.targets.pan(point.x - before.x, point.y - before.y);
    this.pointers.set(event.pointerId, point);
  }

  up(event: PointerEvent, counts: boolean): void {
    if (!this.pointers.delete(event.pointerId)) return;
    const adds = event.shiftKey || event.ctrlKey || event.metaKey;
    if (this.line !== null && this.isDrag) {
      this.targets.lasso(this.line, true, adds);
    } else if (this.isDrag) {
      if (this.held !== null) this.targets.dropped(this.held);
    } else if (counts) {
      this.click(event, adds);
    }
    this.held = null;
    this.line = null;
  }

  /** The first click may move the picture: the second one of a double click means what the first one met. */
  private click(event: PointerEvent, adds: boolean): void {
    if (this.isSecond(event)) return;
    const { clientX: x, clientY: y, timeStamp: ms } = event;
    this.clicked = { vertex: this.held, point: { x, y }, ms };
    this.targets.pick(this.held, adds, this.pointOf(event));
  }

  private isSecond({ clientX: x, clientY: y, timeStamp: ms }: MouseEvent): boolean {
    const { clicked } = this;
    return clicked !== null && ms - clicked.ms < doubleMs && distance(clicked.point, { x, y }) < slack;
  }

  /** The second click where a panel has opened under the pointer: it presses no button there. */
  second(event: MouseEvent): void {
    if (event.detail === 0 || this.element.contains(event.target as Node) || !this.isSecond(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.open();
  }

  open(): void {
    const vertex = this.clicked?.vertex ?? null;
    if (vertex !== null) this.targets.open(vertex);
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaMode === 0 ? event.deltaY : event.deltaY * 24;
    this.targets.zoom(Math.exp(-pixels * wheelStep), this.pointOf(event));
  }

  private pinch(pointer: number, before: Point, point: Point): void {
    const other = [...this.pointers].find(([id]) => id !== pointer)?.[1];
    if (other === undefined) return;
    const middle = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 };
    this.targets.pan((point.x - before.x) / 2, (point.y - before.y) / 2);
    this.targets.zoom(distance(point, other) / Math.max(1, distance(before, other)), middle);
  }

  private pointOf(event: MouseEvent): Point {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
