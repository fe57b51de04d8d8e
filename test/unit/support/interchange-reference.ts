// The bulk line format read a second time, slowly: a JSON parser that keeps duplicate members, and the rules of the contract over it.
// Knows String, Int32, Boolean and Char values only; the tests send no others through it.

type Json = string | number | boolean | null | Json[] | JsonObject;

class JsonObject {
  constructor(readonly members: [string, Json, string][]) {}
}

/** JSON with members as a list (name, value, source text); throws where JSON.parse does. */
export function parseMembers(text: string): Json {
  JSON.parse(text);
  let at = 0;
  const blank = (): void => {
    while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
  };
  const string = (): string => {
    const from = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at++;
    return JSON.parse(text.slice(from, at)) as string;
  };
  const value = (): Json => {
    blank();
    if (text[at] === '"') return string();
    if (text[at] === '{' || text[at] === '[') {
      const isObject = text[at] === '{';
      const close = isObject ? '}' : ']';
      const members: [string, Json, string][] = [];
      at++;
      blank();
      while (text[at] !== close) {
        if (text[at] === ',') at++;
        blank();
        let name = '';
        if (isObject) {
          name = string();
          blank();
          at++;
          blank();
        }
        const from = at;
        const member = value();
        members.push([name, member, text.slice(from, at)]);
        blank();
      }
      at++;
      return isObject ? new JsonObject(members) : members.map(([, member]) => member);
    }
    const from = at;
    while (!',]} \t\r\n'.includes(text[at] ?? ',')) at++;
    return JSON.parse(text.slice(from, at)) as Json;
  };
  return value();
}

export interface ReferenceElement {
  kind: number;
  label: string | null;
  edgeType: string | null;
  creation: number;
  source: number;
  target: number;
  properties: [string, string, string][];
}

class BadLine extends Error {}

function demand(condition: boolean): asserts condition {
  if (!condition) throw new BadLine();
}

const TYPES: Record<string, string> = {
  'system.string': 'String',
  string: 'String',
  'system.int32': 'Int32',
  int32: 'Int32',
  int: 'Int32',
  'system.boolean': 'Boolean',
  boolean: 'Boolean',
  bool: 'Boolean',
  'system.char': 'Char',
  char: 'Char',
};

function members(json: Json, allowed: string[]): Map<string, [Json, string]> {
  demand(json instanceof JsonObject);
  const map = new Map<string, [Json, string]>();
  for (const [name, value, source] of json.members) {
    demand(allowed.includes(name) && !map.has(name));
    map.set(name, [value, source]);
  }
  return map;
}

function integer(entry: [Json, string] | undefined, low: number, high: number): number {
  demand(entry !== undefined && typeof entry[0] === 'number' && /^-?\d+$/.test(entry[1]));
  demand(entry[0] >= low && entry[0] <= high);
  return entry[0];
}

function property(json: Json): [string, string] {
  const pair = members(json, ['type', 'value']);
  const type = pair.get('type')?.[0];
  const value = pair.get('value')?.[0];
  demand(typeof type === 'string' && typeof value === 'string');
  const known = Object.hasOwn(TYPES, type.toLowerCase()) ? TYPES[type.toLowerCase()] : undefined;
  demand(known !== undefined);
  if (known === 'Int32') demand(/^[+-]?\d+$/.test(value) && Math.abs(Number(value)) < 2 ** 31);
  if (known === 'Boolean') demand(/^(true|false)$/i.test(value));
  if (known === 'Char') demand(value.length === 1);
  return [known, value];
}

const INT32 = 2 ** 31;

/** Reads a file of bytes: the elements up to the first bad line, and that line's number (0: all is well). */
export function readReference(bytes: Uint8Array): { elements: ReferenceElement[]; line: number } {
  const elements: ReferenceElement[] = [];
  const ids = new Map<number, number | null>();
  const expected: (number | null)[] = [null, null];
  let line = 0;
  let from = 0;
  try {
    while (from < bytes.length) {
      line++;
      const feed = bytes.indexOf(10, from);
      const end = feed < 0 ? bytes.length : feed;
      const slice = bytes.subarray(from, end);
      from = end + 1;
      if (slice.every((byte) => byte === 32 || byte === 9 || byte === 13)) continue;
      demand(!(line === 1 && slice[0] === 0xef && slice[1] === 0xbb && slice[2] === 0xbf));
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(slice);
      readLine(parseMembers(text), line, elements, ids, expected);
    }
    const vertices = elements.filter(({ kind }) => kind === 1).length;
    demand(expected[0] === null || expected[0] === vertices);
    demand(expected[1] === null || expected[1] === elements.length - vertices);
    return { elements, line: 0 };
  } catch (error) {
    if (!(error instanceof BadLine) && !(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
    return { elements, line };
  }
}

function readLine(
  json: Json,
  line: number,
  elements: ReferenceElement[],
  ids: Map<number, number | null>,
  expected: (number | null)[],
): void {
  demand(json instanceof JsonObject);
  const type = json.members.find(([name]) => name === 'type')?.[1];
  if (type === 'meta') {
    demand(line === 1);
    const fields = members(json, ['type', 'format', 'version', 'vertexCount', 'edgeCount', 'exportedAtUtc']);
    demand(['service-jsonl', 'fallen8-jsonl'].includes(fields.get('format')?.[0] as string));
    integer(fields.get('version'), 1, 2);
    if (fields.has('vertexCount')) expected[0] = integer(fields.get('vertexCount'), 0, INT32 - 1);
    if (fields.has('edgeCount')) expected[1] = integer(fields.get('edgeCount'), 0, INT32 - 1);
    if (fields.has('exportedAtUtc')) demand(typeof fields.get('exportedAtUtc')?.[0] === 'string');
    return;
  }
  demand(type === 'vertex' || type === 'edge');
  const names = ['type', 'id', 'label', 'creationDate', 'properties'];
  if (type === 'edge') names.push('edgePropertyId', 'source', 'target');
  const fields = members(json, names);
  const id = integer(fields.get('id'), -INT32, INT32 - 1);
  const creation = integer(fields.get('creationDate'), 0, 2 * INT32 - 1);
  const label = fields.get('label')?.[0] ?? null;
  demand(label === null || typeof label === 'string');
  let [source, target, edgeType]: [number, number, string | null] = [0, 0, null];
  if (type === 'edge') {
    const name = fields.get('edgePropertyId')?.[0];
    demand(typeof name === 'string' && name !== '');
    edgeType = name;
    const ends = ['source', 'target'].map((end) => ids.get(integer(fields.get(end), -INT32, INT32 - 1)));
    demand(typeof ends[0] === 'number' && typeof ends[1] === 'number');
    [source, target] = [ends[0], ends[1]];
  }
  const properties: [string, string, string][] = [];
  if (fields.has('properties')) {
    const object = fields.get('properties')![0];
    demand(object instanceof JsonObject);
    for (const [key, pair] of object.members) {
      demand(!properties.some(([known]) => known === key));
      properties.push([key, ...property(pair)]);
    }
  }
  demand(!ids.has(id));
  ids.set(id, type === 'vertex' ? elements.length : null);
  elements.push({ kind: type === 'vertex' ? 1 : 2, label, edgeType, creation, source, target, properties });
}
