// Opening the engine of one namespace: a core, its graph, and its log replayed into it. A log that cannot be replayed completely
// gives no engine at all; nothing of it is changed then, and the memory goes back.

import type { Core } from '../core/core.ts';
import { CoreStatus } from '../core/status.ts';
import type { LogStore } from '../storage/types.ts';
import { crc32With, type NativeCrc32 } from './log/crc32.ts';
import { Log } from './log/log.ts';
import { createLog, LogCorruption, recoverLog } from './log/recovery.ts';
import type { Clock, Logger } from './logger.ts';
import { logNameOf } from './names.ts';
import { NamespaceEngine, type RecoveryStatus } from './namespace-engine.ts';

/** What every namespace of a service is opened with. */
export interface NamespaceHome {
  /** A core over a memory of its own. Throws when there is no memory for another one. */
  readonly newCore: () => Core;
  /** Null in volatile mode. */
  readonly logs: LogStore | null;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly pause: () => Promise<void>;
  readonly nativeCrc32?: NativeCrc32;
}

/** A logged transaction that the core does not take again: less memory than it once had, or a log of another core. */
class ReplayRefused extends Error {
  override readonly name = 'ReplayRefused';
}

/** Words of the transaction buffer (assembly/graph/format.ts). */
const firstIdAt = 36;
const createCountAt = 40;

/** `id` names the log, `name` is for the log lines only. */
export async function openNamespace(home: NamespaceHome, id: string, name: string): Promise<NamespaceEngine> {
  const core = home.newCore();
  try {
    const graph = core.createGraph();
    const { log, recovery } = await openLog(home, id, name, (payload, sequence) =>
      replay(core, graph, payload, sequence),
    );
    const { clock, pause } = home;
    return new NamespaceEngine({ core, graph, log, recovery, clock, pause });
  } catch (error) {
    core.dispose();
    throw error;
  }
}

async function openLog(
  home: NamespaceHome,
  id: string,
  name: string,
  apply: (payload: Uint8Array, sequence: number) => void,
): Promise<{ log: Log | null; recovery: RecoveryStatus }> {
  const none: RecoveryStatus = { ran: false, truncated: false, replayedEntries: 0 };
  if (home.logs === null) return { log: null, recovery: none };
  const crc32 = crc32With(home.nativeCrc32);
  const onFailure = (error: unknown): void =>
    home.logger.error(`The log of namespace "${name}" failed; its writes are not durable any more.`, {
      namespace: name,
      error: String(error),
    });
  const logName = logNameOf(id);
  const file = await home.logs.open(logName);
  if (file === null) {
    const header = { namespaceId: id, epoch: newEpoch(), baseSequence: 0, chainBefore: 0 };
    const created = await createLog(home.logs, logName, header, crc32);
    return { log: new Log(created.file, created.position, { crc32, onFailure }), recovery: none };
  }
  try {
    const options = { crc32, namespaceId: id, nowMs: home.clock.nowMs() };
    const recovered = await recoverLog(home.logs, logName, file, options, apply);
    if (recovered.tornName !== null) {
      home.logger.warn(
        `The log of namespace "${name}" ended in ${recovered.tornBytes} bytes that were never acknowledged; they are kept in ${recovered.tornName}.`,
        { namespace: name, bytes: recovered.tornBytes, keptIn: recovered.tornName },
      );
    }
    const recovery = { ran: true, truncated: recovered.tornBytes > 0, replayedEntries: recovered.frames };
    return { log: new Log(file, recovered.position, { crc32, onFailure }), recovery };
  } catch (error) {
    await file.close().catch(() => {}); // the first error is the one to report
    throw error;
  }
}

/** Applies one logged transaction and checks that it hands out the ids it once did. */
function replay(core: Core, graph: number, payload: Uint8Array, sequence: number): void {
  const applied = core.applyBytes(graph, payload, false);
  if (!applied.ok) {
    const cause = Object.entries(CoreStatus).find(([, status]) => status === applied.status)?.[0] ?? applied.status;
    throw new ReplayRefused(`The core refuses the logged transaction with sequence ${sequence}: ${cause}.`);
  }
  const words = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const creates = words.getUint32(createCountAt, true);
  if (creates > 0 && words.getInt32(firstIdAt, true) !== applied.firstId) {
    throw new ReplayRefused(
      `The logged transaction with sequence ${sequence} began at id ${words.getInt32(firstIdAt, true)}, now at ${applied.firstId}.`,
    );
  }
}

function newEpoch(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** One line for an operator: what kept a namespace from loading. */
export function reasonOf(error: unknown): string {
  if (error instanceof LogCorruption || error instanceof ReplayRefused) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
