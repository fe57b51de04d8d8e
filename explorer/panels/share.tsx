// Taking along what is seen: the view, the picture, the elements.

import { useState } from 'preact/hooks';
import { csvOf, type Elements, graphmlOf, jsonlOf } from '../model/exports.ts';
import type { Visible } from '../model/scene.ts';
import type { Picture } from '../render/picture.ts';
import { pngOf, svgOf } from '../render/pictures.ts';
import type { Session } from '../session/session.ts';
import { visibleIn } from '../session/state.ts';
import { readView, viewLink, viewOf } from '../session/views.ts';
import { FileButton } from './file-button.tsx';

/** A link is no longer than what browsers, chats and mails carry. */
const maxLink = 4000;

export function Share({ session }: { session: Session }) {
  const [said, say] = useState('');
  const save: Save = (name, content, type = 'text/plain') => {
    download(name, typeof content === 'string' ? new Blob([content], { type }) : content);
    say(`${name} is saved.`);
  };
  return (
    <div class="ask share">
      <ViewPart session={session} save={save} say={say} />
      <PicturePart save={save} />
      <ElementsPart session={session} save={save} />
      <p role="status" class="small">
        {said}
      </p>
    </div>
  );
}

type Save = (name: string, content: Blob | string, type?: string) => void;

function ViewPart({ session, save, say }: { session: Session; save: Save; say: (words: string) => void }) {
  const copyLink = async (): Promise<void> => {
    const link = await viewLink(session, location.href).catch((error: Error) => error.message);
    if (!link.startsWith('http')) return say(link);
    if (link.length > maxLink)
      return say(`This view has ${link.length} characters and fits no link: keep it as a file.`);
    await navigator.clipboard.writeText(link).then(
      () => say('The link is copied.'),
      () => say(`The browser refused. The link: ${link}`),
    );
  };
  const load = async (file: File): Promise<void> => {
    await readView(session, await file.text()).then(
      () => say('The view is back.'),
      (error: Error) => say(error.message),
    );
  };
  return (
    <>
      <h3>The view</h3>
      <p class="small">Places, pins, what is hidden, looks and the question. The elements stay in the graph.</p>
      <div class="row">
        <button type="button" onClick={() => save('view.json', JSON.stringify(viewOf(session)), 'application/json')}>
          Save view
        </button>
        <FileButton title="Load view" name="File with a view" accept=".json" take={load} />
        <button type="button" onClick={copyLink}>
          Copy link
        </button>
      </div>
    </>
  );
}

function PicturePart({ save }: { save: Save }) {
  const picture = (globalThis as { arcwisePicture?: Picture }).arcwisePicture;
  if (picture?.draws !== true) return null;
  return (
    <>
      <h3>The picture</h3>
      <div class="row">
        <button type="button" onClick={async () => save('picture.png', await pngOf(picture))}>
          PNG
        </button>
        <button type="button" onClick={() => save('picture.svg', svgOf(picture), 'image/svg+xml')}>
          SVG
        </button>
      </div>
    </>
  );
}

function ElementsPart({ session, save }: { session: Session; save: Save }) {
  const { selected } = session.state;
  const shown = (): Visible => {
    const { vertices, edges } = visibleIn(session.state);
    if (selected.size === 0) return { vertices, edges };
    return {
      vertices: vertices.filter(({ id }) => selected.has(id)),
      edges: edges.filter(({ source, target }) => selected.has(source) && selected.has(target)),
    };
  };
  /** The picture knows of edges where they lead; what they carry is asked for here. */
  const saveEdges = (name: string, type: string, textOf: (elements: Elements) => string): Promise<void> =>
    session.asking('Reading the edges …', async () => {
      const { vertices, edges } = shown();
      save(name, textOf({ vertices, edges: await session.source.wholeEdges(edges) }), type);
    });
  const saveTable = () => saveEdges('edges.csv', 'text/csv', ({ edges }) => csvOf(edges));
  return (
    <>
      <h3>The elements, {selected.size === 0 ? 'as shown' : `the ${selected.size} chosen`}</h3>
      <div class="row">
        <button type="button" onClick={() => save('vertices.csv', csvOf(shown().vertices), 'text/csv')}>
          CSV of vertices
        </button>
        <button type="button" onClick={saveTable}>
          CSV of edges
        </button>
        <button type="button" onClick={() => saveEdges('graph.graphml', 'application/xml', graphmlOf)}>
          GraphML
        </button>
        <button type="button" onClick={() => saveEdges('graph.jsonl', 'application/x-ndjson', jsonlOf)}>
          service-jsonl
        </button>
      </div>
      <p class="small">With their labels, types and properties.</p>
    </>
  );
}

function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
