// Labels as circles, and a line from one to another for the types of edges between them, the thicker the more there are. A line whose text finds
// no room says its types when it is pointed at.

import { shortened } from '../model/captions.ts';
import type { SchemaEdge } from '../model/schema.ts';
import {
  type Line,
  labelPlace,
  lineBetween,
  placedTexts,
  radius,
  schemaHeight,
  schemaWidth,
} from '../render/schema-lines.ts';
import { otherColour, type Theme } from '../style/palette.ts';

interface Props {
  readonly edges: readonly SchemaEdge[];
  readonly colours: ReadonlyMap<string, string>;
  readonly theme: Theme;
  readonly choose: (label: string) => void;
}

const maxLabels = 10;

interface Tie {
  readonly from: string;
  readonly to: string;
  readonly types: SchemaEdge[];
  count: number;
}

export function SchemaPicture({ edges, colours, theme, choose }: Props) {
  const ties = tiesOf(edges);
  const labels = [...new Set(ties.flatMap(({ from, to }) => [from, to]))].slice(0, maxLabels);
  const places = new Map(labels.map((label, at) => [label, labelPlace(at, labels.length)]));
  const most = Math.max(1, ...ties.map(({ count }) => count));
  const lines = ties.flatMap((tie): (Line & { readonly tie: Tie })[] => {
    const [from, to] = [places.get(tie.from), places.get(tie.to)];
    if (from === undefined || to === undefined) return [];
    const text = tie.types.length === 1 ? shortened(tie.types[0]?.type ?? '', 18) : `${tie.types.length} types`;
    return [{ ...lineBetween(from, to), text, tie }];
  });
  const names = labels.map((label) => ({
    ...(places.get(label) as { x: number; y: number }),
    text: shortened(label, 16),
  }));
  const texts = placedTexts(lines, names);
  const colourOf = (label: string): string => colours.get(label) ?? otherColour[theme];
  return (
    <div class="schema">
      <svg viewBox={`0 0 ${schemaWidth} ${schemaHeight}`} role="img" aria-label={describe(ties)}>
        {lines.map(({ path, tie }) => {
          const title = tie.types.map(({ type, count }) => `${type} (${count})`).join(', ');
          return (
            <path key={`${tie.from} ${tie.to}`} d={path} class="tie" stroke-width={1 + 3 * Math.sqrt(tie.count / most)}>
              <title>{`${tie.from} → ${tie.to}: ${title}`}</title>
            </path>
          );
        })}
        {texts.map(({ text, x, y }) => (
          <text key={`${x} ${y}`} x={x} y={y} class="tie-text">
            {text}
          </text>
        ))}
      </svg>
      {labels.map((label) => {
        const { x, y } = places.get(label) as { x: number; y: number };
        const place = { left: `${(100 * x) / schemaWidth}%`, top: `${(100 * (y - radius - 3)) / schemaHeight}%` };
        return (
          <button
            key={label}
            type="button"
            class="schema-label"
            style={place}
            title={`Examples of ${label}`}
            onClick={() => choose(label)}
          >
            <span class="swatch" style={{ background: colourOf(label) }} aria-hidden="true" />
            {shortened(label, 16)}
          </button>
        );
      })}
    </div>
  );
}

function tiesOf(edges: readonly SchemaEdge[]): Tie[] {
  const ties = new Map<string, Tie>();
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.to]);
    const tie = ties.get(key) ?? { from: edge.from, to: edge.to, types: [], count: 0 };
    tie.types.push(edge);
    tie.count += edge.count;
    ties.set(key, tie);
  }
  return [...ties.values()].sort((a, b) => b.count - a.count);
}

function describe(ties: readonly Tie[]): string {
  const parts = ties
    .slice(0, 12)
    .map(({ from, to, types }) => `${from} to ${to}: ${types.map(({ type }) => type).join(', ')}`);
  return `Schema. ${parts.join('; ')}`;
}
