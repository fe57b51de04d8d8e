// What a node says of its cluster: the shape of GET /cluster.

import { z } from 'zod';
import { count } from '../shapes.ts';

export const clusterShape = z
  .object({
    node: z.string().nullable().meta({ description: 'Where the other nodes find this one.' }),
    role: z.enum(['alone', 'none', 'replica', 'writer']),
    term: count.meta({ description: 'In which it writes; 0 where it does not.' }),
    writer: z.string().nullable().meta({ description: 'Where the writer is; null where that is not known.' }),
  })
  .meta({ id: 'Cluster', description: 'One of several nodes writes, the others follow.' });

export type ClusterDescription = z.infer<typeof clusterShape>;

/** Of a service that is no node of a cluster. */
export const alone: ClusterDescription = { node: null, role: 'alone', term: 0, writer: null };
