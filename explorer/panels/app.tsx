// The page: a bar, the overview on the left, the picture in the middle with the table under it, the chosen vertex on the right.

import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../session/session.ts';
import { CallsDialog } from './calls.tsx';
import { Details } from './details.tsx';
import { dropsOf } from './drops.ts';
import { PlanDialog } from './edit.tsx';
import { keysOf } from './keys.ts';
import { OpenDialog } from './open.tsx';
import { Side } from './side.tsx';
import { Stage } from './stage.tsx';
import { TableDialog } from './table-dialog.tsx';
import { TopBar } from './top-bar.tsx';
import { useSession } from './use-session.ts';
import { VertexTable } from './vertex-table.tsx';
import { Welcome } from './welcome.tsx';

export type Dialog = 'open' | 'calls' | null;

export function App({ session }: { session: Session }) {
  const state = useSession(session);
  const [dialog, setDialog] = useState<Dialog>(null);
  const [isOver, setOver] = useState(false);
  const [showsTable, setShowsTable] = useState(false);
  const { phase, theme, counts, trouble, note, selected } = state;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => keysOf(session), [session]);
  useEffect(() => dropsOf(session, setOver), [session]);
  const hasDetails = selected.size > 0 || state.selectedEdge !== null;
  const isEmpty = phase === 'open' && counts?.vertexCount === 0;
  return (
    <div class="app">
      <TopBar session={session} open={setDialog} />
      {trouble !== null && phase !== 'failed' && (
        <div class="trouble" role="alert">
          <span>{trouble}</span>
          <button type="button" class="quiet" onClick={() => session.dismiss()}>
            Close
          </button>
        </div>
      )}
      {phase === 'open' && !isEmpty ? (
        <main class={`work${hasDetails ? ' with-details' : ''}`}>
          <Side session={session} />
          <section class="middle" aria-label="Picture and table">
            <Stage session={session} showsTable={showsTable} toggleTable={() => setShowsTable(!showsTable)} />
            {showsTable && <VertexTable session={session} />}
          </section>
          {hasDetails && <Details session={session} />}
        </main>
      ) : (
        <Welcome session={session} connect={() => setDialog('open')} />
      )}
      {dialog === 'open' && <OpenDialog session={session} close={() => setDialog(null)} />}
      {state.table !== null && <TableDialog session={session} file={state.table} />}
      {state.edits.plan !== null && <PlanDialog session={session} next={state.edits.plan} />}
      {isOver && <div class="dropping">Drop the file to open it in this page</div>}
      {dialog === 'calls' && <CallsDialog session={session} close={() => setDialog(null)} />}
      <div class="unseen" role="status" aria-live="polite">
        {note}
      </div>
    </div>
  );
}
