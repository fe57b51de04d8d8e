// A graph that stays in service while another engine takes the place of its own: what becomes of reads, writes and imports.

import { describe, expect, it } from 'vitest';
import type { PreparedNamespace } from '../../src/engine/checkpoint/types.ts';
import { ChangeFeed } from '../../src/engine/feed/feed.ts';
import { LiveGraph } from '../../src/engine/live-graph.ts';
import type { NamespaceEngine } from '../../src/engine/namespace-engine.ts';
import type { WriteOutcome } from '../../src/engine/types.ts';
import { vertex } from './engine-support.ts';

/** As much of an engine as a change of engines concerns. */
class FakeEngine {
  readonly calls: string[] = [];
  serve = (): void => {};
  readonly telemetry = { watch: (): void => {} };
  readonly commits = { tailBegins: (): void => {}, publisher: null };
  readonly core = { finishStepped: (): void => {} };
  vertexCount: number;
  closed = false;
  readonly durability = { walEnabled: true, degraded: false };
  private readonly shift: number;

  constructor(vertices: number, shift = 0) {
    this.vertexCount = vertices;
    this.shift = shift;
  }

  write(operations: readonly unknown[]): WriteOutcome {
    const firstId = this.vertexCount + this.shift;
    this.vertexCount += operations.length;
    return { ok: true, firstId, createCount: operations.length, durable: Promise.resolve(!this.closed) };
  }

  async stopImports(): Promise<void> {
    this.calls.push('stopImports');
  }

  async close(): Promise<void> {
    this.calls.push('close');
    this.closed = true;
  }

  async retire(): Promise<void> {
    this.calls.push('retire');
  }

  async dispose(): Promise<void> {
    this.calls.push('dispose');
  }

  async importLines(): Promise<string> {
    return `imported into ${this.vertexCount}`;
  }

  get real(): NamespaceEngine {
    return this as unknown as NamespaceEngine;
  }
}

/** A prepared engine that takes over when it is told to. */
function deferred(): { prepared: PreparedNamespace<NamespaceEngine>; end(engine: FakeEngine | Error): void } {
  let end = (_: FakeEngine | Error): void => {};
  const finished = new Promise<NamespaceEngine>((resolve, reject) => {
    end = (engine) => (engine instanceof Error ? reject(engine) : resolve(engine.real));
  });
  return { prepared: { finish: () => finished, abandon: () => {} }, end: (engine) => end(engine) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const impossible = async (): Promise<NamespaceEngine> => {
  throw new Error('not even this');
};

/** A graph whose feed has nobody to tell. */
function liveGraph(engine: NamespaceEngine, enabled = false): LiveGraph {
  const limits = { bufferSize: 1, subscriberQueueSize: 1, maxSubscribers: 1, keepAliveSeconds: 1 };
  const feed = new ChangeFeed({ enabled, clock: { nowMs: () => 0 }, ...limits });
  return new LiveGraph(engine, feed, () => 0);
}

describe('a change of engines', () => {
  it('makes writes again that fell into it when the log goes on, with their ids', async () => {
    const [old, next] = [new FakeEngine(2), new FakeEngine(2)];
    const graph = liveGraph(old.real, true);
    const { prepared, end } = deferred();
    const replacing = graph.replace({ prepared, log: 'continue', reopen: impossible });
    const write = graph.write([vertex('a'), vertex('b')]);
    expect(write).toMatchObject({ ok: true, firstId: 2, createCount: 2 });
    let durable: boolean | null = null;
    const settled = (value: boolean): void => {
      durable = value;
    };
    if (write.ok) void write.durable.then(settled);
    await turn();
    expect(old.calls).toEqual(['stopImports', 'close']);
    expect(durable).toBeNull();
    end(next);
    await replacing;
    await turn();
    expect(durable).toBe(true);
    expect(next.vertexCount).toBe(4);
    expect(graph.vertexCount).toBe(4);
    expect(graph.write([vertex()])).toMatchObject({ firstId: 4 });
    expect(old.calls).toEqual(['stopImports', 'close', 'retire']);
    expect(graph.changeFeed.newest).toBe(1);
  });

  it('says that a write is not durable when it cannot be made again as it was', async () => {
    const graph = liveGraph(new FakeEngine(2).real);
    const { prepared, end } = deferred();
    const replacing = graph.replace({ prepared, log: 'continue', reopen: impossible });
    const write = graph.write([vertex()]);
    end(new FakeEngine(2, 7));
    await replacing;
    expect(write.ok && (await write.durable)).toBe(false);
  });

  it('discards such writes when the log begins anew', async () => {
    const next = new FakeEngine(1);
    const graph = liveGraph(new FakeEngine(2).real);
    const { prepared, end } = deferred();
    const replacing = graph.replace({ prepared, log: 'restart', reopen: impossible });
    const write = graph.write([vertex()]);
    end(next);
    await replacing;
    expect(write.ok && (await write.durable)).toBe(true);
    expect(graph.vertexCount).toBe(1);
  });

  it('that fails opens what is on disk', async () => {
    const [old, reopened] = [new FakeEngine(2), new FakeEngine(2)];
    const graph = liveGraph(old.real);
    const { prepared, end } = deferred();
    const replacing = graph.replace({ prepared, log: 'restart', reopen: async () => reopened.real });
    const write = graph.write([vertex()]);
    end(new Error('no'));
    await expect(replacing).rejects.toThrow('no');
    expect(write.ok && (await write.durable)).toBe(true);
    expect(graph.vertexCount).toBe(3);
    expect(reopened.vertexCount).toBe(3);
    expect(graph.durability.degraded).toBe(false);
  });

  it('that leaves nothing to open stays in memory, and says so', async () => {
    const old = new FakeEngine(2);
    const graph = liveGraph(old.real);
    const { prepared, end } = deferred();
    const replacing = graph.replace({ prepared, log: 'continue', reopen: impossible });
    const write = graph.write([vertex()]);
    end(new Error('no'));
    await expect(replacing).rejects.toThrow('no');
    expect(write.ok && (await write.durable)).toBe(false);
    expect(graph.vertexCount).toBe(3);
    expect(graph.durability.degraded).toBe(true);
    expect(old.calls).not.toContain('retire');
  });

  it('holds imports back until it is over', async () => {
    const graph = liveGraph(new FakeEngine(2).real);
    const { prepared, end } = deferred();
    const replacing = graph.replace({ prepared, log: 'continue', reopen: impossible });
    const body = (async function* () {})();
    const imported = graph.importLines(body, { batchSize: 1, maxLineBytes: 1, maxBodyBytes: null });
    await turn();
    end(new FakeEngine(5));
    await replacing;
    expect(await imported).toBe('imported into 5');
  });
});
