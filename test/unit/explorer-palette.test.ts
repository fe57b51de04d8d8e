// The colours of the picture: each stands out from its ground, and no two of them look alike, for eyes that lack one kind of cone either.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  accent,
  channelsOf,
  edgeColour,
  ground,
  ink,
  otherColour,
  palette,
  rampColour,
  type Theme,
} from '../../explorer/style/palette.ts';

type Channels = [number, number, number];

const themes: readonly Theme[] = ['light', 'dark'];
const stops = [0, 0.25, 0.5, 0.75, 1];

/** Rows of matrices on linear light, for the whole lack of one kind of cone (Machado, Oliveira and Fernandes, 2009). */
const eyes: Readonly<Record<string, readonly Channels[]>> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no long waves': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no middle waves': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'no short waves': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function linear(colour: string): Channels {
  return channelsOf(colour).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)) as Channels;
}

function dot(a: Channels, b: Channels): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Ratio of WCAG 2: from 1 to 21. */
function contrast(a: string, b: string): number {
  const [one, other] = [a, b].map((colour) => dot([0.2126, 0.7152, 0.0722], linear(colour)) + 0.05) as [number, number];
  return Math.max(one, other) / Math.min(one, other);
}

/** Lightness and both hues of Oklab, for an eye. */
function seen(colour: string, eye: readonly Channels[]): Channels {
  const light = eye.map((row) => Math.min(1, Math.max(0, dot(row, linear(colour))))) as Channels;
  const cones = (
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ] as Channels[]
  ).map((row) => Math.cbrt(dot(row, light))) as Channels;
  return (
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ] as Channels[]
  ).map((row) => dot(row, cones)) as Channels;
}

function away(a: string, b: string, eye: readonly Channels[]): number {
  const [one, other] = [seen(a, eye), seen(b, eye)];
  return Math.hypot(...one.map((value, at) => value - (other[at] as number)));
}

describe.each(themes)('the %s colours', (theme) => {
  test('stand out from their ground: shapes 3 to 1, texts 4.5 to 1', () => {
    const shapes = [...palette[theme], otherColour[theme], accent[theme], ...stops.map((at) => rampColour(at, theme))];
    for (const colour of shapes) expect(contrast(colour, ground[theme]), colour).toBeGreaterThanOrEqual(3);
    for (const colour of [ink[theme], otherColour[theme]])
      expect(contrast(colour, ground[theme]), colour).toBeGreaterThanOrEqual(4.5);
    expect(contrast(edgeColour[theme], ground[theme])).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.entries(eyes))('are told apart with %s', (_, eye) => {
    const pairs = palette[theme].flatMap((a, at) => palette[theme].slice(at + 1).map((b) => [a, b] as const));
    const close = pairs.map(([a, b]) => `${away(a, b, eye).toFixed(3)} ${a} ${b}`).sort();
    expect(Number(close[0]?.split(' ')[0]), close.slice(0, 4).join(', ')).toBeGreaterThanOrEqual(0.1);
  });

  test.each(Object.entries(eyes))('a scale grows steadily with %s', (_, eye) => {
    const lightness = stops.map((at) => seen(rampColour(at, theme), eye)[0]);
    const steps = lightness.slice(1).map((one, at) => one - (lightness[at] as number));
    for (const step of steps) expect(theme === 'light' ? -step : step, steps.join(' ')).toBeGreaterThan(0.03);
  });

  test('are those of the style sheet', () => {
    const css = readFileSync(new URL('../../explorer/style/explorer.css', import.meta.url), 'utf8');
    const block = new RegExp(theme === 'light' ? ':root \\{([^}]*)\\}' : 'data-theme="dark"\\] \\{([^}]*)\\}').exec(
      css,
    );
    const variable = (name: string): string | undefined =>
      new RegExp(`--${name}: (#\\w+);`).exec(block?.[1] ?? '')?.[1];
    expect(variable('ground')).toBe(ground[theme]);
    expect(variable('ink')).toBe(ink[theme]);
    expect(variable('chosen')).toBe(accent[theme]);
  });
});
