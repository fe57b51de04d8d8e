// The bulk interchange format as the contract words it: a strict reader of one line at a time and a writer, both over strings.

import type { PropertyText, WriteOperation } from '../../src/core/requests.ts';
import { CoreStatus } from '../../src/core/status.ts';
import { TypeId, typeIdOf } from '../../src/core/values.ts';
import type { ExportFilter, ExportStart, ImportResult } from '../../src/engine/types.ts';
import { type NaiveElement, type NaiveGraph, reservedKey, sortedProperties } from './naive-graph.ts';
import { parseStrictJson, type StrictJson } from './naive-json.ts';
import { formatValue, type NaiveValue, parseValue, typeNameOf } from './naive-values.ts';

const formatName = 'service-jsonl';
const formatNames = [formatName, 'fallen8-jsonl'];
const formatVersion = 2;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Refuses the whole export for the first value that no line can carry; else the lines in one block. */
export function exportLines(
  vertices: readonly NaiveElement[],
  edges: readonly NaiveElement[],
  filter: ExportFilter,
  exportedAt: Date,
): ExportStart {
  const chosen = vertices.filter(({ label }) => filter.vertexLabel === null || label === filter.vertexLabel);
  const ids = new Set(chosen.map(({ id }) => id));
  const links = edges.filter(({ label, edge }) => {
    if (edge === null || !ids.has(edge.source) || !ids.has(edge.target)) return false;
    return (
      (filter.edgeLabel === null || label === filter.edgeLabel) &&
      (filter.edgeType === null || edge.edgeType === filter.edgeType)
    );
  });
  for (const element of [...chosen, ...links]) {
    for (const [key, value] of sortedProperties(element)) {
      if ('text' in value && loneSurrogate.test(value.text)) {
        return { ok: false, element: element.id, key, cause: 'it holds an unpaired surrogate' };
      }
    }
  }
  const meta = {
    type: 'meta',
    format: formatName,
    version: formatVersion,
    vertexCount: chosen.length,
    edgeCount: links.length,
    exportedAtUtc: exportedAt.toISOString(),
  };
  const lines = [JSON.stringify(meta), ...chosen.map(lineOf), ...links.map(lineOf)];
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
  return { ok: true, body: new Blob([bytes]).stream() };
}

function lineOf(element: NaiveElement): string {
  const { id, label, creationDate, edge } = element;
  const labelMember = label === null ? {} : { label };
  const head =
    edge === null
      ? { type: 'vertex', id, ...labelMember, creationDate }
      : {
          type: 'edge',
          id,
          edgePropertyId: edge.edgeType,
          source: edge.source,
          target: edge.target,
          ...labelMember,
          creationDate,
        };
  const start = JSON.stringify(head).slice(0, -1);
  const properties = sortedProperties(element).map(([key, value]) => {
    const item = { type: typeNameOf(value.type), value: formatValue(value, 'bulk') };
    return `${JSON.stringify(key)}:${JSON.stringify(item)}`;
  });
  return properties.length === 0 ? `${start}}` : `${start},"properties":{${properties.join(',')}}}`;
}

class BadLine extends Error {}

type Members = Map<string, StrictJson>;

const membersOf: Record<string, readonly string[]> = {
  meta: ['type', 'format', 'version', 'vertexCount', 'edgeCount', 'exportedAtUtc'],
  vertex: ['type', 'id', 'label', 'creationDate', 'properties'],
  edge: ['type', 'id', 'edgePropertyId', 'source', 'target', 'label', 'creationDate', 'properties'],
};

class LineReader {
  lines = 0;
  commas: ImportResult['commas'] = null;
  vertices = 0;
  edges = 0;
  batch: WriteOperation[] = [];
  committedVertices = 0;
  committedEdges = 0;
  private expected: { vertices: number | null; edges: number | null } = { vertices: null, edges: null };
  private readonly graph: NaiveGraph;
  private readonly batchSize: number;
  /** File id to engine id; null for an edge. The batch's ids are not known before it is committed. */
  private readonly ids = new Map<number, number | null>();
  private batchFileIds: number[] = [];

  constructor(graph: NaiveGraph, batchSize: number) {
    this.graph = graph;
    this.batchSize = batchSize;
  }

