// Where the graph is: address, namespace, key, and the services connected to last.

import { useState } from 'preact/hooks';
import { remember, remembered } from '../session/memory.ts';
import type { Session } from '../session/session.ts';
import { Modal } from './modal.tsx';

export function ConnectDialog({ session, close }: { session: Session; close: () => void }) {
  const { connection } = session.state;
  const [url, setUrl] = useState(connection.url);
  const [namespace, setNamespace] = useState(connection.namespace);
  const [key, setKey] = useState(connection.apiKey ?? '');
  const [keeps, setKeeps] = useState(false);
  const [flaw, setFlaw] = useState<string | null>(null);
  const connect = (event: Event): void => {
    event.preventDefault();
    const address = url.trim().replace(/\/+$/, '');
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
      setFlaw('The address begins with http:// or https://, such as http://localhost:8080.');
      return;
    }
    const next = { url: address, namespace: namespace.trim() || 'default', apiKey: key === '' ? null : key };
    remember(next, keeps);
    session.open(next);
    close();
  };
  return (
    <Modal title="Connect to a service" close={close}>
      <form onSubmit={connect}>
        <label>
          Address
          <input value={url} onInput={(event) => setUrl(event.currentTarget.value)} aria-invalid={flaw !== null} />
        </label>
        {flaw !== null && (
          <p class="flaw" role="alert">
            {flaw}
          </p>
        )}
        <label>
          Namespace
          <input value={namespace} onInput={(event) => setNamespace(event.currentTarget.value)} />
        </label>
        <label>
          API key, where the service wants one
          <input
            type="password"
            autocomplete="off"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input type="checkbox" checked={keeps} onChange={(event) => setKeeps(event.currentTarget.checked)} />
          Keep the key in this browser
        </label>
        <div class="row">
          <button type="submit" class="main">
            Connect
          </button>
        </div>
      </form>
      <Recent session={session} close={close} />
    </Modal>
  );
}

function Recent({ session, close }: { session: Session; close: () => void }) {
  const recent = remembered();
  if (recent.length === 0) return null;
  return (
    <>
      <h3>Recent</h3>
      <ul class="plain">
        {recent.map((one) => (
          <li key={`${one.url} ${one.namespace}`}>
            <button
              type="button"
              class="quiet wide"
              onClick={() => {
                session.open(one);
                close();
              }}
            >
              {one.url} <b>{one.namespace}</b>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
