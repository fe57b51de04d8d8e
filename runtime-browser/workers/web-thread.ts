// A worker of the engine's worker as a thread: what it says, and its end. A browser tells nobody when a worker has stopped, and one that was
// told to stop may go on for a moment in memory that it shares: the lock that it holds tells (../locks.ts).

import { gone, newLockName } from '../locks.ts';

export interface WebThread<Message> {
  post(message: Message): void;
  /** Resolves when nothing of it runs any more. */
  terminate(): Promise<void>;
}

export interface WebThreadListener<Message> {
  message(message: Message): void;
  /** Once; nothing comes behind it. */
  ended(reason: string): void;
}

export function startWebThread<To, From>(worker: Worker, listener: WebThreadListener<From>): WebThread<To> {
  const lock = newLockName('thread');
  worker.postMessage(lock);
  let ending: Promise<void> | null = null;
  const end = (reason: string): Promise<void> => {
    ending ??= (async () => {
      worker.terminate();
      await gone(lock);
      listener.ended(reason);
    })();
    return ending;
  };
  worker.onmessage = ({ data }: MessageEvent<From>) => {
    if (ending === null) listener.message(data);
  };
  worker.onmessageerror = () => void end('An answer of the thread could not be read.');
  worker.onerror = (event) => {
    event.preventDefault(); // it is told here
    void end(`The thread died: ${event.message || 'it did not load'}.`);
  };
  return {
    post: (message) => worker.postMessage(message),
    terminate: () => end('The thread was ended.'),
  };
}
