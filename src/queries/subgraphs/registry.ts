// The subgraphs of one namespace: names, recipes and the graphs made from them. A graph is built beside everything else and then put in place in
// one step, so nobody sees half of one; what fails leaves things as they were. Quotas hold exactly: the last look at them, the copying
// and the registration are one turn, and turns do not overlap. A source is found by its name whenever a subgraph is built: recalculating a
// parent therefore binds its children to the new contents, without changing theirs.
//
// Recipes are documents of the namespace, so they are as durable as the graph; the graphs made from them are not kept, but built again when the
// namespace is first asked about after a load, and after a restore.

import type { MatchLimits } from '../../core/match.ts';
import type { JsonBody } from '../../engine/answer-stream.ts';
import { sectionKinds } from '../../engine/checkpoint/types.ts';
import type { ExtractedGraph, Extracts, HeldSource } from '../../engine/extracts/types.ts';
import { isGone } from '../../engine/gone.ts';
import { resultOf } from '../../engine/jobs/failure.ts';
import type { GraphEngine, WriteOutcome } from '../../engine/types.ts';
import type { FragmentCompiler } from '../fragments/compiler.ts';
import type { Caller } from '../fragments/compilers.ts';
import type { FragmentLimits } from '../fragments/spending.ts';
import type { Plugins, PluginTerms } from '../plugins/plugins.ts';
import { type MatchPlan, planMatch } from './compile.ts';
import { matchJob } from './match-job.ts';
import { patiently } from './patience.ts';
import type { BuildPlan, Found, PluginPlan } from './plugin-build.ts';
import { inBuildOrder, type Recipe, readRecipe, subgraphAlgorithm } from './recipe.ts';
import { noSource, noSubgraph, refusal, type SubgraphRefusal } from './refusal.ts';

export interface SubgraphQuotas {
  readonly maxSubgraphs: number;
  /** Vertices and edges of one subgraph. */
  readonly maxElements: number;
  /** Of all subgraphs of the namespace together. */
  readonly maxTotalElements: number;
}

export interface SubgraphTools {
  readonly compiler: FragmentCompiler;
  readonly plugins: Plugins;
  readonly pluginTerms: PluginTerms;
  readonly limits: FragmentLimits;
  readonly matchLimits: MatchLimits;
  readonly quotas: SubgraphQuotas;
  /** A subgraph that could not be built again, for the log. */
  readonly report: (message: string) => void;
}

export interface Subgraph {
  readonly recipe: Recipe;
  /** GUID of the graph it was taken from: of the namespace's graph, or of the subgraph that had the source's name. */
  readonly sourceGraphId: string;
  readonly vertexCount: number;
  readonly edgeCount: number;
}

export type SubgraphOutcome = { readonly ok: true; readonly subgraph: Subgraph } | SubgraphRefusal;

/** `outcome`: of the transaction that keeps the recipe. */
export interface SubgraphWritten {
  readonly ok: true;
  readonly subgraph: Subgraph;
  readonly outcome: WriteOutcome;
}

interface Entry extends Subgraph {
  readonly id: string;
  readonly graph: ExtractedGraph;
}

type Built = { readonly ok: true; readonly entry: Entry } | SubgraphRefusal;

const documents = sectionKinds.subgraphRecipes;

/** Attempts at a build whose source was renumbered (trimmed, erased) meanwhile. */
const mostAttempts = 5;

/** Of a recipe that is kept already. */
const kept = (): null => null;

export class SubgraphRegistry {
  private readonly graph: GraphEngine;
  private readonly extracts: Extracts;
  private readonly tools: SubgraphTools;
  private readonly graphId: string = crypto.randomUUID();
  private entries = new Map<string, Entry>();
  private turn: Promise<unknown> = Promise.resolve();
  /** Settles when what a start or a restore left of the recipes has been built. */
  private rebuilt: Promise<void> = Promise.resolve();
  private restarts = 0;

  constructor(graph: GraphEngine, tools: SubgraphTools) {
    this.graph = graph;
    this.extracts = graph.extracts;
    this.tools = tools;
    this.restart();
    this.extracts.onReplaced(() => this.restart());
  }

  /** Nothing is being built again, nor is about to be: a restore may begin another rebuild while one is waited for. */
  private async settled(): Promise<void> {
    for (let awaited: Promise<void> | null = null; awaited !== this.rebuilt; ) {
      awaited = this.rebuilt;
      await awaited;
    }
  }

