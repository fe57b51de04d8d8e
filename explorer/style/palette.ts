// Colours of labels: eight that stay apart for eyes that lack one kind of cone (at least 0.1 in Oklab; a search over all three kinds found
// them), each with a contrast of at least 3 to 1 to the ground it stands on. A ninth label and those behind it are grey; the legend says so.

export type Theme = 'light' | 'dark';

export const palette: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#184ab7', '#e96103', '#03a270', '#a369be', '#9e4511', '#713d72', '#542806', '#2d1f65'],
  dark: ['#6080f1', '#c58806', '#50d98a', '#dfa6ff', '#eef239', '#9b4b94', '#a8f8ff', '#516d2c'],
};

export const otherColour: Readonly<Record<Theme, string>> = { light: '#6a7079', dark: '#98a1ad' };

export const ground: Readonly<Record<Theme, string>> = { light: '#f8f7f4', dark: '#14171c' };
export const ink: Readonly<Record<Theme, string>> = { light: '#1c2128', dark: '#e8ebef' };
export const edgeColour: Readonly<Record<Theme, string>> = { light: '#868d97', dark: '#6d7683' };
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
