// Steps that tests of documents share: sending texts and files, and waiting until they are ingested.

import { expect } from 'vitest';
import type { Answer } from './client.ts';
import type { TestService } from './service.ts';

export const on = {
  'Ingestion:Enabled': true,
  'Security:SensitiveRateLimitPermitPerWindow': 100_000,
  'Ingestion:ChunkMinChars': 20,
  'Ingestion:ChunkMaxChars': 120,
};

export function ensured(service: TestService, prefix = ''): Promise<Answer> {
  return service.call('POST', `${prefix}/document/binding/ensure`);
}

export async function sent(service: TestService, json: object, prefix = ''): Promise<number> {
  const answer = await service.call('POST', `${prefix}/document/text`, { json: { embed: false, ...json } });
  expect(answer.status, answer.text).toBe(202);
  expect(answer.json.status).toBe('processing');
  return answer.json.documentId;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function settled(service: TestService, id: number, prefix = ''): Promise<any> {
  for (;;) {
    const { json } = await service.call('GET', `${prefix}/document/${id}`);
    if (json.summary.status !== 'processing') return json;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const boundary = 'XbX';
export const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };

export function form(parts: Record<string, string | { file: string; content: string | Uint8Array }>): Buffer {
  const blocks: Uint8Array[] = [];
  for (const [name, part] of Object.entries(parts)) {
    const file = typeof part === 'string' ? '' : `; filename="${part.file}"`;
    blocks.push(Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`));
    blocks.push(Buffer.from(typeof part === 'string' ? part : part.content), Buffer.from('\r\n'));
  }
  return Buffer.concat([...blocks, Buffer.from(`--${boundary}--\r\n`)]);
}

export function upload(service: TestService, parts: Parameters<typeof form>[0], prefix = ''): Promise<Answer> {
  return service.call('POST', `${prefix}/document`, { headers: multipart, body: form({ embed: 'false', ...parts }) });
}
