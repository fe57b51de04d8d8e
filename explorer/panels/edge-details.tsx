// One edge: its ends, its properties, hiding it, removing it.

import { useEffect, useState } from 'preact/hooks';
import { shortened } from '../model/captions.ts';
import type { EdgeData, Property } from '../model/elements.ts';
import { plan, removeEdge } from '../session/editing.ts';
import type { Session } from '../session/session.ts';
import { PropertyRow } from './property-row.tsx';

export function EdgeDetails({ session, edge }: { session: Session; edge: EdgeData }) {
  const { id, type, source, target } = edge;
  const [properties, setProperties] = useState<readonly Property[] | null>(null);
  useEffect(() => {
    setProperties(null);
    session.asking(null, async () => setProperties((await session.source.edge(id))?.properties ?? []));
  }, [session, id]);
  const end = (vertex: number, title: string) => (
    <button type="button" class="quiet wide" onClick={() => session.select(new Set([vertex]))}>
      {title} {shortened(session.captionOf(vertex), 40)}
    </button>
  );
  return (
    <>
      <p class="kind">edge · #{id}</p>
      <h2 dir="auto">{shortened(type, 60)}</h2>
      {end(source, 'from')}
      {end(target, 'to')}
      <div class="row">
        <button type="button" onClick={() => session.hideEdge(id)}>
          Hide
        </button>
        {session.state.edits.isOn && (
          <button type="button" class="danger" onClick={() => plan(session, removeEdge(session, id))}>
            Remove …
          </button>
        )}
      </div>
      <h3>Properties</h3>
      {properties === null ? (
        <p class="small">Asking …</p>
      ) : properties.length === 0 ? (
        <p class="small">It has none.</p>
      ) : (
        <dl class="properties">
          {properties.map((property) => (
            <PropertyRow key={property.key} property={property} />
          ))}
        </dl>
      )}
    </>
  );
}
