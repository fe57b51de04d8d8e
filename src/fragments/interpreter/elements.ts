// Vertices and edges as objects of a fragment: handles that ask an ElementReader, and the read-only collections of their edges.

import { dotNetNames } from '../dotnet-names.ts';
import type { EdgeDirection, EdgeGroup, ElementReader, PropertyValue, SearchContext } from '../element-reader.ts';
import type { Type } from '../types.ts';
import { ArrayObject } from './array-objects.ts';
import { MapObject } from './collections.ts';
import { decimalFromText } from './decimal.ts';
import { allocate, charge } from './machine.ts';
import { type RuntimeType, runtimeType } from './runtime-types.ts';
import { DateTimeOffsetValue, DateTimeValue, GuidValue, Identified, KeyValue, TimeSpanValue } from './structs.ts';
import { Boxed, DeferredSequence, ItemSequence, type Sequence, SpanValue, type Value } from './values.ts';

const named = (name: string, ...list: readonly Type[]): Type => ({ kind: 'named', name, arguments: list });
const STRING: Type = { kind: 'primitive', name: 'string' };
const EDGE = named('EdgeModel');
const EDGE_LIST = named('IReadOnlyList', EDGE);
const VERTEX_TYPE = runtimeType(named('VertexModel'));
const EDGE_TYPE = runtimeType(EDGE);
const GROUP_TYPE = runtimeType(EDGE_LIST);
const GROUPS_TYPE = runtimeType(named('IReadOnlyDictionary', STRING, EDGE_LIST));

/** A vertex or an edge. Two handles of one element are the same object to the fragment. */
export class ElementObject extends Identified {
  readonly type: RuntimeType;
  readonly id: number;
  readonly reader: ElementReader;

  constructor(reader: ElementReader, id: number, isVertex: boolean) {
    super();
    this.type = isVertex ? VERTEX_TYPE : EDGE_TYPE;
    this.id = id;
    this.reader = reader;
  }

  get identity(): string {
    return `\0e${this.id}`;
  }

  get hash(): number {
    return this.id;
  }

  toText(): string {
    return String(this.id);
  }
}

export function vertexObject(reader: ElementReader, id: number): ElementObject {
  return new ElementObject(reader, id, true);
}

function edgeObject(reader: ElementReader, id: number): ElementObject {
  return new ElementObject(reader, id, false);
}

function edgesOf(reader: ElementReader, group: EdgeGroup): ElementObject[] {
  charge(group.edges.length >> 2);
  allocate(group.edges.length * 32 + 32);
  return group.edges.map((id) => edgeObject(reader, id));
}

/** One group of edges as a read-only list. */
export function edgeList(reader: ElementReader, group: EdgeGroup): ItemSequence {
  return new ItemSequence(GROUP_TYPE, edgesOf(reader, group));
}

export function edgeSpan(reader: ElementReader, group: EdgeGroup): SpanValue {
  const edges = edgesOf(reader, group);
  return new SpanValue(edges, 0, edges.length);
}

export function groupNamed(element: ElementObject, direction: EdgeDirection, edgeType: string): EdgeGroup | undefined {
  return element.reader.edgeGroups(element.id, direction)?.find((group) => group.edgeType === edgeType);
}

/** All groups of a vertex in one direction. */
export class EdgeGroups extends MapObject {
  readonly type = GROUPS_TYPE;
  readonly #reader: ElementReader;
  readonly #groups: readonly EdgeGroup[];

  constructor(reader: ElementReader, groups: readonly EdgeGroup[]) {
    super();
    this.#reader = reader;
    this.#groups = groups;
  }

  find(key: Value): Value {
    charge(1);
    const group = this.#groups.find((each) => each.edgeType === key);
    return group && edgeList(this.#reader, group);
  }

  override get count(): number {
    return this.#groups.length;
  }

  *cursor(): Generator<KeyValue> {
    for (const group of this.#groups) {
      charge(1);
      yield new KeyValue(group.edgeType, edgeList(this.#reader, group));
    }
  }

  *#part(part: (pair: KeyValue) => Value): Generator<Value> {
    for (const pair of { [Symbol.iterator]: () => this.cursor() }) yield part(pair);
  }

  keys(): Sequence {
    return new DeferredSequence(STRING, () => this.#part((pair) => pair.key));
  }

  values(): Sequence {
    return new DeferredSequence(EDGE_LIST, () => this.#part((pair) => pair.value));
  }
}

/** The `context` of a search. */
export class ContextObject {
  readonly type = runtimeType(named('TraversalContext'));
  readonly search: SearchContext;

  constructor(search: SearchContext) {
    this.search = search;
  }
}

// --- properties -------------------------------------------------------------------------------------------------------

/** The property type that a C# type asks for: `Object` for any, null for types that no property has. */
export function propertyTypeOf(type: Type): string | null {
  switch (type.kind) {
    case 'primitive':
      return type.name === 'void' ? null : dotNetNames[type.name];
    case 'named':
      return type.name;
    case 'nullable':
      return propertyTypeOf(type.element);
    case 'array':
      return type.rank === 1 && type.element.kind === 'primitive' && type.element.name === 'float' ? 'Single[]' : null;
    default:
      return null;
  }
}

const FLOAT: Type = { kind: 'primitive', name: 'float' };

/** A property's value as the bare value of its type. */
export function bareValue(property: PropertyValue): Value {
  switch (property.type) {
    case 'Decimal':
      return decimalFromText(property.value);
    case 'Guid':
      return new GuidValue(property.value);
    case 'TimeSpan':
      return new TimeSpanValue(property.value);
    case 'DateTime':
      return new DateTimeValue(property.value.ticks, property.value.kind);
    case 'DateTimeOffset':
      return new DateTimeOffsetValue(property.value.ticks, property.value.offsetMinutes);
    case 'Single[]':
      allocate(property.value.length * 4);
      return new ArrayObject(FLOAT, property.value.slice());
    default:
      return property.value;
  }
}

const KEYWORDS = new Map(Object.entries(dotNetNames).map(([keyword, name]) => [name, keyword]));

/** A property's value as object. */
export function objectValue(property: PropertyValue): Value {
  const value = bareValue(property);
  if (property.type === 'String' || property.type === 'Single[]') return value;
  const keyword = KEYWORDS.get(property.type);
  const type: Type = keyword ? { kind: 'primitive', name: keyword as 'int' } : named(property.type);
  return new Boxed(runtimeType(type), value);
}
