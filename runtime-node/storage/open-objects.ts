// The store of objects that a URL names: a directory, or a bucket.

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../src/config/catalogue.ts';
import { type ObjectStore, StoreUnfit } from '../../src/storage/objects.ts';
import { S3ObjectStore } from '../../src/storage/s3-objects.ts';
import { DirectoryObjectStore } from './directory-objects.ts';

const timeoutMs = 60_000;
const shapes = 'file:///directory or s3://bucket/prefix?endpoint=https://host&region=name';

/** `prefix`: what the names of all objects begin with. Throws StoreUnfit for a URL that names neither. */
export function openObjects(
  url: string,
  settings: Settings,
  fetch: typeof globalThis.fetch,
): { store: ObjectStore; prefix: string } {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === 'file:')
    return { store: new DirectoryObjectStore(resolve(fileURLToPath(parsed))), prefix: '' };
  if (parsed?.protocol !== 's3:' || parsed.hostname === '') throw new StoreUnfit(`Backup:Url takes ${shapes}.`);
  const { 'Backup:AccessKeyId': accessKeyId, 'Backup:SecretAccessKey': secretAccessKey } = settings;
  if (accessKeyId === null || secretAccessKey === null)
    throw new StoreUnfit('A bucket takes Backup:AccessKeyId and Backup:SecretAccessKey.');
  const region = parsed.searchParams.get('region') ?? 'us-east-1';
  const endpoint = parsed.searchParams.get('endpoint');
  if (endpoint === null || !URL.canParse(endpoint)) throw new StoreUnfit(`Backup:Url takes ${shapes}.`);
  const path = decodeURIComponent(parsed.pathname).replace(/^\/+|\/+$/g, '');
  const account = { accessKeyId, secretAccessKey, region, fetch, timeoutMs };
  const store = new S3ObjectStore({ ...account, endpoint, bucket: parsed.hostname });
  return { store, prefix: path === '' ? '' : `${path}/` };
}
