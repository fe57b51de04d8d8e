// Changing the graph: a change is first a plan that says what will be sent; sent, it can be taken back. What is created again after a
// removal has other ids.

import type { Source } from '../data/source.ts';
import type { EdgeGroup, Property, VertexData } from '../model/elements.ts';
import { withElements, withoutElements } from '../model/scene.ts';
import type { Session } from './session.ts';
import type { Plan } from './state.ts';

const maxDone = 50;
/** A vertex with more edges is removed for good. */
const maxUndoneEdges = 200;
const waited = { waitForCompletion: true } as const;
const now = (): number => Math.floor(Date.now() / 1000);

type Written = readonly Property[];
const bodies = (properties: Written) =>
  properties.map(({ key, type, value }) => ({ propertyId: key, fullQualifiedTypeName: type, propertyValue: value }));

export function plan(session: Session, next: Plan | null): void {
  session.put({ edits: { ...session.state.edits, plan: next } });
}

export function toggleEditing(session: Session): void {
  const { edits } = session.state;
  session.put({ edits: { ...edits, isOn: !edits.isOn, plan: null } });
}

export async function send(session: Session): Promise<void> {
  const { plan: sent } = session.state.edits;
  if (sent === null) return;
  await session.asking('Writing …', async () => {
    const undo = await sent.send();
    const { edits } = session.state;
    const done = undo === null ? edits.done : [{ title: sent.title, undo }, ...edits.done].slice(0, maxDone);
    session.put({ edits: { ...edits, plan: null, done }, note: `${sent.title}: done.` });
  });
}

export async function takeBack(session: Session): Promise<void> {
  const [last, ...done] = session.state.edits.done;
  if (last === undefined) return;
  await session.asking('Taking back …', async () => {
    await last.undo();
    session.put({ edits: { ...session.state.edits, done }, note: `${last.title}: taken back.` });
  });
}

export function createVertex(session: Session, label: string, properties: Written): Plan {
  const { source } = session;
  const body = [{ label, creationDate: now(), properties: bodies(properties) }];
  return {
    title: `Create a vertex${label === '' ? '' : ` ${label}`}`,
    calls: [{ method: 'PUT', path: '/vertices', body }],
    send: async () => {
      const [id] = (await source.client.put('/vertices', { query: waited, body })) ?? [];
      if (id === undefined) throw new Error('The service did not say which vertex it made.');
      await session.add([id]);
      await recount(session);
      return () => remove(session, id);
    },
  };
}

export function createEdge(session: Session, from: number, to: number, type: string): Plan {
  const { source } = session;
  const body = [{ sourceVertex: from, targetVertex: to, edgePropertyId: type, creationDate: now() }];
  return {
    title: `Create an edge ${type}`,
    calls: [{ method: 'PUT', path: '/edges', body }],
    send: async () => {
      const [id] = (await source.client.put('/edges', { query: waited, body })) ?? [];
      if (id === undefined) throw new Error('The service did not say which edge it made.');
      await shown(session, [id]);
      return () => remove(session, id);
    },
  };
}

/** Sets a property, or removes it where the value is null. */
export function writeProperty(
  session: Session,
  id: number,
  key: string,
  next: Property | null,
  before: Property | null,
): Plan {
  const { source } = session;
  const write = async (property: Property | null): Promise<void> => {
    const path = { id, propertyId: key };
    if (property === null) await source.client.delete('/graphelement/{id}/{propertyId}', { path, query: waited });
    else {
      const [body] = bodies([property]);
      await source.client.put('/graphelement/{id}/{propertyId}', {
        path,
        query: waited,
        body: body as NonNullable<typeof body>,
      });
    }
    await readAgain(session, id);
  };
  const path = `/graphelement/${id}/${encodeURIComponent(key)}`;
  return {
    title: next === null ? `Remove ${key}` : `Set ${key}`,
    calls: [next === null ? { method: 'DELETE', path } : { method: 'PUT', path, body: bodies([next])[0] }],
    send: async () => {
      await write(next);
      return () => write(before);
    },
  };
}

