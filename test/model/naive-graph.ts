// The contract's graph in plain Maps, with nothing clever: the model that the engine is compared with. Every write copies what it
// changes, so that a refusal leaves no trace; every read walks. Fine for thousands of elements.

import type { SetProperty, WriteOperation, WriteRefusal } from '../../src/core/requests.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { TypeId } from '../../src/core/values.ts';
import type { AnalyticsRun, RunAnswer } from '../../src/engine/analytics/types.ts';
import type { DocumentSet } from '../../src/engine/documents.ts';
import type { Extracts } from '../../src/engine/extracts/types.ts';
import { ChangeFeed } from '../../src/engine/feed/feed.ts';
import type { OneRead } from '../../src/engine/jobs/one-read.ts';
import type { ReadSet } from '../../src/engine/read-set.ts';
import type { HashedState } from '../../src/engine/state-hash.ts';
import type {
  Direction,
  DurabilityStatus,
  ElementKind,
  ExportFilter,
  ExportStart,
  FoundByProperty,
  Generated,
  Generation,
  GraphEngine,
  GraphStatistics,
  ImportResult,
  PropertyScan,
  ResultType,
  RunSet,
  ScanSet,
  StatisticsOptions,
  SweepRounds,
  WriteOutcome,
} from '../../src/engine/types.ts';
import { NaiveIndexes } from './naive-indexes.ts';
import { exportLines, importLines } from './naive-lines.ts';
import { naiveLinks, naiveRun, naiveStatistics } from './naive-runs.ts';
import { compareValues, formatValue, type NaiveValue, parseValue, typeNameOf } from './naive-values.ts';
import { NaiveVectors } from './naive-vectors.ts';

export interface NaiveElement {
  readonly id: number;
  readonly label: string | null;
  readonly creationDate: number;
  modificationDate: number;
  properties: Map<string, NaiveValue>;
  /** Null for a vertex. */
  readonly edge: { readonly source: number; readonly target: number; readonly edgeType: string } | null;
}

interface State {
  /** In ascending order of ids. */
  readonly elements: Map<number, NaiveElement>;
  nextId: number;
}

/** Ends a transaction that cannot be built or applied. */
class Refusal extends Error {
  readonly refusal: WriteRefusal;

  constructor(status: WriteRefusal['status'], record: number, property = -1, element = -1) {
    super(`status ${status}`);
    this.refusal = { ok: false, status, record, property, element };
  }
}

export const reservedKey = /^\$embedding(Model)?:/;
const maxIds = 2 ** 31 - 1;
/** Of all graphs. */
let revisions = 0;

export class NaiveGraph implements GraphEngine {
  revision = ++revisions;
  readonly reads = {
    element: (id, kind) => this.readElement(id, kind),
    elements: (ids) => this.readElements(ids),
    graph: (maxElements) => this.readGraph(maxElements),
    short: (read) => this.readOne(read),
    long: async (read) => {
      const json = this.readOne(read);
      return json === null ? null : [json];
    },
    edgeTypes: (id, direction) => this.readEdgeTypes(id, direction),
    edgeGroup: (id, direction, edgeType) => this.readEdgeGroup(id, direction, edgeType),
    edgeGroupPart: (id, direction, edgeType, { after, limit }) => {
      const group = this.groups(id, direction)?.get(edgeType);
      return group === undefined ? null : encode(group.filter((edge) => edge > after).slice(0, limit));
    },
    degree: (id, direction) => this.readDegree(id, direction),
    groupDegree: (id, direction, edgeType) => this.readGroupDegree(id, direction, edgeType),
    endpoint: (id, end) => this.readEndpoint(id, end),
    edgeType: (id) => this.find(id, 'edge')?.edge?.edgeType ?? null,
    knowsName: () => true,
    listedNames: () => [],
    nextId: () => this.nextId,
  } satisfies ReadSet;
  readonly scans = {
    property: (scan) => this.scanProperty(scan),
    text: (term, label, resultType) => this.scanText(term, label, resultType),
  } satisfies ScanSet;
  readonly runs = {
    delegate: () => Promise.reject(new Error('The naive model runs no plugins.')),
    stepped: () => Promise.reject(new Error('The naive model runs no plugins.')),
    trim: () => this.trim(),
    stateHash: () => this.stateHash(),
    analytics: (run) => this.runAnalytics(run),
    statistics: (options) => this.statistics(options),
    generate: (specification) => this.generate(specification),
    benchmark: (iterations) => this.benchmark(iterations),
  } satisfies RunSet;
  /** What `durable` of the next writes will say. */
  /** The model counts no bytes. */
  readonly memory = {
    ...{ elements: 0, adjacency: 0, properties: 0, strings: 0, indexes: 0, projections: 0, scratch: 0, system: 0 },
    ...{ pages: 0, grownPages: 0, limitPages: 65_536 },
  };
  degraded = false;
  /** The model says nothing of the feed: it is switched off. */
  readonly changeFeed: ChangeFeed;
  readonly indexes = new NaiveIndexes(
    () => this.state.elements,
    () => ({ ok: true, firstId: this.state.nextId, createCount: 0, durable: Promise.resolve(!this.degraded) }),
  );
  readonly vectors = new NaiveVectors(
    () => this.state.elements,
    this.indexes,
    () => ({ ok: true, firstId: this.state.nextId, createCount: 0, durable: Promise.resolve(!this.degraded) }),
  );
  private state: State = { elements: new Map(), nextId: 0 };
  private readonly nowSeconds: () => number;

