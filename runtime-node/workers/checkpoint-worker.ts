// The entry of a checkpoint thread: reads a graph through a core of its own, block by block, and writes the partition files. It holds
// back retired memory for one block at a time only. A block during which the writer took something back is read again.

import { parentPort } from 'node:worker_threads';
import * as zlib from 'node:zlib';
import { type Block, writeBlock } from '../../src/core/checkpoint.ts';
import { CoreReader, type ReaderArena } from '../../src/core/reader.ts';
import { ScanGate } from '../../src/engine/checkpoint/gate.ts';
import { scanPartitions } from '../../src/engine/checkpoint/scan.ts';
import { crc32With, type NativeCrc32 } from '../../src/engine/log/crc32.ts';
import { FileCheckpointStore } from '../storage/checkpoint-store.ts';
import type { FromThread, ScanRequest, ToThread } from './checkpoint-messages.ts';

/** How often a block is read again before the writer has to stand still for it. */
const triesPerBlock = 200;

if (parentPort === null) throw new Error('This is the entry of a worker thread.');
const port = parentPort;
const crc32 = crc32With((zlib as unknown as { crc32?: NativeCrc32 }).crc32);
let granted: ((arena: ReaderArena | null) => void) | null = null;

port.on('message', (message: ToThread) => {
  if (message.kind === 'arena') granted?.(message.arena);
  else void scan(message);
});

function say(message: FromThread): void {
  port.postMessage(message);
}

async function scan(request: ScanRequest): Promise<void> {
  const { plan, binary, memory, gate, directory } = request;
  const reading = new Reading(new CoreReader(binary, memory, request.arena), request, new ScanGate({ buffer: gate }));
  try {
    const store = new FileCheckpointStore({ directory });
    const result = await scanPartitions(plan, store, crc32, (from, to) => reading.next(from, to));
    reading.end();
    say({ kind: 'done', result });
  } catch (error) {
    reading.end();
    say({ kind: 'failed', error: error instanceof Error ? error.message : String(error) });
  }
}

class Reading {
  private reader: CoreReader;
  private readonly request: ScanRequest;
  private readonly gate: ScanGate;

  constructor(reader: CoreReader, request: ScanRequest, gate: ScanGate) {
    this.reader = reader;
    this.request = request;
    this.gate = gate;
  }

  async next(from: number, to: number): Promise<Block | 'replaced' | 'unsettled'> {
    for (let tries = 0; tries < triesPerBlock; tries++) {
      if (this.gate.isStopped || this.gate.isReplaced) return 'replaced';
      if (this.reader.slot < 0 && !this.attach()) return 'unsettled';
      const undone = this.gate.undone;
      const { instance } = this.reader;
      const block = this.reader.announced(() => writeBlock(instance, this.request.plan.graph, from, to));
      if (typeof block === 'number') {
        if (!(await this.widen(instance.exports.arenaNeed() >>> 0))) return 'unsettled';
        continue;
      }
      this.gate.settle();
      if (this.gate.undone === undone) return this.gate.isReplaced ? 'replaced' : block;
    }
    return 'unsettled';
  }

  end(): void {
    this.reader.detach();
    say({ kind: 'slot', slot: -1 });
  }

  private attach(): boolean {
    const attached = this.reader.attach();
    say({ kind: 'slot', slot: this.reader.slot });
    return attached;
  }

  /** Another arena in the place of the present one. */
  private async widen(bytes: number): Promise<boolean> {
    this.end();
    const arena = await new Promise<ReaderArena | null>((resolve) => {
      granted = resolve;
      say({ kind: 'wants', bytes });
    });
    if (arena === null) return false;
    this.reader = new CoreReader(this.request.binary, this.request.memory, arena);
    return true;
  }
}
