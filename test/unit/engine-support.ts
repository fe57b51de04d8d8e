// An engine over stores in memory, for tests: a clock that stands still unless told, a log that remembers its lines.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { Core } from '../../src/core/core.ts';
import type { CoreBinary } from '../../src/core/instance.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { JsonBody } from '../../src/engine/answer-stream.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import { Namespaces } from '../../src/engine/namespaces.ts';
import type { GraphEngine, NamespaceResult } from '../../src/engine/types.ts';
import { MemoryBlobStore, MemoryLogStore } from '../../src/storage/memory-store.ts';

const wasm = fileURLToPath(new URL('../../dist/wasm/core.shared.wasm', import.meta.url));
export const binary: CoreBinary = { module: new WebAssembly.Module(readFileSync(wasm)), shared: true };

export interface Home {
  readonly engine: Namespaces;
  readonly options: EngineOptions;
  readonly lines: string[];
  readonly pool: MemoryPool;
}

/** Options over fresh stores, changed by `changes`; the engine is not started yet. */
export function homeWith(changes: Partial<EngineOptions> & { limitBytes?: number } = {}): Home {
  const { limitBytes = 2 ** 31, ...rest } = changes;
  const lines: string[] = [];
  const say = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const pool = new MemoryPool(binary);
  let nowMs = Date.UTC(2026, 4, 6, 7, 8, 9, 10);
  const options: EngineOptions = {
    newCore: () => new Core(binary, pool, limitBytes),
    logs: new MemoryLogStore(),
    metadata: new MemoryBlobStore(),
    logger: { info: say('info'), warn: say('warn'), error: say('error') },
    clock: { nowMs: () => nowMs++ },
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    nativeCrc32: (bytes, seed) => zlib.crc32(bytes, seed),
    maxNamespaces: 10_000,
    loadOnStartupDefault: true,
    startupLoadMode: 'catalog',
    ...rest,
  };
  return { engine: new Namespaces(options), options, lines, pool };
}

export async function startedWith(changes: Parameters<typeof homeWith>[0] = {}): Promise<Home> {
  const home = homeWith(changes);
  await home.engine.start();
  return home;
}

/** The graph of a namespace that is loaded. */
export function graphOf(engine: Namespaces, name = 'default'): GraphEngine {
  const graph = engine.find(name)?.graph ?? null;
  if (graph === null) throw new Error(`${name} is not loaded`);
  return graph;
}

export function failureOf(result: NamespaceResult): string {
  return result.ok ? 'ok' : result.failure;
}

export const vertex = (label: string | null = null, properties: [key: string, type: 1 | 7, text: string][] = []) =>
  ({
    kind: 'createVertex',
    creationDate: 1,
    label,
    properties: properties.map(([key, type, text]) => ({ key, type, text })),
  }) as const;

export const edge = (source: number, target: number, edgeType = 'knows') =>
  ({ kind: 'createEdge', creationDate: 1, source, target, edgeType, label: null, properties: [] }) as const;

export const textOf = (parts: Uint8Array | readonly Uint8Array[] | null | undefined): string =>
  !parts ? 'null' : new TextDecoder().decode(parts instanceof Uint8Array ? parts : Buffer.concat(parts));

/** The text of an answer, read to its end where it is streamed. */
export async function bodyText(body: JsonBody): Promise<string> {
  return body instanceof ReadableStream ? new Response(body).text() : textOf(body);
}

/** A body in chunks of `chunkBytes`. */
export async function* bodyOf(text: string, chunkBytes = 1000): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** A file of vertices in a ring. */
export function ringOf(count: number): string {
  const lines = [`{"type":"meta","format":"service-jsonl","version":2,"vertexCount":${count},"edgeCount":${count}}`];
  for (let i = 0; i < count; i++) {
    lines.push(
      `{"type":"vertex","id":${i},"label":"dot","creationDate":${i},"properties":{"n":{"type":"Int32","value":"${i}"}}}`,
    );
  }
  for (let i = 0; i < count; i++) {
    lines.push(
      `{"type":"edge","id":${count + i},"edgePropertyId":"next","source":${i},"target":${(i + 1) % count},"creationDate":0}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

export const importLimits = { batchSize: 100, maxLineBytes: 1_048_576, maxBodyBytes: null };
