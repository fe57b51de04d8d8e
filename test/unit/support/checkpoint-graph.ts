// Random graphs for the checkpoint tests: transactions with values of every type over whatever ids there are, and dumps that compare.

import type { Core } from '../../../src/core/core.ts';
import { randomFrom } from '../../durability/choices.ts';
import { type Build, type Dump, type Exports, GraphCore } from './graph-core.ts';
import { type Properties, Transaction, type Value, value } from './transaction.ts';

export const checkpointBuilds = ['checkpoint', 'checkpoint.debug'] as unknown as readonly Build[];

/** The dump with groups in one order, since loading may change that of an edge type. */
export function orderedDump(core: GraphCore): Dump {
  const dump = core.dump();
  for (const element of Object.values(dump.elements)) {
    element.out?.sort(([a], [b]) => (a < b ? -1 : 1));
    element.in?.sort(([a], [b]) => (a < b ? -1 : 1));
  }
  return dump;
}

/** Null when both are equal, else the first difference: a large dump is too much for a matcher to print. */
export function difference(got: Dump, wanted: Dump): string | null {
  const { elements: a, ...counts } = got;
  const { elements: b, ...wantedCounts } = wanted;
  if (JSON.stringify(counts) !== JSON.stringify(wantedCounts)) {
    return `${JSON.stringify(counts)} instead of ${JSON.stringify(wantedCounts)}`;
  }
  for (const id of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [one, other] = [a[Number(id)], b[Number(id)]].map((element) => canonical(element));
    if (one !== other) return `element ${id}: ${one?.slice(0, 2000)} instead of ${other?.slice(0, 2000)}`;
  }
  return null;
}

function canonical(element: Dump['elements'][number] | undefined): string {
  if (element === undefined) return 'none';
  const properties = Object.entries(element.properties).sort(([x], [y]) => (x < y ? -1 : 1));
  return JSON.stringify({ ...element, properties });
}

/** The same of a graph in a host's core. */
export function dumpOf(core: Core, graph: number): Dump {
  const { memory, exports } = core.instance;
  const reading = Object.assign(Object.create(GraphCore.prototype) as GraphCore, {
    memory,
    graph,
    exports: { internAddress: (id: number) => exports.internText(id) - 16 } as unknown as Exports,
    view: new DataView(memory.buffer),
    bytes: new Uint8Array(memory.buffer),
  });
  return orderedDump(reading);
}

export class RandomWrites {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** A value of any type. */
  value(): Value {
    const type = 1 + this.below(19);
    const fixed = (number: bigint): Value => ({ type, bytes: new Uint8Array(new BigInt64Array([number]).buffer) });
    if (type === 1) return value.string(this.text());
    if (type === 19) return value.singles(...Array.from({ length: this.below(9) }, () => this.next()));
    if (type === 13 || type === 16 || type === 18) return { ...value.guid(this.below(1000)), type };
    if (type === 2) return fixed(BigInt(this.below(2)));
    if (type === 11) return fixed(BigInt(this.below(2 ** 32)));
    if (type >= 3 && type <= 8) return fixed(BigInt(this.below(120)) * (type % 2 === 0 && type !== 6 ? -1n : 1n));
    return fixed(BigInt.asIntN(64, (BigInt(this.below(2 ** 32)) << 32n) | BigInt(this.below(2 ** 32))));
  }

  private text(): string {
    const length = this.below(4) === 0 ? this.below(200) : this.below(12);
    const letters = this.below(3) === 0 ? 'aé€😀z' : 'abcdef';
    return Array.from({ length }, () => [...letters][this.below([...letters].length)]).join('');
  }

  properties(keys = 6): Properties {
    const properties: Properties = {};
    for (let i = this.below(keys); i > 0; i--) properties[`key${this.below(12)}`] = this.value();
    return properties;
  }

  /** A transaction that succeeds when it is the next one applied to the graph that `alive` describes. */
  transaction(alive: Alive, operations: number, time: number): Transaction {
    const transaction = new Transaction(time);
    for (let i = 0; i < operations; i++) {
      const choice = this.below(20);
      const label = this.below(3) === 0 ? null : `label${this.below(5)}`;
      const creation = this.below(4) === 0 ? this.below(2 ** 31) : 1_700_000_000;
      if (choice < 5 || alive.vertices.length < 4) {
        transaction.vertex({ label, creation, properties: this.properties() });
        alive.vertices.push(alive.nextId + transaction.creates - 1);
      } else if (choice < 12) {
        const ends = [this.vertex(alive, true), this.vertex(alive, false)] as const;
        const fields = { label, creation, properties: this.below(2) === 0 ? {} : this.properties(3) };
        const reference = (id: number) => (id < alive.nextId ? id : { created: id - alive.nextId });
        transaction.edge(reference(ends[0]), reference(ends[1]), `type${this.below(4) ** 2}`, fields);
        alive.edges.set(alive.nextId + transaction.creates - 1, ends);
        alive.edgeIds.push(alive.nextId + transaction.creates - 1);
      } else {
        const id = this.existing(alive);
        if (choice < 18) transaction.set(id, `key${this.below(12)}`, this.value());
        else transaction.unset(id, `key${this.below(12)}`);
      }
    }
    alive.nextId += transaction.creates;
    if (this.below(3) === 0) this.removals(alive, transaction);
    return transaction;
  }

  private vertex(alive: Alive, hub: boolean): number {
    return alive.vertices[hub && this.below(3) === 0 ? 0 : this.below(alive.vertices.length)] as number;
  }

  /** An id that stands in the graph already, not one of the transaction being made. */
  private existing(alive: Alive): number {
    const id = this.below(2) === 0 ? alive.vertices[this.below(alive.vertices.length)] : this.edge(alive);
    return id === undefined || id >= alive.nextId ? (alive.first ?? 0) : id;
  }

  /** A live edge, if one is found quickly. */
  private edge(alive: Alive): number | undefined {
    for (let tries = 0; tries < 10; tries++) {
      const id = alive.edgeIds[this.below(alive.edgeIds.length)];
      if (id !== undefined && alive.edges.has(id)) return id;
    }
    return undefined;
  }

  private removals(alive: Alive, transaction: Transaction): void {
    for (let i = this.below(4); i > 0; i--) {
      const edge = this.edge(alive);
      if (edge === undefined) break;
      transaction.remove(edge);
      alive.edges.delete(edge);
    }
    // The first vertex stays: it is what property writes fall back to.
    if (this.below(3) > 0 || alive.vertices.length < 8) return;
    const [vertex] = alive.vertices.splice(1 + this.below(alive.vertices.length - 1), 1);
    transaction.remove(vertex as number);
    for (const [id, ends] of alive.edges) if (ends.includes(vertex as number)) alive.edges.delete(id);
  }
}

/** What is in a graph, as far as making the next transaction takes it. */
export class Alive {
  readonly vertices: number[] = [];
  readonly edges = new Map<number, readonly [number, number]>();
  /** Ids of edges, those removed since included. */
  readonly edgeIds: number[] = [];
  nextId = 0;

  get first(): number | undefined {
    return this.vertices[0];
  }
}
