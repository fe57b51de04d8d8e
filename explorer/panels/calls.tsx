// The calls behind the page, the newest first: what was sent, what came, and both ways to send it without the page.

import { useState } from 'preact/hooks';
import { asClientLine, asCurl, asPageLine, type Call } from '../data/calls.ts';
import type { Session } from '../session/session.ts';
import { Modal } from './modal.tsx';

/** Characters of a command that are shown over its button; what is copied is whole. */
const maxTitle = 400;

export function CallsDialog({ session, close }: { session: Session; close: () => void }) {
  const { calls } = session.source.log;
  const { apiKey, home } = session.state.connection;
  return (
    <Modal title="Calls behind this page" close={close}>
      <p class="small">Every step is a call of the HTTP contract. The key is never copied.</p>
      <ol class="calls">
        {calls.map((call) => (
          <CallRow key={call.number} call={call} hasKey={apiKey !== null} isHere={home !== undefined} />
        ))}
      </ol>
    </Modal>
  );
}

function CallRow({ call, hasKey, isHere }: { call: Call; hasKey: boolean; isHere: boolean }) {
  const { method, path, status, ms, warnings } = call;
  return (
    <li>
      <div class="call-line">
        <code>
          {method} {path}
        </code>
        <span class="small">{status === null ? 'waiting' : status === 0 ? 'no answer' : `${status} in ${ms} ms`}</span>
      </div>
      {warnings.map(({ at, message }) => (
        <p key={`${at} ${message}`} class="warning">
          {at}: {message}
        </p>
      ))}
      <div class="row">
        {isHere ? (
          <Copy text={asPageLine(call)} label="Copy for a page" />
        ) : (
          <Copy text={asCurl(call, hasKey)} label="Copy as curl" />
        )}
        <Copy text={asClientLine(call)} label="Copy as client line" />
      </div>
    </li>
  );
}

function Copy({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState(label);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('The browser refused'),
    );
    setTimeout(() => setSaid(label), 1500);
  };
  return (
    <button
      type="button"
      class="quiet"
      onClick={copy}
      title={text.length > maxTitle ? `${text.slice(0, maxTitle)}…` : text}
    >
      {said}
    </button>
  );
}
