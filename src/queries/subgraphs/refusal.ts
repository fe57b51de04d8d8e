// Why a subgraph is not made: what the routes turn into problems.

export type SubgraphFailure =
  | 'notFound'
  | 'duplicate'
  /** The source is not there. */
  | 'noSource'
  | 'quota'
  | 'notCompiled'
  /** The plugin has no subgraph to give. */
  | 'declined'
  | 'threw'
  /** More time or work than the settings allow. */
  | 'limit'
  /** More working memory than the settings allow. */
  | 'tooLarge'
  | 'memory'
  /** The graph was renumbered every time it was looked at. */
  | 'restless';

export interface SubgraphRefusal {
  readonly ok: false;
  readonly failure: SubgraphFailure;
  readonly detail: string;
  /** For the log. */
  readonly cause?: string;
}

export const refusal = (failure: SubgraphFailure, detail: string, cause?: string): SubgraphRefusal =>
  cause === undefined ? { ok: false, failure, detail } : { ok: false, failure, detail, cause };

export function noSource(name: string): SubgraphRefusal {
  return refusal('noSource', `There is no subgraph '${name}' to take it from.`);
}

export function noSubgraph(name: string): SubgraphRefusal {
  return refusal('notFound', `There is no subgraph '${name}'.`);
}
