// What was chosen: one vertex with its properties and its edges by type, or several at once.

import { useEffect, useState } from 'preact/hooks';
import { captionOf, shortened } from '../model/captions.ts';
import { connectionWords, type EdgeGroup, labelOf, type VertexData } from '../model/elements.ts';
import { emptyQuestions, type Question, titleOf } from '../model/questions.ts';
import type { Scene } from '../model/scene.ts';
import { type Session, stepEdges } from '../session/session.ts';
import { labelOrder } from '../session/state.ts';
import { coloursOf, otherColour } from '../style/palette.ts';
import { EdgeDetails } from './edge-details.tsx';
import { VertexEditing } from './edit.tsx';
import { number } from './overview.tsx';
import { PropertyRow } from './property-row.tsx';

/** Characters of the caption as a title. */
const titleLength = 140;
/** Neighbours listed of one group. */
const maxNeighbours = 50;

export function Details({ session }: { session: Session }) {
  const { selected, selectedEdge, history } = session.state;
  const [id] = selected;
  const edge = selectedEdge === null ? undefined : history.present.edges.get(selectedEdge);
  const vertex = id === undefined ? undefined : history.present.vertices.get(id);
  return (
    <aside class="details" aria-label="Chosen">
      {edge !== undefined ? (
        <EdgeDetails session={session} edge={edge} />
      ) : selectedEdge !== null ? (
        <p>This edge is not in the picture any more.</p>
      ) : selected.size === 1 && vertex !== undefined ? (
        <OneVertex session={session} vertex={vertex} />
      ) : selected.size === 1 ? (
        <p>Vertex {id} is not in the picture any more.</p>
      ) : (
        <Several session={session} />
      )}
    </aside>
  );
}

