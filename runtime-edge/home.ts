// What an object of an edge runtime offers a service: its own database as storage, the core and the trampolines that came with the
// deployment, a clock that stands still between two events. One binary serves as both cores, because the one whose searches give way
// answers everything else too.

import { slicesByCount } from '../src/core/slices.ts';
import { placesIn } from '../src/engine/savegames/named-places.ts';
import { webPlatform } from '../src/http/web-platform.ts';
import type { ServiceHome } from '../src/service.ts';
import core from './core.plain.turns.wasm';
import machine from './machine.plain.wasm';
import { maxBodyBytes } from './settings.ts';
import { TableBlobStore, TableCheckpointStore, TableLogStore } from './storage/stores.ts';
import type { Tables } from './storage/tables.ts';
import f64 from './trampoline.f64.wasm';
import i32 from './trampoline.i32.wasm';

/** A timer's turn: clocks move on there, and requests that have come in are taken. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const logger = {
  info: () => {},
  warn: (message: string, fields?: object) => console.warn(message, JSON.stringify(fields ?? {})),
  error: (message: string, fields?: object) => console.error(message, JSON.stringify(fields ?? {})),
};

/** `name`: of the object, for locations of save games. `logged` hears the bytes of each write to a log. */
export function edgeHome(tables: Tables, name: string, logged: (bytes: number) => void): ServiceHome {
  const binary = { module: core, shared: false };
  const platform = webPlatform({ logger, pause });
  const checkpoints = new TableCheckpointStore(tables);
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
    storage: {
      logs: new TableLogStore(tables, logged),
      metadata: new TableBlobStore(tables),
      saveGames: { checkpoints, places: placesIn(`edge://${name}`, checkpoints) },
      release: async () => {},
    },
    clock: { nowMs: () => Date.now() },
    http: {
      ...platform,
      slices: slicesByCount,
      readBody: (request, maxBytes) => platform.readBody(request, Math.min(maxBytes, maxBodyBytes)),
    },
    fetch: (input, init) => fetch(input, init),
  };
}
