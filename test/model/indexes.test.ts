// Random writes of a graph and its indexes through the engine against the naive model: every answer, the inventory, every scan of what was
// touched, with allocations that fail now and then; and the same indexes again from the log, and from a checkpoint that was written
// while writes went on. INDEXES_SEED repeats a run, INDEXES_STEPS makes it longer.

import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import type { WriteOperation } from '../../src/core/requests.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { TypeId } from '../../src/core/values.ts';
import { ChangeFeed } from '../../src/engine/feed/feed.ts';
import type { IndexSet, IndexWrite } from '../../src/engine/indexes/types.ts';
import { LiveGraph } from '../../src/engine/live-graph.ts';
import { type NamespaceHome, openNamespace } from '../../src/engine/open-namespace.ts';
import type { GraphEngine, ResultType } from '../../src/engine/types.ts';
import { MemoryCheckpointStore, MemoryLogStore } from '../../src/storage/memory-store.ts';
import { pick, randomFrom } from '../unit/support/reads-values.ts';
import { below, type Random, typeCount, valueText } from './engine-core-operations.ts';
import { NaiveGraph } from './naive-graph.ts';

const seed = Number(process.env.INDEXES_SEED ?? (Date.now() ^ 0x1de) >>> 0);
const steps = Number(process.env.INDEXES_STEPS ?? 700);
const pluginTypes = ['DictionaryIndex', 'SingleValueIndex', 'RangeIndex', 'RegExIndex'];
const names = ['a', 'b', 'ünï', 'd'];
const labels = [null, 'person', 'city'];
const properties = ['name', 'name:de', 'age'];
const resultTypes: readonly ResultType[] = ['Vertices', 'Edges', 'Both'];
const text = (bytes: readonly Uint8Array[] | null): string | null =>
  bytes === null ? null : Buffer.concat(bytes).toString('utf8');

const files = { release: 'core.plain.wasm', debug: 'debug/core.plain.wasm' } as const;
const cores: Core[] = [];

