// A cluster as one of its nodes describes it, made into what is drawn: who writes what, and who follows whom.

export interface ClusterAnswer {
  readonly node: string | null;
  readonly role: string;
  readonly writer: string | null;
  readonly nodes: readonly string[];
  readonly namespaces: readonly { readonly name: string; readonly writer: string | null }[];
}

export interface ClusterNode {
  readonly url: string;
  /** What people call it. */
  readonly name: string;
  /** It is the one that was asked. */
  readonly isAsked: boolean;
  /** Namespaces that are written there. */
  readonly writes: readonly string[];
}

export interface Cluster {
  readonly nodes: readonly ClusterNode[];
  /** Where the namespace that is shown is written; null: nowhere at the moment, or that is not known. */
  readonly writer: string | null;
}

/** Null: the service is no node of a cluster. */
export function clusterOf(answer: ClusterAnswer, shown: string): Cluster | null {
  if (answer.role === 'alone') return null;
  const others = answer.namespaces.filter(({ name }) => name !== 'default');
  const namespaces = [{ name: 'default', writer: answer.writer }, ...others];
  const writers = namespaces.flatMap(({ writer }) => writer ?? []);
  const urls = new Set([...answer.nodes, ...(answer.node === null ? [] : [answer.node]), ...writers]);
  const nodes = Array.from(urls, (url) => ({
    url,
    name: URL.canParse(url) ? new URL(url).host : url,
    isAsked: url === answer.node,
    writes: namespaces.filter(({ writer }) => writer === url).map(({ name }) => name),
  }));
  return { nodes, writer: namespaces.find(({ name }) => name === shown)?.writer ?? null };
}

/** Namespaces of one node that are named; the rest is counted. */
const maxNamed = 3;

export function writesWords({ writes }: ClusterNode): string {
  if (writes.length === 0) return 'follows';
  const rest = writes.length - maxNamed;
  return `writes ${writes.slice(0, maxNamed).join(', ')}${rest > 0 ? ` and ${rest.toLocaleString('en')} more` : ''}`;
}
