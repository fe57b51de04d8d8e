// A view as a small file or a link: what is shown, where it stands, how it looks, and the question. Elements are read anew from the graph.

import { emptyScene, withElements } from '../model/scene.ts';
import type { Session } from './session.ts';
import type { State } from './state.ts';

interface View {
  readonly arcwiseView: 1;
  /** x and y by vertex. */
  readonly places: Readonly<Record<string, readonly [number, number]>>;
  readonly pins: readonly number[];
  readonly hiddenVertices: readonly number[];
  readonly hiddenEdges: readonly number[];
  readonly hiddenLabels: readonly string[];
  readonly hiddenTypes: readonly string[];
  readonly filter: State['history']['present']['filter'];
  readonly captions: Readonly<Record<string, string>>;
  readonly looks: State['looks'];
  readonly layout: State['layout'];
  readonly spacing: number;
  readonly question: State['draft'];
}

const maxVertices = 5000;
/** Of a view as text. */
const maxViewBytes = 4 * 1024 ** 2;

export function viewOf({ state, scene, positions }: Session): View {
  const ids = [...scene.vertices.keys()].slice(0, maxVertices);
  const places = ids.map((id) => {
    const { x, y } = positions.get(id) ?? { x: 0, y: 0 };
    return [id, [Math.round(x), Math.round(y)]] as const;
  });
  return {
    arcwiseView: 1,
    places: Object.fromEntries(places),
    pins: [...state.pins],
    hiddenVertices: [...scene.hiddenVertices],
    hiddenEdges: [...scene.hiddenEdges],
    hiddenLabels: [...scene.hiddenLabels],
    hiddenTypes: [...scene.hiddenTypes],
    filter: scene.filter,
    captions: Object.fromEntries(state.captions),
    looks: state.looks,
    layout: state.layout,
    spacing: state.spacing,
    question: state.draft,
  };
}

/** Of this page, with the service and the view behind the mark that no server sees. A key is no part of it. */
export async function viewLink(session: Session, page: string): Promise<string> {
  const { connection } = session.state;
  if (connection.home !== undefined)
    throw new Error('A link names a service, and this graph is in the page alone: keep the view as a file.');
  const named = new URLSearchParams({
    url: connection.url,
    ns: connection.namespace,
    view: await packedText(JSON.stringify(viewOf(session))),
  });
  return `${page.replace(/#.*$/, '')}#${named}`;
}

/** As a link carries it: deflated, in the letters of addresses. */
async function packedText(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Throws with a word when it is no view, or one that swells beyond every view. */
export async function viewOfLink(packed: string): Promise<string> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let left = maxViewBytes;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (let part = await reader.read(); !part.done && left >= 0; part = await reader.read()) {
      left -= part.value.byteLength;
      parts.push(part.value);
    }
    if (left < 0) await reader.cancel();
  } catch {
    left = -1;
  }
  if (left < 0) throw new Error('This link holds no view of the explorer.');
  return new Blob(parts).text();
}

/** Throws with a word when the text is no view. Vertices that are gone from the graph are left out, and told. */
export async function readView(session: Session, text: string): Promise<void> {
  const view = parsed(text);
  const ids = Object.keys(view.places).slice(0, maxVertices).map(Number).filter(Number.isInteger);
  await session.asking('Reading the view …', async () => {
    const vertices = await session.source.vertices(ids);
    for (const [id, [x, y]] of Object.entries(view.places))
      session.positions.set(Number(id), { x: Number(x), y: Number(y) });
    session.put({
      pins: new Set(view.pins),
      captions: new Map(Object.entries(view.captions)),
      ...{ looks: view.looks, layout: view.layout, spacing: view.spacing, draft: view.question },
    });
    const scene = await session.joined({
      ...withElements(emptyScene, vertices, []),
      hiddenVertices: new Set(view.hiddenVertices),
      hiddenEdges: new Set(view.hiddenEdges),
      hiddenLabels: new Set(view.hiddenLabels),
      hiddenTypes: new Set(view.hiddenTypes),
      filter: filterOf(view.filter),
    });
    const gone = ids.length - vertices.length;
    session.step(scene, gone === 0 ? 'The view is back.' : `${gone} vertices of the view are gone from the graph.`);
    session.onFit();
  });
}

/** JSON has no infinity: an open end of a range comes back as null. */
function filterOf(filter: View['filter']): View['filter'] {
  if (filter === null || filter.kind === 'value') return filter;
  const { low, high } = filter as { low: number | null; high: number | null };
  return { ...filter, low: low ?? Number.NEGATIVE_INFINITY, high: high ?? Number.POSITIVE_INFINITY };
}

function parsed(text: string): View {
  try {
    const value = JSON.parse(text) as View;
    const lists = [value.pins, value.hiddenVertices, value.hiddenEdges, value.hiddenLabels, value.hiddenTypes];
    const objects = [value.places, value.captions, value.looks, value.question];
    const isView =
      value.arcwiseView === 1 &&
      lists.every(Array.isArray) &&
      objects.every((one) => typeof one === 'object' && one !== null);
    if (isView) return value;
  } catch {
    // told below
  }
  throw new Error('This file is no view of the explorer.');
}
