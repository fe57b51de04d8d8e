// Where the labels, lines and texts of the schema's picture stand. Texts lie neither over each other nor over a label: each takes the first free
// place along its line, the thickest lines first, or none.

import { LabelPlacer } from './labels.ts';

export const [schemaWidth, schemaHeight] = [256, 190];
/** Of a label's circle. */
export const radius = 9;

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly path: string;
  readonly text: string;
  /** Where its text may stand, best first: the middle of the text's base line. */
  readonly stands: readonly Point[];
}

interface PlacedText extends Point {
  readonly text: string;
}

/** Widths of a character: of the text of a line, and of a label. */
const [textWidth, labelWidth] = [6, 7];
/** Height above the base line, and with what is below it. */
const [textRise, textHeight] = [10, 13];
const labelHeight = 16;
/** Parts of a line at which its text may stand, best first. */
const along = [0.5, 0.38, 0.62, 0.26, 0.74];
const bend = 16;

/** Of label `at` among `of`, in a ring. */
export function labelPlace(at: number, of: number): Point {
  if (of === 1) return { x: schemaWidth / 2, y: schemaHeight / 2 + 10 };
  const angle = (2 * Math.PI * at) / of + (of === 2 ? 0 : -Math.PI / 2);
  return {
    x: schemaWidth / 2 + 78 * Math.cos(angle + Math.PI),
    y: schemaHeight / 2 + 4 + 52 * Math.sin(angle + Math.PI),
  };
}

/** A loop where both ends are one. */
export function lineBetween(from: Point, to: Point): Omit<Line, 'text'> {
  return from.x === to.x && from.y === to.y ? loopAt(from) : bow(from, to);
}

function loopAt({ x, y }: Point): Omit<Line, 'text'> {
  const path = `M ${x - 6} ${y - 6} C ${x - 34} ${y - 50}, ${x + 34} ${y - 50}, ${x + 6} ${y - 6}`;
  return { path, stands: [0, -12, 12].map((dy) => ({ x, y: y - 42 + dy })) };
}

function bow(a: Point, b: Point): Omit<Line, 'text'> {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const x = (a.x + b.x) / 2 - (dy / length) * bend;
  const y = (a.y + b.y) / 2 + (dx / length) * bend;
  const at = (t: number): Point => ({
    x: (1 - t) ** 2 * a.x + 2 * (1 - t) * t * x + t ** 2 * b.x,
    y: (1 - t) ** 2 * a.y + 2 * (1 - t) * t * y + t ** 2 * b.y - 5,
  });
  return { path: `M ${a.x} ${a.y} Q ${x} ${y} ${b.x} ${b.y}`, stands: along.map(at) };
}

/** The texts that find room, in the order of the lines. `labels`: middles of circles, each with its text below. */
export function placedTexts(lines: readonly Line[], labels: readonly PlacedText[]): PlacedText[] {
  const placer = new LabelPlacer();
  let id = 0;
  for (const { x, y, text } of labels) {
    const width = Math.max(2 * radius, text.length * labelWidth);
    placer.keepClear({ id: -1, x, y, radius: radius + 3 });
    placer.place({ id: id++, text, x, y: y - radius, width, height: 2 * radius + labelHeight }, true);
  }
  return lines.flatMap(({ text, stands }) => {
    const width = text.length * textWidth;
    for (const { x: wanted, y } of stands) {
      const x = Math.min(Math.max(wanted, width / 2), schemaWidth - width / 2);
      if (y < textRise || y > schemaHeight) continue;
      if (placer.place({ id: id++, text, x, y: y - textRise, width, height: textHeight })) return [{ text, x, y }];
    }
    return [];
  });
}
