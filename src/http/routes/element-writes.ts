// Writes of elements and their properties. Each request is one transaction.

import { embeddingModelPrefix, embeddingPrefix } from '../../core/embeddings.ts';
import type { CreateEdge, CreateVertex, PropertyText, WriteOperation } from '../../core/requests.ts';
import { TypeId, typeIdOf } from '../../core/values.ts';
import type { Committed } from '../../engine/types.ts';
import { json, list } from '../bodies.ts';
import { noticeCommas } from '../decimal-commas.ts';
import type { Exchange } from '../exchange.ts';
import { idInPath, textInPath, waitForCompletion } from '../parameters.ts';
import { isPlainEdge, isPlainId, isPlainVertex } from '../plain-bodies.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import { nothing, type Route, route, shows } from '../route.ts';
import { id } from '../schemas.ts';
import { elementIds } from '../shapes.ts';
import { mapInSlices } from '../slices.ts';
import type { Warnings } from '../warnings.ts';
import { write, writeProblems } from '../writes.ts';
import * as bodies from './element-bodies.ts';

const change = { scope: 'namespace', tag: 'Graph', query: { waitForCompletion }, problems: writeProblems } as const;
const accepted = nothing('Accepted; when waited for, committed.');
const created = { 200: shows('Waited for: the new ids, in the order of the request.', elementIds), 202: accepted };
const element = idInPath('Id of the element.');
const propertyId = textInPath('Key of the property.');
const refuse = bodies.refuseManyProperties;

export const elementWriteRoutes: readonly Route[] = [
  route({
    ...change,
    method: 'PUT',
    path: '/vertex',
    summary: 'Creates a vertex.',
    body: json(bodies.vertex, { isPlain: isPlainVertex, mayBeEmpty: true, refuse }),
    answers: { 202: accepted },
    serve: (exchange, { body, waitForCompletion }) =>
      write(exchange, [createVertex(propertiesOf(exchange, ofNew), body, 0)], waitForCompletion, createOptions),
  }),
  route({
    ...change,
    method: 'PUT',
    path: '/vertices',
    summary: 'Creates vertices in one transaction.',
    body: list(bodies.vertex, { isPlain: isPlainVertex, refuse }),
    answers: created,
    serve: async (exchange, { body, waitForCompletion }) => {
      const properties = propertiesOf(exchange, ofNewInList);
      const make = (one: bodies.VertexBody, index: number) => createVertex(properties, one, index);
      const operations = await mapInSlices(exchange.service.platform, body, make, stepsOf);
      return createMany(exchange, operations, waitForCompletion);
    },
  }),
  route({
    ...change,
    method: 'PUT',
    path: '/edge',
    summary: 'Creates an edge.',
    body: json(bodies.edge, { isPlain: isPlainEdge, refuse }),
    answers: { 202: accepted },
    serve: (exchange, { body, waitForCompletion }) =>
      write(exchange, [createEdge(propertiesOf(exchange, ofNew), body, 0)], waitForCompletion, createOptions),
  }),
  route({
    ...change,
    method: 'PUT',
    path: '/edges',
    summary: 'Creates edges in one transaction.',
    body: list(bodies.edge, { isPlain: isPlainEdge, refuse }),
    answers: created,
    serve: async (exchange, { body, waitForCompletion }) => {
      const properties = propertiesOf(exchange, ofNewInList);
      const make = (one: bodies.EdgeBody, index: number) => createEdge(properties, one, index);
      const operations = await mapInSlices(exchange.service.platform, body, make, stepsOf);
      return createMany(exchange, operations, waitForCompletion);
    },
  }),
  route({
    ...change,
    method: 'PUT',
    path: '/graphelements/properties',
    summary: 'Sets and removes properties of many elements in one transaction.',
    body: list(bodies.change),
    answers: { 202: accepted },
    serve: async (exchange, { body, waitForCompletion }) => {
      const properties = propertiesOf(exchange, ofElementInList);
      const make = (change: bodies.Change, index: number) => propertyChange(properties, change, index);
      return writeMany(exchange, await mapInSlices(exchange.service.platform, body, make), waitForCompletion);
    },
  }),
  route({
    ...change,
    method: 'DELETE',
    path: '/graphelements',
    summary: 'Removes elements, with the edges of removed vertices, in one transaction.',
    body: list(id, { isPlain: isPlainId, description: 'Ids of elements.' }),
    answers: { 202: accepted },
    serve: async (exchange, { body, waitForCompletion }) =>
      writeMany(exchange, await mapInSlices(exchange.service.platform, body, removal), waitForCompletion),
  }),
  route({
    ...change,
    method: 'PUT',
    path: '/graphelement/:id/:propertyId',
    summary: 'Sets a property; the key is that of the path.',
    params: { id: element, propertyId },
    body: json(bodies.namedProperty),
    answers: { 202: accepted },
    serve: (exchange, { id, propertyId: key, body, waitForCompletion }) => {
      if (body.propertyId !== undefined && body.propertyId !== key) {
        exchange.warnings.add('ignoredMember', 'propertyId', `The key is that of the path, '${key}'.`);
        exchange.refuseIfStrict();
      }
      const property = propertiesOf(exchange, ofElement).one(key, body, id, 0);
      return write(exchange, [{ kind: 'setProperty', element: id, ...property }], waitForCompletion);
    },
  }),
  route({
    ...change,
    method: 'DELETE',
    path: '/graphelement/:id/:propertyId',
    summary: 'Removes a property.',
    params: { id: element, propertyId },
    answers: { 202: accepted },
    serve: (exchange, { id, propertyId: key, waitForCompletion }) => {
      refuseReserved(key, ofElement, id);
      return write(exchange, [{ kind: 'removeProperty', element: id, key }], waitForCompletion);
    },
  }),
  route({
    ...change,
    method: 'DELETE',
    path: '/graphelement/:id',
    summary: 'Removes an element; a vertex with its edges.',
    params: { id: element },
    answers: { 202: accepted },
    serve: (exchange, { id, waitForCompletion }) =>
      write(exchange, [{ kind: 'removeElement', element: id, skipRemoved: false }], waitForCompletion),
  }),
];