  constructor(nowSeconds: () => number) {
    this.nowSeconds = nowSeconds;
    const limits = { bufferSize: 1, subscriberQueueSize: 1, maxSubscribers: 1, keepAliveSeconds: 1 };
    this.changeFeed = new ChangeFeed({ enabled: false, clock: { nowMs: () => 1000 * nowSeconds() }, ...limits });
  }

  /** One above the highest id ever given. */
  get nextId(): number {
    return this.state.nextId;
  }

  get vertexCount(): number {
    return this.all('Vertices').length;
  }

  get edgeCount(): number {
    return this.all('Edges').length;
  }

  get durability(): DurabilityStatus {
    return {
      walEnabled: true,
      degraded: this.degraded,
      recoveryRan: false,
      lastRecoveryTruncated: false,
      lastRecoveryReplayedEntries: 0,
      lastCheckpointDroppedIndices: 0,
    };
  }

  /** Nothing is logged. */
  readonly position = null;

  private async stateHash(): Promise<HashedState> {
    const [all] = await this.reads.graph(Number.MAX_SAFE_INTEGER);
    const digest = await crypto.subtle.digest('SHA-256', (all as Uint8Array<ArrayBuffer>).slice());
    return { hash: Buffer.from(digest).toString('hex').slice(0, 32), position: null };
  }

  async writeInSteps(operations: readonly WriteOperation[]): Promise<WriteOutcome> {
    return this.write(operations);
  }

  write(operations: readonly WriteOperation[]): WriteOutcome {
    const next: State = { elements: new Map(this.state.elements), nextId: this.state.nextId };
    try {
      const built = operations.map((operation, record) => buildProperties(operation, record));
      const created = operations.flatMap((operation, record) => {
        const id = this.apply(next, operation, record, built[record] as Map<string, NaiveValue>);
        return id === null ? [] : [id];
      });
      const ids = [...this.state.elements.keys()];
      this.state = next;
      this.revision = ++revisions;
      const [first] = operations;
      if (first?.kind === 'erase') this.indexes.erase();
      if (first?.kind === 'trim') this.indexes.renumber(ids);
      this.indexes.purge();
      const durable = Promise.resolve(!this.degraded);
      return { ok: true, firstId: created[0] ?? next.nextId, createCount: created.length, durable };
    } catch (error) {
      if (error instanceof Refusal) return error.refusal;
      throw error;
    }
  }

  backpressure(): null {
    return null;
  }

  writeHold(): null {
    return null;
  }

  private trim(): Promise<WriteOutcome> {
    return Promise.resolve(this.write([{ kind: 'trim' }]));
  }

  private apply(
    state: State,
    operation: WriteOperation,
    record: number,
    properties: Map<string, NaiveValue>,
  ): number | null {
    switch (operation.kind) {
      case 'createVertex':
        return this.create(state, record, operation.label, operation.creationDate, properties, null);
      case 'createEdge': {
        const { source, target, edgeType } = operation;
        for (const end of [source, target]) {
          const vertex = state.elements.get(end);
          if (vertex === undefined) throw new Refusal(CoreStatus.notFound, record, -1, end);
          if (vertex.edge !== null) throw new Refusal(CoreStatus.wrongKind, record, -1, end);
        }
        return this.create(state, record, operation.label, operation.creationDate, properties, {
          source,
          target,
          edgeType,
        });
      }
      case 'setProperty':
        this.setProperty(state, record, operation.element, operation.key, properties.get(operation.key) as NaiveValue);
        return null;
      case 'removeProperty':
        this.removeProperty(state, record, operation.element, operation.key);
        return null;
      case 'removeElement':
        removeElement(state, record, operation.element, operation.skipRemoved);
        return null;
      case 'erase':
        state.elements.clear();
        state.nextId = 0;
        return null;
      case 'trim':
        renumber(state);
        return null;
      default:
        throw new Error('The model writes indexes through its IndexSet.');
    }
  }

