// The connections of the listener and their limit. Each takes memory and one of the files that the process may open; where those run out,
// the log cannot open its next one. So there is a number of them beyond which requests are refused, and another beyond which connections are.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections beyond the limit that get to read why they are refused. @testonly */
export const mostRefused = 64;
/** After so long one of them is cut, whether it has asked for something or not. */
const refusedMs = 2_000;

export class Connections {
  /** What a request on a connection beyond the limit is told. */
  readonly refusal: string;
  private readonly most: number;
  private readonly served = new Set<Socket>();
  private readonly refused = new Set<Socket>();

  constructor(most: number) {
    this.most = most;
    this.refusal = `The service has the ${most} connections of Http:MaxConnections.`;
  }

  follow(server: Server): void {
    // Node closes what comes beyond this number without a word.
    server.maxConnections = this.most + mostRefused;
    server.on('connection', (socket: Socket) => this.add(socket));
  }

  /** Whether what it asks for is refused. */
  isBeyond(socket: Socket): boolean {
    return this.refused.has(socket);
  }

  /** Node takes a connection for busy that has never sent a byte, as clients open them ahead of their next request. */
  closeUnused(): void {
    for (const socket of [...this.served, ...this.refused]) if (socket.bytesRead === 0) socket.destroy();
  }

  private add(socket: Socket): void {
    const isServed = this.served.size < this.most;
    const all = isServed ? this.served : this.refused;
    all.add(socket);
    socket.once('close', () => all.delete(socket));
    if (isServed) return;
    const timer = setTimeout(() => socket.destroy(), refusedMs).unref();
    socket.once('close', () => clearTimeout(timer));
  }
}
