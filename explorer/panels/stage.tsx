// The picture with what steers it, and the line that says how much of the graph it shows.

import { useEffect, useRef, useState } from 'preact/hooks';
import { captionOf } from '../model/captions.ts';
import { labelOf } from '../model/elements.ts';
import { Picture, type PictureLooks } from '../render/picture.ts';
import type { Session } from '../session/session.ts';
import { degreesOf, labelOrder, type State, visibleIn } from '../session/state.ts';
import { accent, coloursOf, edgeColour, ground, ink, otherColour } from '../style/palette.ts';
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
  const [picture, setPicture] = useState<Picture | null>(null);
  const visible = visibleIn(state);
  const { captions, selected, theme, counts } = state;

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
  }, [session]);

  useEffect(() => {
    picture?.show(visible, looksOf(state), selected);
    // A choice alone rewrites emphasis only, below.
  }, [picture, visible, captions, theme, counts]);
  useEffect(() => picture?.choose(selected), [picture, selected]);
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
      </div>
      <StatusLine state={state} thinning={picture?.thinning ?? 1} showAll={() => session.showAll()} />
    </div>
  );
}

function pictureFor(session: Session, canvases: { graph: HTMLCanvasElement; texts: HTMLCanvasElement }): Picture {
  const made = new Picture(canvases, session.positions, {
    onPick: (vertex, adds) => session.pick(vertex, adds),
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

function looksOf(state: State): PictureLooks {
  const { theme, captions } = state;
  const colours = coloursOf(labelOrder(state), theme);
  const degrees = degreesOf(visibleIn(state));
  return {
    colourOf: (vertex) => colours.get(labelOf(vertex)) ?? otherColour[theme],
    radiusOf: ({ id }) => 5 + 1.6 * Math.sqrt(Math.min(100, degrees.get(id) ?? 0)),
    captionOf: (vertex) => captionOf(vertex, captions),
    edge: edgeColour[theme],
    chosen: accent[theme],
    rim: ground[theme],
    ink: ink[theme],
    quiet: otherColour[theme],
  };
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

function StatusLine({ state, thinning, showAll }: { state: State; thinning: number; showAll: () => void }) {
  const { counts, busy, isSettling, history } = state;
  const { vertices, edges } = visibleIn(state);
  const { present } = history;
  const hidden = present.vertices.size - vertices.length + (present.edges.size - edges.length);
  return (
    <div class="status">
      <span class="shown">
        <b>{number(vertices.length)}</b> of {number(counts?.vertexCount ?? 0)} vertices and{' '}
        <b>{number(edges.length)}</b> of {number(counts?.edgeCount ?? 0)} edges shown
      </span>
      {hidden > 0 && (
        <button type="button" class="quiet" onClick={showAll}>
          {number(hidden)} hidden · show all
        </button>
      )}
      {thinning > 1 && <span>Only one of {thinning} edges is drawn: there are too many to tell apart.</span>}
      <span class="busy">{busy ?? (isSettling ? 'Settling …' : '')}</span>
    </div>
  );
}
