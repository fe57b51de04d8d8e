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
