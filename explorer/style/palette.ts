// Colours of labels: eight hues that stay apart for eyes that mix up red and green, or blue and yellow, each with a contrast of at least
// 3 to 1 to the ground it stands on. A ninth label and those behind it are grey; the legend says so.

export type Theme = 'light' | 'dark';

export const palette: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#0067a8', '#c85200', '#00805f', '#a34a86', '#8a6a00', '#2f86c5', '#7a3b1d', '#4b4a9c'],
  dark: ['#5fb0ee', '#ff9457', '#3fcaa0', '#e49fce', '#efc14f', '#a6d8fa', '#d9a382', '#a9a7f5'],
};

export const otherColour: Readonly<Record<Theme, string>> = { light: '#6a7079', dark: '#98a1ad' };

export const ground: Readonly<Record<Theme, string>> = { light: '#f8f7f4', dark: '#14171c' };
export const ink: Readonly<Record<Theme, string>> = { light: '#1c2128', dark: '#e8ebef' };
export const edgeColour: Readonly<Record<Theme, string>> = { light: '#8b929c', dark: '#6d7683' };
export const accent: Readonly<Record<Theme, string>> = { light: '#b3261e', dark: '#ffd166' };

/** From little to much: lightness alone tells, so every eye sees it. */
const ramps: Readonly<Record<Theme, readonly [string, string, string]>> = {
  light: ['#5f93ba', '#8a4a8f', '#4a0d35'],
  dark: ['#4f78a8', '#c98fd0', '#ffe6a8'],
};

/** The colour of a part from 0 to 1. */
export function rampColour(part: number, theme: Theme): string {
  const [low, middle, high] = ramps[theme];
  return part < 0.5 ? mixed(low, middle, 2 * part) : mixed(middle, high, 2 * part - 1);
}

function mixed(from: string, to: string, part: number): string {
  const [a, b] = [channelsOf(from), channelsOf(to)];
  const parts = a.map((one, place) => Math.round(255 * (one + ((b[place] as number) - one) * part)));
  return `#${parts.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
}

/** Colours by label: the most frequent labels have one of their own. */
export function coloursOf(labels: readonly string[], theme: Theme): Map<string, string> {
  const colours = palette[theme];
  return new Map(labels.map((label, place) => [label, colours[place] ?? otherColour[theme]]));
}

/** Red, green and blue from 0 to 1. */
export function channelsOf(colour: string): [number, number, number] {
  const number = Number.parseInt(colour.slice(1), 16);
  return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}
