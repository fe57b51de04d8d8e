// The writer of the reader proof: random transactions through Core.write at full speed, and a plain record of what is there, as far
// as choosing the next transaction needs it. What elements look like is in readers-values.mjs.

import { Core } from '../../../src/core/core.ts';
import { encodeRequests, requestBound } from '../../../src/core/encode.ts';
import type { CoreBinary } from '../../../src/core/instance.ts';
import { MemoryPool } from '../../../src/core/memory-pool.ts';
import type { PropertyText, WriteOperation } from '../../../src/core/requests.ts';
import { CoreStatus } from '../../../src/core/status.ts';
import {
  Control,
  commitBase,
  countOf,
  creationBase,
  edgeTypeOf,
  fixedProperties,
  labelOf,
  propertiesAt,
  propertyAt,
} from './readers-values.mjs';

interface Ends {
  readonly source: number;
  readonly target: number;
}

interface Element {
  readonly birth: number;
  revision: number;
  /** Null for a vertex. */
  readonly ends: Ends | null;
  /** Of a vertex: its edges in both directions. */
  readonly edges: Set<number>;
}

/** Ids to choose from. */
class Bag {
  readonly items: number[] = [];
  private readonly places = new Map<number, number>();

  get size(): number {
    return this.items.length;
  }

  add(item: number): void {
    this.places.set(item, this.items.length);
    this.items.push(item);
  }

  remove(item: number): void {
    const place = this.places.get(item);
    const last = this.items.pop();
    if (place === undefined || last === undefined) return;
    this.places.delete(item);
    if (last === item) return;
    this.items[place] = last;
    this.places.set(last, place);
  }
}

const hubCount = 3;
const eraseSteps = 2500;
/** So many unused ids at a time that a thousand steps reach the ninth page of ids, which the first page directory has no room for. */
const stretchIds = 7000;
/** Transactions too long to be tried again and again. */
const atOnce: ReadonlySet<string> = new Set(['erase', 'trim', 'stretch']);
const limitBytes = 1 << 30;
/** Steps that an export stands. */
const exportSteps = 64;

export class ReadersWriter {
  readonly core: Core;
  readonly graph: number;
  readonly control: Int32Array;
  /** Transactions applied, refused for a failing allocation, and of each kind. */
  readonly counts: Record<string, number> = {};
  private readonly random: (below: number) => number;
  private elements = new Map<number, Element>();
  private vertices = new Bag();
  private edges = new Bag();
  private births = 0;
  private steps = 0;
  private transactions = 0;
  private exports = false;

  constructor(binary: CoreBinary, control: Int32Array, random: (below: number) => number) {
    this.core = new Core(binary, new MemoryPool({ shared: true }), limitBytes);
    this.graph = this.core.createGraph();
    this.control = control;
    this.random = random;
  }

  get vertexCount(): number {
    return this.vertices.size;
  }

  get edgeCount(): number {
    return this.edges.size;
  }

  /** One transaction. */
  step(): void {
    const { random } = this;
    const number = ++this.steps;
    const dice = random(10_000);
    if (this.exports && number % exportSteps === 0) this.renewExport();
    const crowded = this.vertices.size > 2500 || this.edges.size > 9000;
    if (number % eraseSteps === 0) this.erase();
    else if (number % eraseSteps < 1000 && number % 12 === 0) this.stretch();
    else if (number % eraseSteps > 1000 && number % 450 === 0) this.trim();
    else if (number % 350 === 0) this.removeHub();
    else if (number % 150 === 0) this.thinHub();
    else if (dice < 4000) this.change();
    else if (dice < 5000 || (crowded && dice < 6500)) this.removeEdges();
    else if (dice < 5400 || (crowded && dice < 7500)) this.removeVertices();
    else if (!crowded) this.grow();
    else this.change();
  }

  /** From now on there is an export that readers may take part in, every so often another one. */
  beginExports(): void {
    this.exports = true;
    this.renewExport();
  }

  endExports(): void {
    this.exports = false;
    this.endExport();
  }

  private renewExport(): void {
    this.endExport();
    const { exports } = this.core.instance;
    const token = exports.exportBegin(this.graph);
    Atomics.store(this.control, Control.exportLimit, exports.exportLimit());
    Atomics.store(this.control, Control.exporting, token);
  }

  private endExport(): void {
    const token = Atomics.exchange(this.control, Control.exporting, 0);
    if (token !== 0) this.core.instance.exports.exportEnd(token);
  }

  /** Does what `step` does until `untilMs`, in one go. */
  run(untilMs: number): void {
    while (performance.now() < untilMs) this.step();
  }

  /** False when it was refused, as any transaction may be here. */
  erase(): boolean {
    if (!this.write('erase', [{ kind: 'erase' }])) return false;
    this.elements.clear();
    this.vertices = new Bag();
    this.edges = new Bag();
    return true;
  }

  /** Removes what is left, so that nothing of the graph's contents remains. */
  removeAll(): void {
    while (this.vertices.size > 0) {
      this.remove('remove all', this.vertices.items.slice(0, 50), false);
    }
  }

