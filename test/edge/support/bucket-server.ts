// A bucket for the local runtime: what it speaks to a bucket binding, over objects in memory that outlive its process. The runtime sends
// its question as JSON, in a header of a GET or before the value in the body of a PUT, and wants its answer in the same form.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Stored {
  readonly bytes: Buffer;
  readonly version: string;
  readonly uploaded: number;
}

interface Question {
  readonly method: string;
  readonly object?: string;
  readonly objects?: readonly string[];
  readonly prefix?: string;
  readonly cursor?: string;
  readonly uploadId?: string;
  readonly partNumber?: number;
  readonly range?: { readonly offset?: number | string; readonly length?: number | string };
  readonly parts?: readonly { readonly part: number; readonly etag: string }[];
}

/** Shortest part that is not the last, and names in one list: few, so that lists have several pages. */
const leastPartBytes = 5 * 2 ** 20;
const pageNames = 3;
const noSuchKey = 10007;

export class BucketServer {
  readonly address: string;
  readonly objects = new Map<string, Stored>();
  readonly uploads = new Map<string, Map<number, Buffer>>();
  /** Questions that were answered. */
  asked = 0;
  /** The question of this number fails; none does as a rule. */
  failAt = 0;
  private readonly server: Server;
  private versions = 0;

  private constructor(server: Server) {
    this.server = server;
    this.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => void this.serve(incoming, outgoing));
  }

  static async start(): Promise<BucketServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new BucketServer(server);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const blocks: Buffer[] = [];
    for await (const block of incoming) blocks.push(block as Buffer);
    const body = Buffer.concat(blocks);
    const length = Number(incoming.headers['cf-r2-metadata-size'] ?? 0);
    const told =
      incoming.method === 'GET' ? String(incoming.headers['cf-r2-request']) : body.toString('utf8', 0, length);
    if (++this.asked === this.failAt) {
      this.fail(outgoing, 500, 10001, 'The bucket fails.');
      return;
    }
    try {
      const { head, value = Buffer.alloc(0) } = this.answer(JSON.parse(told) as Question, body.subarray(length));
      const text = Buffer.from(JSON.stringify(head));
      outgoing.writeHead(200, { 'cf-r2-metadata-size': text.length, 'content-type': 'application/json' });
      outgoing.end(Buffer.concat([text, value]));
    } catch (error) {
      const isMissing = error instanceof NoSuchKey;
      this.fail(outgoing, isMissing ? 404 : 400, isMissing ? noSuchKey : 10020, String(error));
    }
  }

  private fail(outgoing: ServerResponse, status: number, v4code: number, message: string): void {
    outgoing.writeHead(status, { 'cf-r2-error': JSON.stringify({ version: 1, v4code, message }) }).end();
  }

  private answer(question: Question, value: Buffer): { readonly head: object; readonly value?: Buffer } {
    const { object = '' } = question;
    switch (question.method) {
      case 'head':
        return { head: this.describe(object) };
      case 'get': {
        const { bytes } = this.found(object);
        const offset = Number(question.range?.offset ?? 0);
        const length = Number(question.range?.length ?? bytes.length - offset);
        return { head: this.describe(object), value: bytes.subarray(offset, offset + length) };
      }
      case 'put':
        this.store(object, value);
        return { head: this.describe(object) };
      case 'delete':
        for (const key of question.objects ?? [object]) this.objects.delete(key);
        return { head: {} };
      case 'list':
        return { head: this.list(question) };
      case 'createMultipartUpload': {
        const uploadId = `upload-${++this.versions}`;
        this.uploads.set(uploadId, new Map());
        return { head: { uploadId } };
      }
      case 'uploadPart':
        this.upload(question).set(question.partNumber ?? 0, value);
        return { head: { etag: `part-${question.partNumber}` } };
      case 'abortMultipartUpload':
        this.uploads.delete(question.uploadId ?? '');
        return { head: {} };
      case 'completeMultipartUpload':
        this.store(object, this.completed(question));
        this.uploads.delete(question.uploadId ?? '');
        return { head: this.describe(object) };
      default:
        throw new Error(`The bucket knows no ${question.method}.`);
    }
  }

  private upload({ uploadId = '' }: Question): Map<number, Buffer> {
    const parts = this.uploads.get(uploadId);
    if (parts === undefined) throw new Error('There is no such upload.');
    return parts;
  }

  /** Refuses parts as buckets do: all but the last have one length, which is not too small. */
  private completed(question: Question): Buffer {
    const parts = this.upload(question);
    const blocks = (question.parts ?? []).map(({ part }) => {
      const block = parts.get(part);
      if (block === undefined) throw new Error(`There is no part ${part}.`);
      return block;
    });
    const whole = blocks.slice(0, -1);
    if (whole.some(({ length }) => length < leastPartBytes || length !== whole[0]?.length))
      throw new Error('Parts are too small or differ.');
    return Buffer.concat(blocks);
  }

  private store(key: string, value: Buffer): void {
    this.objects.set(key, { bytes: Buffer.from(value), version: `v${++this.versions}`, uploaded: Date.now() });
  }

  private found(key: string): Stored {
    const stored = this.objects.get(key);
    if (stored === undefined) throw new NoSuchKey(key);
    return stored;
  }

  private describe(name: string): object {
    const { bytes, version, uploaded } = this.found(name);
    return {
      name,
      version,
      size: bytes.length,
      etag: version,
      uploaded,
      httpFields: {},
      customFields: [],
      checksums: {},
    };
  }

  private list({ prefix = '', cursor = '' }: Question): object {
    const names = [...this.objects.keys()].filter((name) => name.startsWith(prefix) && name > cursor).sort();
    const page = names.slice(0, pageNames);
    const truncated = page.length < names.length;
    const objects = page.map((name) => this.describe(name));
    return { objects, truncated, delimitedPrefixes: [], ...(truncated ? { cursor: page.at(-1) } : {}) };
  }
}

class NoSuchKey extends Error {}
