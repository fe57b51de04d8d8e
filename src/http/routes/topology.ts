// The edges between vertices, the ends of edges, or the next edges of a vertex, as numbers: what a picture needs of a graph, in one
// answer of four to sixteen bytes a thing. Nothing is looked at but the edges of the vertices asked for, and of those a bounded number.
// topology-answer.ts reads and writes it, and loads with the first question.

import { z } from 'zod';
import { json } from '../bodies.ts';
import { type Route, route } from '../route.ts';
import { id, integer, longList, record } from '../schemas.ts';

const maxIds = 200_000;
/** Edges of one vertex in one answer. */
const maxAround = 1000;

const around = record({
  vertex: id,
  direction: z.enum(['out', 'in']).default('out'),
  edgePropertyId: z.string(),
  after: id.default(-1).meta({ description: 'An edge of the group; those behind it are answered.' }),
  limit: integer(1, maxAround).default(25),
}).meta({ id: 'TopologyAround' });

const specification = record({
  vertices: longList(id, maxIds)
    .default([])
    .meta({ description: 'Every edge from one of these to another one of them.' }),
  edges: longList(id, maxIds).default([]).meta({ description: 'These edges, whatever their ends.' }),
  around: around
    .optional()
    .meta({ description: 'The next edges of one type of one vertex, in the order of their ids.' }),
}).meta({ id: 'TopologySpecification' });

const bytes = z.string().meta({
  format: 'binary',
  description:
    'Little-endian: u32 magic ATP1, u32 flags (1: some edges were not looked at), u32 vertices, u32 edges, u32 bytes of names; then the ' +
    'ids of vertices and of edges (i32), positions of sources, targets and types (u32), and the types as a JSON array.',
});

export const topologyRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/topology',
    scope: 'namespace',
    tag: 'Graph',
    summary: 'The edges between vertices, the ends of edges, or the next edges of a vertex, as numbers.',
    body: json(specification),
    answers: {
      200: {
        description: 'Vertices that there are, and edges.',
        schema: bytes,
        mediaTypes: ['application/octet-stream'],
      },
    },
    serve: async (exchange, { body }) => {
      const { readTopology } = await import('./topology-answer.ts');
      return exchange.binary(await readTopology(exchange, body));
    },
  }),
];
