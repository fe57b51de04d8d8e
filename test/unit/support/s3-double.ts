// A bucket that speaks as much of the S3 protocol as the service asks for, with conditions, and with faults: an answer that is lost, a request
// that is, a status, conditions that are ignored, a list that is stale. It checks that requests are signed, not the signature.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fault =
  /** It happens, and nobody is told. */
  | 'lostAnswer'
  /** It does not happen, and nobody is told. */
  | 'lostRequest'
  /** 503. */
  | 'unavailable';

export interface S3Call {
  readonly method: string;
  readonly name: string;
  readonly atMs: number;
}

export class S3Double {
  readonly objects = new Map<string, Buffer>();
  readonly calls: S3Call[] = [];
  /** Asked for each request; null: no fault. */
  fault: (method: string, name: string) => Fault | null = () => null;
  ignoresConditions = false;
  /** Names that lists do not show. */
  readonly unlisted = new Set<string>();
  /** A list answers at most so many names at once. */
  pageLength = 1000;
  private readonly server: Server;
  private readonly bucket: string;

  private constructor(bucket: string) {
    this.bucket = bucket;
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(bucket = 'bucket'): Promise<S3Double> {
    const double = new S3Double(bucket);
    await new Promise<void>((resolve) => double.server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://bucket');
    const [, bucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const name = rest.join('/');
    const method = request.method ?? '';
    this.calls.push({ method, name, atMs: performance.now() });
    if (!/^AWS4-HMAC-SHA256 Credential=.+Signature=[0-9a-f]{64}$/.test(request.headers.authorization ?? ''))
      return end(response, 403, 'AccessDenied');
    if (bucket !== this.bucket) return end(response, 404, 'NoSuchBucket');
    const fault = this.fault(method, name);
    if (fault === 'unavailable') return end(response, 503, 'SlowDown');
    if (fault === 'lostRequest') return void response.destroy();
    const { status, body, headers } =
      name === '' ? this.list(url.searchParams) : this.object(request, name, Buffer.concat(chunks));
    if (fault === 'lostAnswer') return void response.destroy();
    response.writeHead(status, headers);
    response.end(body);
  }

  private object(request: IncomingMessage, name: string, body: Buffer): Reply {
    const found = this.objects.get(name);
    if (request.method === 'DELETE') {
      this.objects.delete(name);
      return { status: 204 };
    }
    if (request.method === 'GET') {
      return found === undefined
        ? failed(404, 'NoSuchKey')
        : { status: 200, body: found, headers: { etag: tagOf(found) } };
    }
    const { 'if-none-match': absent, 'if-match': match } = request.headers;
    if (!this.ignoresConditions) {
      if (absent === '*' && found !== undefined) return failed(412, 'PreconditionFailed');
      if (match !== undefined && found === undefined) return failed(404, 'NoSuchKey');
      if (match !== undefined && found !== undefined && tagOf(found) !== match)
        return failed(412, 'PreconditionFailed');
    }
    this.objects.set(name, body);
    return { status: 200, headers: { etag: tagOf(body) } };
  }

  private list(query: URLSearchParams): Reply {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const names = [...this.objects.keys()]
      .filter((name) => name.startsWith(prefix) && name > after && !this.unlisted.has(name))
      .sort();
    const page = names.slice(0, this.pageLength);
    const keys = page.map((name) => `<Contents><Key>${escaped(name)}</Key></Contents>`).join('');
    const isTruncated = names.length > page.length;
    const next = isTruncated ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : '';
    const body = `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${keys}</ListBucketResult>`;
    return { status: 200, body: Buffer.from(body), headers: { 'content-type': 'application/xml' } };
  }
}

interface Reply {
  readonly status: number;
  readonly body?: Buffer;
  readonly headers?: Record<string, string>;
}

function failed(status: number, code: string): Reply {
  return { status, body: Buffer.from(`<Error><Code>${code}</Code></Error>`) };
}

function end(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status);
  response.end(failed(status, code).body);
}

function tagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
