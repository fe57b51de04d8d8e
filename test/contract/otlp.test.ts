// Export over OTLP (contract part 3, Metrics and traces) to a collector that reads it with OpenTelemetry's own messages.

import { expect, test } from 'vitest';
import { instruments } from '../../src/telemetry/instruments.ts';
import { Collector } from './support/collector.ts';
import { functionOf } from './support/plugin-sources.ts';
import { expectJson, expectProblem, property, waited } from './support/requests.ts';
import { isReal, type ServiceSettings, startService, type TestService } from './support/service.ts';

const hostile = 'HOSTILE-WORD';
const secret = 'the-key-of-this-test';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const inTrace = (flags: string) => ({ headers: { traceparent: `00-${traceId}-${parentId}-${flags}` } });

/** What a collector has when the service has ended: a stop exports what is left. */
async function exported(
  settings: ServiceSettings,
  run: (service: TestService) => Promise<void>,
  answers: number | 'never' = 200,
): Promise<Collector> {
  const collector = await Collector.start(answers);
  try {
    const service = await startService({ 'Observability:Otlp:Endpoint': collector.url, ...settings });
    try {
      await run(service);
    } finally {
      await service.stop();
    }
  } finally {
    await collector.stop();
  }
  return collector;
}

test.runIf(isReal)('metrics, spans and lines of the log arrive, each span below what it belongs to', async () => {
  const identity = { 'Identity:Tenant:Id': 'acme', 'Identity:Instance:Name': 'first' };
  const key = { 'Security:ApiKey': secret, 'Log:Level': 'warn' };
  const collector = await exported({ ...identity, ...key }, async (service) => {
    const call = (method: string, path: string, options: object = {}) =>
      service.call(method, path, {
        ...options,
        headers: { 'x-api-key': secret, ...(options as { headers?: object }).headers },
      });
    const vertices = [{ label: hostile, properties: [property(hostile, hostile)] }, { label: 'b' }];
    expectJson(await call('PUT', `/vertices${waited}`, { json: vertices, ...inTrace('01') }));
    const edge = { sourceVertex: 0, targetVertex: 1, edgePropertyId: hostile };
    await call('PUT', `/edge${waited}`, { json: edge });
    expectProblem(await call('PUT', `/edge${waited}`, { json: { ...edge, targetVertex: 77 } }), 404);
    const filter = { vertexFilter: `return v => v.Label != "${hostile}";` };
    expectJson(await call('POST', '/path/0/to/1', { json: { filter } }));
    const throwing = { vertexFilter: 'return v => v.Label.Substring(0, 99) == "x";' };
    expectProblem(await call('POST', '/path/0/to/1', { json: { filter: throwing } }), 500);
    const wanted = { pattern: 'VertexPattern', name: 'a' };
    await call('PUT', '/subgraph', { json: { name: 's', patterns: [wanted] } });
    expectJson(await call('POST', '/analytics/DEGREE', { json: {} }));
    const ranking = `result = null; return graph.TryRunAnalytics(out _, "DEGREE", new GraphAnalyticsDefinition()) && false;`;
    const sourceCode = `using NoSQL.GraphDB.Core.Algorithms.Analytics; ${functionOf('Ranking', ranking)}`;
    expectJson(await call('POST', '/plugins/function', { json: { name: 'Ranking', sourceCode } }), 201);
    expectProblem(await call('POST', '/plugins/function/Ranking/invoke', { json: {} }), 400);
    expectJson(await call('PUT', '/save', { json: {} }));
    expectProblem(await call('GET', `/vertex/${hostile}?x=${hostile}`), 400);
  });
  const [batch] = collector.spansNamed('PUT /vertices');
  expect(batch).toMatchObject({ traceId, parentSpanId: parentId, failed: false });
  expect(batch?.attributes).toMatchObject({ 'http.response.status_code': 200, 'service.namespace.name': 'default' });
  for (const { name, traceId, spanId, parentSpanId } of collector.spans) {
    expect(
      [traceId, spanId].map((id) => /^[\da-f]+$/.test(id) && id.length),
      name,
    ).toEqual([32, 16]);
    const parent = collector.spans.find((other) => other.spanId === parentSpanId);
    if (parent !== undefined) expect(parent.traceId, name).toBe(traceId);
  }
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(collector.spans.length);
  const executed = collector.spansNamed('transaction.execute');
  expect(executed.find(({ parentSpanId }) => parentSpanId === batch?.spanId)?.attributes).toEqual({
    'transaction.type': 'CreateVerticesTransaction',
    'transaction.state': 'Committed',
    'transaction.durable': true,
    'service.scope.id': expect.any(String),
  });
  expect(executed.some(({ failed, attributes }) => failed && attributes['transaction.state'] === 'RolledBack')).toBe(
    true,
  );
  const below = (name: string, ...wanted: string[]) => {
    const found = collector.spansNamed(name).map(({ parentSpanId }) => {
      return wanted.find((parent) => collector.spansNamed(parent).some(({ spanId }) => spanId === parentSpanId));
    });
    expect([...new Set(found)].sort(), name).toEqual([...wanted].sort());
  };
  below('path.search', 'POST /path/{from}/to/{to}');
  below('codegen.compile', 'POST /path/{from}/to/{to}');
  below('analytics.run', 'POST /analytics/{algorithmName}', 'POST /plugins/function/{name}/invoke');
  below('checkpoint.save', 'PUT /save');
  // Roots of their own are other traces.
  expect(collector.spans.filter((span) => span.traceId === traceId).length).toBeLessThan(collector.spans.length);

  const commits = collector.metrics.get(instruments.commits.name);
  expect(commits).toMatchObject({ kind: 'sum', unit: '{transaction}' });
  const ofBatches = commits?.points.find(
    ({ attributes }) => attributes['transaction.type'] === 'CreateVerticesTransaction',
  );
  expect(ofBatches?.value).toBe(1);
  expect(collector.metrics.get(instruments.vertices.name)).toMatchObject({ kind: 'gauge', points: [{ value: 2 }] });
  expect(collector.metrics.get(instruments.commitDuration.name)).toMatchObject({ kind: 'histogram', unit: 's' });
  expect(collector.metrics.get(instruments.namespaceInfo.name)?.points[0]?.attributes).toMatchObject({
    'service.namespace.name': 'default',
  });

  const thrown = collector.logs.find(({ body }) => body.includes('a fragment threw'));
  expect(thrown).toMatchObject({ severity: 'WARN', attributes: { 'service.namespace.name': 'default' } });
  expect(collector.spans.some((span) => span.traceId === thrown?.traceId)).toBe(true);

  expect(collector.resource).toMatchObject({
    ...{ 'service.name': 'arcwise', 'service.tenant.id': 'acme', 'service.tenant.name': 'acme' },
    ...{ 'service.instance.id': expect.stringMatching(/^f8-/), 'service.instance.name': 'first' },
  });
  expect(collector.raw).not.toContain(hostile);
  expect(collector.raw).not.toContain(secret);
});

