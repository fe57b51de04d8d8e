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

const cell = 64;
/** Pixels kept free between two captions. */
const gap = 3;

export class LabelPlacer {
  private readonly cells = new Map<number, Box[]>();
  readonly placed: Box[] = [];

  /** True when there was room; candidates come in the order of importance. */
  place({ id, text, x, y, width, height }: Candidate): boolean {
    const box = { id, text, left: x - width / 2, right: x + width / 2, top: y, bottom: y + height };
    const keys = keysOf(box);
    if (keys.some((key) => this.cells.get(key)?.some((other) => touches(box, other)))) return false;
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

function keysOf({ left, top, right, bottom }: Box): number[] {
  const keys: number[] = [];
  for (let row = Math.floor((top - gap) / cell); row <= Math.floor((bottom + gap) / cell); row++) {
    for (let column = Math.floor((left - gap) / cell); column <= Math.floor((right + gap) / cell); column++)
      keys.push(row * 65_536 + column);
  }
  return keys;
}
