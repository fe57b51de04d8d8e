// The scale over the picture: what colours and sizes say, from which value to which.

import { shortened } from '../model/captions.ts';
import { colourScale, type RangeScale, sizeScale } from '../model/looks.ts';
import { type State, visibleIn } from '../session/state.ts';
import { coloursOf, otherColour, palette, rampColour } from '../style/palette.ts';
import { factsOf } from './looks.ts';

const stops = [0, 0.25, 0.5, 0.75, 1];

export function Legend({ state }: { state: State }) {
  const { looks, theme } = state;
  if (looks.colourBy === 'label' && looks.sizeBy === 'degree') return null;
  const { vertices } = visibleIn(state);
  const facts = factsOf(state);
  const colour = colourScale(looks, vertices, facts);
  const size = sizeScale(looks, vertices, facts);
  if (colour === null && size === null) return null;
  return (
    <section class="legend" aria-label="Scale">
      {colour !== null && (
        <>
          <b>{shortened(colour.title, 32)}</b>
          {colour.kind === 'range' ? (
            <>
              <span class="ramp" aria-hidden="true">
                {stops.map((part) => (
                  <span key={part} style={{ background: rampColour(part, theme) }} />
                ))}
              </span>
              <Ends scale={colour} />
            </>
          ) : (
            <Names names={colour.names} state={state} />
          )}
          <span class="small">
            {looks.colourBy === 'answer' && facts.groups !== null ? 'grey: smaller groups' : 'grey: no value'}
          </span>
        </>
      )}
      {size !== null && looks.sizeBy !== 'degree' && (
        <>
          <b>Size: {shortened(size.title, 28)}</b>
          <Ends scale={size} />
        </>
      )}
    </section>
  );
}

function Names({ names, state: { theme } }: { names: readonly string[]; state: State }) {
  const { length } = palette[theme];
  const colours = coloursOf(names, theme);
  return (
    <ul>
      {names.slice(0, length).map((name) => (
        <li key={name}>
          <span class="swatch" style={{ background: colours.get(name) ?? otherColour[theme] }} aria-hidden="true" />{' '}
          {shortened(name, 26)}
        </li>
      ))}
      {names.length > length && <li class="small">and {names.length - length} more, grey</li>}
    </ul>
  );
}

function Ends({ scale: { low, high } }: { scale: RangeScale }) {
  return (
    <span class="ends">
      <span>{short(low)}</span>
      <span>{short(high)}</span>
    </span>
  );
}

function short(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toPrecision(3);
}
