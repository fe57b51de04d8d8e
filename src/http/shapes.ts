// What the service shows of a graph, as schemas: the answers of many routes are made of these. The bytes come from the core; these
// say what is in them (contract part 1, Resources).

import { z } from 'zod';

export const elementId = z.int32().meta({ description: 'Names one element of the namespace, vertex or edge.' });

/** `yyyy-MM-ddTHH:mm:ss` in UTC, with or without a zone. */
const timestamp = z.string().meta({ description: 'ISO 8601, UTC.' });

const property = z
  .object({
    propertyId: z.string().meta({ description: 'The key.' }),
    fullQualifiedTypeName: z.string().meta({ description: 'Name of the type, such as System.String.' }),
    propertyValue: z.string().meta({ description: 'The value as invariant text.' }),
  })
  .meta({ id: 'Property', description: 'A typed property as it is read.' });

const elementMembers = {
  id: elementId,
  creationDate: timestamp,
  modificationDate: timestamp,
  label: z.string().nullable(),
  properties: z.array(property),
};

const edgesByType = z
  .record(z.string(), z.array(elementId))
  .nullable()
  .meta({ description: 'Ids of edges by edge type; null when there are none in this direction.' });

export const vertexShape = z
  .object({ ...elementMembers, outEdges: edgesByType, inEdges: edgesByType })
  .meta({ id: 'Vertex', description: 'A vertex with its properties and the ids of its edges.' });

export const edgeShape = z
  .object({
    ...elementMembers,
    edgePropertyId: z.string().meta({ description: 'The type of the edge.' }),
    sourceVertex: elementId,
    targetVertex: elementId,
  })
  .meta({ id: 'Edge', description: 'An edge with its ends, type and properties.' });

export const elementShape = z.union([vertexShape, edgeShape]);

export const elementPage = z
  .object({
    elements: z.array(z.object({ kind: z.enum(['vertex', 'edge']), ...elementMembers }).meta({ id: 'ElementSummary' })),
    notFound: z.array(elementId),
  })
  .meta({ id: 'ElementPage', description: 'Elements in the order they were asked for, and the ids that name none.' });

export const graphPage = z
  .object({ vertices: z.array(vertexShape), edges: z.array(edgeShape) })
  .meta({ id: 'GraphPage', description: 'The first vertices and edges by id; each list has its own bound.' });

export const elementIds = z.array(elementId);
export const count = z.int().nonnegative();
