// A server for the client of the suite whose answers come from a page: what is asked below `/<token>/` is the page and its way back, and
// everything else is asked of the engine in the page. Blocks are taken from the page as the client takes them.

import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rolldown } from 'rolldown';
import { at } from '../../../../scripts/lib/freshness.mjs';
import type { Command, Head } from './page-messages.ts';

/** Bodies up to this size travel whole. */
const wholeBytes = 1 << 16;
/** Headers of a page that is isolated from other origins, and of all its modules. */
const isolation = [
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-embedder-policy', 'require-corp'],
] as const;
const types: Record<string, string> = { js: 'text/javascript', wasm: 'application/wasm' };

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

let script: Promise<string> | null = null;

async function bundleScript(): Promise<string> {
  const bundled = await rolldown({ input: at('test/contract/support/homes/page-script.ts'), platform: 'browser' });
  const { output } = await bundled.generate({ format: 'es' });
  await bundled.close();
  return output[0].code;
}

export class PageBridge {
  readonly url: string;
  private launches = 0;
  private readonly root = `/${crypto.randomUUID()}/`;
  private readonly server: Server;
  private readonly exchanges = new Map<number, Exchange>();
  private commands: ServerResponse | null = null;
  private waiting: Waiting | null = null;
  private connected: Waiting | null = null;
  private nextId = 1;

  private constructor(server: Server, isIsolated: boolean) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      if (incoming.url?.startsWith(this.root)) {
        if (isIsolated) for (const [name, value] of isolation) outgoing.setHeader(name, value);
        void this.serve(incoming, outgoing, incoming.url.slice(this.root.length));
      } else void this.passOn(incoming, outgoing);
    });
  }

  /** `isIsolated`: the page may share memory between its workers. */
  static async start(isIsolated = false): Promise<PageBridge> {
    // A connection that waits is not closed: whoever sends into it just then would be reset.
    const server = createServer({ keepAliveTimeout: 0 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PageBridge(server, isIsolated);
  }

  /**
   * Where a browser goes that is started now. One that was killed may show the page of its life before as well (Firefox does): only the newest
   * one takes commands.
   */
  newPage(): string {
    this.launches++;
    return `${this.url}${this.root}page.html?launch=${this.launches}`;
  }

  /** Resolves when the page takes commands. */
  whenConnected(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.connected = { resolve, reject };
    });
  }

  /** Whoever waits is told why the page is gone, and so is every client. */
  lose(error: Error): void {
    for (const waiting of [this.connected, this.waiting]) waiting?.reject(error);
    this.commands = null;
    for (const { outgoing } of this.exchanges.values()) outgoing.destroy();
  }

  /** Rejects with what the page says. */
  do(command: Extract<Command, { kind: 'open' | 'close' }>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.send(command);
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private send(command: Command): void {
    this.commands?.write(`${JSON.stringify(command)}\n`);
  }

  private async passOn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const id = this.nextId++;
    this.exchanges.set(id, { incoming, outgoing });
    outgoing.on('close', () => {
      if (this.exchanges.delete(id) && !outgoing.writableFinished) this.send({ kind: 'abort', id });
    });
    const headers: (readonly [string, string])[] = [];
    for (let at = 0; at < incoming.rawHeaders.length; at += 2)
      headers.push([incoming.rawHeaders[at] as string, incoming.rawHeaders[at + 1] as string]);
    const { method = 'GET', url: target = '/' } = incoming;
    const body = await wholeBody(incoming).catch(() => 'gone' as const);
    // The client went in the middle of its body, of which the page has heard nothing.
    if (body === 'gone') return;
    this.send({ kind: 'request', id, method, target, headers, body });
  }

  private async serve(incoming: IncomingMessage, outgoing: ServerResponse, path: string): Promise<void> {
    const [what = '', id = ''] = path.split('?')[0]?.split('/') ?? [];
    const exchange = this.exchanges.get(Number(id));
    if (what === 'commands' && path !== `commands?launch=${this.launches}`) outgoing.writeHead(410).end();
    else if (what === 'commands') {
      outgoing.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
      this.commands = outgoing;
      this.connected?.resolve();
    } else if (what === 'body') {
      outgoing.writeHead(exchange === undefined ? 404 : 200);
      if (exchange === undefined) outgoing.end();
      else {
        exchange.incoming.pipe(outgoing);
        // What the page does not want, the client may have sent all the same.
        outgoing.once('close', () => exchange.incoming.resume());
      }
    } else if (what === 'done' || what === 'refused') {
      const text = (await bytesOf(incoming)).toString('utf8');
      outgoing.end();
      if (what === 'done') this.waiting?.resolve();
      else this.waiting?.reject(new Error(text));
    } else if (what === 'block' || what === 'last' || what === 'failed') {
      await this.giveBack(what, incoming, exchange);
      outgoing.end();
    } else await serveFile(path.split('?')[0] as string, outgoing);
  }

  /** Answers the page when the client has taken the block, or has gone. */
  private async giveBack(what: string, incoming: IncomingMessage, exchange: Exchange | undefined): Promise<void> {
    const block = await bytesOf(incoming);
    if (exchange === undefined) return;
    const { outgoing } = exchange;
    if (what === 'failed') {
      // No route answers this status: whoever asked is told why there is no answer.
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(599).end(block);
      return;
    }
    const told = incoming.headers['x-head'] as string | undefined;
    if (told !== undefined) {
      const { status, statusText, headers } = JSON.parse(decodeURIComponent(told)) as Head;
      outgoing.statusMessage = statusText;
      for (const [name, value] of headers) outgoing.appendHeader(name, value);
      outgoing.writeHead(status);
      outgoing.flushHeaders();
    }
    if (what === 'last') outgoing.end();
    else if (block.length > 0 && !outgoing.write(block)) {
      await new Promise<void>((resolve) => {
        outgoing.once('drain', resolve);
        outgoing.once('close', resolve);
      });
    }
  }
}

async function serveFile(path: string, outgoing: ServerResponse): Promise<void> {
  const type = types[path.slice(path.lastIndexOf('.') + 1)];
  const file = at(`dist/browser/${path.replace('arcwise/', '')}`);
  if (path === 'page.html') {
    outgoing.writeHead(200, { 'content-type': 'text/html' });
    outgoing.end('<!doctype html><title>A home</title><script type="module" src="script.js"></script>');
  } else if (path === 'script.js') {
    script ??= bundleScript();
    outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(await script);
  } else if (type !== undefined && path.startsWith('arcwise/') && existsSync(file))
    outgoing.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  else outgoing.writeHead(404).end();
}

/** Base64 of a small body of known length; null without one. */
async function wholeBody(incoming: IncomingMessage): Promise<string | null> {
  const length = incoming.headers['content-length'];
  if (length === undefined) return incoming.headers['transfer-encoding'] === undefined ? null : 'later';
  if (Number(length) > wholeBytes) return 'later';
  return (await bytesOf(incoming)).toString('base64');
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for await (const block of incoming) blocks.push(block as Buffer);
  return Buffer.concat(blocks);
}
