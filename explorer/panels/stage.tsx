// The picture with what steers it, and the line that says how much of the graph it shows.

import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { thinningOf } from '../render/buffers.ts';
import type { Rectangle } from '../render/labels.ts';
import { Picture } from '../render/picture.ts';
import type { Session } from '../session/session.ts';
import { visibleIn } from '../session/state.ts';
import { Legend } from './legend.tsx';
import { looksOf } from './looks.ts';
import { number } from './overview.tsx';
import { Tools } from './tools.tsx';

interface Props {
  readonly session: Session;
  readonly showsTable: boolean;
  readonly toggleTable: () => void;
}

const panPixels = 60;
const zoomStep = 1.35;

export function Stage({ session, showsTable, toggleTable }: Props) {
  const { state } = session;
  const frame = useRef<HTMLDivElement>(null);
  const graph = useRef<HTMLCanvasElement>(null);
  const texts = useRef<HTMLCanvasElement>(null);
  const picture = usePicture(session, frame, graph, texts);
  const visible = visibleIn(state);
  const { captions, selected, selectedEdge, marked, theme, counts, looks, asked, drawsAll } = state;
  const answer = asked?.answer ?? null;
  const chosen = useMemo(
    () => ({ vertices: selected, edges: selectedEdge === null ? marked : new Set([selectedEdge]) }),
    [selected, selectedEdge, marked],
  );

  useEffect(() => {
    picture?.show(visible, looksOf(state), chosen);
    // A choice alone rewrites emphasis only, below.
  }, [picture, visible, captions, theme, counts, looks, answer, drawsAll]);
  useEffect(() => picture?.choose(chosen), [picture, chosen]);
  useEffect(() => {
    if (frame.current !== null) picture?.cover(coversOf(frame.current));
  });
  useEffect(() => {
    if (picture === null) return;
    picture.fit();
    Object.assign(globalThis, { arcwisePicture: picture });
  }, [picture]);

  const steer = (event: KeyboardEvent): void => {
    if (picture === null || !steerBy(picture, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="stage">
      <div class="frame" ref={frame}>
        <div
          class="surface"
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is steered by keys
          tabIndex={0}
          aria-label="Picture of the graph. Arrows move it, plus and minus zoom, 0 fits. The table lists the same vertices."
          onKeyDown={steer}
        >
          <canvas ref={graph} />
          <canvas ref={texts} class="texts" />
        </div>
        {picture !== null && !picture.draws && (
          <p class="no-picture" role="alert">
            This browser gives no WebGL2, so there is no picture. The table shows the same vertices and edges.
          </p>
        )}
        {picture !== null && (
          <Tools session={session} picture={picture} showsTable={showsTable} toggleTable={toggleTable} />
        )}
        <Legend state={state} />
      </div>
      <StatusLine session={session} />
    </div>
  );
}

/** Made once its canvases are there; it has the size of the frame. */
function usePicture(
  session: Session,
  frame: RefObject<HTMLDivElement | null>,
  graph: RefObject<HTMLCanvasElement | null>,
  texts: RefObject<HTMLCanvasElement | null>,
): Picture | null {
  const [picture, setPicture] = useState<Picture | null>(null);
  useEffect(() => {
    if (frame.current === null || graph.current === null || texts.current === null) return;
    const made = pictureFor(session, { graph: graph.current, texts: texts.current });
    const sizes = new ResizeObserver(([entry]) => {
      const { width, height } = entry?.contentRect ?? { width: 1, height: 1 };
      made.resize({ width: Math.max(1, width), height: Math.max(1, height) });
    });
    sizes.observe(frame.current);
    const { width, height } = frame.current.getBoundingClientRect();
    made.size = { width: Math.max(1, width), height: Math.max(1, height) };
    setPicture(made);
    return () => {
      sizes.disconnect();
      made.end();
    };
  }, [session, frame, graph, texts]);
  return picture;
}

function pictureFor(session: Session, canvases: { graph: HTMLCanvasElement; texts: HTMLCanvasElement }): Picture {
  const made = new Picture(canvases, session.positions, {
    onPick: (vertex, adds) => session.pick(vertex, adds),
    onPickEdge: (edge) => session.selectEdge(edge),
    onLasso: (vertices, adds) => session.select(new Set([...(adds ? session.state.selected : []), ...vertices])),
    onOpen: (vertex) => session.expand(vertex),
    onHover: (vertex) => {
      canvases.texts.style.cursor = vertex === null ? 'grab' : 'pointer';
    },
    onPut: (vertex) => session.pin(vertex),
  });
  session.onMove = () => made.moved();
  session.onFit = (ids) => made.fit(ids);
  session.onCentre = (id) => made.centre(id);
  return made;
}

/** Boxes of what lies over the picture, in its pixels. */
function coversOf(frame: HTMLElement): Rectangle[] {
  const { left: x, top: y } = frame.getBoundingClientRect();
  return [...frame.querySelectorAll('.tools, .legend')].map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return { left: left - x, top: top - y, right: right - x, bottom: bottom - y };
  });
}

function steerBy(picture: Picture, key: string): boolean {
  if (key === 'ArrowLeft') picture.panBy(panPixels, 0);
  else if (key === 'ArrowRight') picture.panBy(-panPixels, 0);
  else if (key === 'ArrowUp') picture.panBy(0, panPixels);
  else if (key === 'ArrowDown') picture.panBy(0, -panPixels);
  else if (key === '+' || key === '=') picture.zoomBy(zoomStep);
  else if (key === '-') picture.zoomBy(1 / zoomStep);
  else if (key === '0') picture.fit();
  else return false;
  return true;
}

function StatusLine({ session }: { session: Session }) {
  const { state } = session;
  const { counts, busy, isSettling, history, isComplete, drawsAll } = state;
  const { vertices, edges } = visibleIn(state);
  const { present } = history;
  const thinning = thinningOf(edges.length, drawsAll);
  const hidden = present.vertices.size - vertices.length + (present.edges.size - edges.length);
  return (
    <div class="status">
      <span class="shown">
        <b>{number(vertices.length)}</b> of {number(counts?.vertexCount ?? 0)} vertices and{' '}
        <b>{number(edges.length)}</b> of {number(counts?.edgeCount ?? 0)} edges shown
      </span>
      {hidden > 0 && (
        <button type="button" class="quiet" onClick={() => session.showAll()}>
          {number(hidden)} hidden · show all
        </button>
      )}
      {!isComplete && (
        <span class="warn">Some edges between these vertices are not in the picture: there are too many.</span>
      )}
      {(thinning > 1 || drawsAll) && (
        <button type="button" class="quiet" onClick={() => session.put({ drawsAll: !drawsAll })}>
          {thinning > 1
            ? `Only one of ${thinning} edges is drawn: too many to tell apart · draw all`
            : 'Every edge is drawn · thin them'}
        </button>
      )}
      <span class="busy">{busy ?? (isSettling ? 'Settling …' : '')}</span>
    </div>
  );
}
