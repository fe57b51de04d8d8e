// One call of a plugin as a job: a fresh object of its class over the graph of the thread's reader, and its result in the form of an answer.
// Nothing of a call outlives it but the class, bound and kept for the next one.

import type { CoreReader } from '../../core/reader.ts';
import type { JobControl, JobKind } from '../../engine/jobs/types.ts';
import type { AnalyticsInput, PluginResult } from '../../fragments/engine-reader.ts';
import type { PluginContract } from '../../fragments/plugin-contract.ts';
import { fuelLimit } from '../fragments/spending.ts';
import type { JobPlugin } from './compiler.ts';
import { type AnswerWanted, answerOf, type PluginAnswer } from './job-answers.ts';
import type { PathCall, SubGraphCall } from './path-call.ts';

export interface PluginLimits {
  readonly maxFuel: number;
  readonly maxSeconds: number;
  /** What the objects of a call may take at a time. */
  readonly maxMemoryBytes: number;
}

/** A plugin that another one may call. */
export interface OtherPlugin {
  readonly name: string;
  readonly contract: PluginContract;
  readonly source: string;
}

export interface PluginJobRequest {
  readonly graph: number;
  readonly plugin: JobPlugin;
  /** Those of the namespace, where the plugin calls any. */
  readonly others: readonly OtherPlugin[];
  readonly graphId: string;
  readonly asksName: boolean;
  readonly parameters: Readonly<Record<string, string>> | null;
  readonly path: PathCall | null;
  readonly analytics: AnalyticsInput | null;
  readonly subGraph: SubGraphCall | null;
  readonly wanted: AnswerWanted | null;
  readonly limits: PluginLimits;
  /** For the answers of the writer; null: there is no other thread that could wait. */
  readonly mailbox: SharedArrayBuffer | null;
}

export type PluginEnd =
  | { readonly ended: 'value'; readonly value: PluginAnswer }
  /** The contract's method answered false. */
  | { readonly ended: 'declined' }
  /** It threw; the name of its exception and the message, for the log. */
  | { readonly ended: 'threw'; readonly exception: string; readonly message: string }
  /** It spent more than it may: a setting says how much. */
  | { readonly ended: 'limit'; readonly limit: string };

const timeLimit = 'Plugins:MaxSeconds';

export const pluginJob: JobKind<PluginJobRequest, PluginEnd> = {
  name: 'plugin',
  isLong: true,
  isOpenEnded: true,
  arenaBytes: 2 ** 20,
  run: async (reader, request, control) => {
    // The compiler and what runs its classes are large, and most services have no plugin.
    const { callPlugin } = await import('./plugin-call.ts');
    const ended = await callPlugin(reader, request, control);
    if (ended.kind === 'result') return ofResult(reader, request, control, ended.result);
    if (ended.kind === 'exception') return { ended: 'threw', exception: ended.type, message: ended.message };
    // Told to stop: this ends the job.
    await control.slice();
    switch (ended.limit) {
      case 'fuel':
        return { ended: 'limit', limit: fuelLimit };
      case 'cancelled':
        return { ended: 'limit', limit: timeLimit };
      case 'memory':
        return { ended: 'threw', exception: 'OutOfMemoryException', message: 'Plugins:MaxMemoryBytes is used up.' };
      case 'depth':
        return { ended: 'threw', exception: 'InsufficientExecutionStackException', message: 'Calls nest too deep.' };
    }
  },
};

async function ofResult(
  reader: CoreReader,
  { graph, wanted }: PluginJobRequest,
  control: JobControl,
  result: PluginResult,
): Promise<PluginEnd> {
  if (result.kind === 'declined') return { ended: 'declined' };
  if (result.kind === 'name') return { ended: 'value', value: { kind: 'name', name: result.name } };
  return { ended: 'value', value: await answerOf(reader, graph, control, result, wanted) };
}