  private trim(): void {
    if (!this.write('trim', [{ kind: 'trim' }])) return;
    const survivors = [...this.elements].sort(([a], [b]) => a - b);
    const places = new Map(survivors.map(([id], place) => [id, place]));
    const placeOf = (id: number): number => places.get(id) as number;
    this.elements = new Map();
    this.vertices = new Bag();
    this.edges = new Bag();
    for (const [id, { birth, revision, ends, edges }] of survivors) {
      const moved = ends && { source: placeOf(ends.source), target: placeOf(ends.target) };
      this.elements.set(placeOf(id), { birth, revision, ends: moved, edges: new Set([...edges].map(placeOf)) });
      (ends === null ? this.vertices : this.edges).add(placeOf(id));
    }
  }

  /** New vertices, and edges between those and old ones; hubs get a third of the edges. */
  private grow(): void {
    const { random } = this;
    const operations: WriteOperation[] = [];
    const fresh: Element[] = [];
    const next = this.core.nextId(this.graph);
    const newVertices = random(4) === 0 ? 1 + random(40) : this.vertices.size < 5 ? 5 : 0;
    const births = new Map<number, number>();
    for (let i = 0; i < newVertices; i++) {
      const element: Element = { birth: ++this.births, revision: 0, ends: null, edges: new Set() };
      births.set(next + fresh.length, element.birth);
      fresh.push(element);
      operations.push(createVertex(element.birth));
    }
    const known = this.vertices.items;
    const pick = (): number => {
      const dice = random(10);
      if (dice < 3 && known.length > 0) return known[random(Math.min(hubCount, known.length))] as number;
      const place = random(known.length + newVertices);
      return place < known.length ? (known[place] as number) : next + place - known.length;
    };
    for (let i = random(60); i > 0; i--) {
      const source = pick();
      const target = random(30) === 0 ? source : pick();
      const birthOf = (id: number): number => births.get(id) ?? (this.elements.get(id) as Element).birth;
      const element: Element = { birth: ++this.births, revision: 0, ends: { source, target }, edges: new Set() };
      fresh.push(element);
      operations.push(createEdge(element.birth, source, birthOf(source), target, birthOf(target)));
    }
    // Some are changed before anyone can have seen them.
    if (fresh.length > 0 && random(8) === 0) {
      const place = random(fresh.length);
      const element = fresh[place] as Element;
      operations.push(...revise(next + place, element));
      element.revision++;
    }
    if (operations.length === 0 || !this.write('create', operations)) return;
    for (const [place, element] of fresh.entries()) this.insert(next + place, element);
  }

  private insert(id: number, element: Element): void {
    this.elements.set(id, element);
    (element.ends === null ? this.vertices : this.edges).add(id);
    if (element.ends === null) return;
    this.elements.get(element.ends.source)?.edges.add(id);
    this.elements.get(element.ends.target)?.edges.add(id);
  }

  /** Uses up ids: elements that nobody ever sees, because the transaction that makes them removes them. */
  private stretch(): void {
    const next = this.core.nextId(this.graph);
    const bare: WriteOperation = { kind: 'createVertex', creationDate: 0, label: null, properties: [] };
    const operations: WriteOperation[] = Array(stretchIds).fill(bare);
    for (let id = next; id < next + stretchIds; id++) {
      operations.push({ kind: 'removeElement', element: id, skipRemoved: false });
    }
    this.write('stretch', operations);
  }

  /** The next revision of a few elements. */
  private change(): void {
    const chosen = new Set<number>();
    for (let i = 1 + this.random(4); i > 0; i--) {
      const bag = this.random(3) === 0 ? this.edges : this.vertices;
      if (bag.size > 0)
        chosen.add(bag.items[this.random(Math.min(bag.size, this.random(4) === 0 ? 10 : 1e9))] as number);
    }
    if (chosen.size === 0) return;
    const elements = [...chosen].map((id): [number, Element] => [id, this.elements.get(id) as Element]);
    const operations = elements.flatMap(([id, element]) => revise(id, element));
    if (!this.write('change', operations)) return;
    for (const [, element] of elements) element.revision++;
  }

  private removeEdges(): void {
    const chosen = new Set<number>();
    for (let i = 1 + this.random(20); i > 0 && this.edges.size > 0; i--) {
      chosen.add(this.edges.items[this.random(this.edges.size)] as number);
    }
    this.remove('remove edges', [...chosen], false);
  }

  private removeVertices(): void {
    const chosen: number[] = [];
    for (let i = 1 + this.random(3); i > 0 && this.vertices.size > hubCount + 20; i--) {
      chosen.push(this.vertices.items[hubCount + this.random(this.vertices.size - hubCount)] as number);
    }
    // One that goes with another is skipped.
    this.remove('remove vertices', chosen, true);
  }

  private removeHub(): void {
    if (this.vertices.size > 100)
      this.remove('remove hub', [this.vertices.items[this.random(hubCount)] as number], false);
  }

