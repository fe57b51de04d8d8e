// What is shown as files of others: tables, GraphML, lines that the bulk route takes back.

import type { Property, VertexData, WholeEdge } from './elements.ts';

export interface Elements {
  readonly vertices: readonly VertexData[];
  readonly edges: readonly WholeEdge[];
}

/** One row an element; the columns are all keys there are. */
export function csvOf(elements: readonly (VertexData | WholeEdge)[]): string {
  const columns = new Set<string>();
  const rows = elements.map((element) => {
    const row = new Map<string, string>(Object.entries(ownOf(element)));
    const taken = new Set(row.keys());
    for (const { key, value } of element.properties) row.set(taken.has(key) ? `property ${key}` : key, value);
    for (const column of row.keys()) columns.add(column);
    return row;
  });
  const lines = [[...columns], ...rows.map((row) => Array.from(columns, (column) => row.get(column) ?? ''))];
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

/** What an element has beside its properties, which get other names where they are called so. */
function ownOf(element: VertexData | WholeEdge): Record<string, string> {
  const [id, label] = [String(element.id), element.label ?? ''];
  if (!('source' in element)) return { id, label };
  const { type, source, target } = element;
  return { id, type, source: String(source), target: String(target), label };
}

/** A spreadsheet takes a text that begins so for a formula. */
function field(value: string): string {
  const text = /^[=+@]|^-(?![\d.])/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function graphmlOf({ vertices, edges }: Elements): string {
  const ofNodes = keysOf(vertices, 'node', 'p');
  const ofEdges = keysOf(edges, 'edge', 'q');
  const nodes = vertices.map(
    ({ id, label, properties }) =>
      `<node id="n${id}"><data key="label">${escaped(label ?? '')}</data>${valuesOf(properties, ofNodes)}</node>`,
  );
  const lines = edges.map(
    ({ id, source, target, type, label, properties }) =>
      `<edge id="e${id}" source="n${source}" target="n${target}"><data key="type">${escaped(type)}</data>` +
      `${label === null ? '' : `<data key="edgeLabel">${escaped(label)}</data>`}${valuesOf(properties, ofEdges)}</edge>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    '<key id="label" for="node" attr.name="label" attr.type="string"/>',
    '<key id="type" for="edge" attr.name="type" attr.type="string"/>',
    '<key id="edgeLabel" for="edge" attr.name="label" attr.type="string"/>',
    ...ofNodes.declared,
    ...ofEdges.declared,
    '<graph edgedefault="directed">',
    ...nodes,
    ...lines,
    '</graph>',
    '</graphml>',
    '',
  ].join('\n');
}

interface Keys {
  readonly declared: readonly string[];
  /** How the file calls a key. */
  readonly places: ReadonlyMap<string, string>;
}

function keysOf(elements: readonly (VertexData | WholeEdge)[], kind: 'node' | 'edge', letter: string): Keys {
  const keys = new Set(elements.flatMap(({ properties }) => properties.map(({ key }) => key)));
  const places = new Map(Array.from(keys, (key, place) => [key, `${letter}${place}`]));
  const declared = Array.from(
    places,
    ([key, place]) => `<key id="${place}" for="${kind}" attr.name="${escaped(key)}" attr.type="string"/>`,
  );
  return { declared, places };
}

function valuesOf(properties: readonly Property[], { places }: Keys): string {
  return properties.map(({ key, value }) => `<data key="${places.get(key)}">${escaped(value)}</data>`).join('');
}

/** Without what XML cannot hold: control characters and halves of pairs. */
export function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function jsonlOf({ vertices, edges }: Elements): string {
  const valuesOf = (properties: readonly Property[]) =>
    Object.fromEntries(properties.map(({ key, type, value }) => [key, { type, value }]));
  const lines = [
    { type: 'meta', format: 'service-jsonl', version: 2, vertexCount: vertices.length, edgeCount: edges.length },
    ...vertices.map(({ id, label, properties }) => ({
      ...{ type: 'vertex', id, label, creationDate: 0 },
      properties: valuesOf(properties),
    })),
    ...edges.map(({ id, type, source, target, label, properties }) => ({
      ...{ type: 'edge', id, edgePropertyId: type, source, target, label, creationDate: 0 },
      properties: valuesOf(properties),
    })),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