  read(line: string): void {
    this.lines++;
    if (/^[ \t\r]*$/.test(line)) return;
    let value: StrictJson;
    try {
      value = parseStrictJson(line.replace(/\r$/, ''));
    } catch (error) {
      throw new BadLine((error as Error).message);
    }
    if (!(value instanceof Map)) throw new BadLine('A line holds a JSON object.');
    const type = value.get('type');
    const known = typeof type === 'string' ? membersOf[type] : undefined;
    if (known === undefined) throw new BadLine('Unknown type of line.');
    for (const name of value.keys()) if (!known.includes(name)) throw new BadLine(`Unknown field '${name}'.`);
    if (type === 'meta') this.readMeta(value);
    else this.readElement(value, type === 'edge');
  }

  private readMeta(line: Members): void {
    if (this.lines !== 1) throw new BadLine('A meta line is only valid as line 1.');
    if (!formatNames.includes(line.get('format') as string)) throw new BadLine('Unknown format.');
    integerMember(line, 'version', 1, formatVersion);
    const count = (name: string) => (line.has(name) ? integerMember(line, name, 0, 2 ** 32 - 1) : null);
    this.expected = { vertices: count('vertexCount'), edges: count('edgeCount') };
    if (line.has('exportedAtUtc') && typeof line.get('exportedAtUtc') !== 'string')
      throw new BadLine('Bad exportedAtUtc.');
  }

  private readElement(line: Members, isEdge: boolean): void {
    const id = integerMember(line, 'id', -(2 ** 31), 2 ** 31 - 1);
    const creationDate = integerMember(line, 'creationDate', 0, 2 ** 32 - 1);
    const label = line.get('label') ?? null;
    if (label !== null && typeof label !== 'string') throw new BadLine('Bad label.');
    const common = { creationDate, label, properties: propertiesOf(line, this.notice) };
    if (this.ids.has(id) || this.batchFileIds.includes(id)) throw new BadLine(`Duplicate id ${id}.`);
    if (!isEdge) {
      this.add(id, { kind: 'createVertex', ...common });
      this.vertices++;
      return;
    }
    const edgeType = line.get('edgePropertyId');
    if (typeof edgeType !== 'string' || edgeType === '') throw new BadLine('Bad edgePropertyId.');
    // The image of an endpoint is known once its batch is committed.
    if (this.batch[0]?.kind === 'createVertex') this.commit();
    this.add(id, {
      kind: 'createEdge',
      ...common,
      edgeType,
      source: this.image(line, 'source'),
      target: this.image(line, 'target'),
    });
    this.edges++;
  }

  private image(line: Members, name: string): number {
    const image = this.ids.get(integerMember(line, name, -(2 ** 31), 2 ** 31 - 1));
    if (typeof image !== 'number') throw new BadLine(`No earlier vertex has the id in ${name}.`);
    return image;
  }

  private add(fileId: number, operation: WriteOperation): void {
    if (this.batch[0] !== undefined && this.batch[0].kind !== operation.kind) this.commit();
    this.batch.push(operation);
    this.batchFileIds.push(fileId);
    if (this.batch.length >= this.batchSize) this.commit();
  }

  /** Counts a number whose commas part something else than thousands. */
  private readonly notice = (type: TypeId, text: string): void => {
    if (type !== TypeId.double && type !== TypeId.single && type !== TypeId.decimal) return;
    if (/^[^,]*$|^[^\d]*\d{1,3}(,\d{3})+(?![\d,])/.test(text)) return;
    this.commas = this.commas ?? { count: 0, line: this.lines, text: text.slice(0, 40) };
    this.commas = { ...this.commas, count: this.commas.count + 1 };
  };

  commit(): void {
    if (this.batch.length === 0) return;
    const outcome = this.graph.write(this.batch);
    if (!outcome.ok) throw new Error(`The batch was refused with status ${outcome.status}.`);
    const areEdges = this.batch[0]?.kind === 'createEdge';
    for (const [index, fileId] of this.batchFileIds.entries())
      this.ids.set(fileId, areEdges ? null : outcome.firstId + index);
    if (areEdges) this.committedEdges += this.batch.length;
    else this.committedVertices += this.batch.length;
    this.batch = [];
    this.batchFileIds = [];
  }

  checkCounts(): void {
    const { vertices, edges } = this.expected;
    if ((vertices ?? this.vertices) !== this.vertices)
      throw new BadLine('vertexCount of the meta line does not match.');
    if ((edges ?? this.edges) !== this.edges) throw new BadLine('edgeCount of the meta line does not match.');
  }
}

