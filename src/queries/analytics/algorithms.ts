// The algorithms that a namespace can run over its whole graph, by name: what the contract says of each, and what the kernel takes. One
// more is one more entry. Descriptions are what GET /analytics/algorithms shows.

import { Kernel, View } from '../../core/analytics.ts';
import { TypeId } from '../../core/values.ts';
import type { RunResult } from '../../engine/analytics/types.ts';

export type Direction = 'in' | 'out' | 'both';

/** Parameters that only some algorithms know; all others leave them alone. */
export type OwnParameter = 'DampingFactor' | 'Resolution' | 'Samples' | 'Seed' | 'Source';

export interface Algorithm {
  readonly kernel: Kernel;
  /** Of directions that have a kernel of their own. */
  readonly kernels?: Readonly<Partial<Record<Direction, Kernel>>>;
  readonly kind: 'score' | 'partition';
  readonly description: string;
  /** The arcs the kernel walks for each direction. */
  readonly views: Readonly<Record<Direction, View>>;
  /** Also counts the arcs of the other direction. */
  readonly countsOpposite?: boolean;
  /** Reads weights beside their targets. */
  readonly pairsWeights?: boolean;
  /** The kernel takes epsilon for the step that distances go by, which is its own to choose. */
  readonly choosesStep?: boolean;
  /** Without a choice of direction every view is the same. */
  readonly direction: Direction;
  /** Rounds when the request names none; 0 for an algorithm of one pass. */
  readonly maxIterations: number;
  /** Complete rounds are a result when time is over. */
  readonly keepsRounds: boolean;
  readonly needsArcs: boolean;
  /** The value of DampingFactor is judged for all. */
  readonly ownParameters?: readonly OwnParameter[];
  /** Takes the parameter Source, which it cannot do without. */
  readonly needsSource: boolean;
  /** Takes a weight property. */
  readonly takesWeights: boolean;
  /** What `statistics` says, from the run's numbers. */
  readonly statistics: (result: RunResult) => Readonly<Record<string, number>>;
  /** Least, greatest and mean score are looked up for them. */
  readonly wantsSpread: boolean;
  /** Property that write-back sets by default. */
  readonly key: (direction: Direction) => string;
  /** Its type. */
  readonly valueType: TypeId;
}

const along = { out: View.out, in: View.in, both: View.both } as const;
const against = { out: View.in, in: View.out, both: View.both } as const;
const always = (view: View): Readonly<Record<Direction, View>> => ({ out: view, in: view, both: view });

const noStatistics = (): Readonly<Record<string, number>> => ({});
const spread = ({ least, greatest, mean }: RunResult): Readonly<Record<string, number>> => ({
  Min: least,
  Max: greatest,
  Mean: mean,
});

const score = {
  kind: 'score',
  direction: 'both',
  maxIterations: 0,
  keepsRounds: false,
  needsArcs: true,
  needsSource: false,
  takesWeights: false,
  statistics: noStatistics,
  wantsSpread: false,
  valueType: TypeId.double,
} as const;

const partition = { ...score, kind: 'partition', valueType: TypeId.int32 } as const;

const key = (name: string) => (): string => `analytics.${name}`;