  /** In ordinal order. */
  async names(): Promise<string[]> {
    await this.settled();
    return [...this.entries.keys()].sort();
  }

  async find(name: string): Promise<Subgraph | null> {
    await this.settled();
    return this.entries.get(name) ?? null;
  }

  /** JSON as of `Extracts.read`; null when there is no such subgraph. */
  async read(name: string, maxElements: number, signal?: AbortSignal): Promise<JsonBody | null> {
    for (;;) {
      await this.settled();
      const entry = this.entries.get(name);
      if (entry === undefined) return null;
      const body = await this.extracts.read(entry.graph, maxElements, signal);
      // Recalculated, or restored, between the look-up and the read.
      if (body !== null || this.entries.get(name) === entry) return body;
    }
  }

  /** Names that a subgraph's algorithm may have. */
  algorithms(): readonly string[] {
    const plugins = this.tools.plugins.advertised(this.graph, 'SubGraph');
    return [subgraphAlgorithm, ...plugins.map(({ name }) => name)];
  }

  /** What speaks against a new subgraph before anything is compiled or read. */
  async precheck(name: string, fromSubGraph: string | null): Promise<SubgraphRefusal | null> {
    await this.settled();
    return this.conflict(name, fromSubGraph);
  }

  private conflict(name: string, fromSubGraph: string | null): SubgraphRefusal | null {
    const { maxSubgraphs } = this.tools.quotas;
    if (this.entries.has(name)) return refusal('duplicate', `There is a subgraph '${name}' already.`);
    if (fromSubGraph !== null && !this.entries.has(fromSubGraph)) return noSource(fromSubGraph);
    if (this.entries.size < maxSubgraphs) return null;
    return refusal('quota', `The namespace has ${maxSubgraphs} subgraphs, which is all it may have.`);
  }

  async create(recipe: Recipe, caller: Caller = {}): Promise<SubgraphWritten | SubgraphRefusal> {
    await this.settled();
    let outcome: WriteOutcome | null = null;
    const keep = (): SubgraphRefusal | null => {
      const text = JSON.stringify(recipe);
      const overflow = this.graph.documents.overflow(recipe.name, text);
      if (overflow !== null) return refusal('quota', overflow);
      outcome = this.graph.documents.put(documents, recipe.name, text);
      return outcome.ok ? null : refusal('memory', 'There is no memory left to keep the recipe.');
    };
    const { name, fromSubGraph } = recipe;
    const check = () => this.conflict(name, fromSubGraph);
    const order = { recipe, id: crypto.randomUUID(), check, keep, settle: () => this.settled(), caller };
    const built = await this.build(order);
    return !built.ok ? built : { ok: true, subgraph: built.entry, outcome: outcome as unknown as WriteOutcome };
  }

  /** Keeps id and name; what fails leaves the contents as they were. */
  async recalculate(name: string, caller: Caller = {}): Promise<SubgraphOutcome> {
    await this.settled();
    const entry = this.entries.get(name);
    if (entry === undefined) return noSubgraph(name);
    // A restore meanwhile makes it another entry of the same recipe.
    const isThere = () => (this.entries.get(name)?.recipe === entry.recipe ? null : noSubgraph(name));
    const { recipe, id } = entry;
    const built = await this.build({ recipe, id, check: isThere, keep: kept, settle: () => this.settled(), caller });
    return built.ok ? { ok: true, subgraph: built.entry } : built;
  }

  /** False when there is no such subgraph. Its children keep what they have. */
  async remove(name: string): Promise<WriteOutcome | false> {
    await this.settled();
    // A recipe that could not be built is removed as well.
    const outcome = this.graph.documents.remove(documents, name);
    const entry = this.entries.get(name);
    if (entry !== undefined && (outcome === false || outcome.ok)) {
      this.entries.delete(name);
      this.extracts.drop(entry.graph);
    }
    return outcome;
  }

  /** Starts from the recipes alone. What cannot be built is reported and left out; its recipe stays, behind all others. */
  private restart(): void {
    const number = ++this.restarts;
    this.rebuilt = this.rebuilt
      .then(() => this.rebuild(() => number === this.restarts))
      .catch((error) => {
        // A namespace that has gone needs no subgraphs; a graph that is replaced gets them when the other is in place.
        if (!isGone(error)) this.tools.report(`Subgraphs are left out: ${error}`);
      });
  }

