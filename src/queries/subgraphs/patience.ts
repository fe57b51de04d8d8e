// Building again what is kept already: nothing is left out because much is going on when its turn comes, as it does right after a start. Knows
// how long to go on and what passes by itself; not what is built.

import { JobFailed } from '../../engine/jobs/failure.ts';

/** About half a minute in all; whoever asks for subgraphs waits meanwhile. */
const mostPauses = 300;
const pauseMs = 100;

/** Tries until there is a result that does not pass, or patience ends; then the last result, or error, is the one. */
export async function patiently<Result>(
  attempt: () => Promise<Result>,
  isPassing: (result: Result) => boolean,
): Promise<Result> {
  for (let pauses = 0; ; pauses++) {
    const isLast = pauses === mostPauses;
    try {
      const result = await attempt();
      if (isLast || !isPassing(result)) return result;
    } catch (error) {
      if (isLast || !passes(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Too many jobs wait, a thread died under one, or none could be started. */
function passes(error: unknown): boolean {
  return error instanceof JobFailed && ['overload', 'crashed', 'noThread'].includes(error.reason);
}
