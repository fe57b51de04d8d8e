// A small reverse proxy: passes requests and answers on as they come, gives up answers that stand still, and cuts connections when told.

import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class ReverseProxy {
  /** Where requests go; may be changed at any time. */
  target: string;
  readonly url: string;
  /** How long an answer to a later request may bring nothing. */
  readTimeoutMs: number;
  /** Answers given up because they stood still. */
  timeouts = 0;
  /** `last-event-id` of each request, null without one. */
  readonly lastEventIds: (string | null)[] = [];
  private readonly server: Server;

  private constructor(target: string, server: Server, readTimeoutMs: number) {
    this.target = target;
    this.readTimeoutMs = readTimeoutMs;
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string, readTimeoutMs = 60_000): Promise<ReverseProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new ReverseProxy(target, server, readTimeoutMs);
    server.on('request', (incoming, outgoing) => {
      proxy.lastEventIds.push((incoming.headers['last-event-id'] as string | undefined) ?? null);
      const { method, headers, url } = incoming;
      const onward = request(proxy.target + url, { method, headers: { ...headers, host: new URL(proxy.target).host } });
      onward.setTimeout(proxy.readTimeoutMs, () => {
        proxy.timeouts++;
        outgoing.destroy();
        onward.destroy();
      });
      onward.on('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.on('error', () => outgoing.destroy());
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      outgoing.on('close', () => onward.destroy());
      incoming.pipe(onward);
    });
    return proxy;
  }

  /** Ends every connection; new ones are taken. */
  cut(): void {
    this.server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
