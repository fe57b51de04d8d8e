// The picture's vertices as a table: sorted, filtered, and linked with the picture both ways.

import { useState } from 'preact/hooks';
import { captionOf, shortened } from '../model/captions.ts';
import { labelOf } from '../model/elements.ts';
import type { Session } from '../session/session.ts';
import { degreesOf, visibleIn } from '../session/state.ts';
import { number } from './overview.tsx';

type Column = 'caption' | 'label' | 'degree' | 'id';
const columns: readonly (readonly [Column, string])[] = [
  ['caption', 'Caption'],
  ['label', 'Label'],
  ['degree', 'Edges shown'],
  ['id', 'Id'],
];
const maxRows = 200;

interface Row {
  readonly id: number;
  readonly caption: string;
  readonly label: string;
  readonly degree: number;
}

export function VertexTable({ session }: { session: Session }) {
  const [column, setColumn] = useState<Column>('degree');
  const [filter, setFilter] = useState('');
  const { state } = session;
  const { selected, captions } = state;
  const visible = visibleIn(state);
  const degrees = degreesOf(visible);
  const wanted = filter.trim().toLowerCase();
  const rows = visible.vertices
    .map((vertex) => ({
      id: vertex.id,
      caption: captionOf(vertex, captions),
      label: labelOf(vertex),
      degree: degrees.get(vertex.id) ?? 0,
    }))
    .filter(({ caption, label }) => wanted === '' || `${caption} ${label}`.toLowerCase().includes(wanted))
    .sort(by(column));
  return (
    <section class="table" aria-label="Vertices in the picture">
      <div class="table-head">
        <label class="find">
          Find in the picture
          <input type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        </label>
        <span class="small">
          {number(Math.min(maxRows, rows.length))} of {number(rows.length)} rows
        </span>
      </div>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {columns.map(([key, title]) => (
                <th
                  key={key}
                  scope="col"
                  aria-sort={key === column ? (key === 'degree' ? 'descending' : 'ascending') : 'none'}
                >
                  <button type="button" class="quiet" onClick={() => setColumn(key)}>
                    {title}
                    {key === column ? ' ↓' : ''}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxRows).map(({ id, caption, label, degree }) => (
              <tr key={id} class={selected.has(id) ? 'chosen' : ''}>
                <th scope="row" dir="auto">
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => {
                      session.select(new Set([id]));
                      session.onCentre(id);
                    }}
                  >
                    {caption}
                  </button>
                </th>
                <td>{shortened(label, 30)}</td>
                <td>{number(degree)}</td>
                <td>{id}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function by(column: Column): (a: Row, b: Row) => number {
  if (column === 'degree') return (a, b) => b.degree - a.degree || a.id - b.id;
  if (column === 'id') return (a, b) => a.id - b.id;
  return (a, b) => a[column].localeCompare(b[column]) || a.id - b.id;
}
