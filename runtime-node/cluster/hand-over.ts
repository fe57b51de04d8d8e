// What nodes of a cluster ask each other, and a planned end of one: what it writes goes to nodes that follow it first, as namespaces move, so that
// clients wait for no longer than a move takes.

import type { Settings } from '../../src/config/catalogue.ts';
import type { ClusterDescription } from '../../src/http/replication/cluster.ts';
import { writerHeaders } from '../../src/replication.ts';
import { type PlacementText, placedIn } from '../../src/storage/placement.ts';

/** A node that is asked answers within this. */
const askMs = 1_000;
const againMs = 20;

/** What a node says of its cluster; null: it does not. */
export async function saidBy(node: string, settings: Settings): Promise<Partial<ClusterDescription> | null> {
  const headers = writerHeaders(settings);
  const asked = fetch(`${node}/cluster`, { headers, signal: AbortSignal.timeout(askMs) });
  const answer = await asked.catch(() => null);
  if (answer?.ok !== true) return null;
  return ((await answer.json().catch(() => null)) as Partial<ClusterDescription> | null) ?? null;
}

/** A log that this node writes. */
export interface HandedOver {
  readonly id: string;
  readonly role: string;
}

export interface HandOver {
  readonly parts: readonly HandedOver[];
  readonly otherNodes: readonly string[];
  readonly settings: Settings;
  /** Makes a node the place of logs. */
  readonly place: (places: ReadonlyMap<string, string>) => Promise<unknown>;
  /** Whether a node still belongs to the cluster, as far as this one knows. */
  readonly isThere: (node: string) => boolean;
  /** For how long the others may take to be ready. */
  readonly withinMs: number;
}

/** Resolves when every log has been given up for another node, or when the time is over: the rest goes when its lease is given up. */
export async function handOver({ isThere, otherNodes, parts, place, settings, withinMs }: HandOver): Promise<void> {
  const writing = parts.filter(({ role }) => role === 'writer');
  if (writing.length === 0 || otherNodes.length === 0) return;
  const endMs = performance.now() + withinMs;
  const said = await Promise.all(otherNodes.map(async (node) => ({ node, says: await saidBy(node, settings) })));
  const places = new Map<string, string>();
  for (const [i, { id }] of writing.entries()) {
    const follow = said.filter(({ says }) => says?.namespaces?.some((one) => one.id === id && one.role === 'replica'));
    // A node of an older version does not say whether it is ready.
    const atOnce = follow.filter(({ says }) => says?.namespaces?.some((one) => one.id === id && one.isReady !== false));
    const ready = atOnce.length > 0 ? atOnce : follow;
    // One after the other, so that no node gets all of them.
    const next = ready[i % ready.length];
    if (next !== undefined) places.set(id, next.node);
  }
  await place(places);
  const isLeft = ({ id, role }: HandedOver): boolean => role === 'writer' && isThere(places.get(id) ?? '');
  while (writing.some(isLeft) && performance.now() < endMs) await new Promise((next) => setTimeout(next, againMs));
}

/** `places` by ids of logs, and without the node that ends. Another one that ends too is no place. */
export function handedOver(
  { namespaces, nodes }: PlacementText,
  places: ReadonlyMap<string, string>,
  ending: string,
  nameOf: (id: string) => string | undefined,
): Pick<PlacementText, 'namespaces' | 'nodes'> {
  let placed = namespaces;
  for (const [id, node] of places) {
    const name = nameOf(id);
    if (name !== undefined && nodes.includes(node)) placed = placedIn({ namespaces: placed }, name, { id, node });
  }
  return { namespaces: placed, nodes: nodes.filter((node) => node !== ending) };
}
