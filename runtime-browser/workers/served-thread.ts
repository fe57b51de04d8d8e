// The side of a thread that works: holds the lock that its name is before it hears anything, so that whoever waits for the lock does not
// take a thread that begins for one that has ended.

import { holdForever } from '../locks.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

export function serveThread<To, From>(
  serve: (post: (message: From, transfer?: Transferable[]) => void) => (message: To) => void,
): void {
  const early: To[] = [];
  scope.onmessage = ({ data }: MessageEvent<To>) => void early.push(data);
  void holdForever(scope.name).then(() => {
    const receive = serve((message, transfer = []) => scope.postMessage(message, transfer));
    scope.onmessage = ({ data }: MessageEvent<To>) => receive(data);
    for (const message of early.splice(0)) receive(message);
  });
}
