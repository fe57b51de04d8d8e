// A table of edges before it is opened: which columns are the ends, which is the type, and its first rows to judge by.

import { useEffect, useState } from 'preact/hooks';
import { guessShape, headOfTable, type TableHead, type TableShape } from '../data/table.ts';
import { shortened } from '../model/captions.ts';
import { openTable } from '../session/opening.ts';
import type { Session } from '../session/session.ts';
import { Modal } from './modal.tsx';

export function TableDialog({ session, file }: { session: Session; file: File }) {
  const [hasNames, setHasNames] = useState(true);
  const [head, setHead] = useState<TableHead | null>(null);
  const [shape, setShape] = useState<TableShape | null>(null);
  const close = (): void => session.put({ table: null });
  useEffect(() => {
    headOfTable(file, hasNames).then((read) => {
      setHead(read);
      setShape(guessShape(read, hasNames));
    });
  }, [file, hasNames]);
  if (head === null || shape === null) return null;
  const isUsable = head.columns.length >= 2 && shape.source !== shape.target;
  const columnOf = (name: 'source' | 'target', title: string) => (
    <label>
      {title}
      <select
        value={shape[name]}
        onChange={(event) => setShape({ ...shape, [name]: Number(event.currentTarget.value) })}
      >
        {head.columns.map((column, place) => (
          <option key={`${place} ${column}`} value={place}>
            {shortened(column, 40)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <Modal title={`Edges of ${shortened(file.name, 40)}`} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isUsable) openTable(session, file, shape);
        }}
      >
        <p class="small">
          Each row is an edge. Names in the columns of its ends become vertices; other columns its properties.
        </p>
        <label class="check">
          <input type="checkbox" checked={hasNames} onChange={(event) => setHasNames(event.currentTarget.checked)} />
          The first row has the names of the columns
        </label>
        <div class="pair">
          {columnOf('source', 'From')}
          {columnOf('target', 'To')}
        </div>
        <TypeFields head={head} shape={shape} change={setShape} />
        <Preview head={head} />
        {!isUsable && <p class="flaw">Edges need two different columns.</p>}
        <div class="row">
          <button type="submit" class="main" disabled={!isUsable}>
            Open
          </button>
        </div>
      </form>
    </Modal>
  );
}

interface TypeFieldsProps {
  readonly head: TableHead;
  readonly shape: TableShape;
  readonly change: (shape: TableShape) => void;
}

function TypeFields({ head, shape, change }: TypeFieldsProps) {
  return (
    <div class="pair">
      <label>
        Type of edges
        <select
          value={shape.typeColumn ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ ...shape, typeColumn: value === '' ? null : Number(value) })
          }
        >
          <option value="">the same for all</option>
          {head.columns.map((column, place) => (
            <option key={`${place} ${column}`} value={place}>
              {shortened(column, 40)}
            </option>
          ))}
        </select>
      </label>
      {shape.typeColumn === null && (
        <label>
          Its name
          <input
            value={shape.type}
            required
            onInput={(event) => change({ ...shape, type: event.currentTarget.value })}
          />
        </label>
      )}
    </div>
  );
}

function Preview({ head: { columns, rows } }: { head: TableHead }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys where it is narrow
    <section class="scroll preview" tabIndex={0} aria-label="First rows">
      <table>
        <thead>
          <tr>
            {columns.map((column, place) => (
              <th key={`${place} ${column}`} scope="col">
                {shortened(column, 24)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={`${at} ${row.join(' ').slice(0, 80)}`}>
              {row.map((value, place) => (
                <td key={`${place} ${columns[place] ?? ''}`}>{shortened(value, 24)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
