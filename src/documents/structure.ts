// The structured document of docling-serve as blocks (reference 20.3, Conversion): the body in reading order, through groups, each node
// once. It comes from another service, so nothing of its shape is trusted: what is not as expected is passed over, and its size is
// bounded by what was read.

import type { Block, PageSpan } from './blocks.ts';

/** Cells that a table may claim to have beyond those it brings. */
const maxCells = 1_000_000;

const dropped: ReadonlySet<string> = new Set(['page_header', 'page_footer']);

export interface Structure {
  readonly blocks: Block[];
  readonly pageCount: number | null;
}

/** Null when this is no structured document, or one without a body. */
export function structureOf(whole: unknown): Structure | null {
  if (!isNode(whole) || !isNode(whole.body)) return null;
  const blocks = [...walk(whole)];
  if (blocks.length === 0) return null;
  const pages = isNode(whole.pages) ? Object.keys(whole.pages).length : 0;
  const last = blocks.reduce((most, block) => Math.max(most, block.pages?.to ?? 0), pages);
  return { blocks, pageCount: last === 0 ? null : last };
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Depth first with a stack of its own: nesting is the sender's. */
function* walk(whole: Node): Generator<Block> {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [whole.body];
  while (waiting.length > 0) {
    const node = resolved(whole, waiting.pop());
    if (node === null || seen.has(node)) continue;
    seen.add(node);
    const block = blockOf(whole, node);
    if (block !== null) yield block;
    const { children } = node;
    if (!Array.isArray(children)) continue;
    for (let i = children.length - 1; i >= 0; i--) waiting.push(children[i]);
  }
}

const reference = /^#\/(texts|tables|groups|pictures|key_value_items|form_items)\/(\d{1,9})$/;

/** The node itself, or what its reference names. */
function resolved(whole: Node, node: unknown): Node | null {
  if (!isNode(node)) return null;
  const { $ref } = node;
  if ($ref === undefined) return node;
  const [, list = '', place = ''] = (typeof $ref === 'string' && reference.exec($ref)) || [];
  const all = whole[list];
  const found: unknown = Array.isArray(all) ? all[Number(place)] : null;
  return isNode(found) ? found : null;
}

function blockOf(whole: Node, node: Node): Block | null {
  if (isNode(node.data)) return tableOf(node, node.data);
  const { label } = node;
  if (typeof node.text !== 'string' || dropped.has(String(label))) return null;
  const text = node.text.trim();
  // Only texts of the list count: a picture's caption stands there when it is to be read.
  if (text === '' || !isInTexts(whole, node)) return null;
  const pages = pagesOf(node);
  if (label === 'title') return { kind: 'heading', level: 0, text, pages };
  if (label === 'section_header') return { kind: 'heading', level: levelOf(node), text, pages };
  return { kind: 'paragraph', text, pages };
}

const members = new WeakMap<object, ReadonlySet<unknown>>();

function isInTexts(whole: Node, node: Node): boolean {
  const { texts } = whole;
  if (!Array.isArray(texts)) return false;
  let known = members.get(texts);
  if (known === undefined) {
    known = new Set(texts);
    members.set(texts, known);
  }
  return known.has(node);
}

function levelOf({ level }: Node): number {
  return typeof level === 'number' && Number.isSafeInteger(level) ? Math.max(1, level) : 1;
}

function tableOf(node: Node, data: Node): Block | null {
  const rows = Array.isArray(data.grid) ? rowsOfGrid(data.grid) : rowsOfCells(data);
  if (rows.length === 0 || rows.every((row) => row.every((cell) => cell === ''))) return null;
  return { kind: 'table', rows, pages: pagesOf(node) };
}

function rowsOfGrid(grid: readonly unknown[]): string[][] {
  return grid.filter((row): row is unknown[] => Array.isArray(row)).map((row) => row.map(cellText));
}

/** From cells that say where they stand. */
function rowsOfCells(data: Node): string[][] {
  const [rowCount, columns] = [count(data.num_rows), count(data.num_cols)];
  const cells = data.table_cells;
  if (!Array.isArray(cells) || rowCount * columns > maxCells) return [];
  const rows = Array.from({ length: rowCount }, () => new Array<string>(columns).fill(''));
  for (const cell of cells) {
    if (!isNode(cell)) continue;
    const row = rows[count(cell.start_row_offset_idx)];
    const column = count(cell.start_col_offset_idx);
    if (row !== undefined && column < columns) row[column] = cellText(cell);
  }
  return rows;
}

function cellText(cell: unknown): string {
  return isNode(cell) && typeof cell.text === 'string' ? cell.text.trim() : '';
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function pagesOf({ prov }: Node): PageSpan | null {
  if (!Array.isArray(prov)) return null;
  let span: { from: number; to: number } | null = null;
  for (const place of prov) {
    const page = isNode(place) ? count(place.page_no) : 0;
    if (page === 0) continue;
    if (span === null) span = { from: page, to: page };
    else span = { from: Math.min(span.from, page), to: Math.max(span.to, page) };
  }
  return span;
}