function homeOf(build: keyof typeof files, logs: MemoryLogStore): NamespaceHome {
  const module = new WebAssembly.Module(readFileSync(new URL(`../../dist/wasm/${files[build]}`, import.meta.url)));
  return {
    newCore: () => {
      const core = new Core({ module, shared: false }, new MemoryPool({ shared: false }), 1 << 28);
      cores.push(core);
      return core;
    },
    logs,
    logger: { info: () => {}, warn: () => {}, error: (message, fields) => console.error(message, fields) },
    clock: { nowMs: () => 1_760_000_000_000 },
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

class Pair {
  readonly model = new NaiveGraph(() => 1_760_000_000);
  readonly random: Random;
  live: LiveGraph;
  saves = 0;

  constructor(random: Random, live: LiveGraph) {
    this.random = random;
    this.live = live;
  }

  key(): { type: TypeId; text: string } {
    const few = below(this.random, 3) > 0;
    const type = (
      few ? pick([TypeId.int32, TypeId.string, TypeId.double], this.random) : 1 + below(this.random, typeCount)
    ) as TypeId;
    if (!few) return { type, text: valueText(type, this.random) };
    return {
      type,
      text: type === TypeId.string ? `Key ${below(this.random, 12)}` : String(below(this.random, 12) - 4),
    };
  }

  id(): number {
    return below(this.random, this.model.nextId + 2);
  }

  graphWrite(): WriteOperation[] {
    const choice = below(this.random, 40);
    if (choice === 0) return [{ kind: 'trim' }];
    if (choice === 1 && below(this.random, 4) === 0) return [{ kind: 'erase' }];
    const count = 1 + below(this.random, 6);
    return Array.from({ length: count }, (): WriteOperation => {
      const label = pick(labels, this.random);
      const key = pick(properties, this.random);
      switch (below(this.random, 6)) {
        case 0:
          return { kind: 'removeElement', element: this.id(), skipRemoved: true };
        case 1:
          return { kind: 'setProperty', element: this.id(), key, ...this.key() };
        case 2: {
          const [source, target] = [this.id(), this.id()];
          return {
            kind: 'createEdge',
            creationDate: 1,
            source,
            target,
            edgeType: 'e',
            label,
            properties: [{ key, ...this.key() }],
          };
        }
        default:
          return { kind: 'createVertex', creationDate: 1, label, properties: [{ key, ...this.key() }] };
      }
    });
  }

  /** One write of both; the engine may run out of memory at some allocation, the model then skips it. */
  async step(): Promise<void> {
    const { random, live, model } = this;
    const index = pick(names, random);
    const [element, key] = [this.id(), this.key()];
    const failAfter = below(random, 4) === 0 ? 1 + below(random, 12) : 0;
    const core = cores.at(-1) as Core;
    const faulty = <T>(run: () => T): T => {
      core.instance.exports.failAfter(failAfter);
      try {
        return run();
      } finally {
        core.instance.exports.failAfter(0);
      }
    };
    const indexWrite = (run: (graph: GraphEngine) => IndexWrite | null): void => {
      const outcome = faulty(() => run(live));
      if (
        outcome !== null &&
        outcome !== false &&
        !outcome.ok &&
        outcome.status === CoreStatus.noMemory &&
        failAfter > 0
      )
        return;
      expect(plain(outcome)).toEqual(plain(run(model)));
    };
    switch (below(random, 12)) {
      case 0:
        return indexWrite((graph) => graph.indexes.create(index, typeFor(index), new Map(), true));
      case 1:
        return below(random, 3) === 0 ? indexWrite((graph) => graph.indexes.drop(index)) : undefined;
      case 2:
        return indexWrite((graph) => graph.indexes.removeElement(index, element));
      case 3:
        return indexWrite((graph) => graph.indexes.removeKey(index, key.type, key.text));
      case 4: {
        const request = {
          index,
          property: pick(['name', 'age', 'na', ''], random),
          prefix: below(random, 2) === 0,
          replace: below(random, 3) === 0,
          label: pick(labels, random),
        };
        expect(await live.indexes.backfill(request)).toEqual(await model.indexes.backfill(request));
        return;
      }
      case 5:
      case 6:
      case 7: {
        const operations = this.graphWrite();
        const outcome = faulty(() => live.write(operations));
        if (!outcome.ok && outcome.status === CoreStatus.noMemory && failAfter > 0) return;
        const expected = model.write(operations);
        expect(outcome.ok, JSON.stringify(operations)).toBe(expected.ok);
        return;
      }
      default:
        return indexWrite((graph) => graph.indexes.add(index, element, key.type, key.text));
    }
  }

  async compare(): Promise<void> {
    const { random, live, model } = this;
    expect(live.indexes.list()).toEqual(model.indexes.list());
    for (const index of [...names, 'none']) {
      const [key, other] = [this.key(), this.key()];
      const resultType = pick(resultTypes, random);
      const scan = { index, operator: below(random, 7), ...key, label: pick(labels, random), resultType };
      expect(text(await live.indexes.scan(scan)), JSON.stringify(scan)).toBe(text(await model.indexes.scan(scan)));
      const expression = pick(['key 1', 'KEY \\d+', 'e', '^Key [12]$', '(?:1|2)$', 'nothing', '.', 'é'], random);
      const sorted = (blocks: Awaited<ReturnType<IndexSet['fulltext']>>) => {
        const answer = JSON.parse(text(blocks) ?? 'null');
        for (const hit of answer?.elements ?? []) hit.highlights.sort();
        return answer;
      };
      expect(sorted(await live.indexes.fulltext(index, expression, 10_000)), expression).toEqual(
        sorted(await model.indexes.fulltext(index, expression)),
      );
      const [includeLeft, includeRight] = [below(random, 2) === 0, below(random, 2) === 0];
      const right = other.type === key.type ? other.text : key.text;
      const range = { index, type: key.type, left: key.text, right, includeLeft, includeRight, resultType };
      expect(text(await live.indexes.scanRange(range)), JSON.stringify(range)).toBe(
        text(await model.indexes.scanRange(range)),
      );
    }
  }

  /** Every pair of every index, by way of scans for what differs from something that is not there. */
  async compareAll(): Promise<void> {
    for (const index of names) {
      const scan = {
        index,
        operator: 5,
        type: TypeId.string,
        text: 'nothing is called this',
        label: null,
        resultType: 'Both',
      } as const;
      expect(text(await this.live.indexes.scan(scan))).toBe(text(await this.model.indexes.scan(scan)));
    }
    for (let i = 0; i < 20; i++) await this.compare();
  }
}

const typeFor = (name: string): string => pluginTypes[names.indexOf(name)] as string;

function plain(outcome: IndexWrite | null): unknown {
  return outcome === null || outcome === false ? outcome : outcome.ok ? true : outcome.status;
}

afterEach(() => {
  for (const core of cores.splice(0)) core.dispose();
});

describe.each(['release', 'debug'] as const)(`indexes (%s, seed ${seed})`, (build) => {
  it('are those of the model, also from the log and from checkpoints', async () => {
    const logs = new MemoryLogStore();
    const checkpoints = new MemoryCheckpointStore();
    const home = homeOf(build, logs);
    const id = 'ns-20260101-000000-0001';
    const feed = new ChangeFeed({
      ...{ enabled: false, bufferSize: 1, subscriberQueueSize: 1, maxSubscribers: 1, keepAliveSeconds: 1 },
      clock: home.clock,
    });
    const random = randomFrom(seed);
    const pair = new Pair(random, new LiveGraph(await openNamespace(home, id, 'n'), feed, home.clock.nowMs));
    let start: Parameters<typeof openNamespace>[3];
    for (let step = 0; step < steps; step++) {
      await pair.step();
      await pair.compare();
      if (step % 70 !== 69) continue;
      if (step % 140 === 139) {
        const name = `save-${step}`;
        const options = { store: checkpoints, name, partitions: 2, engineVersion: '0.1.0', nowMs: 0 };
        const saving = pair.live.saveCheckpoint(options);
        for (let i = 0; i < 25; i++) await pair.step();
        await saving;
        start = { store: checkpoints, name, log: 'continue' };
      }
      await (pair.live as unknown as { engine: { dispose(): Promise<void> } }).engine.dispose();
      cores.splice(0);
      pair.live = new LiveGraph(await openNamespace(home, id, 'n', start), feed, home.clock.nowMs);
      await pair.compareAll();
    }
  });
});
