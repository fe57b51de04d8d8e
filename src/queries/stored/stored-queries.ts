// Stored queries: named sets of fragments that are compiled when they are registered and once more after a start, when they are first
// asked for (contract part 2, Stored queries; reference section 13). A query is a document of its namespace, so it is as durable
// as the graph; what is compiled of it is kept here for as long as its text stays the same.

import { sectionKinds } from '../../engine/checkpoint/types.ts';
import type { GraphEngine, WriteOutcome } from '../../engine/types.ts';
import type { CompiledSet, FragmentCompiler, FragmentTexts, SetOutcome } from '../fragments/compiler.ts';
import type { Caller } from '../fragments/compilers.ts';
import { givenTexts, type PathTexts } from '../paths/request.ts';
import { distinctTexts, templateFlaw } from '../subgraphs/compile.ts';
import { readTemplate, type TemplateBody } from '../subgraphs/patterns.ts';

const storedQueryKinds = ['Path', 'SubGraph'] as const;
export type StoredQueryKind = (typeof storedQueryKinds)[number];

type OptionalText = string | null | undefined;

/** The block of a path query as it came: a missing cost inside a cost block is not the same as null. */
export interface PathTemplateBody {
  readonly filter?:
    | {
        readonly vertexFilter?: OptionalText;
        readonly edgeFilter?: OptionalText;
        readonly edgePropertyFilter?: OptionalText;
      }
    | null
    | undefined;
  readonly cost?: { readonly vertexCost?: OptionalText; readonly edgeCost?: OptionalText } | null | undefined;
}

/** A registration as it came. */
export interface StoredQueryBody {
  readonly name: string;
  readonly kind: string;
  readonly description: string | null;
  readonly path: PathTemplateBody | null;
  readonly subGraph: TemplateBody | null;
}

/** What a query is compiled to. */
export type Runnable =
  | { readonly kind: 'Path'; readonly texts: PathTexts; readonly set: CompiledSet }
  /** `body`: what a subgraph's recipe takes over. */
  | { readonly kind: 'SubGraph'; readonly body: TemplateBody; readonly set: CompiledSet };

export interface StoredQuery {
  readonly name: string;
  readonly kind: StoredQueryKind;
  readonly description: string | null;
  /** `yyyy-MM-ddTHH:mm:ss.fffZ` */
  readonly createdAt: string;
  /** The stored block alone, as JSON. */
  readonly specificationJson: string;
  /** Null: it does not compile any more. */
  readonly runnable: Runnable | null;
  /** Why not. */
  readonly compileDiagnostics: string | null;
}

export type Registration =
  | { readonly ok: true; readonly query: StoredQuery; readonly outcome: WriteOutcome }
  | { readonly ok: false; readonly failure: 'invalid' | 'conflict'; readonly detail: string };

/** The text of the document, whose name is the query's. */
interface StoredText {
  readonly kind: StoredQueryKind;
  readonly description: string | null;
  readonly createdAt: string;
  readonly specification: PathTemplateBody | TemplateBody;
}

interface Kept {
  readonly text: string;
  readonly query: StoredQuery;
  /** When it is to be compiled again, in milliseconds of `now`: only what took too long is worth that. */
  readonly againAtMs: number;
}

type Compiled = Pick<Kept, 'query' | 'againAtMs'>;

const againAfterMs = 60_000;

const nameGrammar = /^[A-Za-z0-9_-]{1,128}$/;
const documents = sectionKinds.storedQueries;

export class StoredQueries {
  private readonly compiler: FragmentCompiler;
  private readonly maxCount: () => number;
  private readonly now: () => number;
  private readonly kept = new WeakMap<GraphEngine, Map<string, Kept>>();

  /**
   * `maxCount`: queries that may be registered in one namespace; those that a load brings are not counted out. `now`: milliseconds,
   * monotonic.
   */
  constructor(compiler: FragmentCompiler, maxCount: () => number, now: () => number) {
    this.compiler = compiler;
    this.maxCount = maxCount;
    this.now = now;
  }

