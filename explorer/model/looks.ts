// What colours and sizes say: the label, a property, a rule, the edges in the picture, or the answer to the last question; and the scale
// that tells it.

import { labelOf, type VertexData } from './elements.ts';
import { numberOf, textOf } from './filter.ts';

/** `property` and `rule` name a key beside it. */
export type ColourBy = 'label' | 'property' | 'rule' | 'degree' | 'answer';
export type SizeBy = 'degree' | 'same' | 'property' | 'answer';

export interface LookChoice {
  readonly colourBy: ColourBy;
  readonly colourKey: string;
  /** A rule: vertices whose value contains this, or is greater where it is a number behind `>`. */
  readonly rule: string;
  readonly sizeBy: SizeBy;
  readonly sizeKey: string;
}

export const defaultLooks: LookChoice = { colourBy: 'label', colourKey: '', rule: '', sizeBy: 'degree', sizeKey: '' };

export interface LookFacts {
  readonly degrees: ReadonlyMap<number, number>;
  readonly scores: ReadonlyMap<number, number> | null;
  readonly groups: ReadonlyMap<number, string> | null;
}

/** A scale of numbers; what has none is left grey. */
export interface RangeScale {
  readonly kind: 'range';
  readonly title: string;
  readonly low: number;
  readonly high: number;
  readonly of: (vertex: VertexData) => number | null;
}

/** A scale of names, the most frequent first. */
export interface NameScale {
  readonly kind: 'names';
  readonly title: string;
  readonly names: readonly string[];
  readonly of: (vertex: VertexData) => string | null;
}

export type Scale = RangeScale | NameScale;

const longestName = 40;

/** Null: colours show labels. */
export function colourScale(choice: LookChoice, vertices: readonly VertexData[], facts: LookFacts): Scale | null {
  const { colourBy, colourKey, rule } = choice;
  if (colourBy === 'degree') return rangeOf('Edges shown', vertices, ({ id }) => facts.degrees.get(id) ?? 0);
  if (colourBy === 'answer') {
    const { scores, groups } = facts;
    if (groups !== null) return namesOf('Groups of the answer', vertices, ({ id }) => groups.get(id) ?? null);
    return scores === null ? null : rangeOf('Score of the answer', vertices, ({ id }) => scores.get(id) ?? null);
  }
  if (colourKey === '' || colourBy === 'label') return null;
  if (colourBy === 'rule') {
    const passes = ruleOf(colourKey, rule);
    const title = `${colourKey} ${rule}`;
    return { kind: 'names', title, names: [title], of: (vertex) => (passes(vertex) ? title : null) };
  }
  const isNumeric = vertices.some((vertex) => numberOf(vertex, colourKey) !== null);
  return isNumeric
    ? rangeOf(colourKey, vertices, (vertex) => numberOf(vertex, colourKey))
    : namesOf(colourKey, vertices, (vertex) => textOf(vertex, colourKey)?.slice(0, longestName) ?? null);
}

/** Null: all have the same size. */
export function sizeScale(choice: LookChoice, vertices: readonly VertexData[], facts: LookFacts): RangeScale | null {
  const { sizeBy, sizeKey } = choice;
  if (sizeBy === 'property' && sizeKey !== '') return rangeOf(sizeKey, vertices, (vertex) => numberOf(vertex, sizeKey));
  if (sizeBy === 'answer' && facts.scores !== null)
    return rangeOf('Score of the answer', vertices, ({ id }) => facts.scores?.get(id) ?? null);
  return sizeBy === 'same' ? null : rangeOf('Edges shown', vertices, ({ id }) => facts.degrees.get(id) ?? 0);
}

/** Where a number lies on its scale, from 0 to 1. */
export function partOf({ low, high }: RangeScale, value: number): number {
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
}

function ruleOf(key: string, rule: string): (vertex: VertexData) => boolean {
  const compared = /^\s*(>=|<=|>|<|=)\s*(-?[\d.]+)\s*$/.exec(rule);
  if (compared === null) {
    const wanted = rule.trim().toLowerCase();
    return (vertex) => wanted !== '' && textOf(vertex, key)?.toLowerCase().includes(wanted) === true;
  }
  const [, sign, text] = compared;
  const bound = Number(text);
  return (vertex) => {
    const value = numberOf(vertex, key);
    if (value === null) return false;
    if (sign === '=') return value === bound;
    if (sign?.startsWith('>')) return value > bound || (sign === '>=' && value === bound);
    return value < bound || (sign === '<=' && value === bound);
  };
}

function rangeOf(title: string, vertices: readonly VertexData[], of: RangeScale['of']): RangeScale {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const vertex of vertices) {
    const value = of(vertex);
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { kind: 'range', title, low: low > high ? 0 : low, high: low > high ? 0 : high, of };
}

function namesOf(title: string, vertices: readonly VertexData[], of: NameScale['of']): NameScale {
  const counts = new Map<string, number>();
  for (const vertex of vertices) {
    const name = of(vertex);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([name]) => name);
  return { kind: 'names', title, names, of };
}

/** Keys of the properties of what is shown, with how many of the first vertices have them. */
export function keysOfVertices(vertices: readonly VertexData[]): string[] {
  const counts = new Map<string, number>();
  for (const { properties } of vertices.slice(0, 500)) {
    for (const { key } of properties) if (!key.startsWith('$')) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([key]) => key);
}

export function labelsOfVertices(vertices: readonly VertexData[]): string[] {
  return [...new Set(vertices.map(labelOf))].slice(0, 24);
}