  private create(
    state: State,
    record: number,
    label: string | null,
    creationDate: number,
    properties: Map<string, NaiveValue>,
    edge: NaiveElement['edge'],
  ): number {
    if (state.nextId >= maxIds) throw new Refusal(CoreStatus.tooManyIds, record);
    const id = state.nextId++;
    state.elements.set(id, { id, label, creationDate, modificationDate: creationDate, properties, edge });
    return id;
  }

  private setProperty(state: State, record: number, id: number, key: string, value: NaiveValue): void {
    const old = mustFind(state, record, id);
    const current = old.properties.get(key);
    if (current !== undefined && sameValue(current, value)) return;
    this.replaceProperties(state, old, new Map(old.properties).set(key, value));
  }

  private removeProperty(state: State, record: number, id: number, key: string): void {
    const old = mustFind(state, record, id);
    const properties = new Map(old.properties);
    if (properties.delete(key)) this.replaceProperties(state, old, properties);
  }

  private replaceProperties(state: State, old: NaiveElement, properties: Map<string, NaiveValue>): void {
    state.elements.set(old.id, { ...old, properties, modificationDate: Math.max(this.nowSeconds(), old.creationDate) });
  }

  private readOne(read: OneRead): Uint8Array | null {
    if (read.what === 'element') return this.readElement(read.id, (['any', 'vertex', 'edge'] as const)[read.kind]);
    const direction = read.direction === 0 ? 'out' : 'in';
    if (read.what === 'edgeTypes') return this.readEdgeTypes(read.id, direction);
    return this.readEdgeGroup(read.id, direction, read.edgeType);
  }

  private readElement(id: number, kind: ElementKind): Uint8Array | null {
    const element = this.find(id, kind);
    return element === null ? null : encode(this.elementJson(element));
  }

  private async readElements(ids: readonly number[]): Promise<Uint8Array[]> {
    const wanted = [...new Set(ids)];
    const elements = wanted.flatMap((id) => {
      const element = this.state.elements.get(id);
      return element === undefined
        ? []
        : [{ kind: element.edge === null ? 'vertex' : 'edge', ...commonMembers(element) }];
    });
    return [encode({ elements, notFound: wanted.filter((id) => !this.state.elements.has(id)) })];
  }

  private async readGraph(maxElements: number): Promise<Uint8Array[]> {
    const page = (type: ResultType) =>
      this.all(type)
        .slice(0, maxElements)
        .map((element) => this.elementJson(element));
    return [encode({ edges: page('Edges'), vertices: page('Vertices') })];
  }

  private readEdgeTypes(id: number, direction: Direction): Uint8Array | null {
    const groups = this.groups(id, direction);
    return groups === null ? null : encode([...groups.keys()]);
  }

  private readEdgeGroup(id: number, direction: Direction, edgeType: string): Uint8Array | null {
    const group = this.groups(id, direction)?.get(edgeType);
    return group === undefined ? null : encode(group);
  }

  private readDegree(id: number, direction: Direction): number | null {
    const groups = this.groups(id, direction);
    return groups === null ? null : [...groups.values()].reduce((sum, group) => sum + group.length, 0);
  }

  private readGroupDegree(id: number, direction: Direction, edgeType: string): number | null {
    const groups = this.groups(id, direction);
    return groups === null ? null : (groups.get(edgeType)?.length ?? 0);
  }

  private readEndpoint(id: number, end: 'source' | 'target'): number | null {
    return this.find(id, 'edge')?.edge?.[end] ?? null;
  }

  private async scanProperty(scan: PropertyScan): Promise<FoundByProperty | null> {
    const literal = parseValue(scan.type, scan.text);
    if (literal === null) return null;
    const asked = this.all(scan.resultType)
      .filter((element) => scan.label === null || element.label === scan.label)
      .flatMap(({ id, properties }) => {
        const value = properties.get(scan.key);
        return value === undefined ? [] : [{ id, value }];
      });
    const ids = asked.filter(({ value }) => matches(value, scan.operator, literal)).map(({ id }) => id);
    const isLooking = scan.operator >= 0 && scan.operator <= 5;
    return {
      ids: [encode(ids)],
      types: isLooking ? asked.reduce((types, { value }) => types | (1 << value.type), 0) : 0,
    };
  }

