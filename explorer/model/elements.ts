// What the explorer knows of a graph: plain values, as they came.

export interface Property {
  readonly key: string;
  /** Full name of the type, such as System.String. */
  readonly type: string;
  readonly value: string;
}

export interface VertexData {
  readonly id: number;
  readonly label: string | null;
  readonly properties: readonly Property[];
}

export interface EdgeData {
  readonly id: number;
  readonly type: string;
  readonly source: number;
  readonly target: number;
}

/** An edge with what it carries. */
export interface WholeEdge extends EdgeData {
  readonly label: string | null;
  readonly properties: readonly Property[];
}

export type Direction = 'out' | 'in';

/** How many edges of one type a vertex has in one direction. */
export interface EdgeGroup {
  readonly direction: Direction;
  readonly type: string;
  readonly count: number;
}

export interface Name {
  readonly name: string;
  readonly count: number;
}

/** What a vertex without a label is called. */
export const noLabel = '(no label)';

export function labelOf({ label }: VertexData): string {
  return label === null || label === '' ? noLabel : label;
}

/** How many edges lead to a vertex and away from it, and of which type most are; empty when none do. */
export function connectionWords(groups: readonly EdgeGroup[]): string {
  if (groups.length === 0) return '';
  const words = `${wordsOf(groups, 'in', 'to it')}; ${wordsOf(groups, 'out', 'away')}.`;
  return words.replace(/^none/, 'None');
}

function wordsOf(groups: readonly EdgeGroup[], direction: Direction, way: string): string {
  const own = groups.filter((group) => group.direction === direction).sort((a, b) => b.count - a.count);
  const total = own.reduce((sum, { count }) => sum + count, 0);
  const [most] = own;
  if (most === undefined || total === 0) return `none leads ${way}`;
  if (total === 1) return `1 edge leads ${way}, of type ${most.type}`;
  const edges = `${total.toLocaleString('en')} edges lead ${way}`;
  if (most.count === total) return `${edges}, all of them ${most.type}`;
  return `${edges}, ${most.count.toLocaleString('en')} of them ${most.type}`;
}
