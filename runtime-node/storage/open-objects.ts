// The store of objects that a URL names: a directory, or a bucket.

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../src/config/catalogue.ts';
import { type ObjectStore, StoreUnfit } from '../../src/storage/objects.ts';
import { S3ObjectStore } from '../../src/storage/s3-objects.ts';
import { DirectoryObjectStore } from './directory-objects.ts';
import type { FileThread } from './file-thread.ts';

/** Of a request for an object of any size. */
export const wholeObjectMs = 60_000;
const shapes = 'file:///directory or s3://bucket/prefix?endpoint=https://host&region=name';

/** The settings that say where objects are, for messages, and the key to them. */
export interface ObjectsAccount {
  readonly section: 'Backup' | 'Cluster';
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
}

/** `prefix`: what the names of all objects begin with; `thread` is for a directory. Throws StoreUnfit for a URL that names neither. */
export function openObjects(
  url: string,
  { accessKeyId, secretAccessKey, section }: ObjectsAccount,
  fetch: typeof globalThis.fetch,
  timeoutMs = wholeObjectMs,
  thread: FileThread | null = null,
): { store: ObjectStore; prefix: string } {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === 'file:')
    return { store: new DirectoryObjectStore(resolve(fileURLToPath(parsed)), thread), prefix: '' };
  if (parsed?.protocol !== 's3:' || parsed.hostname === '') throw new StoreUnfit(`${section}:Url takes ${shapes}.`);
  if (accessKeyId === null || secretAccessKey === null)
    throw new StoreUnfit(`A bucket takes ${section}:AccessKeyId and ${section}:SecretAccessKey.`);
  const region = parsed.searchParams.get('region') ?? 'us-east-1';
  const endpoint = parsed.searchParams.get('endpoint');
  if (endpoint === null || !URL.canParse(endpoint)) throw new StoreUnfit(`${section}:Url takes ${shapes}.`);
  const path = decodeURIComponent(parsed.pathname).replace(/^\/+|\/+$/g, '');
  const account = { accessKeyId, secretAccessKey, region, fetch, timeoutMs };
  const store = new S3ObjectStore({ ...account, endpoint, bucket: parsed.hostname });
  return { store, prefix: path === '' ? '' : `${path}/` };
}

/** The key that backups are put with. */
export function backupAccount(settings: Settings): ObjectsAccount {
  const { 'Backup:AccessKeyId': accessKeyId, 'Backup:SecretAccessKey': secretAccessKey } = settings;
  return { section: 'Backup', accessKeyId, secretAccessKey };
}
