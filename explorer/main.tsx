// The page's entry: where to connect, in which colours, and the application into the page.

import { render } from 'preact';
import type { Connection } from './data/source.ts';
import { begun } from './model/history.ts';
import { App } from './panels/app.tsx';
import { recall } from './session/memory.ts';
import { Session } from './session/session.ts';
import { readView, viewOfLink } from './session/views.ts';
import type { Theme } from './style/palette.ts';

/** `#url=…&ns=…` names a service; without it the page asks the one it came from. A key never stands in an address. */
function connectionOf(hash: string): Connection {
  const named = new URLSearchParams(hash.replace(/^#/, ''));
  const url = named.get('url') ?? location.origin;
  const namespace = named.get('ns') ?? 'default';
  return { url, namespace, apiKey: recall(url)?.apiKey ?? null };
}

function themeOf(): Theme {
  const chosen = localStorage.getItem('arcwise.theme');
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

const session = new Session(connectionOf(location.hash), themeOf());
const root = document.getElementById('explorer');
root?.replaceChildren(); // the word for those whose browser runs no script
if (root !== null) render(<App session={session} />, root);

/** The view of the address, where there is one, is the first picture. */
async function drawView(): Promise<void> {
  const view = new URLSearchParams(location.hash.replace(/^#/, '')).get('view');
  if (view === null) return;
  await viewOfLink(view)
    .then((text) => readView(session, text))
    .catch((error: Error) => session.put({ trouble: error.message }));
  session.put({ history: begun(session.scene) });
}

/** A link that is followed while the page is open. */
addEventListener('hashchange', () => session.open(connectionOf(location.hash), drawView));
await session.open(session.state.connection, drawView);
