// What an object of an edge runtime offers a service: its own database as storage, the core and the trampolines that came with the
// deployment, a clock that stands still between two events. One binary serves as both cores, because the one whose searches give way
// answers everything else too.

import { coreBinaryOf } from '../src/core/core-binary.ts';
import { slicesByCount } from '../src/core/slices.ts';
import { placesIn } from '../src/engine/savegames/named-places.ts';
import { webPlatform } from '../src/http/web-platform.ts';
import type { ServiceHome } from '../src/service.ts';
import { blocksOf } from './bodies.ts';
import core from './core.plain.turns.wasm';
import machine from './machine.plain.wasm';
import type { Environment } from './platform.ts';
import { maxBodyBytes } from './settings.ts';
import { BucketStore } from './storage/bucket.ts';
import { TableBlobStore, TableCheckpointStore, TableLogStore } from './storage/stores.ts';
import type { Tables } from './storage/tables.ts';
import f64 from './trampoline.f64.wasm';
import i32 from './trampoline.i32.wasm';

/** A timer's turn: clocks move on there, and requests that have come in are taken. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Lines as the service of Node writes them, so that whoever reads one reads the other. */
const line = (level: number, msg: string, fields: object = {}): string =>
  JSON.stringify({ level, time: Date.now(), ...fields, msg });

export const logger = {
  info: (message: string, fields?: object) => console.info(line(30, message, fields)),
  warn: (message: string, fields?: object) => console.warn(line(40, message, fields)),
  error: (message: string, fields?: object) => console.error(line(50, message, fields)),
};

/** What the keys of an object's files in a bucket begin with. Names have no slash of their own. */
export const bucketPrefix = (name: string): string => `objects/${encodeURIComponent(name)}/`;

/** `name`: of the object, for locations of save games. `logged` hears the bytes of each write to a log. */
export function edgeHome(
  tables: Tables,
  { ARCWISE_BUCKET: bucket }: Environment,
  name: string,
  isVolatile: boolean,
  logged: (bytes: number) => void,
): ServiceHome {
  const binary = coreBinaryOf(core);
  const platform = webPlatform({ logger, pause, bodyOf: blocksOf });
  const checkpoints = bucket ? new BucketStore(bucket, bucketPrefix(name)) : new TableCheckpointStore(tables);
  return {
    ...{
      core: binary,
      turnsCore: () => binary,
      trampolines: { i32, f64 },
      machine,
      pause,
      slices: slicesByCount,
      threads: null,
    },
    storage: isVolatile
      ? null
      : {
          logs: new TableLogStore(tables, logged),
          metadata: new TableBlobStore(tables),
          saveGames: { checkpoints, places: placesIn(`edge://${name}`, checkpoints) },
          release: async () => {},
        },
    clock: { nowMs: () => Date.now() },
    http: {
      ...platform,
      slices: slicesByCount,
      readBody: async (request, maxBytes, holder) => {
        const read = await platform.readBody(request, Math.min(maxBytes, maxBodyBytes), holder);
        const isLess = maxBodyBytes < maxBytes && !read.ok && read.reason === 'tooLarge';
        return isLess ? { ...read, maxBytes: maxBodyBytes } : read;
      },
    },
    fetch: (input, init) => fetch(input, init),
  };
}
