// Scripts that a log goes through on a simulated disk, and what must hold whenever the power goes: everything acknowledged comes
// back, what comes back is a prefix of what was appended, and it comes back the same a second time.

import zlib from 'node:zlib';
import { FileLogStore } from '../../runtime-node/storage/file-store.ts';
import type { FileSystem } from '../../runtime-node/storage/file-system.ts';
import { crc32With } from '../../src/engine/log/crc32.ts';
import { Log } from '../../src/engine/log/log.ts';
import { createLog, recoverLog } from '../../src/engine/log/recovery.ts';
import type { LogFile, LogStore } from '../../src/storage/types.ts';
import type { Choose, SimulatedDisk } from './simulated-disk.ts';

const crc32 = crc32With((bytes, seed) => zlib.crc32(bytes, seed));
const name = 'namespaces/ns-1/arcwise.wal';
const header = { namespaceId: 'ns-1', epoch: '0123456789abcdef0123456789abcdef', baseSequence: 0, chainBefore: 0 };

/** Payload number `index` of a script; says its number in its first bytes. */
export function payloadOf(index: number, bytes: number): Uint8Array {
  const payload = new Uint8Array(Math.max(8, bytes)).fill((index * 37 + 11) & 255);
  new DataView(payload.buffer).setUint32(0, index, true);
  return payload;
}

export function numberOf(payload: Uint8Array): number {
  return new DataView(payload.buffer, payload.byteOffset).getUint32(0, true);
}

/** What a log under test is made by; a canary gives one that breaks its word. */
export type MakeLog = (...parameters: ConstructorParameters<typeof Log>) => Pick<Log, 'append' | 'close'>;
/** With groups of two frames beside each other even a short script has several writes in flight. */
const honest: MakeLog = (file, position, options) => new Log(file, position, { ...options, fullGroupFrames: 2 });

export function storeOver(fileSystem: FileSystem): LogStore {
  return new FileLogStore({ directory: '/', fileSystem });
}

/** Opens the log, or makes it where there is none. Answers the numbers of the payloads that came back. */
export async function openLog(
  store: LogStore,
  makeLog: MakeLog = honest,
): Promise<{ log: Pick<Log, 'append' | 'close'>; found: number[] }> {
  const file = await store.open(name);
  if (file === null) {
    const created = await createLog(store, name, header, crc32);
    return { log: makeLog(created.file, created.position, { crc32 }), found: [] };
  }
  const found: number[] = [];
  const options = { crc32, namespaceId: 'ns-1', nowMs: 0 };
  const recovered = await recoverLog(store, name, file, options, (payload) => {
    found.push(numberOf(payload));
  });
  return { log: makeLog(file as LogFile, recovered.position, { crc32 }), found };
}

/** Appends in bursts; `sizes[i]` are the payloads of one burst, whose last promise is awaited before the next burst begins. */
export async function runBursts(
  disk: SimulatedDisk,
  log: Pick<Log, 'append' | 'close'>,
  first: number,
  sizes: readonly (readonly number[])[],
): Promise<void> {
  let next = first;
  let acknowledged = first;
  for (const burst of sizes) {
    const waiting: Promise<void>[] = [];
    for (const bytes of burst) {
      const number = next++;
      disk.note('appended', next);
      const durable = log.append(payloadOf(number, bytes));
      waiting.push(
        durable.then((good) => {
          if (!good) throw new Error('The log failed on a disk that works.');
          acknowledged = Math.max(acknowledged, number + 1);
          disk.note('acknowledged', acknowledged);
        }),
      );
      // Some of a burst arrive in later turns, while a write is under way.
      if (number % 3 === 0) await null;
    }
    await Promise.all(waiting);
  }
}

export interface PowerLossCheck {
  readonly makeLog?: MakeLog;
  /** Below the log store; a canary breaks a promise here. */
  readonly over?: (disk: SimulatedDisk) => FileSystem;
}

/**
 * The power goes at `place` of the disk's journal, with one outcome of what was under way. Throws when the log that comes back
 * breaks a promise. Answers the disk as recovery left it and how many payloads were found.
 */
export async function checkPowerLoss(
  disk: SimulatedDisk,
  place: number,
  choose: Choose,
  { makeLog = honest, over = (same) => same }: PowerLossCheck = {},
): Promise<{ after: SimulatedDisk; found: number }> {
  const acknowledged = disk.noted('acknowledged', place);
  const appended = disk.noted('appended', place);
  const after = disk.afterPowerLoss(place, choose);
  const store = storeOver(over(after));
  const { log, found } = await openLog(store, makeLog);
  const at = `power loss at ${place} of ${disk.journal.length}`;
  found.forEach((number, i) => {
    if (number !== i) throw new Error(`${at}: payload ${number} came back at position ${i}.`);
  });
  if (found.length < acknowledged)
    throw new Error(`${at}: ${acknowledged} were acknowledged, ${found.length} came back.`);
  if (found.length > appended) throw new Error(`${at}: ${appended} were appended, ${found.length} came back.`);
  // What recovery showed is a promise too.
  after.note('acknowledged', found.length);
  after.note('appended', found.length);
  await runBursts(after, log, found.length, [[40]]);
  await log.close();
  const again = await openLog(storeOver(after));
  if (again.found.length !== found.length + 1)
    throw new Error(`${at}: ${again.found.length} came back the second time.`);
  return { after, found: found.length };
}
