// What a model runs on: a thread of this process, or a process of its own. The WebAssembly runtime runs on a thread. The native one has to run in
// a process: a thread that is ended while native code computes on it takes the whole service with it.

import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type FromModel, type ModelThreadData, nativePackage, type ToModel } from './messages.ts';

export interface CarrierEvents {
  message(message: FromModel): void;
  /** It died; `ended` follows. */
  died(error: Error): void;
  /** It is no more, whoever ended it. */
  ended(): void;
}

export interface Carrier {
  post(message: ToModel): void;
  /** Whether it keeps this process alive. */
  hold(isHeld: boolean): void;
  /** Ends it, whatever it does; resolves when it is gone. */
  end(): Promise<void>;
}

export type CarrierKind = 'thread' | 'process';

/** Of the environment a process of a model gets what programs are loaded with, and none of the service's settings. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot'];

/** A process where the native runtime is installed. */
export function usualCarrier(): CarrierKind {
  try {
    createRequire(import.meta.url).resolve(nativePackage);
    return 'process';
  } catch {
    return 'thread';
  }
}

export function carry(kind: CarrierKind, entry: URL, data: ModelThreadData, events: CarrierEvents): Carrier {
  return kind === 'thread' ? onThread(entry, data, events) : inProcess(entry, data, events);
}

function onThread(entry: URL, data: ModelThreadData, events: CarrierEvents): Carrier {
  const worker = new Worker(entry, { workerData: data });
  worker.unref();
  worker.on('message', events.message).on('error', events.died).on('exit', events.ended);
  return {
    post: (message) => worker.postMessage(message),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    end: async () => void (await worker.terminate()),
  };
}

function inProcess(entry: URL, data: ModelThreadData, events: CarrierEvents): Carrier {
  const given = passedOn.map((name) => [name, process.env[name]] as const).filter(([, value]) => value !== undefined);
  const child = fork(fileURLToPath(entry), [JSON.stringify(data)], {
    ...{ serialization: 'advanced', execArgv: [], env: Object.fromEntries(given) },
    // llama.cpp tells its whole story there; what matters of it comes as messages.
    stdio: ['ignore', 'ignore', 'runtimePath' in data ? 'ignore' : 'inherit', 'ipc'],
  });
  const hold = (isHeld: boolean): void => {
    if (isHeld) child.ref();
    else child.unref();
    if (isHeld) child.channel?.ref();
    else child.channel?.unref();
  };
  hold(false);
  const gone = new Promise<void>((resolve) => {
    child.on('message', (message) => events.message(message as FromModel));
    child.on('error', (error) => {
      events.died(error);
      if (child.pid === undefined) resolve(); // it never began
    });
    child.on('exit', () => resolve());
  });
  void gone.then(() => events.ended());
  return {
    post: (message) => {
      if (child.connected) child.send(message, () => {}); // one that has died meanwhile is told by its end
    },
    hold,
    end: () => {
      child.kill('SIGKILL');
      child.ref();
      return gone;
    },
  };
}
