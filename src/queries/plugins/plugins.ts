// Registered plugins: sources of C# that are compiled and tried when they are registered, and compiled once more after a start, when they are
// first asked for (contract part 2, Stored queries and plugins; reference section 14). A source is a document of its namespace, so it is as
// durable as the graph; what is compiled of it is kept here for as long as its text stays the same.
//
// A failed plugin is listed and otherwise as if it were not there. The interpreter runs what is not
// compiled in every home, so none is kept as a source alone.

import { sectionKinds } from '../../engine/checkpoint/types.ts';
import type { GraphEngine, WriteOutcome } from '../../engine/types.ts';
import type { PluginContract } from '../../fragments/plugin-contract.ts';
import type { Caller } from '../fragments/compilers.ts';
import type { CompiledPlugin, PluginCompiler } from './compiler.ts';
import { isBuiltIn } from './contracts.ts';
import type { PluginLimits } from './plugin-job.ts';
import type { PluginLog } from './writer-channel.ts';

/** A registration as it came. */
export interface PluginBody {
  readonly name: string;
  readonly contract: PluginContract;
  readonly description: string | null;
  readonly sourceCode: string;
}

type PluginState = 'Compiled' | 'Failed';

export interface Plugin extends PluginBody {
  /** `yyyy-MM-ddTHH:mm:ss.fffZ` */
  readonly createdAt: string;
  readonly state: PluginState;
  /** What runs; null unless it is compiled. */
  readonly compiled: CompiledPlugin | null;
  /** Why it does not compile any more; null unless it failed. */
  readonly compileDiagnostics: string | null;
}

export type Registration =
  | { readonly ok: true; readonly plugin: Plugin; readonly outcome: WriteOutcome }
  | { readonly ok: false; readonly failure: 'invalid' | 'conflict'; readonly detail: string };

/** What a call may spend, and where its log goes. */
export interface PluginTerms extends PluginLimits {
  readonly log: PluginLog;
  /** A place among the runs of whole-graph algorithms until the answer is called; null when all are taken. */
  readonly takeRunSlot: () => (() => void) | null;
}

/** What a fresh instance says of itself; or why there is none. */
export type Trial = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly detail: string };
export type TryPlugin = (graph: GraphEngine, plugin: CompiledPlugin, caller: Caller) => Promise<Trial>;

/** The text of the document, whose name is the plugin's. */
type StoredText = Pick<Plugin, 'contract' | 'description' | 'createdAt' | 'sourceCode'>;

interface Kept {
  readonly text: string;
  readonly plugin: Plugin;
  /** When it is to be compiled again, in milliseconds of `now`: only what took too long is worth that. */
  readonly againAtMs: number;
}

export interface PluginsOptions {
  readonly compiler: PluginCompiler;
  readonly tryPlugin: TryPlugin;
  /** Plugins that may be registered in one namespace; those that a load brings are not counted out. */
  readonly maxCount: () => number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

const againAfterMs = 60_000;
const mostCharacters = 200_000;
const nameGrammar = /^[A-Za-z0-9_-]{1,128}$/;
const documents = sectionKinds.pluginSources;
const contracts: readonly string[] = ['Path', 'SubGraph', 'Analytics', 'GraphFunction'] satisfies PluginContract[];

export class Plugins {
  private readonly options: PluginsOptions;
  private readonly kept = new WeakMap<GraphEngine, Map<string, Kept>>();

  constructor(options: PluginsOptions) {
    this.options = options;
  }