  /** `isLast`: whether the recipes are still those of the graph in place; if not, the next rebuild begins with the right ones. */
  private async rebuild(isLast: () => boolean): Promise<void> {
    if (!isLast()) return;
    for (const { graph } of this.entries.values()) this.extracts.drop(graph);
    this.entries = new Map();
    const { ordered, orphans } = inBuildOrder(this.recipes());
    for (const recipe of orphans) this.leaveOut(recipe, noSource(recipe.fromSubGraph ?? '').detail);
    for (const recipe of ordered) {
      const problem = await this.rebuildOne(recipe);
      if (!isLast()) return;
      if (problem !== null) this.leaveOut(recipe, problem);
      else if (recipe.wasLeftOut === true) this.mark(recipe, false);
    }
  }

  private recipes(): Recipe[] {
    return this.graph.documents.list(documents).flatMap(({ name, text }) => {
      const recipe = readRecipe(text);
      if (recipe === null) this.tellLeftOut(name, 'Its recipe cannot be read by this version.');
      return recipe === null ? [] : [recipe];
    });
  }

  private leaveOut(recipe: Recipe, problem: string): void {
    this.tellLeftOut(recipe.name, problem);
    if (recipe.wasLeftOut !== true) this.mark(recipe, true);
  }

  /** Kept, so that whatever is created while it is not there goes before it from then on; without memory for it things stay as they are. */
  private mark({ wasLeftOut: _, ...recipe }: Recipe, isLeftOut: boolean): void {
    this.graph.documents.put(
      documents,
      recipe.name,
      JSON.stringify(isLeftOut ? { ...recipe, wasLeftOut: true } : recipe),
    );
  }

  private tellLeftOut(name: string, problem: string): void {
    this.tools.report(`Subgraph '${name}' is left out: ${problem}`);
  }

