// Labels as circles, and a line from one to another for the types of edges between them, the thicker the more there are.

import { shortened } from '../model/captions.ts';
import type { SchemaEdge } from '../model/schema.ts';
import { otherColour, type Theme } from '../style/palette.ts';

interface Props {
  readonly edges: readonly SchemaEdge[];
  readonly colours: ReadonlyMap<string, string>;
  readonly theme: Theme;
  readonly choose: (label: string) => void;
}

const [width, height] = [256, 190];
const maxLabels = 10;
const radius = 9;

interface Tie {
  readonly from: string;
  readonly to: string;
  readonly types: SchemaEdge[];
  count: number;
}

export function SchemaPicture({ edges, colours, theme, choose }: Props) {
  const ties = tiesOf(edges);
  const labels = [...new Set(ties.flatMap(({ from, to }) => [from, to]))].slice(0, maxLabels);
  const places = new Map(labels.map((label, at) => [label, placeOf(at, labels.length)]));
  const most = Math.max(1, ...ties.map(({ count }) => count));
  const colourOf = (label: string): string => colours.get(label) ?? otherColour[theme];
  return (
    <div class="schema">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={describe(ties)}>
        {ties.map((tie) => {
          const [from, to] = [places.get(tie.from), places.get(tie.to)];
          if (from === undefined || to === undefined) return null;
          const title = tie.types.map(({ type, count }) => `${type} (${count})`).join(', ');
          const thickness = 1 + 3 * Math.sqrt(tie.count / most);
          const path = tie.from === tie.to ? loopAt(from) : bow(from, to);
          return (
            <g key={`${tie.from} ${tie.to}`}>
              <path d={path.line} class="tie" stroke-width={thickness}>
                <title>{`${tie.from} → ${tie.to}: ${title}`}</title>
              </path>
              <text x={path.x} y={path.y} class="tie-text">
                {tie.types.length === 1 ? shortened(tie.types[0]?.type ?? '', 18) : `${tie.types.length} types`}
              </text>
            </g>
          );
        })}
      </svg>
      {labels.map((label) => {
        const { x, y } = places.get(label) as { x: number; y: number };
        const place = { left: `${(100 * x) / width}%`, top: `${(100 * (y - radius - 3)) / height}%` };
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

function placeOf(at: number, of: number): { x: number; y: number } {
  if (of === 1) return { x: width / 2, y: height / 2 + 10 };
  const angle = (2 * Math.PI * at) / of + (of === 2 ? 0 : -Math.PI / 2);
  return { x: width / 2 + 78 * Math.cos(angle + Math.PI), y: height / 2 + 4 + 52 * Math.sin(angle + Math.PI) };
}

function loopAt({ x, y }: { x: number; y: number }): { line: string; x: number; y: number } {
  return { line: `M ${x - 6} ${y - 6} C ${x - 34} ${y - 50}, ${x + 34} ${y - 50}, ${x + 6} ${y - 6}`, x, y: y - 42 };
}

function bow(a: { x: number; y: number }, b: { x: number; y: number }): { line: string; x: number; y: number } {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [-dy / length, dx / length];
  const bend = 16;
  const [x, y] = [(a.x + b.x) / 2 + nx * bend, (a.y + b.y) / 2 + ny * bend];
  return { line: `M ${a.x} ${a.y} Q ${x} ${y} ${b.x} ${b.y}`, x: x - (nx * bend) / 2, y: y - (ny * bend) / 2 - 5 };
}

function describe(ties: readonly Tie[]): string {
  const parts = ties
    .slice(0, 12)
    .map(({ from, to, types }) => `${from} to ${to}: ${types.map(({ type }) => type).join(', ')}`);
  return `Schema. ${parts.join('; ')}`;
}
