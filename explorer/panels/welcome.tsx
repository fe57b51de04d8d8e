// What stands in place of a picture: waiting, a graph without vertices, a service that does not answer or wants a key. Each says what to
// do next; a graph can be opened without any service.

import type { ComponentChildren } from 'preact';
import type { Connection } from '../data/source.ts';
import type { Session } from '../session/session.ts';
import { LocalGraphs } from './open.tsx';

export function Welcome({ session, connect }: { session: Session; connect: () => void }) {
  const { phase, trouble, connection, busy } = session.state;
  if (phase === 'connecting' || busy !== null) {
    return (
      <main class="welcome" aria-busy="true">
        <p class="waiting">{busy ?? 'Looking at the graph …'}</p>
      </main>
    );
  }
  const again = (
    <button type="button" onClick={() => session.open(connection)}>
      Try again
    </button>
  );
  if (phase === 'open') {
    return (
      <Page session={session} title="This graph has no vertices yet">
        <p>
          Load WordNet in a second terminal, then look again:
          <code>{sampleCommand(connection)}</code>
        </p>
        <div class="row">{again}</div>
      </Page>
    );
  }
  const wantsKey = phase === 'needsKey';
  return (
    <Page session={session} title={wantsKey ? 'This service wants an API key' : 'No graph to show'}>
      <p role={wantsKey ? undefined : 'alert'}>
        {wantsKey ? `${connection.url} answers, and asks for its key. It is sent to this service only.` : trouble}
      </p>
      <div class="row">
        <button type="button" class="main" onClick={connect}>
          {wantsKey ? 'Type in the key' : 'Connect'}
        </button>
        {again}
      </div>
    </Page>
  );
}

/** Names the service and the namespace where they are not those that the command takes anyway. */
function sampleCommand({ url, namespace }: Connection): string {
  const isUsual = /^http:\/\/(localhost|127\.0\.0\.1):8080\/?$/.test(url);
  return `npm run sample -- wordnet${isUsual ? '' : ` --url ${url}`}${namespace === 'default' ? '' : ` --namespace ${namespace}`}`;
}

function Page({ session, title, children }: { session: Session; title: string; children: ComponentChildren }) {
  return (
    <main class="welcome">
      <h2>{title}</h2>
      {children}
      <hr />
      <p>Or open a graph in this page, without a service:</p>
      <div>
        <LocalGraphs session={session} close={() => {}} />
      </div>
    </main>
  );
}