  get documents(): DocumentSet {
    const none = (): never => {
      throw new Error('The naive model keeps no documents.');
    };
    return { list: () => [], get: () => null, overflow: () => null, put: none, remove: none };
  }

  /** Nor graphs beside the one. */
  get extracts(): Extracts {
    const none = (): never => {
      throw new Error('The naive model extracts no graphs.');
    };
    return {
      count: 0,
      hold: none,
      runJob: none,
      extract: none,
      build: none,
      read: none,
      drop: none,
      onReplaced: () => {},
    };
  }

  runJob(): never {
    throw new Error('The naive model runs no jobs.');
  }

  private async scanText(term: string, label: string | null, resultType: ResultType): Promise<Uint8Array[]> {
    const wanted = upperCase(term);
    const ids = this.all(resultType)
      .filter((element) => label === null || element.label === label)
      .filter((element) =>
        [...element.properties].some(
          ([key, value]) =>
            !reservedKey.test(key) && !('floats' in value) && upperCase(formatValue(value, 'scan')).includes(wanted),
        ),
      )
      .map((element) => element.id);
    return [encode(ids)];
  }

  async startExport(filter: ExportFilter, exportedAt: Date): Promise<ExportStart> {
    return exportLines(this.all('Vertices'), this.all('Edges'), filter, exportedAt);
  }

  importLines(
    body: AsyncIterable<Uint8Array>,
    limits: { readonly batchSize: number; readonly maxLineBytes: number; readonly maxBodyBytes: number | null },
  ): Promise<ImportResult> {
    return importLines(this, body, limits);
  }

  private async runAnalytics(run: AnalyticsRun): Promise<RunAnswer> {
    return naiveRun(run, this.all('Vertices'), this.all('Edges'), (operations) => this.write(operations));
  }

  private async statistics(options: StatisticsOptions): Promise<GraphStatistics> {
    return naiveStatistics(this.all('Vertices'), this.all('Edges'), options);
  }

  private async generate(specification: Generation): Promise<Generated> {
    const common = { creationDate: 0, label: null, properties: [] };
    const links = naiveLinks(specification);
    const vertices = this.write(
      Array.from({ length: specification.vertices }, () => ({ kind: 'createVertex', ...common })),
    );
    const first = vertices.ok ? vertices.firstId : 0;
    this.write(
      links.map(([source, target]) => ({
        kind: 'createEdge',
        ...common,
        source: first + source,
        target: first + target,
        edgeType: 'A',
      })),
    );
    const trimmed = this.write([{ kind: 'trim' }]);
    const durable = trimmed.ok && (await trimmed.durable);
    return { ok: true, verticesCreated: specification.vertices, edgesCreated: links.length, durable };
  }

  private async benchmark(iterations: number): Promise<SweepRounds> {
    return { edges: this.edgeCount, edgesPerSecond: Array.from({ length: iterations }, () => 1) };
  }

  private find(id: number, kind: ElementKind): NaiveElement | null {
    const element = this.state.elements.get(id);
    if (element === undefined) return null;
    return kind === 'any' || (kind === 'edge') === (element.edge !== null) ? element : null;
  }

  private all(type: ResultType): NaiveElement[] {
    const elements = [...this.state.elements.values()];
    return type === 'Both' ? elements : elements.filter((element) => (type === 'Edges') === (element.edge !== null));
  }

  /** Edge ids by type, in insertion order; null when there is no such vertex. */
  private groups(id: number, direction: Direction): Map<string, number[]> | null {
    if (this.find(id, 'vertex') === null) return null;
    const groups = new Map<string, number[]>();
    for (const { id: edgeId, edge } of this.all('Edges')) {
      if (edge === null || (direction === 'out' ? edge.source : edge.target) !== id) continue;
      groups.set(edge.edgeType, [...(groups.get(edge.edgeType) ?? []), edgeId]);
    }
    return groups;
  }

  private elementJson(element: NaiveElement): Record<string, unknown> {
    const common = commonMembers(element);
    if (element.edge !== null) {
      const { source, target, edgeType } = element.edge;
      return { ...common, sourceVertex: source, targetVertex: target, edgePropertyId: edgeType };
    }
    return { ...common, outEdges: this.edgeMap(element.id, 'out'), inEdges: this.edgeMap(element.id, 'in') };
  }

  private edgeMap(id: number, direction: Direction): Map<string, number[]> | null {
    const groups = this.groups(id, direction);
    return groups === null || groups.size === 0 ? null : groups;
  }
}

