// Forms that change the graph, and the plain picture of what will be sent. Off until switched on.

import { useState } from 'preact/hooks';
import type { Property, VertexData } from '../model/elements.ts';
import {
  createEdge,
  createVertex,
  plan,
  removeVertex,
  send,
  takeBack,
  toggleEditing,
  writeProperty,
} from '../session/editing.ts';
import type { Session } from '../session/session.ts';
import type { Plan } from '../session/state.ts';
import { Modal } from './modal.tsx';

const types = ['System.String', 'System.Int32', 'System.Int64', 'System.Double', 'System.Boolean', 'System.DateTime'];

/** At the foot of the overview: the switch, a new vertex, what was changed. */
export function Editing({ session }: { session: Session }) {
  const { edits } = session.state;
  const [label, setLabel] = useState('');
  const [name, setName] = useState('');
  const properties = name.trim() === '' ? [] : [{ key: 'name', type: 'System.String', value: name }];
  return (
    <section class="ask" aria-label="Editing">
      <label class="check">
        <input type="checkbox" checked={edits.isOn} onChange={() => toggleEditing(session)} />
        Allow changes to the graph
      </label>
      {edits.isOn && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            plan(session, createVertex(session, label.trim(), properties));
          }}
        >
          <div class="pair narrow">
            <label>
              Label
              <input value={label} required onInput={(event) => setLabel(event.currentTarget.value)} />
            </label>
            <label>
              name
              <input value={name} onInput={(event) => setName(event.currentTarget.value)} />
            </label>
          </div>
          <div class="row">
            <button type="submit">New vertex …</button>
            <button type="button" disabled={edits.done.length === 0} onClick={() => takeBack(session)}>
              {edits.done[0] === undefined ? 'Nothing to take back' : `Take back: ${edits.done[0].title}`}
            </button>
          </div>
        </form>
      )}
    </section>
  );
}

/** What will be sent, to be sent or not. */
export function PlanDialog({ session, next }: { session: Session; next: Plan }) {
  return (
    <Modal title={`${next.title}?`} close={() => plan(session, null)}>
      <p class="small">This will be sent:</p>
      {next.calls.map(({ method, path, body }) => (
        <pre key={`${method} ${path}`} class="plan">
          {method} {path}
          {body === undefined ? '' : `\n${JSON.stringify(body, null, 1)}`}
        </pre>
      ))}
      <div class="row">
        <button type="button" class="main" onClick={() => send(session)}>
          Send
        </button>
        <button type="button" onClick={() => plan(session, null)}>
          Do not send
        </button>
      </div>
    </Modal>
  );
}

export function VertexEditing({ session, vertex }: { session: Session; vertex: VertexData }) {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [type, setType] = useState('System.String');
  const [to, setTo] = useState('');
  const [edgeType, setEdgeType] = useState('');
  const before = (name: string): Property | null => vertex.properties.find((one) => one.key === name) ?? null;
  return (
    <section class="ask" aria-label="Change this vertex">
      <h3>Change</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          plan(session, writeProperty(session, vertex.id, key, { key, type, value }, before(key)));
        }}
      >
        <div class="pair narrow">
          <label>
            Property
            <input required value={key} onInput={(event) => setKey(event.currentTarget.value)} />
          </label>
          <label>
            Type
            <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
              {types.map((one) => (
                <option key={one} value={one}>
                  {one.replace('System.', '')}
                </option>
              ))}
            </select>
          </label>
        </div>
        <label>
          Value
          <input value={value} onInput={(event) => setValue(event.currentTarget.value)} />
        </label>
        <div class="row">
          <button type="submit">Set …</button>
          <button
            type="button"
            disabled={before(key) === null}
            onClick={() => plan(session, writeProperty(session, vertex.id, key, null, before(key)))}
          >
            Remove it …
          </button>
        </div>
      </form>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          plan(session, createEdge(session, vertex.id, Number(to.replace('#', '')), edgeType));
        }}
      >
        <div class="pair narrow">
          <label>
            Edge of type
            <input required value={edgeType} onInput={(event) => setEdgeType(event.currentTarget.value)} />
          </label>
          <label>
            to the id
            <input required pattern="#?[0-9]+" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
          </label>
        </div>
        <div class="row">
          <button type="submit">New edge …</button>
          <button type="button" class="danger" onClick={() => plan(session, removeVertex(session, vertex))}>
            Remove this vertex …
          </button>
        </div>
      </form>
    </section>
  );
}
