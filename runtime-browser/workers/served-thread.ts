// The side of a thread that works: holds the lock that the first message names before it hears anything else, so that whoever waits for the
// lock does not take a thread that begins for one that has ended.

import { holdForever } from '../locks.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

export function serveThread<To, From>(
  serve: (post: (message: From, transfer?: Transferable[]) => void) => (message: To) => void,
): void {
  const early: To[] = [];
  let isNamed = false;
  scope.onmessage = ({ data }: MessageEvent<string | To>) => {
    if (isNamed) early.push(data as To);
    else void holdForever(data as string).then(begin);
    isNamed = true;
  };
  const begin = (): void => {
    const receive = serve((message, transfer = []) => scope.postMessage(message, transfer));
    scope.onmessage = ({ data }: MessageEvent<To>) => receive(data);
    for (const message of early.splice(0)) receive(message);
  };
}
