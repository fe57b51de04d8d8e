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

export interface Box {
  readonly id: number;
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
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
  private readonly cells = new Map<number, Box[]>();
  private readonly discs = new Map<number, Disc[]>();
  readonly placed: Box[] = [];

  keepClear(disc: Disc): void {
    const { x, y, radius } = disc;
    for (const key of keysOf({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius })) {
      const discs = this.discs.get(key);
      if (discs === undefined) this.discs.set(key, [disc]);
      else discs.push(disc);
    }
  }

  /** True when there was room; candidates come in the order of importance. What is chosen may lie over vertices, never over captions. */
  place({ id, text, x, y, width, height }: Candidate, mayCover = false): boolean {
    const box = { id, text, left: x - width / 2, right: x + width / 2, top: y, bottom: y + height };
    const keys = keysOf(box);
    if (keys.some((key) => this.cells.get(key)?.some((other) => touches(box, other)))) return false;
    if (!mayCover && keys.some((key) => this.discs.get(key)?.some((disc) => disc.id !== id && covers(box, disc))))
      return false;
    for (const key of keys) {
      const boxes = this.cells.get(key);
      if (boxes === undefined) this.cells.set(key, [box]);
      else boxes.push(box);
    }
    this.placed.push(box);
    return true;
  }
}

function touches(a: Box, b: Box): boolean {
  return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap;
}

function covers({ left, top, right, bottom }: Box, { x, y, radius }: Disc): boolean {
  const dx = x - Math.max(left, Math.min(x, right));
  const dy = y - Math.max(top, Math.min(y, bottom));
  return dx * dx + dy * dy < radius * radius;
}

function keysOf({ left, top, right, bottom }: Omit<Box, 'id' | 'text'>): number[] {
  const keys: number[] = [];
  for (let row = Math.floor((top - gap) / cell); row <= Math.floor((bottom + gap) / cell); row++) {
    for (let column = Math.floor((left - gap) / cell); column <= Math.floor((right + gap) / cell); column++)
      keys.push(row * 65_536 + column);
  }
  return keys;
}
