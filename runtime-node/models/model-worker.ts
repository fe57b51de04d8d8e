// What the thread, or the process, of a model does whatever computes it: it reads files, takes batches, computes them one after the other, and
// looks between two runs whether anybody still waits.

import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { misconfigured, ProviderFailed } from '../../src/providers/failure.ts';
import { giveWay } from '../workers/priority.ts';
import type { FromModel, ModelThreadData, ToModel } from './messages.ts';

/** A model that is loaded. */
export interface LoadedModel {
  /**
   * The vectors of some texts, in their order. `goesOn` is awaited between two runs of the model: nobody waits any more when it answers false,
   * and what is answered then does not matter. Throws ProviderFailed.
   */
  embed(texts: readonly string[], goesOn: () => Promise<boolean>): Promise<readonly Float32Array[]>;
}

const port = parentPort;
/** A process gets its data as an argument, and ends with the one that began it. */
const given = port === null ? JSON.parse(process.argv[2] ?? '') : workerData;
if (port === null) process.on('disconnect', () => process.exit());
const left = new Set<number>();
const waiting: { readonly id: number; readonly texts: readonly string[] }[] = [];
let isBusy = false;

const tell = (message: FromModel): void => {
  if (port === null) process.send?.(message);
  else port.postMessage(message);
};

/** Throws ProviderFailed, which names the setting `key`, where `path` is no file that can be read, or too large a one. */
export function checkedFile(key: string, path: string, maxBytes: number): void {
  let why: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) why = 'is no file';
    else if (found.size > maxBytes) why = `has ${found.size} bytes; ${maxBytes} are the most`;
    else {
      closeSync(openSync(path, 'r'));
      return;
    }
  } catch (error) {
    why = `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
  throw misconfigured(key, `names '${path}', which ${why}`);
}

/** The bytes of a file, checked as above. */
export function readChecked(key: string, path: string, maxBytes: number): Uint8Array {
  checkedFile(key, path, maxBytes);
  return readFileSync(path);
}

/** The first line of what an error says. */
export function said(error: unknown): string {
  return String((error as Error)?.message ?? error).split('\n')[0] ?? '';
}

async function embed(model: LoadedModel, id: number, texts: readonly string[]): Promise<void> {
  try {
    let isLeft = false;
    const vectors = await model.embed(texts, async () => {
      // A message that somebody left comes in between.
      await setImmediate();
      isLeft ||= left.delete(id);
      return !isLeft;
    });
    if (!isLeft) tell({ kind: 'vectors', id, vectors });
  } catch (error) {
    tell({ kind: 'failed', id, ...failureOf(error) });
  }
}

function failureOf(error: unknown): Pick<ProviderFailed, 'reason'> & { readonly detail: string } {
  if (error instanceof ProviderFailed) return { reason: error.reason, detail: error.message };
  return { reason: 'unavailable', detail: `The model failed: ${said(error)}` };
}

async function work(model: LoadedModel): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (!left.delete(next.id)) await embed(model, next.id, next.texts);
    left.delete(next.id);
  }
  isBusy = false;
}

/** Loads the model, then answers what is asked until it is ended. */
export async function serveModel<Data extends ModelThreadData>(
  load: (data: Data) => Promise<LoadedModel>,
): Promise<void> {
  try {
    giveWay(given.niceness);
    const model = await load(given as Data);
    const take = (message: ToModel): void => {
      if (message.kind === 'leave') left.add(message.id);
      else waiting.push(message);
      void work(model);
    };
    if (port === null) process.on('message', take);
    else port.on('message', take);
    tell({ kind: 'loaded' });
  } catch (error) {
    tell({ kind: 'notLoaded', ...failureOf(error) });
  }
}