  private async rebuildOne(recipe: Recipe): Promise<string | null> {
    const { name, fromSubGraph } = recipe;
    try {
      const check = () => this.conflict(name, fromSubGraph);
      const order = { recipe, id: crypto.randomUUID(), check, keep: kept, settle: async () => {}, caller: {} };
      const built = await patiently(() => this.build(order), isPassing);
      return built.ok ? null : built.detail;
    } catch (error) {
      if (isGone(error)) throw error;
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Builds a recipe's graph and registers it. */
  private async build(order: BuildOrder): Promise<Built> {
    const { recipe } = order;
    await order.settle();
    if (recipe.fromSubGraph !== null && !this.entries.has(recipe.fromSubGraph)) return noSource(recipe.fromSubGraph);
    const planned = await planMatch(recipe, this.tools.compiler, order.caller);
    if (!planned.ok) return refusal('notCompiled', planned.detail);
    const plugin = await this.plugin(recipe, order.caller);
    if (plugin !== null && 'ok' in plugin) return plugin;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      await order.settle();
      const parent = recipe.fromSubGraph === null ? null : this.entries.get(recipe.fromSubGraph);
      if (parent === undefined) return noSource(recipe.fromSubGraph ?? '');
      const source = this.extracts.hold(parent?.graph ?? null);
      try {
        const built = await this.buildFrom(source, parent?.id ?? this.graphId, { ...planned, plugin }, order);
        if (built !== 'changed') return built;
      } finally {
        source.release();
      }
    }
    return refusal('restless', 'The graph was erased, trimmed or replaced each time that it was looked at.');
  }

  /** What a plugin is called with that makes the graph; null: the built-in algorithm does. */
  private async plugin(recipe: Recipe, caller: Caller): Promise<PluginPlan | SubgraphRefusal | null> {
    const { algorithm } = recipe;
    if (algorithm === subgraphAlgorithm) return null;
    const { planCall } = await import('./plugin-build.ts');
    const plan = await planCall(this.graph, this.tools.plugins, recipe, caller);
    return plan ?? refusal('notCompiled', `There is no subgraph algorithm '${algorithm}' that can run.`);
  }

  private async buildFrom(
    source: HeldSource,
    sourceGraphId: string,
    plan: BuildPlan,
    order: BuildOrder,
  ): Promise<Built | 'changed'> {
    const { recipe, check, caller } = order;
    const { signal } = caller;
    const found = await this.found(source, plan, caller);
    if (found === 'changed' || 'ok' in found) return found;
    const tooMany = this.overElements(found.elements);
    if (tooMany !== null) return tooMany;
    return this.inTurn(async () => {
      const before = check() ?? this.overTotal(recipe.name, found.elements);
      if (before !== null) return before;
      const made = await ('contents' in found
        ? this.extracts.build(found.contents, signal)
        : this.extracts.extract(source, found.bits, signal));
      if (!made.ok)
        return made.reason === 'changed' ? 'changed' : refusal(unmade[made.reason][0], unmade[made.reason][1]);
      const { graph } = made;
      // Since the first look subgraphs may have been deleted and elements of the source gone, but none have come.
      const after = check() ?? order.keep();
      if (after !== null) {
        this.extracts.drop(graph);
        return after;
      }
      const { vertexCount, edgeCount } = graph;
      const entry: Entry = { id: order.id, recipe, sourceGraphId, graph, vertexCount, edgeCount };
      const old = this.entries.get(recipe.name);
      this.entries.set(recipe.name, entry);
      if (old !== undefined) this.extracts.drop(old.graph);
      return { ok: true, entry };
    });
  }

  private async found(source: HeldSource, plan: BuildPlan, caller: Caller): Promise<Found> {
    if (plan.plugin === null) return this.match(source, plan, caller.signal);
    const { madeByPlugin } = await import('./plugin-build.ts');
    return madeByPlugin(this.graph, source, plan.plugin, this.tools.pluginTerms, caller);
  }

  /** Which elements belong to it; null bits: all. */
  private async match(source: HeldSource, planned: MatchPlan, signal?: AbortSignal): Promise<Found> {
    if (planned.takesAll) return { bits: null, elements: sizeOf(source) };
    const { limits, matchLimits } = this.tools;
    const request = { ...planned.plan, limits, matchLimits };
    const outcome = await this.extracts.runJob(source, matchJob, request, { signal, modules: planned.modules });
    if (outcome === 'changed') return 'changed';
    const end = resultOf(outcome);
    if (end.ended === 'limit') return refusal('limit', `The match spent all that ${end.limit} allows.`);
    if (end.ended === 'threw') return refusal('threw', 'A filter of the subgraph failed.', end.exception);
    const matched = end.value;
    if (matched.ended === 'matched') return { bits: matched.bits, elements: matched.vertices + matched.edges };
    if (matched.limit === 'bytes') {
      const detail = `The pattern takes more working memory than Subgraphs:MaxMatchBytes, ${matchLimits.maxBytes} bytes, allows.`;
      return refusal('tooLarge', detail);
    }
    const detail = `The pattern looks at more edges than Subgraphs:MaxMatchSteps, ${matchLimits.maxArcs}, allows.`;
    return refusal('limit', detail);
  }

  private overElements(elements: number): SubgraphRefusal | null {
    const { maxElements } = this.tools.quotas;
    if (elements <= maxElements) return null;
    return refusal('quota', `The subgraph has ${elements} elements; ${maxElements} is the most one may have.`);
  }

  /** `name`: whose contents the elements take the place of. */
  private overTotal(name: string, elements: number): SubgraphRefusal | null {
    const { maxTotalElements } = this.tools.quotas;
    let total = elements;
    for (const [other, entry] of this.entries) if (other !== name) total += sizeOf(entry);
    if (total <= maxTotalElements) return null;
    const detail = `The subgraphs of the namespace would have ${total} elements; ${maxTotalElements} is the most.`;
    return refusal('quota', detail);
  }

  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(run);
    this.turn = mine.catch(() => {}); // whoever asked for it is told
    return mine;
  }
}

const unmade = {
  memory: ['memory', 'There is no memory for it.'],
  refused: ['threw', 'The plugin made no graph that the engine takes.'],
} as const;

interface BuildOrder {
  readonly recipe: Recipe;
  /** To register it under. */
  readonly id: string;
  /** Asked in the turn whether it may still be registered. */
  readonly check: () => SubgraphRefusal | null;
  /** Keeps the recipe, when the graph is there. */
  readonly keep: () => SubgraphRefusal | null;
  /** What has to be over before an attempt. */
  readonly settle: () => Promise<void>;
  readonly caller: Caller;
}

function sizeOf({ vertexCount, edgeCount }: { readonly vertexCount: number; readonly edgeCount: number }): number {
  return vertexCount + edgeCount;
}

/** It may well be built a moment later. */
function isPassing(built: Built): boolean {
  return !built.ok && built.failure === 'restless';
}
