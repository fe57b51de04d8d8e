// The namespaces of a replica: those of its source, each with a follower. One that is new there is made here, one that has gone there goes here too.

import type { Slices } from '../../core/slices.ts';
import { instruments } from '../../telemetry/instruments.ts';
import { silentEngine, type Telemetry } from '../../telemetry/telemetry.ts';
import type { KeptGraphs } from '../kept-graphs.ts';
import type { Crc32 } from '../log/crc32.ts';
import type { Clock, Logger } from '../logger.ts';
import { defaultNamespace } from '../names.ts';
import type { Namespaces } from '../namespaces.ts';
import { reasonOf } from '../open-namespace.ts';
import { Follower } from './follower.ts';
import type { LogSource } from './log-source.ts';

/** How often the source is asked which namespaces there are. */
const lookEveryMs = 1_000;

export interface FollowersParts {
  readonly engine: Namespaces;
  readonly source: LogSource;
  readonly crc32: Crc32;
  readonly slices: Slices;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Telemetry | null;
  /** Of the service before this one; those that the source has not are given back. */
  readonly kept?: KeptGraphs | undefined;
  readonly verifyEveryMs: number | null;
  readonly pauseMs: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Followed {
  readonly end: AbortController;
  readonly follower: Follower;
  readonly over: Promise<void>;
  isReady: boolean;
}

export class Followers {
  private readonly parts: FollowersParts;
  private readonly ending = new AbortController();
  private readonly byName = new Map<string, Followed>();
  private looking: Promise<void> = Promise.resolve();
  private isFailing = false;

  constructor(parts: FollowersParts) {
    this.parts = parts;
  }

  /** Resolves at once; namespaces become ready as they come. */
  start(): void {
    this.looking = this.look();
  }

  isReady(name: string): boolean {
    return this.byName.get(name)?.isReady === true;
  }

  /** Whether the graph is the state after the writer's commit that it says. */
  isWhole(name: string): boolean {
    const followed = this.byName.get(name);
    return followed?.isReady === true && followed.follower.isWhole;
  }

  async close(): Promise<void> {
    this.ending.abort(new Error('The service has stopped.'));
    await this.looking;
    await Promise.all(Array.from(this.byName.values(), ({ over }) => over));
  }

  private async look(): Promise<void> {
    const { logger, pauseMs, source } = this.parts;
    const { signal } = this.ending;
    while (!signal.aborted) {
      try {
        await this.settle(new Set(await source.namespaces(signal)));
        this.parts.kept?.dispose();
        this.isFailing = false;
      } catch (error) {
        if (signal.aborted) return;
        if (!this.isFailing) logger.warn(`The writer does not say which namespaces there are: ${reasonOf(error)}`);
        this.isFailing = true;
      }
      await pauseMs(lookEveryMs, signal);
    }
  }

  private async settle(there: ReadonlySet<string>): Promise<void> {
    const { engine } = this.parts;
    for (const [name, { end, over }] of this.byName) {
      if (there.has(name)) continue;
      end.abort(new Error('The namespace has gone.'));
      await over;
      this.byName.delete(name);
      if (name !== defaultNamespace) await engine.remove(name);
    }
    for (const name of there) {
      if (this.byName.has(name)) continue;
      const made = name === defaultNamespace || engine.named(name) !== undefined ? null : await engine.create(name);
      if (made?.ok === false) throw new Error(made.detail);
      this.follow(name);
    }
  }

  private follow(name: string): void {
    const { clock, engine, logger, telemetry, ...rest } = this.parts;
    const end = new AbortController();
    const namespace = engine.named(name);
    if (namespace === undefined) return;
    const figures = telemetry?.engine(namespace.id) ?? silentEngine;
    const where = { namespace: name };
    let isFailing = false;
    const follower = new Follower({
      ...{ ...rest, name, nowMs: () => clock.nowMs(), signal: AbortSignal.any([end.signal, this.ending.signal]) },
      replace: (start) => engine.replaceFrom(namespace, start),
      graph: () => {
        if (namespace.graph === null) throw new Error(`Namespace "${name}" has gone.`);
        return namespace.graph;
      },
      ready: () => {
        followed.isReady = true;
        logger.info(`Namespace "${name}" follows its writer.`, where);
      },
      applied: (lagMs) => {
        isFailing = false;
        figures.record(instruments.replicaLag, Math.max(0, lagMs) / 1000);
      },
      compared: (same, { sequence }) => {
        figures.add(instruments.replicaComparisons, 1, same ? 'same' : 'different');
        if (!same)
          logger.error(
            `The state of namespace "${name}" is not its writer's after commit ${sequence}: it begins anew.`,
            where,
          );
      },
      began: () => figures.add(instruments.replicaSnapshots, 1),
      failed: (error) => {
        if (!isFailing) logger.warn(`Namespace "${name}" does not follow its writer: ${reasonOf(error)}`, where);
        isFailing = true;
      },
    });
    const followed: Followed = { end, follower, over: Promise.resolve().then(() => follower.run()), isReady: false };
    this.byName.set(name, followed);
  }
}