function stepsOf({ properties }: bodies.VertexBody): number {
  return 1 + (properties?.length ?? 0) / propertiesPerStep;
}

/** Keys below these prefixes hold vectors and belong to the engine. */
const reservedPrefixes = [embeddingPrefix, embeddingModelPrefix];

/** Properties of an element that become operations in one step of a slice. */
const propertiesPerStep = 8;

/** Create routes answer an unknown type or a value that is none of its type with 500 (contract part 1, Errors). */
const createOptions = { badValue: 'internal' } as const;

function createMany(
  exchange: Exchange,
  operations: WriteOperation[],
  waitForCompletion: boolean,
): Response | Promise<Response> {
  const answer = ({ firstId, createCount }: Committed): Response =>
    exchange.value(Array.from({ length: createCount }, (_, index) => firstId + index));
  if (operations.length > 0) return write(exchange, operations, waitForCompletion, { ...createOptions, answer });
  return waitForCompletion ? exchange.value([]) : exchange.empty(202);
}

/** An empty batch has nothing to do. */
function writeMany(
  exchange: Exchange,
  operations: WriteOperation[],
  waitForCompletion: boolean,
): Response | Promise<Response> {
  return operations.length > 0 ? write(exchange, operations, waitForCompletion) : exchange.empty(202);
}

function removal(element: number): WriteOperation {
  return { kind: 'removeElement', element, skipRemoved: true };
}

function propertyChange(properties: PropertyTexts, change: bodies.Change, index: number): WriteOperation {
  const { graphElementId: element, propertyId: key } = change;
  if (!change.remove) return { kind: 'setProperty', element, ...properties.one(key, change, element, index) };
  refuseReserved(key, ofElement, element);
  return { kind: 'removeProperty', element, key };
}

function createVertex(texts: PropertyTexts, body: bodies.VertexBody, index: number): CreateVertex {
  const { creationDate, label, properties } = body;
  return { kind: 'createVertex', creationDate, label, properties: texts.all(properties, index) };
}

function createEdge(texts: PropertyTexts, body: bodies.EdgeBody, index: number): CreateEdge {
  return {
    kind: 'createEdge',
    creationDate: body.creationDate,
    source: body.sourceVertex,
    target: body.targetVertex,
    edgeType: body.edgePropertyId,
    label: body.label,
    properties: texts.all(body.properties, index),
  };
}

const noProperties: readonly PropertyText[] = [];

/** What a route says of properties that are wrong. */
interface PropertyPlace {
  readonly unknownType: ProblemKind;
  /** The element in words: by its id, or by its place in the request while it has none. */
  readonly words: (element: number) => string;
  /** Place of a value in the body; `index`: of the property, or of the change that it is. */
  readonly at: (element: number, index: number) => string;
}

const ofElement: PropertyPlace = {
  unknownType: 'badRequest',
  words: (element) => `of element ${element}`,
  at: () => 'propertyValue',
};
const ofElementInList: PropertyPlace = { ...ofElement, at: (_, index) => `[${index}].propertyValue` };
const ofNew: PropertyPlace = {
  unknownType: 'internal',
  words: (element) => `of element ${element} of the request`,
  at: (_, index) => `properties[${index}].propertyValue`,
};
const ofNewInList: PropertyPlace = {
  ...ofNew,
  at: (element, index) => `[${element}].properties[${index}].propertyValue`,
};

function propertiesOf({ warnings }: Exchange, place: PropertyPlace): PropertyTexts {
  return new PropertyTexts(warnings, place);
}

/** Reads the properties of one request. */
class PropertyTexts {
  private readonly warnings: Warnings;
  private readonly place: PropertyPlace;

  constructor(warnings: Warnings, place: PropertyPlace) {
    this.warnings = warnings;
    this.place = place;
  }

  all(properties: readonly bodies.PropertyBody[] | null, element: number): readonly PropertyText[] {
    if (properties === null || properties.length === 0) return noProperties;
    return properties.map((body, index) => this.one(body.propertyId, body, element, index));
  }

  one(
    key: string,
    body: Pick<bodies.PropertyBody, 'propertyValue' | 'fullQualifiedTypeName'>,
    element: number,
    index: number,
  ): PropertyText {
    const { warnings, place } = this;
    refuseReserved(key, place, element);
    const { propertyValue: text, fullQualifiedTypeName: typeName } = body;
    const type = typeIdOf(typeName);
    if (type === TypeId.none) {
      const detail = `Property '${key}' ${place.words(element)} has the unknown type '${typeName}'.`;
      throw new Problem(place.unknownType, detail);
    }
    noticeCommas(warnings, type, text, () => place.at(element, index));
    return { key, type, text };
  }
}

function refuseReserved(key: string, { words }: PropertyPlace, element: number): void {
  if (!reservedPrefixes.some((prefix) => key.startsWith(prefix))) return;
  const place = `Property '${key}' ${words(element)}`;
  throw new Problem('badRequest', `${place} belongs to the engine: write the embedding instead.`);
}
