// How the picture looks: what colours and sizes say, captions, the layout, and which vertices are shown.

import { useState } from 'preact/hooks';
import { shortened } from '../model/captions.ts';
import { labelOf } from '../model/elements.ts';
import { type Filter, filterWords } from '../model/filter.ts';
import { type ColourBy, keysOfVertices, labelsOfVertices, type SizeBy } from '../model/looks.ts';
import type { Session } from '../session/session.ts';
import type { LayoutKind } from '../session/state.ts';
import { Choice } from './fields.tsx';

const colourTitles: Readonly<Record<ColourBy, string>> = {
  label: 'label',
  property: 'a property',
  rule: 'a rule',
  degree: 'edges shown',
  answer: 'the last answer',
};
const sizeTitles: Readonly<Record<SizeBy, string>> = {
  degree: 'edges shown',
  same: 'nothing: all the same',
  property: 'a property',
  answer: 'the last answer',
};
const layoutTitles: Readonly<Record<LayoutKind, string>> = {
  force: 'by forces',
  layered: 'in layers, along the edges',
  radial: 'in rings around one vertex',
};

export function Look({ session }: { session: Session }) {
  const { looks, layout, asked } = session.state;
  const vertices = [...session.scene.vertices.values()];
  const keys = keysOfVertices(vertices);
  const hasAnswer = asked?.answer?.scores != null || asked?.answer?.groups != null;
  const put = (patch: Partial<typeof looks>): void => session.put({ looks: { ...looks, ...patch } });
  return (
    <div class="ask">
      <h3>Layout</h3>
      <Pick title="Stand" value={layout} titles={layoutTitles} change={(kind) => session.setLayout(kind)} />
      <h3>Colour</h3>
      <Pick
        title="Colours show"
        value={looks.colourBy}
        titles={colourTitles}
        off={hasAnswer ? [] : ['answer']}
        change={(colourBy) => put({ colourBy })}
      />
      {(looks.colourBy === 'property' || looks.colourBy === 'rule') && (
        <Choice
          title="Property"
          value={looks.colourKey}
          names={keys}
          none="choose one"
          change={(colourKey) => put({ colourKey })}
        />
      )}
      {looks.colourBy === 'rule' && (
        <label>
          Contains a text, or compares: &gt; 10
          <input value={looks.rule} onInput={(event) => put({ rule: event.currentTarget.value })} />
        </label>
      )}
      <h3>Size</h3>
      <Pick
        title="Sizes show"
        value={looks.sizeBy}
        titles={sizeTitles}
        off={hasAnswer ? [] : ['answer']}
        change={(sizeBy) => put({ sizeBy })}
      />
      {looks.sizeBy === 'property' && (
        <Choice
          title="Property"
          value={looks.sizeKey}
          names={keys}
          none="choose one"
          change={(sizeKey) => put({ sizeKey })}
        />
      )}
      <h3>Captions</h3>
      {labelsOfVertices(vertices).map((label) => (
        <Choice
          key={label}
          title={`Of ${shortened(label, 24)}`}
          value={session.state.captions.get(label) ?? ''}
          names={keysOfVertices(vertices.filter((vertex) => labelOf(vertex) === label))}
          none="the id"
          change={(key) => session.setCaption(label, key)}
        />
      ))}
      <FilterForm session={session} keys={keys} />
    </div>
  );
}

interface PickProps<Name extends string> {
  readonly title: string;
  readonly value: Name;
  readonly titles: Readonly<Record<Name, string>>;
  readonly off?: readonly Name[];
  readonly change: (name: Name) => void;
}

function Pick<Name extends string>({ title, value, titles, off = [], change }: PickProps<Name>) {
  return (
    <label>
      {title}
      <select value={value} onChange={(event) => change(event.currentTarget.value as Name)}>
        {(Object.entries(titles) as [Name, string][]).map(([name, text]) => (
          <option key={name} value={name} disabled={off.includes(name)}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function FilterForm({ session, keys }: { session: Session; keys: readonly string[] }) {
  const [kind, setKind] = useState<Filter['kind']>('value');
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const [low, setLow] = useState('');
  const [high, setHigh] = useState('');
  const { filter } = session.scene;
  const apply = (event: Event): void => {
    event.preventDefault();
    const range = {
      low: low.trim() === '' ? Number.NEGATIVE_INFINITY : Number(low),
      high: high.trim() === '' ? Number.POSITIVE_INFINITY : Number(high),
    };
    if (kind === 'value') session.setFilter({ kind, key, text });
    else if (kind === 'range') session.setFilter({ kind, key, ...range });
    else session.setFilter({ kind, ...range, low: Math.max(0, range.low) });
  };
  return (
    <form class="look-filter" onSubmit={apply}>
      <h3>Show only</h3>
      <Pick
        title="Vertices"
        value={kind}
        titles={{ value: 'whose value contains', range: 'whose value is between', degree: 'with edges shown between' }}
        change={setKind}
      />
      {kind !== 'degree' && (
        <Choice title="Property" value={key} names={keys} none="choose one" isRequired change={setKey} />
      )}
      {kind === 'value' ? (
        <label>
          Text
          <input required value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      ) : (
        <div class="pair narrow">
          <label>
            From
            <input type="number" step="any" value={low} onInput={(event) => setLow(event.currentTarget.value)} />
          </label>
          <label>
            To
            <input type="number" step="any" value={high} onInput={(event) => setHigh(event.currentTarget.value)} />
          </label>
        </div>
      )}
      <div class="row">
        <button type="submit">Filter</button>
        {filter !== null && (
          <button type="button" onClick={() => session.setFilter(null)}>
            Show all again
          </button>
        )}
      </div>
      {filter !== null && <p class="small">Shown: {filterWords(filter)}</p>}
    </form>
  );
}