function Several({ session }: { session: Session }) {
  const { selected } = session.state;
  return (
    <>
      <h2>{selected.size} vertices chosen</h2>
      <div class="row">
        <button type="button" onClick={() => session.keepOnly(selected)}>
          Only these and neighbours
        </button>
        <button type="button" onClick={() => session.hide(selected)}>
          Hide
        </button>
      </div>
      <ul class="plain">
        {[...selected].slice(0, 100).map((id) => (
          <li key={id}>
            <button type="button" class="quiet wide" onClick={() => session.select(new Set([id]))}>
              {session.captionOf(id)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function OneVertex({ session, vertex }: { session: Session; vertex: VertexData }) {
  const { state } = session;
  const { groups, pins, history, theme, captions } = state;
  const { id } = vertex;
  const label = labelOf(vertex);
  const colour = coloursOf(labelOrder(state), theme).get(label) ?? otherColour[theme];
  const isExpanded = [...history.present.expansions.values()].some((one) => one.vertex === id);
  return (
    <>
      <p class="kind">
        <span class="swatch" style={{ background: colour }} aria-hidden="true" /> {shortened(label, 40)} · #{id}
      </p>
      <h2 dir="auto">{captionOf(vertex, captions, titleLength)}</h2>
      <div class="row">
        <Expand session={session} id={id} groups={groups.get(id)} />
        <button type="button" disabled={!isExpanded} onClick={() => session.collapse(id)}>
          Collapse
        </button>
        <button type="button" aria-pressed={pins.has(id)} onClick={() => session.togglePin(id)}>
          Pin
        </button>
        <button type="button" onClick={() => session.hide(new Set([id]))}>
          Hide
        </button>
        <button type="button" onClick={() => session.keepOnly(new Set([id]))}>
          Only neighbours
        </button>
      </div>
      <Score session={session} id={id} />
      <From session={session} id={id} />
      <h3>Edges</h3>
      <Groups session={session} id={id} groups={groups.get(id)} />
      <h3>Properties</h3>
      {vertex.properties.length === 0 && <p class="small">It has none.</p>}
      <dl class="properties">
        {vertex.properties.map((property) => (
          <PropertyRow key={property.key} property={property} />
        ))}
      </dl>
      {vertex.properties.length > 0 && (
        <label class="field">
          Caption of {shortened(label, 24)}
          <select
            value={captions.get(label) ?? ''}
            onChange={(event) => session.setCaption(label, event.currentTarget.value)}
          >
            <option value="">its id</option>
            {vertex.properties.map(({ key }) => (
              <option key={key} value={key}>
                {shortened(key, 40)}
              </option>
            ))}
          </select>
        </label>
      )}
      {state.edits.isOn && <VertexEditing session={session} vertex={vertex} />}
    </>
  );
}

/** The step that unfolds a vertex, or a word that there is nothing left to unfold. */
function Expand({ session, id, groups }: { session: Session; id: number; groups: readonly EdgeGroup[] | undefined }) {
  const near = neighboursOf(session.scene, id);
  const left = groups?.reduce((sum, { direction, type, count }) => {
    return sum + Math.max(0, count - (near.get(`${direction} ${type}`)?.length ?? 0));
  }, 0);
  const isDone = left === 0;
  return (
    <button
      type="button"
      class={isDone ? '' : 'main'}
      aria-disabled={isDone}
      onClick={() => isDone || session.expand(id)}
    >
      {isDone ? 'All edges are shown' : `Next ${stepEdges} edges`}
    </button>
  );
}

/** What the last answer says of this vertex, and how it is connected: that is why. */
function Score({ session, id }: { session: Session; id: number }) {
  const { asked, groups: edges } = session.state;
  const { scores = null, groups = null } = asked?.answer ?? {};
  if (asked === null) return null;
  const score = scores?.get(id);
  const group = groups?.get(id);
  if (score === undefined && group === undefined) return null;
  const place = [...(scores?.keys() ?? [])].indexOf(id) + 1;
  const words = score === undefined ? group : `place ${number(place)}, score ${score.toPrecision(4)}`;
  return (
    <p class="small score">
      {titleOf(asked.question)}: {words}. {connectionWords(edges.get(id) ?? [])}
    </p>
  );
}

/** Questions that begin at this vertex. */
function From({ session, id }: { session: Session; id: number }) {
  const { draft, indexes } = session.state;
  const path = draft.kind === 'path' ? draft : emptyQuestions.path;
  const vectors = indexes.find(({ capabilities }) => capabilities.includes('vector'));
  const ask = (question: Question): void => session.put({ tab: 'ask', draft: question });
  return (
    <div class="row from">
      <button type="button" class="quiet" onClick={() => ask({ ...path, from: id })}>
        Path from here
      </button>
      <button type="button" class="quiet" onClick={() => ask({ ...path, to: id })}>
        Path to here
      </button>
      {vectors !== undefined && (
        <button
          type="button"
          class="quiet"
          onClick={() => ask({ ...emptyQuestions.similar, vertex: id, index: vectors.id })}
        >
          Find similar
        </button>
      )}
    </div>
  );
}

function Groups({ session, id, groups }: { session: Session; id: number; groups: readonly EdgeGroup[] | undefined }) {
  useEffect(() => {
    if (groups === undefined) session.asking(null, () => session.groupsOf(id));
  }, [session, id, groups]);
  if (groups === undefined) return <p class="small">Asking …</p>;
  if (groups.length === 0) return <p class="small">No edges.</p>;
  const near = neighboursOf(session.scene, id);
  return (
    <ul class="groups">
      {groups.map((group) => {
        const key = `${group.direction} ${group.type}`;
        return <Group key={key} session={session} id={id} group={group} near={near.get(key) ?? []} />;
      })}
    </ul>
  );
}

interface GroupProps {
  readonly session: Session;
  readonly id: number;
  readonly group: EdgeGroup;
  /** At the other ends of the edges in the picture, one an edge. */
  readonly near: readonly number[];
}

function Group({ session, id, group: { direction, type, count }, near }: GroupProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = near.length;
  const next = Math.min(stepEdges, count - shown);
  const way = direction === 'out' ? 'outgoing' : 'incoming';
  return (
    <li>
      <div class="group">
        <span class="arrow" title={way}>
          {direction === 'out' ? '→' : '←'}
        </span>
        <button
          type="button"
          class="quiet group-name"
          aria-expanded={isOpen}
          title={`Neighbours by ${way} edges of type ${type}`}
          onClick={() => setOpen(!isOpen)}
        >
          {shortened(type, 28)}
        </button>
        <span class="count">
          {number(shown)} of {number(count)} shown
        </span>
        <button
          type="button"
          class="quiet"
          disabled={next <= 0}
          aria-label={`${next <= 0 ? 'all' : `+${next}`} ${way} edges of type ${type}`}
          onClick={() => session.expand(id, { direction, type })}
        >
          {next <= 0 ? 'all' : `+${next}`}
        </button>
      </div>
      {isOpen && <Neighbours session={session} near={near} />}
    </li>
  );
}

function Neighbours({ session, near }: { session: Session; near: readonly number[] }) {
  const ids = [...new Set(near)];
  const go = (id: number): void => {
    session.select(new Set([id]));
    session.onCentre(id);
  };
  return (
    <ul class="plain neighbours">
      {ids.slice(0, maxNeighbours).map((id) => (
        <li key={id}>
          <button type="button" class="quiet wide" dir="auto" onClick={() => go(id)}>
            {session.captionOf(id)}
          </button>
        </li>
      ))}
      {ids.length > maxNeighbours && (
        <li class="small">
          {maxNeighbours} of {number(ids.length)} listed; the table has all.
        </li>
      )}
      {ids.length === 0 && <li class="small">None of them is in the picture.</li>}
    </ul>
  );
}

/** Neighbours of a vertex in the picture, one an edge, by direction and type. */
function neighboursOf({ edges }: Scene, id: number): ReadonlyMap<string, readonly number[]> {
  const near = new Map<string, number[]>();
  const add = (key: string, other: number): void => {
    const others = near.get(key);
    if (others === undefined) near.set(key, [other]);
    else others.push(other);
  };
  for (const { source, target, type } of edges.values()) {
    if (source === id) add(`out ${type}`, target);
    if (target === id) add(`in ${type}`, source);
  }
  return near;
}
