// What `arcwise/client` offers.

export type { components, paths } from './api.ts';
export type { Change, ChangeFilter, ChangeOptions, Resync } from './change-feed.ts';
export { Client, type ClientOptions, type ExportFilter, type Lines } from './client.ts';
export {
  type IndexKey,
  type Labelled,
  labelled,
  type Neighbour,
  type NeighbourOptions,
  neighbours,
  upsert,
} from './helpers.ts';
export { isProblem, type ProblemDocument, ProblemError, type ProblemTitle } from './problems.ts';
export type { RetryOptions } from './retry.ts';
export type { OnWarnings, ServiceWarning } from './warnings.ts';
