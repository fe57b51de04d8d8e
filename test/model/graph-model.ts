// A graph as plain maps, written without looking at the core: what a sequence of transactions must lead to. Failing
// transactions leave it as it was. Also makes up random transactions.

import type { Dump, DumpedElement } from '../unit/support/graph-core.ts';
import {
  type Properties,
  type Reference,
  Transaction,
  type Value,
  value,
  valueKey,
} from '../unit/support/transaction.ts';

export type Operation =
  | { op: 'vertex'; label?: string | null; creation?: number; properties?: Properties }
  | {
      op: 'edge';
      source: Reference;
      target: Reference;
      type: string;
      label?: string | null;
      creation?: number;
      properties?: Properties;
    }
  | { op: 'set'; id: number; key: string; value: Value }
  | { op: 'unset'; id: number; key: string }
  | { op: 'remove'; id: number; skips: boolean }
  | { op: 'erase' }
  | { op: 'trim' };

export interface Step {
  time: number;
  operations: Operation[];
}

export function encode({ time, operations }: Step): Transaction {
  const transaction = new Transaction(time);
  for (const one of operations) {
    if (one.op === 'vertex') transaction.vertex(one);
    else if (one.op === 'edge') transaction.edge(one.source, one.target, one.type, one);
    else if (one.op === 'set') transaction.set(one.id, one.key, one.value);
    else if (one.op === 'unset') transaction.unset(one.id, one.key);
    else if (one.op === 'remove') transaction.remove(one.id, one.skips);
    else if (one.op === 'erase') transaction.erase();
    else transaction.trim();
  }
  return transaction;
}

class Missing extends Error {}

interface Element {
  kind: 'vertex' | 'edge';
  label: string | null;
  creation: number;
  modification: number;
  properties: Map<string, string>;
  source: number;
  target: number;
  type: string;
  out: Map<string, Set<number>>;
  in: Map<string, Set<number>>;
}

export class GraphModel {
  elements = new Map<number, Element>();
  nextId = 0;

  /** True when the step was carried out; else nothing changed. */
  apply(step: Step): boolean {
    const [elements, nextId] = [structuredClone(this.elements), this.nextId];
    try {
      const firstId = this.nextId;
      for (const operation of step.operations) this.#operate(operation, step.time, firstId);
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      this.elements = elements;
      this.nextId = nextId;
      return false;
    }
    for (const { out, in: into } of this.elements.values()) {
      for (const groups of [out, into]) {
        for (const [type, edges] of groups) if (edges.size === 0) groups.delete(type);
      }
    }
    return true;
  }

  dump(): Dump {
    const elements: Record<number, DumpedElement> = {};
    for (const [id, one] of [...this.elements].sort(([a], [b]) => a - b)) {
      const { kind, label, creation, modification, source, target, type } = one;
      const properties = Object.fromEntries([...one.properties].sort(([a], [b]) => (a < b ? -1 : 1)));
      const common = { kind, label, creation, modification, properties };
      const groups = (of: Map<string, Set<number>>): [string, number[]][] =>
        [...of].map(([name, edges]) => [name, [...edges].sort((a, b) => a - b)]);
      elements[id] =
        kind === 'vertex'
          ? { ...common, out: groups(one.out), in: groups(one.in) }
          : { ...common, source, target, type };
    }
    const count = (kind: string) => [...this.elements.values()].filter((one) => one.kind === kind).length;
    return { nextId: this.nextId, vertexCount: count('vertex'), edgeCount: count('edge'), elements };
  }

