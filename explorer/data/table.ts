// A table of edges (CSV) as lines of service-jsonl: each different name in the two columns of ends is a vertex, each row an edge.

import Papa from 'papaparse';

export interface TableHead {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Which column is what; columns are places in the row. */
export interface TableShape {
  readonly hasNames: boolean;
  readonly source: number;
  readonly target: number;
  /** Null: every edge has the type `type`. */
  readonly typeColumn: number | null;
  readonly type: string;
  readonly label: string;
}

const headBytes = 64 * 1024;
const previewRows = 5;
/** A table is held in memory while it is read. */
const maxTableBytes = 256 * 1024 ** 2;

export async function headOfTable(file: Blob, hasNames: boolean): Promise<TableHead> {
  const text = await file.slice(0, headBytes).text();
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true, preview: previewRows + 1 });
  const [first = [], ...rest] = data;
  const columns = first.map((name, place) => (hasNames && name.trim() !== '' ? name.trim() : `Column ${place + 1}`));
  return { columns, rows: hasNames ? rest : data.slice(0, previewRows) };
}

/** The likeliest shape: columns that are named so, or the first two. */
export function guessShape({ columns }: TableHead, hasNames: boolean): TableShape {
  const named = (pattern: RegExp): number => columns.findIndex((name) => pattern.test(name));
  const source = Math.max(0, named(/^(source|from|src|start)/i));
  const found = named(/^(target|to|dst|dest|end)/i);
  const target = found === -1 || found === source ? (source === 1 ? 0 : 1) : found;
  const type = named(/^(type|kind|relation|label|predicate)/i);
  const typeColumn = type === -1 || type === source || type === target ? null : type;
  return { hasNames, source, target, typeColumn, type: 'edge', label: 'vertex' };
}

/** Throws with the row that has no ends. */
export async function linesOfTable(file: Blob, shape: TableShape): Promise<Blob> {
  if (file.size > maxTableBytes)
    throw new Error(`The table has ${Math.ceil(file.size / 1024 ** 2)} MiB; up to 256 MiB can be read in a page.`);
  const { data } = Papa.parse<string[]>(await file.text(), { skipEmptyLines: true });
  const names = shape.hasNames ? (data.shift() ?? []) : (data[0] ?? []).map((_, place) => `Column ${place + 1}`);
  const ids = new Map<string, number>();
  const idOf = (row: readonly string[], column: number, place: number): number => {
    const name = row[column]?.trim() ?? '';
    if (name === '')
      throw new Error(`Row ${place + (shape.hasNames ? 2 : 1)} of the table has no ${endName(column, shape)}.`);
    const id = ids.get(name) ?? ids.size;
    ids.set(name, id);
    return id;
  };
  const ends = data.map((row, place) => [idOf(row, shape.source, place), idOf(row, shape.target, place)] as const);
  if (ends.length === 0) throw new Error('The table has no rows.');
  const lines = [
    line({ type: 'meta', format: 'service-jsonl', version: 2, vertexCount: ids.size, edgeCount: ends.length }),
  ];
  for (const [name, id] of ids)
    lines.push(line({ type: 'vertex', id, label: shape.label, creationDate: 0, properties: { name: typed(name) } }));
  for (const [place, [source, target]] of ends.entries()) {
    const row = data[place] as string[];
    const named = shape.typeColumn === null ? '' : (row[shape.typeColumn]?.trim() ?? '');
    const edge = { type: 'edge', id: ids.size + place, edgePropertyId: named || shape.type, source, target };
    lines.push(line({ ...edge, creationDate: 0, properties: propertiesOf(row, names, shape) }));
  }
  return new Blob(lines, { type: 'application/x-ndjson' });
}

function endName(column: number, { source }: TableShape): string {
  return column === source ? 'source' : 'target';
}

function propertiesOf(row: readonly string[], names: readonly string[], shape: TableShape): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const [column, value] of row.entries()) {
    const isOwn = column === shape.source || column === shape.target || column === shape.typeColumn;
    if (!isOwn && value.trim() !== '')
      properties[names[column]?.trim() || `Column ${column + 1}`] = typed(value.trim());
  }
  return properties;
}

/** Numbers stay numbers, so that they can be compared and drawn as such. */
function typed(value: string): { type: string; value: string } {
  const isNumber = /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(value);
  return { type: isNumber ? 'System.Double' : 'System.String', value };
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
