// Exports of namespaces into the bucket: what `GET /bulk/export` streams, as objects below `exports/`, by the schedule of the Worker or when
// a program asks for one.

import { defaultNamespace } from '../src/engine/names.ts';
import type { Environment } from './platform.ts';
import { askObject, route } from './routing.ts';
import { edgeSettings } from './settings.ts';
import { putStream } from './storage/bucket.ts';

/** Never sent anywhere; requests want an absolute URL. */
const anyOrigin = 'http://a';

/** Exports one namespace to `key`; answers its bytes. Rejects without a bucket, or when the namespace cannot be exported. */
export async function exportNamespace(environment: Environment, namespace: string, key: string): Promise<number> {
  const { ARCWISE_BUCKET: bucket } = environment;
  if (!bucket) throw new Error('There is no bucket: the binding ARCWISE_BUCKET is missing.');
  const path = `/ns/${encodeURIComponent(namespace)}/bulk/export`;
  const request = new Request(anyOrigin + path, { headers: ownHeaders(environment) });
  const oneForAll = environment.ARCWISE_OBJECTS === 'service';
  const answer = await askObject(request, environment, oneForAll ? defaultNamespace : namespace);
  if (answer.status !== 200 || answer.body === null)
    throw new Error(`The export of namespace "${namespace}" was answered ${answer.status}.`);
  return putStream(bucket, key, answer.body);
}

/** Exports every namespace to `exports/<name>/<time>.jsonl`. One that fails does not keep the others; rejects at the end then. */
export async function exportAll(environment: Environment, timeMs: number): Promise<void> {
  const answer = await route(new Request(`${anyOrigin}/ns`, { headers: ownHeaders(environment) }), environment);
  if (answer.status !== 200) throw new Error(`The list of namespaces was answered ${answer.status}.`);
  const { namespaces } = (await answer.json()) as { namespaces: readonly { readonly name: string }[] };
  const time = new Date(timeMs).toISOString();
  const failures: unknown[] = [];
  for (const { name } of namespaces) {
    const key = `exports/${encodeURIComponent(name)}/${time}.jsonl`;
    await exportNamespace(environment, name, key).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} namespaces were not exported.`);
}

/** The Worker is its own client. */
function ownHeaders(environment: Environment): Headers {
  const { settings } = edgeSettings(environment);
  const headers = new Headers();
  const key = settings['Security:ApiKey'];
  if (key !== null) headers.set(settings['Security:ApiKeyHeader'].trim() || 'x-api-key', key);
  return headers;
}