/** Parses every value of one operation; the first that cannot be refuses the transaction. */
function buildProperties(operation: WriteOperation, record: number): Map<string, NaiveValue> {
  const texts: readonly Pick<SetProperty, 'key' | 'type' | 'text'>[] =
    operation.kind === 'setProperty' ? [operation] : 'properties' in operation ? operation.properties : [];
  const values = new Map<string, NaiveValue>();
  for (const [index, { key, type, text }] of texts.entries()) {
    const value = typeof text === 'string' ? parseValue(type, text) : floatsOf(text);
    if (value === null) throw new Refusal(CoreStatus.badValue, record, index);
    if (values.has(key)) throw new Refusal(CoreStatus.duplicateKey, record, index);
    values.set(key, value);
  }
  return values;
}

/** A Single[] from its raw bytes. */
function floatsOf(bytes: Uint8Array): NaiveValue {
  return { type: TypeId.singleArray, floats: [...new Float32Array(bytes.slice().buffer)] };
}

function mustFind(state: State, record: number, id: number): NaiveElement {
  const element = state.elements.get(id);
  if (element === undefined) throw new Refusal(CoreStatus.notFound, record, -1, id);
  return element;
}

function removeElement(state: State, record: number, id: number, skipRemoved: boolean): void {
  const wasAssigned = id >= 0 && id < state.nextId;
  if (!state.elements.has(id) && skipRemoved && wasAssigned) return;
  mustFind(state, record, id);
  state.elements.delete(id);
  for (const { id: edgeId, edge } of [...state.elements.values()]) {
    if (edge !== null && (edge.source === id || edge.target === id)) state.elements.delete(edgeId);
  }
}

/** Survivors become 0 .. n-1 in the order of their old ids. */
function renumber(state: State): void {
  const survivors = [...state.elements.values()];
  const newIds = new Map(survivors.map(({ id }, index) => [id, index]));
  state.elements.clear();
  for (const [id, element] of survivors.entries()) {
    const { edge } = element;
    const moved = edge && {
      ...edge,
      source: newIds.get(edge.source) as number,
      target: newIds.get(edge.target) as number,
    };
    state.elements.set(id, { ...element, id, edge: moved });
  }
  state.nextId = survivors.length;
}

/** Equal as .NET has it: 1.0 and 1.00, one instant at two offsets, one time of two kinds. */
function sameValue(a: NaiveValue, b: NaiveValue): boolean {
  if (a.type !== b.type) return false;
  return 'floats' in a ? formatValue(a, 'bulk') === formatValue(b, 'bulk') : compareValues(a, b) === 0;
}

function matches(value: NaiveValue, operator: number, literal: NaiveValue): boolean {
  if ('floats' in value || operator < 0 || operator > 5) return false;
  const order = value.type === literal.type ? compareValues(value, literal) : null;
  if (order === null) return operator === 5;
  return [order === 0, order > 0, order >= 0, order < 0, order <= 0, order !== 0][operator] as boolean;
}

/** Ordinal upper case: one UTF-16 unit at a time, where the result is one unit too. */
function upperCase(text: string): string {
  return Array.from({ length: text.length }, (_, index) => {
    const unit = text.charAt(index);
    const upper = unit.toUpperCase();
    return upper.length === 1 ? upper : unit;
  }).join('');
}

function commonMembers(element: NaiveElement): Record<string, unknown> {
  return {
    id: element.id,
    creationDate: dateText(element.creationDate),
    modificationDate: dateText(element.modificationDate),
    label: element.label,
    properties: shownProperties(element).map(([propertyId, value]) => ({
      propertyId,
      fullQualifiedTypeName: typeNameOf(value.type),
      propertyValue: formatValue(value, 'read'),
    })),
  };
}

/** Properties in ordinal order of their keys. */
/** Those whose key begins with $ come last. */
function shownProperties(element: NaiveElement): [string, NaiveValue][] {
  const sorted = sortedProperties(element);
  const isLast = ([key]: [string, NaiveValue]): boolean => key.startsWith('$');
  return [...sorted.filter((property) => !isLast(property)), ...sorted.filter(isLast)];
}

export function sortedProperties({ properties }: NaiveElement): [string, NaiveValue][] {
  return [...properties].sort(([a], [b]) => (a < b ? -1 : 1));
}

function dateText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

/** JSON by hand for maps, because an object would reorder keys that look like numbers and swallow `__proto__`. */
function toJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (value instanceof Map)
    return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${toJson(item)}`).join(',')}}`;
  if (typeof value === 'object' && value !== null) return toJson(new Map(Object.entries(value)));
  return JSON.stringify(value);
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(toJson(value));
}
