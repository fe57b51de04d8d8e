// What plugins ask of elements and fragments do not: all properties, all neighbours, the types of edges.

import type { EdgeDirection } from '../../element-reader.ts';
import type { EngineReader } from '../../engine-reader.ts';
import type { Type } from '../../types.ts';
import { DictionaryObject } from '../collections.ts';
import { type ElementObject, objectValue, vertexObject } from '../elements.ts';
import { allocate } from '../machine.ts';
import { runtimeType } from '../runtime-types.ts';
import { newList } from '../values.ts';
import type { MemberTable } from './native.ts';

const STRING: Type = { kind: 'primitive', name: 'string' };
const OBJECT: Type = { kind: 'primitive', name: 'object' };
const VERTEX: Type = { kind: 'named', name: 'VertexModel', arguments: [] };
const BAG = runtimeType({ kind: 'named', name: 'Dictionary', arguments: [STRING, OBJECT] });

function properties({ id, reader }: ElementObject): DictionaryObject {
  const all = new DictionaryObject(BAG, null);
  // Elements of plugins are read by the engine's reader.
  for (const key of (reader as EngineReader).propertyKeys(id)) {
    const value = reader.property(id, key);
    if (value !== null) all.set(key, objectValue(value));
  }
  return all;
}

/** The other ends of all edges, those that go out first; one for each edge. */
function neighbours({ id, reader }: ElementObject) {
  const ends = (['out', 'in'] as const).flatMap((direction) =>
    (reader.edgeGroups(id, direction) ?? []).flatMap(({ edges }) =>
      edges.map((edge) => reader.edge(edge)[direction === 'out' ? 'target' : 'source']),
    ),
  );
  allocate(ends.length * 40 + 32);
  return newList(
    VERTEX,
    ends.map((end) => vertexObject(reader, end)),
  );
}

const edgeTypes =
  (direction: EdgeDirection) =>
  ({ id, reader }: ElementObject) =>
    newList(
      STRING,
      (reader.edgeGroups(id, direction) ?? []).map(({ edgeType }) => edgeType),
    );

export const ENGINE_ELEMENT_MEMBERS: MemberTable = {
  'AGraphElementModel.GetAllProperties()': properties,
  'VertexModel.GetAllNeighbors()': neighbours,
  'VertexModel.GetOutgoingEdgeIds()': edgeTypes('out'),
  'VertexModel.GetIncomingEdgeIds()': edgeTypes('in'),
};
