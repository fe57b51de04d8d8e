// A way to a server that can be held, cut or slow.

import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server, which may be slow. Held, bytes wait on it in both directions, as on a network that is cut without a word. */
export class Way {
  port = 0;
  private readonly target: number;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private isHeld = false;
  /** Bytes arrive so much later. */
  delayMs = 0;
  /** Called before bytes of a client go on; false: they do not. */
  passes: () => boolean = () => true;

  private constructor(target: number) {
    this.target = target;
    this.server = createServer((client) => this.join(client));
  }

  static async to(target: number): Promise<Way> {
    const way = new Way(target);
    await new Promise<void>((resolve) => way.server.listen(0, '127.0.0.1', resolve));
    way.port = (way.server.address() as { port: number }).port;
    return way;
  }

  hold(): void {
    this.isHeld = true;
    for (const socket of this.sockets) socket.pause();
  }

  release(): void {
    this.isHeld = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Ends the connections there are; others can be made. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(one);
      one.on('data', (part) => {
        if (one === client && !this.passes()) return;
        if (this.delayMs === 0) other.write(part);
        else setTimeout(() => other.write(part), this.delayMs);
      });
      one.on('error', () => {}); // its end says the same
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      if (this.isHeld) one.pause();
    }
  }
}
