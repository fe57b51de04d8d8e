// Where the graph comes from: a sample, a file, or a service by address and key, and the services connected to last.

import { useState } from 'preact/hooks';
import { remember, remembered } from '../session/memory.ts';
import { openFile, openSample, samples } from '../session/opening.ts';
import type { Session } from '../session/session.ts';
import { FileButton } from './file-button.tsx';
import { Modal } from './modal.tsx';

interface Props {
  readonly session: Session;
  readonly close: () => void;
}

export function OpenDialog({ session, close }: Props) {
  return (
    <Modal title="Open a graph" close={close}>
      <LocalGraphs session={session} close={close} />
      <h3>A service</h3>
      <ServiceForm session={session} close={close} />
      <Recent session={session} close={close} />
    </Modal>
  );
}

/** What needs no service: samples and files, opened by the engine in the page. */
export function LocalGraphs({ session, close }: Props) {
  const take = (file: File): void => {
    close();
    openFile(session, file);
  };
  return (
    <>
      <h3>A sample</h3>
      <div class="cards">
        {samples.map((sample) => (
          <button
            key={sample.file}
            type="button"
            class="card"
            onClick={() => {
              close();
              openSample(session, sample);
            }}
          >
            <b>{sample.title}</b>
            <span class="small">{sample.about}</span>
          </button>
        ))}
      </div>
      <h3>A file</h3>
      <div class="drop">
        <FileButton
          title="Choose a file"
          name="File with a graph"
          accept=".jsonl,.ndjson,.arcwise,.csv,.tsv,.txt"
          look="choose"
          take={take}
        />
        <span class="small">
          or drop one anywhere: service-jsonl, a package, or a table of edges (CSV). It is opened in this page and sent
          nowhere.
        </span>
      </div>
    </>
  );
}

function ServiceForm({ session, close }: Props) {
  const { connection } = session.state;
  const start =
    connection.home === undefined ? connection : { url: location.origin, namespace: 'default', apiKey: null };
  const [url, setUrl] = useState(start.url);
  const [namespace, setNamespace] = useState(start.namespace);
  const [key, setKey] = useState(start.apiKey ?? '');
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
    <form onSubmit={connect}>
      <div class="pair">
        <label>
          Address
          <input value={url} onInput={(event) => setUrl(event.currentTarget.value)} aria-invalid={flaw !== null} />
        </label>
        <label>
          Namespace
          <input value={namespace} onInput={(event) => setNamespace(event.currentTarget.value)} />
        </label>
      </div>
      {flaw !== null && (
        <p class="flaw" role="alert">
          {flaw}
        </p>
      )}
      <label>
        API key, where the service wants one
        <input type="password" autocomplete="off" value={key} onInput={(event) => setKey(event.currentTarget.value)} />
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
  );
}

function Recent({ session, close }: Props) {
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
