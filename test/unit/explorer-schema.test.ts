// The texts in the schema's picture: none lies over another or over a circle, whatever the schema, and what has room is written.

import { expect, test } from 'vitest';
import { labelPlace, lineBetween, placedTexts, schemaHeight, schemaWidth } from '../../explorer/render/schema-lines.ts';
import { randomFrom } from '../durability/choices.ts';

const seed = Number(process.env.ARCWISE_SEED ?? 20261127);

/** As wide and as high as its characters are drawn, at least. */
const boxOf = ({ text, x, y }: { text: string; x: number; y: number }) => ({
  left: x - text.length * 2.7,
  right: x + text.length * 2.7,
  top: y - 9,
  bottom: y + 2,
});

function pictureOf(labels: readonly string[], ties: readonly (readonly [from: number, to: number, text: string])[]) {
  const places = labels.map((text, at) => ({ ...labelPlace(at, labels.length), text }));
  type Place = (typeof places)[number];
  const lines = ties.map(([from, to, text]) => ({ ...lineBetween(places[from] as Place, places[to] as Place), text }));
  return { places, texts: placedTexts(lines, places) };
}

test('a few lines have all their texts', () => {
  const { texts } = pictureOf(
    ['person', 'town', 'country'],
    [
      [0, 1, 'livesIn'],
      [1, 2, 'liesIn'],
      [0, 0, 'knows'],
    ],
  );
  expect(texts.map(({ text }) => text)).toEqual(['livesIn', 'liesIn', 'knows']);
});

test('in both directions between two labels the texts stand apart', () => {
  const both = pictureOf(['a', 'b'], [
    [0, 1, 'to'],
    [1, 0, 'fro'],
  ] as const);
  expect(both.texts).toHaveLength(2);
});

test('no text touches another one or a circle, or leaves the picture', () => {
  const random = randomFrom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const word = () => 'm'.repeat(1 + below(18));
  let written = 0;
  for (let round = 0; round < 300; round++) {
    const labels = Array.from({ length: 1 + below(10) }, word);
    const ties = Array.from(
      { length: 1 + below(30) },
      () => [below(labels.length), below(labels.length), word()] as const,
    );
    const { places, texts } = pictureOf(labels, ties);
    written += texts.length;
    const note = JSON.stringify({ seed, labels, ties });
    for (const [i, text] of texts.entries()) {
      const box = boxOf(text);
      expect(box.left >= 0 && box.right <= schemaWidth && box.top >= 0 && text.y <= schemaHeight, note).toBe(true);
      for (const other of texts.slice(0, i).map(boxOf)) {
        const apart =
          box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top;
        expect(apart, note).toBe(true);
      }
      for (const { x, y } of places) {
        const dx = x - Math.max(box.left, Math.min(x, box.right));
        const dy = y - Math.max(box.top, Math.min(y, box.bottom));
        expect(Math.hypot(dx, dy), note).toBeGreaterThanOrEqual(9);
      }
    }
  }
  expect(written).toBeGreaterThan(600);
});
