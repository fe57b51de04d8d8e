// Objects in a bucket that speaks the S3 protocol, over a signing `fetch`. Conditions are `If-None-Match: *` and `If-Match`; a store answers 412
// where they do not hold, and 409 while two puts are at it, which is the same here: somebody else was there.
//
// One attempt a call: whoever calls knows what may be repeated.

import { AwsClient } from 'aws4fetch';
import type { ObjectStore, PutOutcome, StoredObject } from './objects.ts';
import { checkStorageName } from './types.ts';

export interface S3Options {
  /** Of the service, or of the bucket where it has a host of its own. */
  readonly endpoint: string;
  /** Null: the endpoint is the bucket's. */
  readonly bucket: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly fetch: typeof globalThis.fetch;
  /** A request that takes longer is given up. */
  readonly timeoutMs: number;
}

/** An answer that is neither success nor a condition that does not hold. @testonly */
export class S3Failed extends Error {
  override readonly name = 'S3Failed';
  readonly status: number;

  constructor(what: string, status: number, body: string) {
    const code = /<Code>([^<]{1,100})<\/Code>/.exec(body)?.[1];
    super(`${what} was answered with ${status}${code === undefined ? '' : ` (${code})`}.`);
    this.status = status;
  }
}

type Headers = Readonly<Record<string, string>>;

export class S3ObjectStore implements ObjectStore {
  private readonly options: S3Options;
  private readonly client: AwsClient;
  private readonly base: string;

  constructor(options: S3Options) {
    this.options = options;
    const { accessKeyId, secretAccessKey, region, bucket } = options;
    this.client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
    const endpoint = options.endpoint.replace(/\/+$/, '');
    this.base = bucket === null ? endpoint : `${endpoint}/${encodeURIComponent(bucket)}`;
  }

  async get(name: string): Promise<StoredObject | null> {
    const response = await this.ask('GET', this.urlOf(name));
    if (response.status === 404) {
      await response.arrayBuffer();
      return null;
    }
    await expectSuccess(response, `GET ${name}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { bytes, tag: tagOf(response, name) };
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.putWith(name, bytes, {});
  }

  putIfAbsent(name: string, bytes: Uint8Array): Promise<PutOutcome> {
    return this.putWith(name, bytes, { 'if-none-match': '*' });
  }

  putIfMatch(name: string, bytes: Uint8Array, tag: string): Promise<PutOutcome> {
    return this.putWith(name, bytes, { 'if-match': tag });
  }

  async list(prefix: string): Promise<string[]> {
    const names: string[] = [];
    for (let token: string | null = null; ; ) {
      const query = new URLSearchParams({ 'list-type': '2', prefix });
      if (token !== null) query.set('continuation-token', token);
      const response = await this.ask('GET', `${this.base}/?${query}`);
      await expectSuccess(response, `Listing ${prefix}`);
      const text = await response.text();
      for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) names.push(plainText(key));
      token = /<IsTruncated>true</.test(text) ? textOf(text, 'NextContinuationToken') : null;
      if (token === null) return names.sort();
    }
  }

  async delete(name: string): Promise<void> {
    const response = await this.ask('DELETE', this.urlOf(name));
    if (response.status !== 404) await expectSuccess(response, `DELETE ${name}`);
    await response.arrayBuffer();
  }

  private async putWith(name: string, bytes: Uint8Array, condition: Headers): Promise<PutOutcome> {
    const response = await this.ask('PUT', this.urlOf(name), bytes, condition);
    const refused =
      response.status === 412 || response.status === 409 || (response.status === 404 && 'if-match' in condition);
    if (!refused) await expectSuccess(response, `PUT ${name}`);
    await response.arrayBuffer();
    return refused ? { taken: false } : { taken: true, tag: tagOf(response, name) };
  }

  private async ask(method: string, url: string, body?: Uint8Array, headers: Headers = {}): Promise<Response> {
    const { fetch, timeoutMs } = this.options;
    const request = await this.client.sign(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    });
    // The parts, not the signed request: a body that is a stream would be sent without its length.
    return fetch(request.url, {
      method,
      headers: Object.fromEntries(request.headers),
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    });
  }

  private urlOf(name: string): string {
    checkStorageName(name);
    return `${this.base}/${name.split('/').map(encodeURIComponent).join('/')}`;
  }
}

async function expectSuccess(response: Response, what: string): Promise<void> {
  if (!response.ok) throw new S3Failed(what, response.status, await response.text());
}

function tagOf(response: Response, name: string): string {
  const tag = response.headers.get('etag');
  if (tag === null) throw new S3Failed(`${name} without an ETag`, response.status, '');
  return tag;
}

function textOf(text: string, element: string): string | null {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(text)?.[1];
  return found === undefined ? null : plainText(found);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plainText(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