/** By the contract's exact name. */
export const algorithms: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  [
    'BETWEENNESS',
    {
      ...score,
      kernel: Kernel.betweenness,
      description:
        'Score: the sum over all pairs of vertices of the share of their shortest paths that run through the vertex. parameters: Samples (sources drawn, 0 = all), Seed.',
      ownParameters: ['Samples', 'Seed'],
      views: along,
      direction: 'out',
      statistics: spread,
      wantsSpread: true,
      key: key('betweenness'),
    },
  ],
  [
    'BFS',
    {
      ...score,
      kernel: Kernel.bfs,
      description:
        'Score: hops from the vertex that parameters names as Source; vertices out of reach have none. Farthest first.',
      ownParameters: ['Source'],
      views: along,
      direction: 'out',
      needsSource: true,
      statistics: ({ total, greatest }) => ({ ReachedCount: total, Max: greatest }),
      wantsSpread: true,
      key: key('bfs'),
      valueType: TypeId.uint32,
    },
  ],
  [
    'CLOSENESS',
    {
      ...score,
      kernel: Kernel.closeness,
      description:
        'Score: harmonic closeness, the mean of 1 / distance to all other vertices. parameters: Samples (0 = all), Seed.',
      ownParameters: ['Samples', 'Seed'],
      views: along,
      direction: 'out',
      statistics: spread,
      wantsSpread: true,
      key: key('closeness'),
    },
  ],
  [
    'CLUSTERINGCOEFFICIENT',
    {
      ...score,
      kernel: Kernel.clusteringCoefficient,
      description:
        'Score: of the pairs of neighbours of the vertex, the part that are neighbours. Direction out: of the ordered pairs those that an edge joins; others are ignored.',
      kernels: { out: Kernel.directedClustering },
      views: { ...always(View.simple), out: View.out },
      statistics: spread,
      wantsSpread: true,
      key: key('clusteringcoefficient'),
    },
  ],
  [
    'DEGREE',
    {
      ...score,
      kernel: Kernel.degree,
      description:
        'Score: edges at the vertex in the chosen direction, both by default; a self-loop counts at each end.',
      views: along,
      needsArcs: false,
      statistics: spread,
      wantsSpread: true,
      key: (direction) => `analytics.degree.${direction}`,
      valueType: TypeId.uint32,
    },
  ],
  [
    'KCORE',
    {
      ...score,
      kernel: Kernel.kCore,
      description:
        'Score: core number, the largest k so that the vertex lies in a subgraph where everybody has k neighbours. Direction is ignored.',
      views: always(View.simple),
      statistics: spread,
      wantsSpread: true,
      key: key('kcore'),
      valueType: TypeId.uint32,
    },
  ],
  [
    'LABELPROPAGATION',
    {
      ...partition,
      kernel: Kernel.labelPropagation,
      description:
        'Partition: communities by synchronous label propagation; the most frequent label among the neighbours wins, the smallest among equals.',
      views: along,
      maxIterations: 20,
      keepsRounds: true,
      statistics: ({ total }) => ({ CommunityCount: total }),
      key: key('community'),
    },
  ],
  [
    'LOUVAIN',
    {
      ...partition,
      kernel: Kernel.louvain,
      description:
        'Partition: communities of high modularity, direction ignored, weighted by weightPropertyId. parameters: Resolution (1).',
      ownParameters: ['Resolution'],
      views: always(View.both),
      maxIterations: 100,
      keepsRounds: true,
      takesWeights: true,
      statistics: ({ total, sum }) => ({ CommunityCount: total, Modularity: sum }),
      key: key('louvain'),
    },
  ],
  [
    'PAGERANK',
    {
      ...score,
      kernel: Kernel.pageRank,
      ownParameters: ['DampingFactor'],
      description:
        'Score: PageRank by power iteration; the scores sum to 1. parameters: DampingFactor (0.85); epsilon and maxIterations end it.',
      views: against,
      countsOpposite: true,
      direction: 'out',
      maxIterations: 100,
      keepsRounds: true,
      key: key('pagerank'),
    },
  ],
  [
    'SCC',
    {
      ...partition,
      kernel: Kernel.scc,
      description: 'Partition: strongly connected components, each named after its smallest vertex id.',
      views: always(View.out),
      statistics: ({ sum }) => ({ ComponentCount: sum }),
      key: key('scc'),
    },
  ],
  [
    'SSSP',
    {
      ...score,
      kernel: Kernel.sssp,
      description:
        'Score: least weight of a path from the vertex that parameters names as Source; weightPropertyId names the weights (1 where missing); vertices out of reach have none. Farthest first.',
      ownParameters: ['Source'],
      views: along,
      direction: 'out',
      needsSource: true,
      takesWeights: true,
      pairsWeights: true,
      choosesStep: true,
      statistics: ({ total, greatest }) => ({ ReachedCount: total, Max: greatest }),
      wantsSpread: true,
      key: key('sssp'),
    },
  ],
  [
    'TRIANGLECOUNT',
    {
      ...score,
      kernel: Kernel.triangleCount,
      description: 'Score: triangles through the vertex; parallel edges count once, self-loops and directions do not.',
      views: always(View.simple),
      statistics: ({ sum }) => ({ TriangleCount: sum }),
      key: key('triangles'),
      valueType: TypeId.int64,
    },
  ],
  [
    'WCC',
    {
      ...partition,
      kernel: Kernel.wcc,
      description: 'Partition: weakly connected components, each named after its smallest vertex id.',
      views: always(View.both),
      statistics: ({ sum }) => ({ ComponentCount: sum }),
      key: key('wcc'),
    },
  ],
]);