  /** In ordinal order of their names. Throws JobFailed, as whatever may compile. */
  async list(graph: GraphEngine, caller: Caller = {}): Promise<StoredQuery[]> {
    const queries: StoredQuery[] = [];
    // One after the other: a caller has one turn at a time.
    for (const { name, text } of graph.documents.list(documents)) {
      queries.push(await this.queryOf(graph, name, text, caller));
    }
    return queries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async find(graph: GraphEngine, name: string, caller: Caller = {}): Promise<StoredQuery | null> {
    const text = graph.documents.get(documents, name);
    return text === null ? null : this.queryOf(graph, name, text, caller);
  }

  /** Compiles the query and puts it among the documents; `now` becomes its time of creation. */
  async register(graph: GraphEngine, body: StoredQueryBody, now: Date, caller: Caller): Promise<Registration> {
    const { name, description } = body;
    const read = specificationOf(body);
    if ('flaw' in read) return { ok: false, failure: 'invalid', detail: read.flaw };
    const { kind, specification } = read;
    const before = this.conflict(graph, name);
    if (before !== null) return before;
    const stored: StoredText = { kind, description, createdAt: now.toISOString(), specification };
    const compiled = await this.compiled(name, stored, caller);
    const { query } = compiled;
    if (query.runnable === null) {
      const detail = `The stored query does not compile.\n${query.compileDiagnostics}`;
      return { ok: false, failure: 'invalid', detail };
    }
    // Others may have come meanwhile.
    const after = this.conflict(graph, name);
    if (after !== null) return after;
    const text = JSON.stringify(stored);
    const overflow = graph.documents.overflow(name, text);
    if (overflow !== null) return { ok: false, failure: 'conflict', detail: overflow };
    const outcome = graph.documents.put(documents, name, text);
    if (outcome.ok) this.keptOf(graph).set(name, { text, ...compiled });
    return { ok: true, query, outcome };
  }

  private conflict(graph: GraphEngine, name: string): (Registration & { readonly ok: false }) | null {
    if (graph.documents.get(documents, name) !== null) {
      return { ok: false, failure: 'conflict', detail: `There is a stored query '${name}' already.` };
    }
    const maxCount = this.maxCount();
    if (graph.documents.list(documents).length < maxCount) return null;
    const detail = `The namespace has ${maxCount} stored queries, the most that StoredQueries:MaxCount allows.`;
    return { ok: false, failure: 'conflict', detail };
  }

  /** False when there is none of that name. */
  remove(graph: GraphEngine, name: string): WriteOutcome | false {
    const outcome = graph.documents.remove(documents, name);
    if (outcome !== false && outcome.ok) this.keptOf(graph).delete(name);
    return outcome;
  }

  private async queryOf(graph: GraphEngine, name: string, text: string, caller: Caller): Promise<StoredQuery> {
    const queries = this.keptOf(graph);
    const known = queries.get(name);
    // A restore may have brought another query of that name.
    if (known?.text === text && this.now() < known.againAtMs) return known.query;
    const stored = readText(text);
    const compiled = stored === null ? unreadable(name, text) : await this.compiled(name, stored, caller);
    // It may have been deleted meanwhile.
    if (graph.documents.get(documents, name) === text) queries.set(name, { text, ...compiled });
    return compiled.query;
  }

  private keptOf(graph: GraphEngine): Map<string, Kept> {
    let queries = this.kept.get(graph);
    if (queries === undefined) {
      queries = new Map();
      this.kept.set(graph, queries);
    }
    return queries;
  }

  private async compiled(
    name: string,
    { kind, description, createdAt, specification }: StoredText,
    caller: Caller,
  ): Promise<Compiled> {
    const read = await runnableOf(kind, specification, (texts) => this.compiler.compile(texts, caller));
    const query = {
      ...{ name, kind, description, createdAt },
      specificationJson: JSON.stringify(specification),
      runnable: 'errors' in read ? null : read,
      compileDiagnostics: 'errors' in read ? read.errors.join('\n') : null,
    };
    return {
      query,
      againAtMs: 'errors' in read && !read.isFinal ? this.now() + againAfterMs : Number.POSITIVE_INFINITY,
    };
  }
}

/** The document's text; null for one of another make. */
function readText(text: string): StoredText | null {
  try {
    const { kind, description, createdAt, specification } = JSON.parse(text) as StoredText;
    if (!storedQueryKinds.includes(kind) || typeof specification !== 'object' || specification === null) return null;
    return { kind, description, createdAt, specification };
  } catch {
    return null;
  }
}

function unreadable(name: string, text: string): Compiled {
  const compileDiagnostics = 'The definition of the query cannot be read by this version.';
  const query: StoredQuery = {
    ...{ name, kind: 'Path', description: null, createdAt: new Date(0).toISOString() },
    ...{ specificationJson: text, runnable: null, compileDiagnostics },
  };
  return { query, againAtMs: Number.POSITIVE_INFINITY };
}

/** The block that belongs to the kind, or what is wrong with the registration. */
function specificationOf({
  name,
  kind,
  path,
  subGraph,
}: StoredQueryBody): Pick<StoredText, 'kind' | 'specification'> | { readonly flaw: string } {
  if (!nameGrammar.test(name)) {
    return { flaw: 'The name of a stored query has 1 to 128 letters, digits, underscores and hyphens.' };
  }
  if (kind === 'Path') {
    if (subGraph !== null) return { flaw: 'A stored query of kind Path takes no subGraph block.' };
    return path === null ? { flaw: 'A stored query of kind Path needs a path block.' } : { kind, specification: path };
  }
  if (kind === 'SubGraph') {
    if (path !== null) return { flaw: 'A stored query of kind SubGraph takes no path block.' };
    if (subGraph === null) return { flaw: 'A stored query of kind SubGraph needs a subGraph block.' };
    const template = readTemplate(subGraph, 'stored');
    return 'flaw' in template ? template : { kind, specification: subGraph };
  }
  return { flaw: `Unknown kind '${kind}'. There are ${storedQueryKinds.join(' and ')}.` };
}

async function runnableOf(
  kind: StoredQueryKind,
  specification: PathTemplateBody | TemplateBody,
  compile: (texts: FragmentTexts) => Promise<SetOutcome>,
): Promise<Runnable | { readonly errors: readonly string[]; readonly isFinal: boolean }> {
  if (kind === 'Path') {
    const texts = pathTextsOf(specification as PathTemplateBody);
    const outcome = await compile(givenTexts(texts));
    return outcome.ok ? { kind, texts, set: outcome.set } : outcome;
  }
  const body = specification as TemplateBody;
  const template = readTemplate(body, 'stored');
  if ('flaw' in template) return { errors: [template.flaw], isFinal: true };
  const flaw = templateFlaw(template.texts);
  if (flaw !== null) return { errors: [flaw], isFinal: true };
  const outcome = await compile(distinctTexts(template.texts));
  return outcome.ok ? { kind, body, set: outcome.set } : outcome;
}

/** The fragments of a path's filter and cost blocks. No cost block: the engine's own costs; a missing member of one: a constant 1. */
export function pathTextsOf({ filter, cost }: PathTemplateBody): PathTexts {
  return {
    vertexFilter: filter?.vertexFilter ?? null,
    edgeFilter: filter?.edgeFilter ?? null,
    edgePropertyFilter: filter?.edgePropertyFilter ?? null,
    vertexCost: cost === null || cost === undefined ? null : cost.vertexCost,
    edgeCost: cost === null || cost === undefined ? null : cost.edgeCost,
  };
}
