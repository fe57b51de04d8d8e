// The OpenAI type of protocol for embeddings (`v1/embeddings`). Vectors carry the place of their text.

import type { Deadline } from '../deadline.ts';
import { ProviderFailed } from '../failure.ts';
import { itemsOf, membersOf, numberOf } from '../reading.ts';
import type { Remote } from '../remote.ts';
import { type EmbeddingBackend, vectorBytes } from './types.ts';

export class OpenAiEmbedding implements EmbeddingBackend {
  private readonly remote: Remote;
  private readonly model: string;
  private readonly dimension: number;

  constructor(remote: Remote, model: string, dimension: number) {
    this.remote = remote;
    this.model = model;
    this.dimension = dimension;
  }

  async embed(texts: readonly string[], deadline: Deadline): Promise<readonly ArrayLike<number>[]> {
    const body = { model: this.model, input: texts, encoding_format: 'float' };
    const answer = await this.remote.json(
      { method: 'POST', path: '/v1/embeddings', body, answerBytes: vectorBytes(texts.length, this.dimension) },
      deadline,
    );
    const data = itemsOf(membersOf(answer).data).map(membersOf);
    const vectors = new Array<readonly number[] | undefined>(data.length);
    for (const [place, { index, embedding }] of data.entries()) {
      const at = numberOf(index) ?? place;
      if (!Number.isInteger(at) || at < 0 || at >= data.length || vectors[at] !== undefined) {
        throw new ProviderFailed('badOutput', 'The backend answered vectors whose places do not fit the texts.');
      }
      vectors[at] = itemsOf(embedding) as readonly number[];
    }
    return vectors.map((vector) => vector ?? []);
  }
}
