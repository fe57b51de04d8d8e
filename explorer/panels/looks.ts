// From what colours and sizes should say to what the picture draws.

import { captionOf } from '../model/captions.ts';
import { labelOf, type VertexData } from '../model/elements.ts';
import { colourScale, type LookFacts, partOf, type Scale, sizeScale } from '../model/looks.ts';
import type { PictureLooks } from '../render/picture.ts';
import { degreesOf, labelOrder, type State, visibleIn } from '../session/state.ts';
import { accent, coloursOf, edgeColour, ground, ink, otherColour, rampColour, type Theme } from '../style/palette.ts';

const [leastRadius, mostRadius] = [5, 20];

export function factsOf(state: State): LookFacts {
  const { scores = null, groups = null } = state.asked?.answer ?? {};
  return { degrees: degreesOf(visibleIn(state)), scores, groups };
}

export function looksOf(state: State): PictureLooks {
  const { theme, captions, looks, drawsAll } = state;
  const { vertices } = visibleIn(state);
  const facts = factsOf(state);
  const scale = colourScale(looks, vertices, facts);
  const size = sizeScale(looks, vertices, facts);
  return {
    colourOf: scale === null ? byLabel(state) : (vertex) => colourOn(scale, vertex, theme),
    radiusOf: (vertex) => {
      if (size === null) return 8;
      if (looks.sizeBy === 'degree') return leastRadius + 1.6 * Math.sqrt(Math.min(100, size.of(vertex) ?? 0));
      const value = size.of(vertex);
      return value === null
        ? leastRadius - 1
        : leastRadius + (mostRadius - leastRadius) * Math.sqrt(partOf(size, value));
    },
    captionOf: (vertex) => captionOf(vertex, captions),
    drawsAll,
    edge: edgeColour[theme],
    chosen: accent[theme],
    rim: ground[theme],
    ink: ink[theme],
    quiet: otherColour[theme],
  };
}

function byLabel(state: State): (vertex: VertexData) => string {
  const colours = coloursOf(labelOrder(state), state.theme);
  return (vertex) => colours.get(labelOf(vertex)) ?? otherColour[state.theme];
}

function colourOn(scale: Scale, vertex: VertexData, theme: Theme): string {
  if (scale.kind === 'range') {
    const value = scale.of(vertex);
    return value === null ? otherColour[theme] : rampColour(partOf(scale, value), theme);
  }
  const name = scale.of(vertex);
  return (name === null ? undefined : namedColours(scale.names, theme).get(name)) ?? otherColour[theme];
}

const named = new WeakMap<readonly string[], Map<string, string>>();

function namedColours(names: readonly string[], theme: Theme): ReadonlyMap<string, string> {
  const known = named.get(names) ?? coloursOf(names, theme);
  named.set(names, known);
  return known;
}