function integerMember(line: Members, name: string, low: number, high: number): number {
  const value = line.get(name);
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high)
    throw new BadLine(`Bad ${name}.`);
  return value;
}

function propertiesOf(line: Members, notice: (type: TypeId, text: string) => void): PropertyText[] {
  const properties = line.get('properties') ?? new Map();
  if (!(properties instanceof Map)) throw new BadLine('Bad properties.');
  return [...properties].map(([key, item]) => {
    const [typeName, text] = item instanceof Map ? [item.get('type'), item.get('value')] : [];
    if (!(item instanceof Map) || item.size !== 2 || typeof typeName !== 'string' || typeof text !== 'string') {
      throw new BadLine(`Property '${key}' needs a type and a value, both strings.`);
    }
    const type = /^(system\.)?single\[\]$/i.test(typeName) ? TypeId.singleArray : typeIdOf(typeName);
    if (type === TypeId.none) throw new BadLine(`Unknown type '${typeName}'.`);
    const value = parseValue(type, text);
    if (value === null) throw new BadLine(`Property '${key}' is no value of its type.`);
    notice(type, text);
    if (reservedKey.test(key)) checkReserved(key, type, value);
    return { key, type, text };
  });
}

/** What the routes would never write under a key of the engine's own. */
function checkReserved(key: string, type: TypeId, value: NaiveValue): void {
  const [, kind, name] = /^\$embedding(Model)?:(.*)$/s.exec(key) as RegExpExecArray;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name as string)) throw new BadLine(`Property '${key}' names no embedding.`);
  const wanted = kind === undefined ? TypeId.singleArray : TypeId.string;
  if (type !== wanted) throw new BadLine(`Property '${key}' is of another type.`);
  const floats = 'floats' in value ? [...value.floats] : [0];
  const isVector = floats.length >= 1 && floats.length <= 4096 && floats.every(Number.isFinite);
  if (!isVector) throw new BadLine(`Property '${key}' is no vector.`);
}

/** Reads a stream of lines into an empty graph, batch by batch; the first bad line ends it. */
export async function importLines(
  graph: NaiveGraph,
  body: AsyncIterable<Uint8Array>,
  limits: { readonly batchSize: number; readonly maxLineBytes: number; readonly maxBodyBytes: number | null },
): Promise<ImportResult> {
  const reader = new LineReader(graph, limits.batchSize);
  const result = (): ImportResult => ({ ok: true, ...counts() });
  const counts = () => ({
    verticesCreated: reader.committedVertices,
    edgesCreated: reader.committedEdges,
    linesRead: reader.lines,
    durable: !graph.degraded,
    commas: reader.commas,
  });
  const failure = (
    reason: (ImportResult & { ok: false })['reason'],
    lineNumber: number | null,
    detail: string,
  ): ImportResult => ({
    ok: false,
    reason,
    lineNumber,
    detail,
    status: CoreStatus.ok,
    ...counts(),
  });
  if (graph.vertexCount + graph.edgeCount > 0) return failure('notEmpty', null, 'The graph is not empty.');
  let rest = Buffer.alloc(0);
  let bytes = 0;
  const readLine = (line: Buffer): ImportResult | null => {
    if (line.length > limits.maxLineBytes) return failure('lineTooLong', reader.lines + 1, 'The line is too long.');
    try {
      reader.read(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line));
      return null;
    } catch (error) {
      const lineNumber = error instanceof BadLine ? reader.lines : reader.lines + 1;
      return failure('invalidLine', lineNumber, (error as Error).message);
    }
  };
  try {
    for await (const block of body) {
      bytes += block.length;
      if (limits.maxBodyBytes !== null && bytes > limits.maxBodyBytes)
        return failure('bodyTooLarge', null, 'Too many bytes.');
      rest = Buffer.concat([rest, block]);
      for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
        const failed = readLine(rest.subarray(0, end));
        if (failed !== null) return failed;
        rest = rest.subarray(end + 1);
      }
      if (rest.length > limits.maxLineBytes) return failure('lineTooLong', reader.lines + 1, 'The line is too long.');
    }
  } catch {
    return failure('aborted', null, 'The body broke off.');
  }
  if (rest.length > 0) {
    const failed = readLine(rest);
    if (failed !== null) return failed;
  }
  try {
    reader.checkCounts();
  } catch (error) {
    return failure('invalidLine', reader.lines, (error as Error).message);
  }
  reader.commit();
  return result();
}
