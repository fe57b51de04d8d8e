// Name, search, connection, calls, colours.

import { useEffect, useRef, useState } from 'preact/hooks';
import { excerptOf, shortened } from '../model/captions.ts';
import { labelOf } from '../model/elements.ts';
import { endSearch, search } from '../session/searching.ts';
import type { Session } from '../session/session.ts';
import type { Dialog } from './app.tsx';

/** How long a typist rests before the search begins. */
const restMs = 250;

export function TopBar({ session, open }: { session: Session; open: (dialog: Dialog) => void }) {
  const { connection, phase, theme } = session.state;
  const { home } = connection;
  const warned = session.source.log.calls.filter(({ warnings }) => warnings.length > 0).length;
  const other = theme === 'light' ? 'dark' : 'light';
  const setTheme = (): void => {
    localStorage.setItem('arcwise.theme', other);
    session.setTheme(other);
  };
  return (
    <header class="bar">
      <h1>
        Arcwise <span>explorer</span>
      </h1>
      {phase === 'open' ? <Search session={session} /> : <div class="search" />}
      <button type="button" class="chip" onClick={() => open('open')} title="Open another graph">
        <span class={`dot ${phase}`} aria-hidden="true" />
        <span class="chip-text">{home === undefined ? hostOf(connection.url) : 'in this page'}</span>{' '}
        <b>{shortened(home?.title ?? connection.namespace, 20)}</b>
        <span class="chip-more" aria-hidden="true">
          Open …
        </span>
      </button>
      <button type="button" onClick={() => open('calls')}>
        Calls
        {warned > 0 && (
          <span class="badge" title={`${warned} calls were answered with warnings`}>
            {warned}
            <span class="unseen"> with warnings</span>
          </span>
        )}
      </button>
      <button type="button" onClick={setTheme} aria-label={`Use ${other} colours`} title={`Use ${other} colours`}>
        {theme === 'light' ? '◐' : '◑'}
      </button>
    </header>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function Search({ session }: { session: Session }) {
  const { search: found, captions } = session.state;
  const [text, setText] = useState('');
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => search(session, text), restMs);
    return () => clearTimeout(timer);
  }, [text, session]);
  const choose = (id: number): void => {
    session.add([id]);
    setText('');
    endSearch(session);
  };
  const move = (event: KeyboardEvent): void => {
    const buttons = [...(box.current?.querySelectorAll<HTMLElement>('input, .hits button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') {
      setText('');
      endSearch(session);
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    buttons[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  };
  return (
    <search class="search" ref={box} onKeyDown={move}>
      <input
        id="search"
        type="search"
        value={text}
        placeholder="Search all property values, or #id"
        aria-label="Search all property values, or an id"
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {found !== null && (
        <div class="hits">
          <p class="small">
            {found.isRunning
              ? 'Searching …'
              : found.total === 0
                ? 'Nothing has this text. Try a part of a word: any case will do.'
                : `${found.hits.length.toLocaleString('en')} of ${found.total.toLocaleString('en')} shown · a scan of all property values, no index`}
          </p>
          <ul>
            {found.hits.map((hit) => (
              <li key={hit.id}>
                <button type="button" onClick={() => choose(hit.id)}>
                  <span dir="auto">{excerptOf(hit, captions, found.text)}</span>
                  <span class="small">
                    {shortened(labelOf(hit), 24)} #{hit.id}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </search>
  );
}
