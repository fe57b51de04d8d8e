// What is shown as files of others: tables, GraphML, lines that the bulk route takes back.

import type { EdgeData, VertexData } from './elements.ts';

export interface Elements {
  readonly vertices: readonly VertexData[];
  readonly edges: readonly EdgeData[];
}

/** One row an element; the columns are all keys there are. */
export function csvOf(elements: readonly (VertexData | EdgeData)[]): string {
  const rows = elements.map((element) =>
    'source' in element
      ? { id: element.id, type: element.type, source: element.source, target: element.target }
      : {
          id: element.id,
          label: element.label ?? '',
          ...Object.fromEntries(element.properties.map(({ key, value }) => [keyOf(key), value])),
        },
  );
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [
    columns,
    ...rows.map((row) => columns.map((column) => (row as Record<string, unknown>)[column] ?? '')),
  ];
  return lines.map((line) => `${line.map((value) => field(String(value))).join(',')}\r\n`).join('');
}

/** A property that is called like a column of ours gets another name. */
function keyOf(key: string): string {
  return key === 'id' || key === 'label' ? `property ${key}` : key;
}

/** A spreadsheet takes a text that begins so for a formula. */
function field(value: string): string {
  const text = /^[=+@]|^-(?![\d.])/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function graphmlOf({ vertices, edges }: Elements): string {
  const keys = [...new Set(vertices.flatMap(({ properties }) => properties.map(({ key }) => key)))];
  const places = new Map(keys.map((key, place) => [key, `p${place}`]));
  const declared = keys.map(
    (key) => `<key id="${places.get(key)}" for="node" attr.name="${escaped(key)}" attr.type="string"/>`,
  );
  const nodes = vertices.map(({ id, label, properties }) => {
    const values = properties.map(({ key, value }) => `<data key="${places.get(key)}">${escaped(value)}</data>`);
    return `<node id="n${id}"><data key="label">${escaped(label ?? '')}</data>${values.join('')}</node>`;
  });
  const lines = edges.map(
    ({ id, source, target, type }) =>
      `<edge id="e${id}" source="n${source}" target="n${target}"><data key="type">${escaped(type)}</data></edge>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    '<key id="label" for="node" attr.name="label" attr.type="string"/>',
    '<key id="type" for="edge" attr.name="type" attr.type="string"/>',
    ...declared,
    '<graph edgedefault="directed">',
    ...nodes,
    ...lines,
    '</graph>',
    '</graphml>',
    '',
  ].join('\n');
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
  const lines = [
    { type: 'meta', format: 'service-jsonl', version: 2, vertexCount: vertices.length, edgeCount: edges.length },
    ...vertices.map(({ id, label, properties }) => ({
      ...{ type: 'vertex', id, label, creationDate: 0 },
      properties: Object.fromEntries(properties.map(({ key, type, value }) => [key, { type, value }])),
    })),
    ...edges.map(({ id, type, source, target }) => ({
      ...{ type: 'edge', id, edgePropertyId: type, source, target, creationDate: 0, properties: {} },
    })),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
