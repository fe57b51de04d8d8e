// The thread's side of jobs: keeps a core of its own for each memory it has worked in, runs one job at a time, and answers with plain
// data. Knows neither threads nor ports: it is handed messages and posts some. On one thread the same code runs beside the caller,
// with a pause at each slice.

import type { CoreBinary } from '../../core/instance.ts';
import type { GangPlace, StopReason } from '../../core/lease.ts';
import { CoreMemoryExhausted } from '../../core/memory-exhausted.ts';
import { ArenaTooSmall, CoreReader, type ReaderArena } from '../../core/reader.ts';
import { defaultSlices, type Slices } from '../../core/slices.ts';
import { blocksAhead, type RunMessage, type ServerPort, type ToThread } from './messages.ts';
import { Rest } from './pace.ts';
import { packed } from './pack.ts';
import type { AnyJobKind, JobControl } from './types.ts';

/** Room beyond what a read said it needs, so that one that grows meanwhile need not ask again. */
const arenaMarginBytes = 65_536;

/** Ends a job that was told to stop. */
class JobStopped extends Error {
  override readonly name = 'JobStopped';
}

export class JobServer {
  private readonly port: ServerPort;
  private readonly kinds: ReadonlyMap<string, AnyJobKind>;
  private readonly pause: (() => Promise<void>) | null;
  private readonly slices: Slices;
  private binary: CoreBinary | null = null;
  private readonly readers = new Map<number, CoreReader>();
  private readonly modules = new Map<string, WebAssembly.Module>();
  private running: RunningJob | null = null;

  /** `pause`: lets other work of this thread run; null on a thread of its own. `slices`: what goes on between two pauses. */
  constructor(
    port: ServerPort,
    kinds: readonly AnyJobKind[],
    pause: (() => Promise<void>) | null = null,
    slices = defaultSlices,
  ) {
    this.port = port;
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.pause = pause;
    this.slices = slices;
  }

  receive(message: ToThread): void {
    switch (message.kind) {
      case 'start':
        this.binary = message.binary;
        return;
      case 'run':
        void this.run(message);
        return;
      case 'forget':
        for (const space of message.spaces) this.readers.delete(space);
        for (const key of message.modules) this.modules.delete(key);
        return;
      default:
        if (this.running?.job === message.job) this.running.hear(message);
    }
  }

  private async run(message: RunMessage): Promise<void> {
    const { job, lease } = message;
    let reader: CoreReader | null = null;
    try {
      for (const { key, module } of message.modules) this.modules.set(key, module);
      const kind = this.kinds.get(message.name);
      if (kind === undefined) throw new Error(`There is no kind of job named ${message.name}.`);
      reader = this.readerOf(message);
      reader.use(lease.arena, lease.slot);
      this.running = new RunningJob(message, reader, this.port, this.modules, this.pause, this.slices);
      const { value, transfer } = packed(await kind.run(reader, message.request, this.running));
      this.leave(reader);
      this.port.post({ kind: 'done', job, value }, transfer);
    } catch (error) {
      if (reader !== null) this.leave(reader);
      this.fail(message, error);
    }
  }

  private leave(reader: CoreReader): void {
    this.running = null;
    reader.giveBack();
  }

  private fail({ job, space }: RunMessage, error: unknown): void {
    if (error instanceof JobStopped) {
      this.port.post({ kind: 'failed', job, reason: 'stopped', detail: error.message }, []);
    } else if (error instanceof CoreMemoryExhausted) {
      this.port.post({ kind: 'failed', job, reason: 'memory', detail: error.message }, []);
    } else {
      // A trap may have left the instance in the middle of something.
      this.readers.delete(space);
      const detail = error instanceof Error ? (error.stack ?? String(error)) : String(error);
      this.port.post({ kind: 'failed', job, reason: 'failed', detail }, []);
    }
  }

  private readerOf({ space, memory }: RunMessage): CoreReader {
    const known = this.readers.get(space);
    if (known !== undefined) return known;
    if (this.binary === null || memory === null) throw new Error('The thread was not given what it works with.');
    const reader = new CoreReader(this.binary, memory);
    reader.instance.turns?.measureBy(this.slices);
    this.readers.set(space, reader);
    return reader;
  }
}

/** One job under way: its control, and what it waits for. */
class RunningJob implements JobControl {
  readonly job: number;
  readonly gang: GangPlace | null;
  readonly endsAtMs: number;
  readonly slices: Slices;
  private readonly message: RunMessage;
  private readonly reader: CoreReader;
  private readonly port: ServerPort;
  private readonly modules: ReadonlyMap<string, WebAssembly.Module>;
  private readonly pause: (() => Promise<void>) | null;
  private notTaken = 0;
  /** Called when a block was taken, or the job told to stop. */
  private wake: (() => void) | null = null;
  private grant: ((arena: ReaderArena | null) => void) | null = null;
  private readonly rest = new Rest();

  constructor(
    message: RunMessage,
    reader: CoreReader,
    port: ServerPort,
    modules: ReadonlyMap<string, WebAssembly.Module>,
    pause: (() => Promise<void>) | null,
    slices: Slices,
  ) {
    this.job = message.job;
    this.gang = message.gang;
    this.endsAtMs = message.remainingMs === null ? Number.POSITIVE_INFINITY : performance.now() + message.remainingMs;
    this.message = message;
    this.reader = reader;
    this.port = port;
    this.modules = modules;
    this.pause = pause;
    this.slices = slices;
  }

  hear(message: ToThread): void {
    if (message.kind === 'arena') {
      this.grant?.(message.arena);
      return;
    }
    if (message.kind === 'taken') this.notTaken--;
    this.wake?.();
  }

  stopReason(): StopReason | null {
    const word = this.reader.stopWord;
    if (word === 0) return null;
    return word === 2 ? 'deadline' : 'cancelled';
  }

  async slice(): Promise<void> {
    this.checkStop();
    if (this.pause === null) {
      this.rest.take(this.reader.share);
      return;
    }
    await this.pause();
    this.checkStop();
  }

  private checkStop(): void {
    const reason = this.stopReason();
    if (reason !== null) throw new JobStopped(`The job was told to stop: ${reason}.`);
  }

  async emit(block: unknown): Promise<void> {
    this.checkStop();
    const { value, transfer } = packed(block);
    this.notTaken++;
    this.port.post({ kind: 'block', job: this.job, block: value }, transfer);
    while (this.notTaken >= blocksAhead) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.checkStop();
    }
  }

  async widen(bytes: number): Promise<void> {
    this.checkStop();
    const slot = this.message.lease.slot;
    // Always answered, also when the job has been told to stop: until then nobody knows whose the present arena is.
    const arena = await new Promise<ReaderArena | null>((resolve) => {
      this.grant = resolve;
      this.port.post({ kind: 'wants', job: this.job, bytes }, []);
    });
    if (arena === null) throw new CoreMemoryExhausted(`No memory is left for a job that needs ${bytes} bytes.`);
    this.reader.use(arena, slot);
    this.checkStop();
  }

  async fitting<T>(read: () => T | ArenaTooSmall): Promise<T> {
    while (true) {
      const answer = read();
      if (!(answer instanceof ArenaTooSmall)) return answer;
      await this.widen(answer.neededBytes + arenaMarginBytes);
    }
  }

  module(key: string): WebAssembly.Module {
    const module = this.message.keys.includes(key) ? this.modules.get(key) : undefined;
    if (module === undefined) throw new Error(`No module ${key} came with the job.`);
    return module;
  }
}