test.runIf(isReal)('the ratio is of roots; who is sampled upstream stays sampled', async () => {
  const collector = await exported({ 'Observability:TracingSamplingRatio': 0 }, async (service) => {
    for (let i = 0; i < 5; i++) await service.call('GET', '/vertex/count');
    await service.call('GET', '/edge/count', inTrace('01'));
    await service.call('GET', '/statistics', inTrace('00'));
    const broken = [
      '00',
      'ff-x',
      `00-${'0'.repeat(32)}-${parentId}-01`,
      `00-${traceId}-${parentId}-01-more`,
      'x'.repeat(4000),
    ];
    for (const traceparent of broken)
      expectJson(await service.call('GET', '/vertex/count', { headers: { traceparent } }));
  });
  expect(collector.spans.map(({ name }) => name)).toEqual(['GET /edge/count']);
  expect(collector.metrics.size).toBeGreaterThan(5);
});

test.runIf(isReal).each([500, 404, 'never'] as const)(
  'a collector that answers %s holds up nothing',
  { tags: ['long'] },
  async (answers) => {
    const collector = await exported(
      {},
      async (service) => {
        for (let i = 0; i < 50; i++) expectJson(await service.call('GET', '/vertex/count'));
      },
      answers,
    );
    expect(collector.asked).toBeGreaterThan(0);
  },
);

test.runIf(isReal)(
  'an endpoint that nobody listens at, or that is none, stops no start',
  { tags: ['long'] },
  async () => {
    for (const endpoint of ['http://127.0.0.1:9', 'collector', 'ftp://x']) {
      const service = await startService({ 'Observability:Otlp:Endpoint': endpoint });
      const { observability } = expectJson(await service.call('GET', '/config')) as { observability: object };
      expect(observability).toMatchObject({ otlpEnabled: true });
      expectProblem(await service.call('GET', '/metrics'), 404);
      await service.stop();
    }
  },
);
