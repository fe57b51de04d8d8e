// The indexes that documents are found with: which are required, whether they are there and of the right shape, and their creation
// (reference 20.1 and 20.4). An index of another shape under the same id is somebody's and is never replaced.

import type { Settings } from '../config/catalogue.ts';
import { TypeId } from '../core/values.ts';
import type { IndexOptions } from '../engine/indexes/plugins.ts';
import type { GraphEngine } from '../engine/types.ts';
import type { Embedder } from './embedder.ts';
import { DocumentRefused } from './refusal.ts';

type RoleName = 'vector' | 'fulltext' | 'entity';

interface Role {
  readonly role: RoleName;
  readonly indexId: string;
  readonly required: boolean;
  readonly exists: boolean;
  readonly ready: boolean;
  /** What is amiss; null when nothing is. */
  readonly detail: string | null;
}

export interface Binding {
  readonly ready: boolean;
  readonly vector: Role;
  readonly fulltext: Role;
  readonly entity: Role;
}

/** What binding looks at. */
export interface BindingContext {
  readonly settings: Settings;
  readonly graph: GraphEngine;
  /** Null: embedding is off. */
  readonly embedder: Embedder | null;
}

export function bindingOf(context: BindingContext): Binding {
  const { settings, embedder } = context;
  const vector = role(context, 'vector', settings['Ingestion:EnsureVectorIndex'] && embedder !== null);
  const fulltext = role(context, 'fulltext', settings['Ingestion:EnsureFulltextIndex']);
  const entity = role(context, 'entity', settings['Ingestion:EnsureEntityIndex'] && settings['Nlp:Enabled']);
  const ready = [vector, fulltext, entity].every((one) => one.ready || !one.required);
  return { ready, vector, fulltext, entity };
}

/** Creates what is required and missing. Throws DocumentRefused when an index of that name has another shape, or there is no memory. */
export async function ensureBinding(context: BindingContext): Promise<Binding> {
  const { vector, fulltext, entity } = bindingOf(context);
  const wanted = [vector, fulltext, entity].filter(({ required }) => required);
  for (const { exists, ready, detail } of wanted) {
    if (exists && !ready) throw new DocumentRefused('indexShape', detail ?? 'An index has another shape.');
  }
  for (const { role, indexId, exists } of wanted) {
    if (exists) continue;
    const options = role === 'vector' ? vectorOptions(context) : new Map();
    const outcome = context.graph.indexes.create(indexId, pluginTypes[role], options, false);
    if (outcome === false || !outcome.ok) {
      throw new DocumentRefused('memoryLimit', `The index '${indexId}' could not be created.`);
    }
    await outcome.durable;
  }
  return bindingOf(context);
}

const pluginTypes: Readonly<Record<RoleName, string>> = {
  vector: 'VectorIndex',
  fulltext: 'RegExIndex',
  entity: 'DictionaryIndex',
};

export function indexIdOf(settings: Settings, role: RoleName): string {
  if (role === 'vector') return settings['Ingestion:VectorIndexId'];
  return role === 'fulltext' ? settings['Ingestion:FulltextIndexId'] : settings['Ingestion:EntityIndexId'];
}

function role(context: BindingContext, name: RoleName, required: boolean): Role {
  const indexId = indexIdOf(context.settings, name);
  const index = context.graph.indexes.find(indexId);
  const base = { role: name, indexId, required };
  if (index === null) return { ...base, exists: false, ready: false, detail: `There is no index '${indexId}'.` };
  const flaw =
    index.pluginType === pluginTypes[name]
      ? vectorFlaw(context, name, indexId)
      : `The index '${indexId}' is a ${index.pluginType}, not a ${pluginTypes[name]}.`;
  return { ...base, exists: true, ready: flaw === null, detail: flaw };
}

/** Why a vector index does not do for the provider's vectors; null when it does, or is none. */
function vectorFlaw({ settings, graph, embedder }: BindingContext, name: RoleName, indexId: string): string | null {
  if (name !== 'vector') return null;
  const definition = graph.vectors.find(indexId);
  if (definition === null || definition === 'otherKind') return `The index '${indexId}' holds no vectors.`;
  const wanted = settings['Ingestion:EmbeddingName'];
  if (definition.embeddingName !== wanted) return `The index '${indexId}' does not follow the embedding '${wanted}'.`;
  if (embedder === null) return null;
  if (definition.dimension !== embedder.dimension) {
    return `The index '${indexId}' holds vectors of ${definition.dimension} components, the provider makes ${embedder.dimension}.`;
  }
  if (definition.model === null || definition.model === embedder.stamp) return null;
  return `The index '${indexId}' is for the model ${definition.model}, the provider is ${embedder.stamp}.`;
}

function vectorOptions({ settings, embedder }: BindingContext): IndexOptions {
  const { dimension, metric, stamp } = embedder as Embedder;
  const entries = {
    dimension: String(dimension),
    metric,
    embeddingName: settings['Ingestion:EmbeddingName'],
    model: stamp,
  };
  return new Map(Object.entries(entries).map(([name, text]) => [name, { type: TypeId.string, text }]));
}
