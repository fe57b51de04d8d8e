// What plugins have of .NET beside the library of fragments: a stopwatch, a stack and a heap.

import type { Type } from '../types.ts';
import { invalidOperation } from './exceptions.ts';
import { allocate, charge } from './machine.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';
import { TimeSpanValue, TupleValue } from './structs.ts';
import { ListObject, type Value } from './values.ts';

const STOPWATCH: Type = { kind: 'named', name: 'Stopwatch', arguments: [] };
const ticksPerMs = 10_000;

export class StopwatchObject {
  readonly type = runtimeType(STOPWATCH);
  private beganMs: number | null = null;
  private passedMs = 0;

  get isRunning(): boolean {
    return this.beganMs !== null;
  }

  get elapsedMs(): number {
    return this.passedMs + (this.beganMs === null ? 0 : performance.now() - this.beganMs);
  }

  get elapsed(): TimeSpanValue {
    return new TimeSpanValue(BigInt(Math.round(this.elapsedMs * ticksPerMs)));
  }

  start(): this {
    this.beganMs ??= performance.now();
    return this;
  }

  stop(): void {
    this.passedMs = this.elapsedMs;
    this.beganMs = null;
  }

  reset(): void {
    this.passedMs = 0;
    this.beganMs = null;
  }
}

/** The newest one first. */
export class StackObject extends ListObject {
  override *cursor(): Generator<Value> {
    const { version } = this;
    for (let at = this.items.length - 1; at >= 0; at--) {
      charge(1);
      yield this.items[at];
      if (this.version !== version) invalidOperation('Collection was modified; enumeration operation may not execute.');
    }
  }
}

/** A heap of four children a node, as .NET's: elements of equal priority come out in the same order as there. */
export class PriorityQueueObject {
  readonly type: RuntimeType;
  private readonly compare: (left: Value, right: Value) => number;
  private nodes: (readonly [element: Value, priority: Value])[] = [];

  constructor(type: RuntimeType, compare: (left: Value, right: Value) => number) {
    this.type = type;
    this.compare = compare;
  }

  get length(): number {
    return this.nodes.length;
  }

  get first(): readonly [element: Value, priority: Value] | undefined {
    return this.nodes[0];
  }

  /** Elements with their priorities, as they lie in the heap. */
  get pairs(): TupleValue[] {
    allocate(48 * this.nodes.length);
    return this.nodes.map((node) => new TupleValue([...node]));
  }

  clear(): void {
    this.nodes = [];
  }

  add(element: Value, priority: Value): void {
    allocate(48);
    const { nodes } = this;
    const node = [element, priority] as const;
    let at = nodes.length;
    nodes.push(node);
    while (at > 0) {
      charge(1);
      const parent = (at - 1) >> 2;
      const above = nodes[parent] as readonly [Value, Value];
      if (this.compare(priority, above[1]) >= 0) break;
      nodes[at] = above;
      at = parent;
    }
    nodes[at] = node;
  }

  take(): readonly [element: Value, priority: Value] | undefined {
    const { nodes } = this;
    const first = nodes[0];
    const last = nodes.pop();
    if (last === undefined || nodes.length === 0) return first;
    let at = 0;
    for (let child = 1; child < nodes.length; child = 4 * at + 1) {
      charge(1);
      let least = child;
      for (let other = child + 1; other < Math.min(child + 4, nodes.length); other++) {
        if (this.compare((nodes[other] as readonly Value[])[1], (nodes[least] as readonly Value[])[1]) < 0)
          least = other;
      }
      const below = nodes[least] as readonly [Value, Value];
      if (this.compare(last[1], below[1]) <= 0) break;
      nodes[at] = below;
      at = least;
    }
    nodes[at] = last;
    return first;
  }
}
