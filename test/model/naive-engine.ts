// The collection of namespaces as the contract words it, over naive graphs and without a disk: the model beside which the engine's
// namespaces can be checked, and the engine that HTTP tests need when they are about HTTP only.

import type {
  Engine,
  EngineLimits,
  NamespaceFailure,
  NamespaceInfo,
  NamespacePatch,
  NamespaceResult,
  Policy,
  WriteOutcome,
} from '../../src/engine/types.ts';
import { NaiveGraph } from './naive-graph.ts';

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

interface NaiveNamespace extends Writable<Omit<NamespaceInfo, 'state' | 'graph'>> {
  readonly state: NamespaceInfo['state'];
  graph: NaiveGraph | null;
}

export interface NaiveOptions {
  readonly maxNamespaces?: number;
  readonly nowMs?: () => number;
}

export class NaiveEngine implements Engine {
  maxNamespaces: number;
  readonly loadOnStartupDefault = true;
  readonly startupLoadMode = 'catalog';
  ready = true;
  private readonly nowMs: () => number;
  private readonly namespaces = new Map<string, NaiveNamespace>();
  private readonly unloaded = new Map<NamespaceInfo, NaiveGraph | null>();
  private created = 0;

  constructor({ maxNamespaces = 10_000, nowMs = Date.now }: NaiveOptions = {}) {
    this.maxNamespaces = maxNamespaces;
    this.nowMs = nowMs;
    this.add('default', 'default', true);
  }

  configure({ maxNamespaces, changeFeed }: EngineLimits): void {
    this.maxNamespaces = maxNamespaces;
    for (const { graph } of this.namespaces.values()) graph?.changeFeed.configure(changeFeed);
  }

  private add(id: string, name: string, loadOnStartupEnabled: boolean | null): NaiveNamespace {
    const namespace: NaiveNamespace = {
      id,
      name,
      createdAt: new Date(this.nowMs()).toISOString(),
      pluginRegistrationEnabled: null,
      loadOnStartupEnabled,
      graph: this.newGraph(),
      get state() {
        return this.graph === null ? 'notLoaded' : 'ready';
      },
    };
    this.namespaces.set(name, namespace);
    return namespace;
  }

  private newGraph(): NaiveGraph {
    return new NaiveGraph(() => Math.floor(this.nowMs() / 1000));
  }

  list(): NamespaceInfo[] {
    return [...this.namespaces.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): NamespaceInfo | undefined {
    return this.namespaces.get(name);
  }

  /** The graph of a loaded namespace, for tests that set its faults. */
  graphOf(name: string): NaiveGraph {
    const graph = this.namespaces.get(name)?.graph;
    if (!graph) throw new Error(`Namespace ${name} has no graph.`);
    return graph;
  }

  /** Makes a namespace look as if this start had left it out. */
  unload(name: string): void {
    const namespace = this.namespaces.get(name);
    if (namespace === undefined) return;
    this.unloaded.set(namespace, namespace.graph);
    namespace.graph = null;
  }

  async create(name: string): Promise<NamespaceResult> {
    if (!isValidName(name)) return failed('invalidName');
    if (this.namespaces.has(name)) return failed('nameInUse');
    if (this.namespaces.size >= this.maxNamespaces) return failed('quotaExceeded');
    return { ok: true, namespace: this.add(`ns-${++this.created}`, name, null) };
  }

  async update(name: string, patch: NamespacePatch): Promise<NamespaceResult> {
    if (patch.name !== undefined && !isValidName(patch.name)) return failed('invalidName');
    if (name === 'default' && (patch.name !== undefined || patch.loadOnStartup !== undefined))
      return failed('reserved');
    const namespace = this.namespaces.get(name);
    if (namespace === undefined) return failed('notFound');
    if (patch.name !== undefined && this.namespaces.has(patch.name)) return failed('nameInUse');
    if (patch.name !== undefined) {
      this.namespaces.delete(name);
      namespace.name = patch.name;
      this.namespaces.set(patch.name, namespace);
    }
    if (patch.pluginRegistration !== undefined)
      namespace.pluginRegistrationEnabled = policyOf(patch.pluginRegistration);
    if (patch.loadOnStartup !== undefined) namespace.loadOnStartupEnabled = policyOf(patch.loadOnStartup);
    return { ok: true, namespace };
  }

  async remove(name: string): Promise<NamespaceResult> {
    if (name === 'default') return failed('reserved');
    const namespace = this.namespaces.get(name);
    if (namespace === undefined) return failed('notFound');
    this.namespaces.delete(name);
    return { ok: true, namespace };
  }

  async activate(name: string) {
    const namespace = this.namespaces.get(name);
    if (namespace === undefined) return failed('notFound');
    const activated = namespace.graph === null;
    namespace.graph ??= this.unloaded.get(namespace) ?? this.newGraph();
    return { ok: true, namespace, activated } as const;
  }

  async eraseAll(): Promise<WriteOutcome | null> {
    if (this.find('default')?.graph === null) return null;
    for (const name of [...this.namespaces.keys()]) if (name !== 'default') this.namespaces.delete(name);
    return this.graphOf('default').write([{ kind: 'erase' }]);
  }

  async close(): Promise<void> {}
}

function failed(failure: NamespaceFailure): { ok: false; failure: NamespaceFailure; detail: string } {
  return { ok: false, failure, detail: `Refused: ${failure}.` };
}

function policyOf(policy: Policy): boolean | null {
  return policy === 'inherit' ? null : policy === 'enabled';
}

function isValidName(name: string): boolean {
  const isSized = name.length >= 1 && name.length <= 63 && name.trim() === name;
  return isSized && name !== '.' && name !== '..' && !/[/\\\u0000-\u001f\u007f-\u009f]/.test(name);
}
