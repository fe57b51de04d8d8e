// What stands in place of a picture: waiting, a graph without vertices, a service that does not answer or wants a key.

import type { Session } from '../session/session.ts';

export function Welcome({ session, connect }: { session: Session; connect: () => void }) {
  const { phase, trouble, connection } = session.state;
  if (phase === 'connecting') {
    return (
      <main class="welcome" aria-busy="true">
        <p>Looking at the graph …</p>
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
      <main class="welcome">
        <h2>This graph has no vertices yet</h2>
        <p>
          Load WordNet in a second terminal, then look again:
          <code>npm run sample -- wordnet</code>
        </p>
        <div class="row">{again}</div>
      </main>
    );
  }
  return (
    <main class="welcome">
      <h2>{phase === 'needsKey' ? 'This service wants an API key' : 'No graph to show'}</h2>
      <p>
        {phase === 'needsKey'
          ? `${connection.url} answers, and asks for its key. It is sent to this service only.`
          : trouble}
      </p>
      <div class="row">
        <button type="button" class="main" onClick={connect}>
          {phase === 'needsKey' ? 'Type in the key' : 'Connect'}
        </button>
        {again}
      </div>
    </main>
  );
}
