// Which captions are written: the most important ones that do not touch one written before. A grid of cells keeps a look-up short.

export interface Candidate {
  readonly id: number;
  readonly text: string;
  /** Middle of the text's upper edge, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Box extends Rectangle {
  readonly id: number;
  readonly text: string;
}

/** A disc of the picture that no other vertex's caption lies over. */
export interface Disc {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

const cell = 64;
/** Pixels kept free between two captions. */
const gap = 3;

export class LabelPlacer {
  private readonly cells = new Map<number, Rectangle[]>();
  private readonly discs = new Map<number, Disc[]>();
  private readonly area: Rectangle | null;
  readonly placed: Box[] = [];

  /** Captions stay within the area where there is one: none is cut. */
  constructor(area: Rectangle | null = null) {
    this.area = area;
  }

  /** No caption is placed there. */
  keepFree(taken: Rectangle): void {
    for (const key of keysOf(taken)) {
      const boxes = this.cells.get(key);
      if (boxes === undefined) this.cells.set(key, [taken]);
      else boxes.push(taken);
    }
  }

  keepClear(disc: Disc): void {
    const { x, y, radius } = disc;
    for (const key of keysOf({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius })) {
      const discs = this.discs.get(key);
      if (discs === undefined) this.discs.set(key, [disc]);
      else discs.push(disc);
    }
  }

  /** True when there was room; candidates come in the order of importance. What is chosen may lie over vertices and leave the area, never lie over captions. */
  place({ id, text, x, y, width, height }: Candidate, mayCover = false): boolean {
    const box = { id, text, left: x - width / 2, right: x + width / 2, top: y, bottom: y + height };
    if (!mayCover && this.area !== null && !isWithin(box, this.area)) return false;
    const keys = keysOf(box);
    if (keys.some((key) => this.cells.get(key)?.some((other) => touches(box, other)))) return false;
    if (!mayCover && keys.some((key) => this.discs.get(key)?.some((disc) => disc.id !== id && covers(box, disc))))
      return false;
    this.keepFree(box);
    this.placed.push(box);
    return true;
  }
}

function isWithin(box: Rectangle, area: Rectangle): boolean {
  return box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom;
}

function touches(a: Rectangle, b: Rectangle): boolean {
  return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap;
}

function covers({ left, top, right, bottom }: Rectangle, { x, y, radius }: Disc): boolean {
  const dx = x - Math.max(left, Math.min(x, right));
  const dy = y - Math.max(top, Math.min(y, bottom));
  return dx * dx + dy * dy < radius * radius;
}

function keysOf({ left, top, right, bottom }: Rectangle): number[] {
  const keys: number[] = [];
  for (let row = Math.floor((top - gap) / cell); row <= Math.floor((bottom + gap) / cell); row++) {
    for (let column = Math.floor((left - gap) / cell); column <= Math.floor((right + gap) / cell); column++)
      keys.push(row * 65_536 + column);
  }
  return keys;
}
