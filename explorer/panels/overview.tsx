// The graph at a glance: how much there is, of what kind, how it hangs together; and what of it the picture shows.

import { shortened } from '../model/captions.ts';
import { labelOf, type Name, noLabel } from '../model/elements.ts';
import type { Session } from '../session/session.ts';
import { labelOrder, visibleIn } from '../session/state.ts';
import { coloursOf, otherColour, palette } from '../style/palette.ts';
import { ClusterPicture } from './cluster-picture.tsx';
import { Editing } from './edit.tsx';
import { SchemaPicture } from './schema-picture.tsx';

/** Names of one list; the rest is counted. */
const maxNames = 24;

export function Overview({ session }: { session: Session }) {
  const { state } = session;
  const { counts, schema, theme, history } = state;
  if (counts === null) return null;
  const order = labelOrder(state);
  const colours = coloursOf(order, theme);
  const shown = tally(visibleIn(state).vertices.map(labelOf));
  const shownTypes = tally(visibleIn(state).edges.map(({ type }) => type));
  const { hiddenLabels, hiddenTypes } = history.present;
  return (
    <>
      <dl class="totals">
        <div>
          <dt>vertices</dt>
          <dd>{number(counts.vertexCount)}</dd>
        </div>
        <div>
          <dt>edges</dt>
          <dd>{number(counts.edgeCount)}</dd>
        </div>
      </dl>
      {counts.stride > 1 && <p class="small">Counted on every {counts.stride}th element.</p>}
      <h2>Labels</h2>
      <NameList
        names={counts.labels.map(({ name, count }) => ({ name: name === '' ? noLabel : name, count }))}
        shown={shown}
        hidden={hiddenLabels}
        colourOf={(name) => colours.get(name) ?? otherColour[theme]}
        toggle={(name) => session.toggle('hiddenLabels', name)}
      />
      {order.length > palette[theme].length && (
        <p class="small">The {palette[theme].length} most frequent labels have colours; all others are grey.</p>
      )}
      <h2>Schema</h2>
      {counts.edgeCount === 0 ? (
        <p class="small">There are no edges.</p>
      ) : schema === null ? (
        <p class="small">Looking at a sample of the edges …</p>
      ) : (
        <>
          <SchemaPicture
            edges={schema.edges}
            colours={colours}
            theme={theme}
            choose={(label) => session.showExamples(label)}
          />
          <p class="small">
            {schema.isWhole
              ? 'Choose a label for examples.'
              : `From ${number(schema.sampled)} of ${number(counts.edgeCount)} edges: rare types may be missing. Choose a label for examples.`}
          </p>
          <h2>Edge types</h2>
          <NameList
            names={schema.types}
            shown={shownTypes}
            hidden={hiddenTypes}
            toggle={(name) => session.toggle('hiddenTypes', name)}
            approximate={!schema.isWhole}
          />
        </>
      )}
      <h2>Property keys</h2>
      {counts.keys.length === 0 && <p class="small">No element has a property.</p>}
      <ul class="keys">
        {counts.keys.slice(0, maxNames).map(({ name, count }) => (
          <li key={name}>
            <span>{shortened(name, 40)}</span> <span class="count">{number(count)}</span>
          </li>
        ))}
      </ul>
      {state.cluster !== null && <ClusterPicture session={session} cluster={state.cluster} />}
      <Editing session={session} />
    </>
  );
}

interface NameListProps {
  readonly names: readonly Name[];
  readonly shown: ReadonlyMap<string, number>;
  readonly hidden: ReadonlySet<string>;
  readonly toggle: (name: string) => void;
  readonly colourOf?: (name: string) => string;
  readonly approximate?: boolean;
}

function NameList({ names, shown, hidden, toggle, colourOf, approximate = false }: NameListProps) {
  return (
    <ul class="names">
      {names.slice(0, maxNames).map(({ name, count }) => (
        <li key={name} class={hidden.has(name) ? 'off' : ''}>
          <button
            type="button"
            class="name"
            aria-pressed={!hidden.has(name)}
            title={hidden.has(name) ? `Show ${name}` : `Hide ${name}`}
            onClick={() => toggle(name)}
          >
            {colourOf !== undefined && (
              <span class="swatch" style={{ background: colourOf(name) }} aria-hidden="true" />
            )}
            <span class="name-text">{shortened(name, 28)}</span>
            <span class="count">
              {number(shown.get(name) ?? 0)} of {approximate ? 'about ' : ''}
              {number(count)}
            </span>
          </button>
        </li>
      ))}
      {names.length > maxNames && <li class="small">and {names.length - maxNames} more</li>}
    </ul>
  );
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

export function number(value: number): string {
  return value.toLocaleString('en');
}
