// One namespace as the service holds it: its entry of the catalogue, and its engine while it is loaded.

import type { CatalogueEntry } from './catalogue.ts';
import type { LiveGraph } from './live-graph.ts';
import type { LoadProgress, LoadState } from './load-progress.ts';
import type { NamespaceInfo, NamespaceState } from './types.ts';

/** What a namespace starts from without a checkpoint. */
export const fromItsLog = 'its log';

export class Namespace implements NamespaceInfo {
  readonly id: string;
  readonly createdAt: string;
  name: string;
  pluginRegistrationEnabled: boolean | null;
  loadOnStartupEnabled: boolean | null;
  graph: LiveGraph | null = null;
  /** Set while an engine is being opened or put in place of another. */
  loading: Promise<void> | null = null;
  /** Of the opening that is under way. */
  progress: LoadProgress | null = null;
  /** Set while its files are at work without its being loaded; whoever opens them waits. */
  borrowed: Promise<void> | null = null;
  /** What its engine was last opened from, in words for the log. */
  startedFrom: string = fromItsLog;
  /** True once the catalogue no longer lists it. */
  dropped = false;

  constructor(entry: CatalogueEntry) {
    this.id = entry.id;
    this.name = entry.name;
    this.createdAt = entry.createdAt;
    this.pluginRegistrationEnabled = entry.pluginRegistrationEnabled;
    this.loadOnStartupEnabled = entry.loadOnStartupEnabled;
  }

  get state(): NamespaceState {
    return this.graph === null ? 'notLoaded' : 'ready';
  }

  get isLoading(): boolean {
    return this.loading !== null;
  }

  get loadState(): LoadState | null {
    return this.loading === null ? null : (this.progress?.state ?? null);
  }

  get entry(): CatalogueEntry {
    const { id, name, createdAt, pluginRegistrationEnabled, loadOnStartupEnabled } = this;
    return { id, name, createdAt, pluginRegistrationEnabled, loadOnStartupEnabled };
  }
}