  #operate(one: Operation, time: number, firstId: number): void {
    if (one.op === 'vertex' || one.op === 'edge') this.#create(one, firstId);
    else if (one.op === 'erase') {
      this.elements.clear();
      this.nextId = 0;
    } else if (one.op === 'trim') this.#trim();
    else if (one.op === 'remove') this.#remove(one.id, one.skips);
    else {
      const element = this.#live(one.id);
      const next = one.op === 'set' ? valueKey(one.value) : undefined;
      if (element.properties.get(one.key) === next) return;
      if (next === undefined) element.properties.delete(one.key);
      else element.properties.set(one.key, next);
      element.modification = Math.max(element.modification, time);
    }
  }

  #create(one: Operation & { op: 'vertex' | 'edge' }, firstId: number): void {
    const creation = one.creation ?? 0;
    const element: Element = {
      kind: one.op,
      label: one.label ?? null,
      creation,
      modification: creation,
      properties: new Map(Object.entries(one.properties ?? {}).map(([key, of]) => [key, valueKey(of)])),
      source: 0,
      target: 0,
      type: '',
      out: new Map(),
      in: new Map(),
    };
    if (one.op === 'edge') {
      const idOf = (end: Reference) => (typeof end === 'number' ? end : firstId + end.created);
      element.source = idOf(one.source);
      element.target = idOf(one.target);
      element.type = one.type;
      for (const id of [element.source, element.target]) if (this.#live(id).kind !== 'vertex') throw new Missing();
      add(this.#live(element.source).out, one.type, this.nextId);
      add(this.#live(element.target).in, one.type, this.nextId);
    }
    this.elements.set(this.nextId++, element);
  }

  #live(id: number): Element {
    const element = this.elements.get(id);
    if (!element) throw new Missing();
    return element;
  }

  #remove(id: number, skips: boolean): void {
    if (skips && id >= 0 && id < this.nextId && !this.elements.has(id)) return;
    const element = this.#live(id);
    this.elements.delete(id);
    if (element.kind === 'edge') this.#unhang(id, element);
    else {
      for (const [edge, one] of this.elements) {
        if (one.kind !== 'edge' || (one.source !== id && one.target !== id)) continue;
        this.elements.delete(edge);
        this.#unhang(edge, one);
      }
    }
  }

  #unhang(id: number, edge: Element): void {
    this.elements.get(edge.source)?.out.get(edge.type)?.delete(id);
    this.elements.get(edge.target)?.in.get(edge.type)?.delete(id);
  }

  #trim(): void {
    const ids = new Map([...this.elements.keys()].sort((a, b) => a - b).map((old, id) => [old, id]));
    const renamed = (of: Map<string, Set<number>>) =>
      new Map([...of].map(([type, edges]) => [type, new Set([...edges].map((edge) => ids.get(edge)!))]));
    const elements = new Map<number, Element>();
    for (const [old, id] of ids) {
      const one = this.elements.get(old)!;
      const ends = one.kind === 'edge' ? { source: ids.get(one.source)!, target: ids.get(one.target)! } : {};
      elements.set(id, { ...one, ...ends, out: renamed(one.out), in: renamed(one.in) });
    }
    this.elements = elements;
    this.nextId = ids.size;
  }
}

function add(groups: Map<string, Set<number>>, type: string, edge: number): void {
  const edges = groups.get(type) ?? new Set();
  edges.add(edge);
  groups.set(type, edges);
}

// --- Random transactions ---------------------------------------------------------------------------------------------------

export interface Choices {
  /** Elements to aim at: below, more is created than removed. */
  size: number;
  types: number;
  /** One in so many transactions is an erase, or a trim; 0 = never. */
  erases: number;
  trims: number;
  /** One in so many operations names an id that may not exist. */
  mistakes: number;
}

export function randomStep(random: (below: number) => number, model: GraphModel, time: number, choices: Choices): Step {
  if (choices.erases && random(choices.erases) === 0) return { time, operations: [{ op: 'erase' }] };
  if (choices.trims && random(choices.trims) === 0) return { time, operations: [{ op: 'trim' }] };
  const ids = [...model.elements.keys()];
  const vertices = ids.filter((id) => model.elements.get(id)!.kind === 'vertex');
  const operations: Operation[] = [];
  const created: number[] = [];
  let creates = 0;
  const wild = () => random(choices.mistakes) === 0;
  const anyId = () => (wild() || ids.length === 0 ? random(model.nextId + 3) : ids[random(ids.length)]!);
  const end = (): Reference => {
    if (created.length && (random(3) === 0 || vertices.length === 0))
      return { created: created[random(created.length)]! };
    return wild() || vertices.length === 0 ? anyId() : vertices[random(vertices.length)]!;
  };
  const growing = ids.length < choices.size;
  for (let left = 1 + random(10); left > 0; left--) {
    const dice = random(100);
    const fields = { label: random(3) ? `label${random(4)}` : null, creation: random(2000), properties: some(random) };
    if (dice < (growing ? 25 : 10)) {
      operations.push({ op: 'vertex', ...fields });
      created.push(creates++);
    } else if (dice < (growing ? 70 : 30)) {
      if (created.length + vertices.length === 0) continue;
      operations.push({ op: 'edge', source: end(), target: end(), type: `type${random(choices.types)}`, ...fields });
      creates++;
    } else if (ids.length === 0) continue;
    else if (dice < 80) operations.push({ op: 'set', id: anyId(), key: `key${random(30)}`, value: someValue(random) });
    else if (dice < 88) operations.push({ op: 'unset', id: anyId(), key: `key${random(30)}` });
    else operations.push({ op: 'remove', id: anyId(), skips: random(2) === 0 });
  }
  return { time, operations };
}

function some(random: (below: number) => number): Properties {
  const properties: Properties = {};
  const count = random(4) === 0 ? random(24) : random(3);
  for (let i = 0; i < count; i++) properties[`key${random(30)}`] = someValue(random);
  return properties;
}

function someValue(random: (below: number) => number): Value {
  const kind = random(6);
  if (kind === 0) return value.string('é'.repeat(random(3)) + 'x'.repeat(random(random(8) === 0 ? 3000 : 12)));
  if (kind === 1) return value.guid(random(4));
  if (kind === 2) return value.singles(...Array.from({ length: random(5) }, () => random(3)));
  if (kind === 3) return value.boolean(random(2) === 0);
  if (kind === 4) return value.double(1 + random(3) / 2);
  return value.int32(random(5) - 2);
}
