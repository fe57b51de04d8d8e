// What a node says of its cluster, and what it can be asked to move: the shapes of /cluster.

import { z } from 'zod';
import { record } from '../schemas.ts';
import { count } from '../shapes.ts';

const role = z.enum(['none', 'replica', 'writer']);
const writer = z.string().nullable().meta({ description: 'Where the writer is; null where that is not known.' });
const term = count.meta({ description: 'In which this node writes; 0 where it does not.' });

const namespaceShape = z
  .object({
    name: z.string(),
    id: z.string().meta({ description: 'Of its log.' }),
    node: z.string().nullable().meta({ description: 'Where it is to be written; null: wherever it is.' }),
    role,
    term,
    writer,
    isNext: z.boolean().meta({ description: 'Whether this node is ready to take it from its writer.' }),
    isReady: z.boolean().meta({
      description: 'Whether its graph follows here and the log has been read, so that it could be taken at once.',
    }),
  })
  .meta({ id: 'ClusterNamespace', description: 'A namespace, and the part that this node has in it.' });

export const clusterShape = z
  .object({
    node: z.string().nullable().meta({ description: 'Where the other nodes find this one.' }),
    role: z.enum(['alone', ...role.options]).meta({ description: 'In the namespace default.' }),
    term,
    writer,
    nodes: z
      .array(z.string())
      .meta({ description: 'All nodes; one that was killed is among them until its logs are taken.' }),
    namespaces: z.array(namespaceShape),
  })
  .meta({ id: 'Cluster', description: 'Of each namespace one node writes, and the others follow.' });

export const clusterMove = record({ node: z.string() }).meta({
  id: 'ClusterMove',
  description: 'Where a namespace is to be written: one of the nodes.',
});

export type ClusterDescription = z.infer<typeof clusterShape>;
export type ClusterNamespace = z.infer<typeof namespaceShape>;

export interface ClusterNodeView {
  describe(): ClusterDescription;
  /** `later`: it goes on where it is, until the node that is to have it is ready. */
  move(namespace: string, node: string): Promise<'moved' | 'later' | 'unknownNode' | 'unknownNamespace'>;
}

/** Of a service that is no node of a cluster. */
export const alone: ClusterDescription = {
  ...{ node: null, role: 'alone', term: 0, writer: null },
  ...{ nodes: [], namespaces: [] },
};
