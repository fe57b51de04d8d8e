// A field for a fragment: what may come next is offered as one types, and what the compiler says of it stands below.

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Diagnostic } from '../data/source.ts';
import { completionAt, type DelegateKind, exampleOf } from '../model/completion.ts';
import type { Session } from '../session/session.ts';

interface Props {
  readonly session: Session;
  readonly title: string;
  readonly kind: DelegateKind;
  readonly value: string;
  readonly change: (value: string) => void;
}

const restMs = 350;

export function FragmentField({ session, title, kind, value, change }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const [caret, setCaret] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const diagnostics = useDiagnostics(session, kind, value);
  const names = namesOf(session);
  const completion = caret === null ? null : completionAt(value, caret, kind, names.all);
  const take = (offer: string): void => {
    if (completion === null || caret === null) return;
    const next = value.slice(0, completion.start) + offer + completion.end;
    change(next + value.slice(caret));
    setCaret(null);
    requestAnimationFrame(() => field.current?.setSelectionRange(next.length, next.length));
  };
  const steer = (event: KeyboardEvent): void => {
    if (completion === null) return;
    const { length } = completion.offers;
    if (event.key === 'ArrowDown') setAt((at + 1) % length);
    else if (event.key === 'ArrowUp') setAt((at + length - 1) % length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(completion.offers[at % length] as string);
    else if (event.key === 'Escape') setCaret(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="fragment">
      <label for={id}>{title}</label>
      <textarea
        id={id}
        ref={field}
        rows={2}
        spellcheck={false}
        value={value}
        placeholder={exampleOf(kind, names)}
        aria-haspopup="listbox"
        aria-controls={`${id}-offers`}
        aria-autocomplete="list"
        aria-activedescendant={completion === null ? undefined : `${id}-${at % completion.offers.length}`}
        aria-invalid={diagnostics.some(({ severity }) => severity === 'error')}
        aria-describedby={`${id}-said`}
        onKeyDown={steer}
        onBlur={() => setCaret(null)}
        onInput={(event) => {
          change(event.currentTarget.value);
          setCaret(event.currentTarget.selectionStart);
          setAt(0);
        }}
      />
      <Offers id={id} offers={completion?.offers ?? []} at={at} take={take} />
      <div id={`${id}-said`} class="said" aria-live="polite">
        {diagnostics.slice(0, 4).map(({ line, column, message, severity, id: code }) => (
          <p key={`${line} ${column} ${code}`} class={severity}>
            {line}:{column} {message} <span class="small">{code}</span>
          </p>
        ))}
      </div>
    </div>
  );
}

interface OffersProps {
  readonly id: string;
  readonly offers: readonly string[];
  readonly at: number;
  readonly take: (offer: string) => void;
}

function Offers({ id, offers, at, take }: OffersProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected=true]');
    (at === 0 ? list.current : chosen)?.scrollIntoView({ block: 'nearest' });
  }, [offers.length, at]);
  return (
    <div
      ref={list}
      class="offers"
      id={`${id}-offers`}
      role="listbox"
      aria-label="Completions"
      // Where it scrolls, keys can reach all of it; a click leaves the focus in the field.
      tabIndex={0}
      onMouseDown={(event) => event.preventDefault()}
      hidden={offers.length === 0}
    >
      {offers.map((offer, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
        <div
          key={offer}
          class="offer"
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === at % offers.length}
          onClick={() => take(offer)}
        >
          {offer}
        </div>
      ))}
    </div>
  );
}

function useDiagnostics(session: Session, kind: DelegateKind, value: string): readonly Diagnostic[] {
  const [said, setSaid] = useState<readonly Diagnostic[]>([]);
  useEffect(() => {
    if (value.trim() === '') {
      setSaid([]);
      return;
    }
    const asking = new AbortController();
    const timer = setTimeout(() => {
      session.source.diagnostics(kind, value, asking.signal).then(setSaid, () => setSaid([])); // the question itself will tell
    }, restMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [session, kind, value]);
  return said;
}

function namesOf({ state: { counts, schema } }: Session) {
  const labels = counts?.labels.map(({ name }) => name) ?? [];
  const keys = counts?.keys.map(({ name }) => name) ?? [];
  const types = schema?.types.map(({ name }) => name) ?? [];
  return {
    label: labels[0] ?? 'person',
    key: keys[0] ?? 'weight',
    type: types[0] ?? 'knows',
    all: [...labels, ...keys, ...types].filter((name) => name !== ''),
  };
}
