// Embeddings by name (contract part 3, Element embeddings): what may name one, and the keys of the properties that hold its vector and the
// name of the model it came from. The core knows them too (assembly/values/reserved.ts).

export const embeddingPrefix = '$embedding:';
export const embeddingModelPrefix = '$embeddingModel:';
export const longestEmbeddingName = 64;
/** The embedding that is meant where none is named. */
export const defaultEmbedding = 'default';

export const embeddingName = new RegExp(`^[A-Za-z0-9_-]{1,${longestEmbeddingName}}$`);

/** The key of an embedding's vector. */
export function embeddingKey(name: string): string {
  return embeddingPrefix + name;
}

/** The key of the name of the model that an embedding's vector came from. */
export function embeddingModelKey(name: string): string {
  return embeddingModelPrefix + name;
}
