// The living graph: what is committed elsewhere comes into the picture beside what it hangs on, and nothing else moves. Events are gathered
// for a moment, so that a burst is one step and no action processes more than its limit.

import type { Change, Resync } from '../data/source.ts';
import { withElements, withoutElements } from '../model/scene.ts';
import { recount } from './editing.ts';
import type { Session } from './session.ts';

const gatherMs = 400;
/** Of a burst so many elements are taken into the picture; of the rest only the counts are. */
const maxTaken = 200;
let listening = new AbortController();

export function setLive(session: Session, isLive: boolean): void {
  listening.abort();
  session.put({ isLive, note: isLive ? 'New elements appear as they are committed.' : 'The picture follows no more.' });
  if (!isLive) return;
  const own = new AbortController();
  listening = own;
  const { source } = session;
  const leave = session.subscribe(() => {
    if (session.source !== source) own.abort();
  });
  own.signal.addEventListener('abort', leave);
  follow(session, own.signal);
}

async function follow(session: Session, signal: AbortSignal): Promise<void> {
  const { source } = session;
  let gathered: Change[] = [];
  let isWaiting = false;
  const flush = (): void => {
    isWaiting = false;
    const changes = gathered;
    gathered = [];
    if (!signal.aborted && source === session.source) session.asking(null, () => take(session, changes));
  };
  try {
    for await (const event of source.client.changes({ signal })) {
      if (source !== session.source) return;
      if (event.kind === 'resync') {
        await resynced(session, event);
        continue;
      }
      gathered.push(event);
      if (!isWaiting) setTimeout(flush, gatherMs);
      isWaiting = true;
    }
  } catch (error) {
    if (!signal.aborted) session.failed(error);
    if (!signal.aborted && source === session.source) session.put({ isLive: false });
  }
}

async function take(session: Session, changes: readonly Change[]): Promise<void> {
  const { source } = session;
  const gone = new Set(
    changes.filter(({ kind }) => kind.endsWith('Removed') && !kind.startsWith('property')).map(({ id }) => id),
  );
  if (gone.size > 0) session.replaceScene(withoutElements(session.scene, gone));
  const vertices = changes.filter(({ kind, id }) => kind === 'vertexCreated' && !gone.has(id)).map(({ id }) => id);
  const edges = changes.filter(({ kind, id }) => kind === 'edgeCreated' && !gone.has(id));
  const changed = changes
    .filter(
      ({ kind, element, id }) => kind.startsWith('property') && element === 'vertex' && session.scene.vertices.has(id),
    )
    .map(({ id }) => id);
  const wanted = [...new Set([...vertices.slice(0, maxTaken), ...changed.slice(0, maxTaken)])];
  const read = await source.vertices(wanted);
  const found = await source.ends(edges.slice(0, maxTaken).map(({ id }) => id));
  const known = new Set([...session.scene.vertices.keys(), ...read.map(({ id }) => id)]);
  const near = found.edges.filter(({ source: from, target }) => known.has(from) || known.has(target));
  const ends = new Set(near.flatMap((edge) => [edge.source, edge.target]));
  const joined = found.vertices.filter(({ id }) => ends.has(id));
  const before = session.scene.vertices.size;
  session.replaceScene(withElements(session.scene, [...joined, ...read], near));
  const came = session.scene.vertices.size - before;
  const left = vertices.length + edges.length - 2 * maxTaken;
  session.put({
    groups: new Map(),
    note: `${came} new vertices, ${near.length} new edges, ${gone.size} gone.${left > 0 ? ' More were made than are taken into the picture.' : ''}`,
  });
  await recount(session);
}

async function resynced(session: Session, { reason }: Resync): Promise<void> {
  await session.asking('Reading again …', async () => {
    if (reason === 'tabulaRasa' || reason === 'load' || reason === 'trim') {
      const { connection } = session.state;
      await session.open(connection);
      session.put({ trouble: `The graph was replaced or renumbered (${reason}): this is a new picture.` });
      setLive(session, true);
      return;
    }
    const ids = [...session.scene.vertices.keys()];
    const vertices = await session.source.vertices(ids);
    const there = new Set(vertices.map(({ id }) => id));
    const gone = new Set(ids.filter((id) => !there.has(id)));
    session.replaceScene(await session.joined(withElements(withoutElements(session.scene, gone), vertices, [])));
    session.put({ trouble: `The feed had to leave events out (${reason}): what is shown was read again.` });
    await recount(session);
  });
}