  /** In ordinal order of their names. Throws JobFailed, as whatever may compile. */
  async list(graph: GraphEngine, caller: Caller = {}): Promise<Plugin[]> {
    const plugins: Plugin[] = [];
    // One after the other: a caller has one turn at a time.
    for (const { name, text } of graph.documents.list(documents)) {
      plugins.push(await this.pluginOf(graph, name, text, caller));
    }
    return plugins.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async find(graph: GraphEngine, name: string, caller: Caller = {}): Promise<Plugin | null> {
    const text = graph.documents.get(documents, name);
    return text === null ? null : this.pluginOf(graph, name, text, caller);
  }

  /** The algorithm of that name and contract that can run; null: as if there were none. */
  async algorithm(
    graph: GraphEngine,
    contract: PluginContract,
    name: string,
    caller: Caller = {},
  ): Promise<(Plugin & { readonly compiled: CompiledPlugin }) | null> {
    const text = graph.documents.get(documents, name);
    if (text === null || readText(text)?.contract !== contract) return null;
    const plugin = await this.pluginOf(graph, name, text, caller);
    return plugin.compiled === null ? null : { ...plugin, compiled: plugin.compiled };
  }

  /**
   * Algorithms that can run, by their contract, as far as is known without waiting: what has not been compiled since the start counts as well,
   * because it did compile when it was registered. In ordinal order.
   */
  advertised(graph: GraphEngine, contract: PluginContract): readonly { name: string; description: string | null }[] {
    const known = this.kept.get(graph);
    return graph.documents
      .list(documents)
      .flatMap(({ name, text }) => {
        const kept = known?.get(name);
        if (kept?.text === text && kept.plugin.state !== 'Compiled') return [];
        const stored = kept?.text === text ? kept.plugin : readText(text);
        return stored?.contract === contract ? [{ name, description: stored.description }] : [];
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Why the source would not be registered, as flat text; null: it would, were its name free. */
  async flaw(graph: GraphEngine, body: PluginBody, caller: Caller): Promise<string | null> {
    const flaw = bodyFlaw(body);
    if (flaw !== null) return flaw;
    const { plugin } = await this.compiled(body.name, { ...body, createdAt: '' }, caller);
    return plugin.compileDiagnostics ?? (await this.trialFlaw(graph, plugin, caller));
  }

  /** Compiles the source, tries it, and puts it among the documents; `now` becomes its time of creation. */
  async register(graph: GraphEngine, body: PluginBody, now: Date, caller: Caller): Promise<Registration> {
    const { name, contract, description, sourceCode } = body;
    const invalid = (detail: string): Registration => ({ ok: false, failure: 'invalid', detail });
    const flaw = bodyFlaw(body);
    if (flaw !== null) return invalid(flaw);
    const before = this.conflict(graph, body);
    if (before !== null) return before;
    const stored: StoredText = { contract, description, createdAt: now.toISOString(), sourceCode };
    const compiled = await this.compiled(name, stored, caller);
    const { plugin } = compiled;
    if (plugin.state === 'Failed') {
      return invalid(`The source of the plugin does not compile.\n${plugin.compileDiagnostics}`);
    }
    const violation = await this.trialFlaw(graph, plugin, caller);
    if (violation !== null) return invalid(violation);
    // Others may have come meanwhile.
    const after = this.conflict(graph, body);
    if (after !== null) return after;
    const text = JSON.stringify(stored);
    const overflow = graph.documents.overflow(name, text);
    if (overflow !== null) return { ok: false, failure: 'conflict', detail: overflow };
    const outcome = graph.documents.put(documents, name, text);
    if (outcome.ok) this.keptOf(graph).set(name, { text, ...compiled });
    return { ok: true, plugin, outcome };
  }

  /** Whether the plugin calls itself what it is registered as: only a running instance knows. */
  private async trialFlaw(graph: GraphEngine, { name, compiled }: Plugin, caller: Caller): Promise<string | null> {
    if (compiled === null) return null;
    const trial = await this.options.tryPlugin(graph, compiled, caller);
    if (!trial.ok) return trial.detail;
    return trial.name === name ? null : `The plugin's PluginName is '${trial.name}', not '${name}'.`;
  }

  private conflict(graph: GraphEngine, { name, contract }: PluginBody): (Registration & { readonly ok: false }) | null {
    const conflict = (detail: string) => ({ ok: false, failure: 'conflict', detail }) as const;
    if (graph.documents.get(documents, name) !== null) return conflict(`There is a plugin '${name}' already.`);
    if (isBuiltIn(contract, name)) return conflict(`There is a built-in algorithm '${name}'.`);
    const maxCount = this.options.maxCount();
    if (graph.documents.list(documents).length < maxCount) return null;
    return conflict(`The namespace has ${maxCount} plugins, the most that Plugins:MaxCount allows.`);
  }

  /** False when there is none of that name. */
  remove(graph: GraphEngine, name: string): WriteOutcome | false {
    const outcome = graph.documents.remove(documents, name);
    if (outcome !== false && outcome.ok) this.keptOf(graph).delete(name);
    return outcome;
  }

  private async pluginOf(graph: GraphEngine, name: string, text: string, caller: Caller): Promise<Plugin> {
    const plugins = this.keptOf(graph);
    const known = plugins.get(name);
    // A restore may have brought another plugin of that name.
    if (known?.text === text && this.options.now() < known.againAtMs) return known.plugin;
    const stored = readText(text);
    const compiled = stored === null ? unreadable(name, text) : await this.compiled(name, stored, caller);
    // It may have been deleted meanwhile.
    if (graph.documents.get(documents, name) === text) plugins.set(name, { text, ...compiled });
    return compiled.plugin;
  }

  private keptOf(graph: GraphEngine): Map<string, Kept> {
    let plugins = this.kept.get(graph);
    if (plugins === undefined) {
      plugins = new Map();
      this.kept.set(graph, plugins);
    }
    return plugins;
  }

  private async compiled(
    name: string,
    { contract, description, createdAt, sourceCode }: StoredText,
    caller: Caller,
  ): Promise<Pick<Kept, 'plugin' | 'againAtMs'>> {
    const { compiler, now } = this.options;
    const outcome = await compiler.compile(sourceCode, contract, caller);
    const plugin: Plugin = {
      ...{ name, contract, description, createdAt, sourceCode },
      state: outcome.ok ? 'Compiled' : 'Failed',
      compiled: outcome.ok ? outcome.plugin : null,
      compileDiagnostics: outcome.ok ? null : outcome.errors.join('\n'),
    };
    return { plugin, againAtMs: outcome.ok || outcome.isFinal ? Number.POSITIVE_INFINITY : now() + againAfterMs };
  }
}

function bodyFlaw({ name, sourceCode }: PluginBody): string | null {
  if (!nameGrammar.test(name)) return 'The name of a plugin has 1 to 128 letters, digits, underscores and hyphens.';
  if (sourceCode.trim() === '') return 'The source of the plugin is blank.';
  if (sourceCode.length <= mostCharacters) return null;
  return `The source of a plugin has at most ${mostCharacters} characters; this one has ${sourceCode.length}.`;
}

/** The document's text; null for one of another make. */
export function readText(text: string): StoredText | null {
  try {
    const { contract, description, createdAt, sourceCode } = JSON.parse(text) as StoredText;
    if (!contracts.includes(contract) || typeof sourceCode !== 'string') return null;
    return { contract, description, createdAt, sourceCode };
  } catch {
    return null;
  }
}

function unreadable(name: string, text: string): Pick<Kept, 'plugin' | 'againAtMs'> {
  const plugin: Plugin = {
    ...{ name, contract: 'GraphFunction', description: null, createdAt: new Date(0).toISOString(), sourceCode: text },
    ...{ state: 'Failed', compiled: null },
    compileDiagnostics: 'The definition of the plugin cannot be read by this version.',
  };
  return { plugin, againAtMs: Number.POSITIVE_INFINITY };
}
