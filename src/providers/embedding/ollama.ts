// Ollama's protocol for embeddings (`api/embed`), which Nahil speaks as well.

import type { Deadline } from '../deadline.ts';
import { itemsOf, membersOf } from '../reading.ts';
import type { Remote } from '../remote.ts';
import { type EmbeddingBackend, vectorBytes } from './types.ts';

export class OllamaEmbedding implements EmbeddingBackend {
  private readonly remote: Remote;
  private readonly model: string;
  private readonly dimension: number;

  constructor(remote: Remote, model: string, dimension: number) {
    this.remote = remote;
    this.model = model;
    this.dimension = dimension;
  }

  async embed(texts: readonly string[], deadline: Deadline): Promise<readonly ArrayLike<number>[]> {
    const body = { model: this.model, input: texts, truncate: false };
    const answer = await this.remote.json(
      { method: 'POST', path: '/api/embed', body, answerBytes: vectorBytes(texts.length, this.dimension) },
      deadline,
    );
    return itemsOf(membersOf(answer).embeddings).map((vector) => itemsOf(vector) as readonly number[]);
  }
}
