// Contract part 3, Status and health.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVertices, expectJson } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test("status has every member, in the contract's order", async () => {
  await createVertices(service, [{}]);
  const status = expectJson(await service.call('GET', '/status')) as Record<string, unknown>;
  expect(Object.keys(status)).toEqual([
    'usedMemory',
    'namespaceState',
    'vertexCount',
    'edgeCount',
    'indices',
    'availableIndexPlugins',
    'availablePathPlugins',
    'availableSubGraphPlugins',
    'availableAnalyticsPlugins',
    'availableServicePlugins',
    'apiKeyRequired',
    'authenticated',
    'embedding',
    'chat',
    'ingestion',
    'nlp',
    'durability',
    // Beyond the contract, behind all of its members.
    'namespaceMemory',
  ]);
  expect(status).toMatchObject({
    namespaceState: 'ready',
    vertexCount: 1,
    edgeCount: 0,
    indices: [],
    apiKeyRequired: false,
    authenticated: false,
    embedding: {
      enabled: false,
      backend: 'Onnx',
      modelName: '',
      modelVersion: '',
      dimension: 0,
      intendedMetric: 'Cosine',
      loaded: false,
      resident: null,
      gpu: null,
    },
    chat: { enabled: false, backend: 'Ollama', loaded: false, resident: null, gpu: null },
    ingestion: {
      enabled: false,
      textFormats: ['txt', 'md'],
      binaryFormats: ['pdf', 'docx', 'xlsx', 'pptx', 'html'],
      docling: { configured: false, reachable: false },
      limits: {
        maxUploadBytes: 33554432,
        maxPages: 500,
        maxChunksPerDocument: 2000,
        maxChunksPerNamespace: 100000,
        maxLinksPerChunk: 16,
      },
      embeddingName: 'default',
      vectorIndexId: 'documents',
      fulltextIndexId: 'documents-text',
    },
    nlp: { enabled: false, configured: false, reachable: false },
    durability: {
      walEnabled: true,
      degraded: false,
      recoveryRan: expect.any(Boolean),
      lastRecoveryTruncated: false,
      lastRecoveryReplayedEntries: 0,
      lastCheckpointDroppedIndices: 0,
    },
  });
  expect(status.usedMemory).toBeGreaterThan(1_000_000);
  if (isReal) {
    const memory = status.namespaceMemory as Record<string, number>;
    const { heldBytes = 0, limitBytes = 0, ...purposes } = memory;
    expect(purposes.elements).toBeGreaterThan(0);
    expect(heldBytes).toBeGreaterThanOrEqual(Object.values(purposes).reduce((sum, bytes) => sum + bytes, 0));
    expect(limitBytes).toBeGreaterThan(heldBytes);
  }
});

test('health is a word in plain text', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await service.call('GET', path);
    expect([answer.status, answer.text]).toEqual([200, 'Healthy']);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
  }
});