export function removeVertex(session: Session, vertex: VertexData): Plan {
  const { source } = session;
  return {
    title: `Remove ${session.captionOf(vertex.id)} and its edges`,
    calls: [{ method: 'DELETE', path: `/graphelement/${vertex.id}` }],
    send: async () => {
      const groups = (await source.groups(vertex.id)) ?? [];
      const count = groups.reduce((sum, group) => sum + group.count, 0);
      const edges = count > maxUndoneEdges ? null : await edgesOf(source, await idsOf(source, vertex.id, groups));
      await remove(session, vertex.id);
      return edges === null ? null : () => restore(session, vertex, edges);
    },
  };
}

export function removeEdge(session: Session, id: number): Plan {
  const { source } = session;
  return {
    title: 'Remove an edge',
    calls: [{ method: 'DELETE', path: `/graphelement/${id}` }],
    send: async () => {
      const edges = await edgesOf(source, [id]);
      await remove(session, id);
      return async () => {
        const made = (await source.client.put('/edges', { query: waited, body: edges })) ?? [];
        await shown(session, made);
      };
    },
  };
}

// --- Parts --------------------------------------------------------------------------------------------------------------

/** Each edge once, loops too. */
async function idsOf(source: Source, vertex: number, groups: readonly EdgeGroup[]): Promise<number[]> {
  const pages = groups.map(({ direction, type, count }) =>
    source.around({ vertex, direction, type, after: -1, limit: Math.max(1, count) }),
  );
  return [...new Set((await Promise.all(pages)).flat().map(({ id }) => id))];
}

type EdgeBody = Awaited<ReturnType<typeof edgesOf>>[number];

async function edgesOf(source: Source, ids: readonly number[]) {
  const edges = await Promise.all(ids.map((id) => source.client.get('/edge/{id}', { path: { id } })));
  return edges.flatMap((edge) =>
    edge === null
      ? []
      : [
          {
            sourceVertex: edge.sourceVertex,
            targetVertex: edge.targetVertex,
            edgePropertyId: edge.edgePropertyId,
            label: edge.label,
            creationDate: Math.max(0, Math.floor(Date.parse(`${edge.creationDate}Z`) / 1000) || 0),
            properties: edge.properties.map(({ propertyId, fullQualifiedTypeName, propertyValue }) => ({
              ...{ propertyId, fullQualifiedTypeName },
              propertyValue: String(propertyValue),
            })),
          },
        ],
  );
}

async function restore(session: Session, vertex: VertexData, edges: readonly EdgeBody[]): Promise<void> {
  const { source } = session;
  const body = [{ label: vertex.label, creationDate: now(), properties: bodies(vertex.properties) }];
  const [id] = (await source.client.put('/vertices', { query: waited, body })) ?? [];
  if (id === undefined) throw new Error('The service did not say which vertex it made.');
  const point = session.positions.get(vertex.id);
  if (point !== undefined) session.positions.set(id, point);
  const ends = edges.map((edge) => ({
    ...edge,
    sourceVertex: edge.sourceVertex === vertex.id ? id : edge.sourceVertex,
    targetVertex: edge.targetVertex === vertex.id ? id : edge.targetVertex,
  }));
  if (ends.length > 0) await source.client.put('/edges', { query: waited, body: ends });
  await session.add([id]);
  await recount(session);
}

async function remove(session: Session, id: number): Promise<void> {
  await session.source.client.delete('/graphelement/{id}', { path: { id }, query: waited });
  session.select(new Set());
  session.replaceScene(withoutElements(session.scene, new Set([id])));
  session.put({ groups: new Map() });
  await recount(session);
}

async function shown(session: Session, edgeIds: readonly number[]): Promise<void> {
  const { vertices, edges } = await session.source.ends(edgeIds);
  session.step(withElements(session.scene, vertices, edges), 'An edge is there.');
  session.put({ groups: new Map() });
  await recount(session);
}

async function readAgain(session: Session, id: number): Promise<void> {
  const vertices = await session.source.vertices([id]);
  if (vertices.length > 0) session.replaceScene(withElements(session.scene, vertices, []));
}

export async function recount(session: Session): Promise<void> {
  session.put({ counts: await session.source.counts() });
}
