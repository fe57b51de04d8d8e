// The thread that lays out: steps in slices, and the places after each.

import { ForceLayout, type LayoutInput } from './force.ts';
import type { FromLayout, ToLayout } from './messages.ts';
import { radialPlaces } from './radial.ts';

interface Thread {
  onmessage: ((event: MessageEvent<ToLayout>) => void) | null;
  postMessage(message: FromLayout, transfer: Transferable[]): void;
}

const thread = globalThis as unknown as Thread;
const sliceMs = 40;
let current = 0;

thread.onmessage = ({ data }) => {
  current++;
  if (data.kind === 'stop') return;
  const { run, layout, root, input } = data;
  if (layout === 'force') advance(current, run, new ForceLayout(input));
  else if (layout === 'radial') finish(run, radialPlaces(input, root));
  else layOutLayers(current, run, input);
};

/** Its library is loaded when it is first needed. */
async function layOutLayers(turn: number, run: number, input: LayoutInput): Promise<void> {
  const { layeredPlaces } = await import('./layered.ts');
  if (turn === current) finish(run, layeredPlaces(input));
}

function finish(run: number, places: Float32Array<ArrayBuffer>): void {
  thread.postMessage({ run, places, isDone: true }, [places.buffer]);
}

function advance(turn: number, run: number, layout: ForceLayout): void {
  if (turn !== current) return;
  const endMs = performance.now() + sliceMs;
  let goesOn = true;
  while (goesOn && performance.now() < endMs) goesOn = layout.step();
  const places = layout.places();
  thread.postMessage({ run, places, isDone: !goesOn }, [places.buffer]);
  if (goesOn) setTimeout(() => advance(turn, run, layout), 0);
}
