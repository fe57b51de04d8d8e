// Writes of elements and their properties. Each request is one transaction.

import type { CreateEdge, CreateVertex, PropertyText, WriteOperation } from '../../core/requests.ts';
import { TypeId, typeIdOf } from '../../core/values.ts';
import type { Committed } from '../../engine/types.ts';
import { readJson, readList } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { idParameter, textParameter } from '../parameters.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import type { Method, Route } from '../route.ts';
import * as schemas from '../schemas.ts';
import { mapInSlices } from '../slices.ts';
import { write } from '../writes.ts';

const route = (method: Method, path: string, serve: Route['serve']): Route => ({
  method,
  path,
  scope: 'namespace',
  serve,
});

export const elementWriteRoutes: readonly Route[] = [
  route('PUT', '/vertex', putVertex),
  route('PUT', '/vertices', putVertices),
  route('PUT', '/edge', putEdge),
  route('PUT', '/edges', putEdges),
  route('PUT', '/graphelements/properties', putProperties),
  route('DELETE', '/graphelements', deleteElements),
  route('PUT', '/graphelement/:id/:propertyId', putProperty),
  route('DELETE', '/graphelement/:id/:propertyId', deleteProperty),
  route('DELETE', '/graphelement/:id', deleteElement),
];

/** Keys below these prefixes hold vectors and belong to the engine. */
const reservedPrefixes = ['$embedding:', '$embeddingModel:'];

type PropertyBody = schemas.PropertyBody;

/** Create routes answer an unknown type or a value that is none of its type with 500 (contract part 1, Errors). */
const createOptions = { badValue: 'internal' } as const;

async function putVertex(exchange: Exchange): Promise<Response> {
  const body = await readJson(exchange, schemas.vertex, { mayBeEmpty: true });
  return write(exchange, [createVertex(body, 0)], createOptions);
}

async function putVertices(exchange: Exchange): Promise<Response> {
  const bodies = await readList(exchange, schemas.vertices);
  return createMany(exchange, await mapInSlices(exchange.service.platform, bodies, createVertex));
}

async function putEdge(exchange: Exchange): Promise<Response> {
  const body = await readJson(exchange, schemas.edge);
  return write(exchange, [createEdge(body, 0)], createOptions);
}

async function putEdges(exchange: Exchange): Promise<Response> {
  const bodies = await readList(exchange, schemas.edges);
  return createMany(exchange, await mapInSlices(exchange.service.platform, bodies, createEdge));
}

function createMany(exchange: Exchange, operations: WriteOperation[]): Response | Promise<Response> {
  const answer = ({ firstId, createCount }: Committed): Response =>
    exchange.value(Array.from({ length: createCount }, (_, index) => firstId + index));
  if (operations.length > 0) return write(exchange, operations, { ...createOptions, answer });
  return exchange.queryFlag('waitForCompletion') ? exchange.value([]) : exchange.empty(202);
}

function createVertex({ creationDate, label, properties }: schemas.VertexBody, index: number): CreateVertex {
  return { kind: 'createVertex', creationDate, label, properties: propertyTexts(properties, index) };
}

function createEdge(body: schemas.EdgeBody, index: number): CreateEdge {
  return {
    kind: 'createEdge',
    creationDate: body.creationDate,
    source: body.sourceVertex,
    target: body.targetVertex,
    edgeType: body.edgePropertyId,
    label: body.label,
    properties: propertyTexts(body.properties, index),
  };
}

const noProperties: readonly PropertyText[] = [];

function propertyTexts(bodies: readonly PropertyBody[] | null, index: number): readonly PropertyText[] {
  if (bodies === null || bodies.length === 0) return noProperties;
  return bodies.map((body) => propertyText(body.propertyId, body, 'internal', ofNewElement, index));
}

/** How a problem names the element whose property it is about: by its id, or by its place in the request while it has none. */
type ElementWords = (element: number) => string;

const ofElement: ElementWords = (element) => `of element ${element}`;
const ofNewElement: ElementWords = (index) => `of element ${index} of the request`;

function propertyText(
  key: string,
  body: Pick<PropertyBody, 'propertyValue' | 'fullQualifiedTypeName'>,
  unknownType: ProblemKind,
  words: ElementWords,
  element: number,
): PropertyText {
  refuseReserved(key, words, element);
  const type = typeIdOf(body.fullQualifiedTypeName);
  if (type === TypeId.none) {
    const place = `Property '${key}' ${words(element)}`;
    throw new Problem(unknownType, `${place} has the unknown type '${body.fullQualifiedTypeName}'.`);
  }
  return { key, type, text: body.propertyValue };
}

function refuseReserved(key: string, words: ElementWords, element: number): void {
  if (!reservedPrefixes.some((prefix) => key.startsWith(prefix))) return;
  const place = `Property '${key}' ${words(element)}`;
  throw new Problem('badRequest', `${place} belongs to the engine: write the embedding instead.`);
}

async function putProperty(exchange: Exchange): Promise<Response> {
  const element = idParameter(exchange);
  const key = textParameter(exchange, 'propertyId');
  const body = await readJson(exchange, schemas.property);
  return write(exchange, [
    { kind: 'setProperty', element, ...propertyText(key, body, 'badRequest', ofElement, element) },
  ]);
}

async function deleteProperty(exchange: Exchange): Promise<Response> {
  const element = idParameter(exchange);
  const key = textParameter(exchange, 'propertyId');
  refuseReserved(key, ofElement, element);
  return write(exchange, [{ kind: 'removeProperty', element, key }]);
}

async function putProperties(exchange: Exchange): Promise<Response> {
  const changes = await readList(exchange, schemas.propertyChanges);
  const operations = await mapInSlices(exchange.service.platform, changes, (change): WriteOperation => {
    const { graphElementId: element, propertyId: key } = change;
    if (!change.remove)
      return { kind: 'setProperty', element, ...propertyText(key, change, 'badRequest', ofElement, element) };
    refuseReserved(key, ofElement, element);
    return { kind: 'removeProperty', element, key };
  });
  return operations.length > 0 ? write(exchange, operations) : acceptNothing(exchange);
}

async function deleteElement(exchange: Exchange): Promise<Response> {
  return write(exchange, [{ kind: 'removeElement', element: idParameter(exchange), skipRemoved: false }]);
}

async function deleteElements(exchange: Exchange): Promise<Response> {
  const ids = await readList(exchange, schemas.ids);
  const remove = (element: number): WriteOperation => ({ kind: 'removeElement', element, skipRemoved: true });
  const operations = await mapInSlices(exchange.service.platform, ids, remove);
  return operations.length > 0 ? write(exchange, operations) : acceptNothing(exchange);
}

/** An empty batch: nothing to do, and the flag is still checked. */
function acceptNothing(exchange: Exchange): Response {
  exchange.queryFlag('waitForCompletion');
  return exchange.empty(202);
}
