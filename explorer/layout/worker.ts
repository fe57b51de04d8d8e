// The thread that lays out: steps in slices, and the places after each.

import { ForceLayout } from './force.ts';
import type { FromLayout, ToLayout } from './messages.ts';

interface Thread {
  onmessage: ((event: MessageEvent<ToLayout>) => void) | null;
  postMessage(message: FromLayout, transfer: Transferable[]): void;
}

const thread = globalThis as unknown as Thread;
const sliceMs = 40;
let current = 0;

thread.onmessage = ({ data }) => {
  current++;
  if (data.kind === 'start') advance(current, data.run, new ForceLayout(data.input));
};

function advance(turn: number, run: number, layout: ForceLayout): void {
  if (turn !== current) return;
  const endMs = performance.now() + sliceMs;
  let goesOn = true;
  while (goesOn && performance.now() < endMs) goesOn = layout.step();
  const places = layout.places();
  thread.postMessage({ run, places, isDone: !goesOn }, [places.buffer]);
  if (goesOn) setTimeout(() => advance(turn, run, layout), 0);
}
