// One namespace as the service holds it: its entry of the catalogue, and its engine while it is loaded.

import type { CatalogueEntry } from './catalogue.ts';
import type { NamespaceEngine } from './namespace-engine.ts';
import type { NamespaceInfo, NamespaceState } from './types.ts';

export class Namespace implements NamespaceInfo {
  readonly id: string;
  readonly createdAt: string;
  name: string;
  pluginRegistrationEnabled: boolean | null;
  loadOnStartupEnabled: boolean | null;
  graph: NamespaceEngine | null = null;
  /** Set while the engine is being opened. */
  loading: Promise<void> | null = null;
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

  get entry(): CatalogueEntry {
    const { id, name, createdAt, pluginRegistrationEnabled, loadOnStartupEnabled } = this;
    return { id, name, createdAt, pluginRegistrationEnabled, loadOnStartupEnabled };
  }
}