  /** Most edges of a hub at once: its groups are compacted. */
  private thinHub(): void {
    const hub = this.elements.get(this.vertices.items[this.random(hubCount)] ?? -1);
    if (hub !== undefined)
      this.remove(
        'thin hub',
        [...hub.edges].filter(() => this.random(4) !== 0),
        false,
      );
  }

  private remove(what: string, ids: readonly number[], skipRemoved: boolean): void {
    const operations = ids.map((element): WriteOperation => ({ kind: 'removeElement', element, skipRemoved }));
    if (ids.length === 0 || !this.write(what, operations)) return;
    for (const id of ids) this.forget(id);
  }

  private forget(id: number): void {
    const element = this.elements.get(id);
    if (element === undefined) return;
    this.elements.delete(id);
    if (element.ends === null) {
      this.vertices.remove(id);
      for (const edge of element.edges) this.forget(edge);
      return;
    }
    this.edges.remove(id);
    this.elements.get(element.ends.source)?.edges.delete(id);
    this.elements.get(element.ends.target)?.edges.delete(id);
  }

  /**
   * Applies a transaction again and again while one of its allocations fails: most of the time it is half way there or half way
   * back. True when one try succeeded, because it did not come to the allocation that was to fail.
   */
  private waver(what: string, operations: readonly WriteOperation[]): boolean {
    const { instance } = this.core;
    const { exports } = instance;
    const address = instance.input(requestBound(operations)) as number;
    const bytes = encodeRequests(instance.bytes, instance.words, address, operations);
    const time = commitBase + ++this.transactions;
    Atomics.store(this.control, Control.transaction, this.transactions);
    if (exports.buildRequest(address, bytes, time, time * 1000) !== CoreStatus.ok) throw new Error('nothing was built');
    const from = exports.transactionBase() >>> 0;
    const transaction = instance.bytes.slice(from, from + exports.transactionBytes());
    const [first] = operations;
    if (first?.kind === 'setProperty') Atomics.store(this.control, Control.hot, first.element);
    // Within this many allocations a change is hardly done; what else there is allocates little.
    const range = Math.max(2, operations.filter(({ kind }) => kind === 'setProperty').length);
    this.begin(operations);
    let done = false;
    for (let tries = 0; tries < 200 && !done; tries++) {
      exports.failAfter(1 + this.random(range));
      done = this.core.applyBytes(this.graph, transaction, false).ok;
      exports.failAfter(0);
      this.count(done ? what : 'taken back');
    }
    this.end(operations);
    return done;
  }

  /** Tells the readers what is about to run. */
  private begin(operations: readonly WriteOperation[]): void {
    Atomics.add(this.control, Control.sequence, 1);
    if (operations[0]?.kind === 'removeElement') Atomics.add(this.control, Control.removal, 1);
  }

  private end(operations: readonly WriteOperation[]): void {
    if (operations[0]?.kind === 'removeElement') Atomics.add(this.control, Control.removal, 1);
    Atomics.add(this.control, Control.sequence, 1);
  }

  private count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** Applies one transaction; now and then one of its allocations fails, and then nothing may have changed. */
  private write(what: string, operations: readonly WriteOperation[]): boolean {
    if (!atOnce.has(what) && this.random(6) === 0 && this.waver(what, operations)) return true;
    const { exports } = this.core.instance;
    this.transactions++;
    Atomics.store(this.control, Control.transaction, this.transactions);
    this.begin(operations);
    if (this.random(25) === 0) exports.failAfter(1 + this.random(60));
    const result = this.core.write(this.graph, operations, (commitBase + this.transactions) * 1000);
    exports.failAfter(0);
    this.end(operations);
    this.count(result.ok ? what : 'taken back');
    if (!result.ok && result.status !== CoreStatus.noMemory) {
      throw new Error(`${what} is refused: ${JSON.stringify(result)}`);
    }
    return result.ok;
  }
}

function createVertex(birth: number): WriteOperation {
  const properties = [...fixedProperties(birth, null), ...propertiesAt(birth, 0, countOf(birth, false))];
  return { kind: 'createVertex', creationDate: creationBase + birth, label: labelOf(birth), properties };
}

function createEdge(
  birth: number,
  source: number,
  sourceBirth: number,
  target: number,
  targetBirth: number,
): WriteOperation {
  const ends = { sourceBirth, targetBirth };
  const properties: PropertyText[] = [...fixedProperties(birth, ends), ...propertiesAt(birth, 0, countOf(birth, true))];
  return {
    kind: 'createEdge',
    creationDate: creationBase + birth,
    source,
    target,
    edgeType: edgeTypeOf(sourceBirth, targetBirth),
    label: labelOf(birth),
    properties,
  };
}

/** The property writes that take the element to its next revision, in the order of their numbers. */
function revise(id: number, { birth, revision, ends }: Element): WriteOperation[] {
  const count = countOf(birth, ends !== null);
  return Array.from({ length: count }, (_, index): WriteOperation => {
    const property = propertyAt(birth, revision + 1, index, count);
    if (property === null) return { kind: 'removeProperty', element: id, key: `p${index}` };
    return { kind: 'setProperty', element: id, ...property };
  });
}
