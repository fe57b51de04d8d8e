// When an answer is sent, or will never be. Of several answers that one connection waits for (pipelining) only the foremost hears of the
// connection's end, so the others are kept here.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class SentAnswers {
  private readonly waiting = new WeakMap<Socket, Set<() => void>>();

  /** Calls `done` once. */
  when(response: ServerResponse, socket: Socket, done: () => void): void {
    if (socket.destroyed) {
      done();
      return;
    }
    const ofSocket = this.of(socket);
    const end = (): void => {
      if (ofSocket.delete(end)) done();
    };
    ofSocket.add(end);
    response.once('close', end);
  }

  private of(socket: Socket): Set<() => void> {
    const known = this.waiting.get(socket);
    if (known !== undefined) return known;
    const ends = new Set<() => void>();
    this.waiting.set(socket, ends);
    socket.once('close', () => {
      for (const end of [...ends]) end();
    });
    return ends;
  }
}
