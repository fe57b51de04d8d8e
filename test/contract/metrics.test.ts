// The scrape: there when it is asked for, named as the contract says, and without a word of what clients keep in their graphs.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { instruments } from '../../src/telemetry/instruments.ts';
import { parseScrape, type ScrapedFamily } from './support/prometheus.ts';
import { expectJson, expectProblem, waited } from './support/requests.ts';
import { isReal, type ServiceSettings, startService, type TestService } from './support/service.ts';

const enabled = { 'Observability:Prometheus:Enabled': true };

async function withService(settings: ServiceSettings, run: (service: TestService) => Promise<void>): Promise<void> {
  const service = await startService(settings);
  try {
    await run(service);
  } finally {
    await service.stop();
  }
}

async function scrape(service: TestService): Promise<{ text: string; families: Map<string, ScrapedFamily> }> {
  const { status, headers, text } = await service.call('GET', '/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  return { text, families: parseScrape(text) };
}

function figure(
  families: Map<string, ScrapedFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const family = families.get(name.replace(/_(sum|count)$/, '')) ?? families.get(name);
  const wanted = Object.entries(labels);
  return family?.samples.find((one) => one.name === name && wanted.every(([key, value]) => one.labels[key] === value))
    ?.value;
}

const ofDefault = { service_scope_id: 'default' };
/** Words that may stand in a graph and nowhere else. */
const hostile = 'HOSTILE"\\\n} 1\n# TYPE evil counter';

test('without the setting there is no such path', async () => {
  await withService({}, async (service) => {
    expectProblem(await service.call('GET', '/metrics'), 404);
    expectProblem(await service.call('POST', '/metrics'), 404);
  });
});

describe.runIf(isReal)('the scrape', () => {
  test('counts and measures what is done, under the names of the contract', async () => {
    await withService(enabled, async (service) => {
      await service.call('PUT', `/vertices${waited}`, { json: [{ label: 'a' }, { label: 'b' }] });
      await service.call('PUT', `/vertex${waited}`, { json: { label: 'c' } });
      const edge = { sourceVertex: 0, targetVertex: 1, edgePropertyId: 'e' };
      await service.call('PUT', `/edge${waited}`, { json: edge });
      expectProblem(await service.call('PUT', `/edge${waited}`, { json: { ...edge, targetVertex: 77 } }), 404);
      await service.call('POST', `/index${waited}`, { json: { uniqueId: 'i', pluginType: 'DictionaryIndex' } });
      expectJson(await service.call('PUT', '/save', { json: {} }));
      const validation = { delegateKind: 'VertexFilter', fragment: 'return (v) => true;' };
      await service.call('POST', '/delegates/validate', { json: validation });
      await service.call('GET', '/vertex/0');
      const missing = await service.call('GET', '/vertex/99');

      const { families } = await scrape(service);
      const commits = (type: string): number | undefined =>
        figure(families, 'service_transaction_commits_total', { ...ofDefault, transaction_type: type });
      expect(commits('CreateVerticesTransaction')).toBe(1);
      expect(commits('CreateVertexTransaction')).toBe(1);
      expect(commits('CreateEdgeTransaction')).toBe(1);
      const rolledBack = { transaction_type: 'CreateEdgeTransaction', failure_reason: 'NotFound' };
      expect(figure(families, 'service_transaction_rollbacks_total', { ...ofDefault, ...rolledBack })).toBe(1);
      expect(figure(families, 'service_transaction_commit_duration_seconds_count', ofDefault)).toBe(4);
      expect(figure(families, 'service_transaction_execute_duration_seconds_count', ofDefault)).toBe(4);
      expect(figure(families, 'service_transaction_group_size_sum', ofDefault)).toBe(4);
      expect(figure(families, 'service_wal_flush_duration_seconds_count', ofDefault)).toBe(4);
      expect(figure(families, 'service_transaction_queue_depth', ofDefault)).toBe(0);
      expect(figure(families, 'service_wal_degraded', ofDefault)).toBe(0);
      expect(figure(families, 'service_wal_size_bytes', ofDefault)).toBeGreaterThan(0);
      expect(figure(families, 'service_graph_vertices', ofDefault)).toBe(3);
      expect(figure(families, 'service_graph_edges', ofDefault)).toBe(1);
      expect(figure(families, 'service_index_count', ofDefault)).toBe(1);
      expect(figure(families, 'service_index_entries', ofDefault)).toBe(0);
      expect(figure(families, 'service_checkpoint_save_duration_seconds_count', ofDefault)).toBe(1);
      expect(figure(families, 'service_checkpoint_save_bytes_sum', ofDefault)).toBeGreaterThan(0);
      const validated = { kind: 'VertexFilter', result: 'valid' };
      expect(figure(families, 'service_delegate_validate_total', validated)).toBe(1);
      const info = { ...ofDefault, service_namespace_name: 'default' };
      expect(figure(families, 'service_namespace_info', info)).toBe(1);
      const read = { http_request_method: 'GET', http_route: '/vertex/{id}' };
      const request = 'http_server_request_duration_seconds_count';
      expect(figure(families, request, { ...read, http_response_status_code: '200' })).toBe(1);
      expect(figure(families, request, { ...read, http_response_status_code: String(missing.status) })).toBe(1);
    });
  });

  test('a load is measured, and a namespace that is gone shows nothing', async () => {
    await withService(enabled, async (service) => {
      expectJson(await service.call('PUT', '/ns/other', {}), 201);
      await service.call('PUT', `/vertex${waited}`, { json: { label: 'c' } });
      expectJson(await service.call('PUT', '/save', { json: {} }));
      const before = (await scrape(service)).families.get('service_graph_vertices');
      expect(before?.samples).toHaveLength(2);
      await service.call('DELETE', '/ns/other');
      await service.restart();
      const { families } = await scrape(service);
      expect(families.get('service_graph_vertices')?.samples).toHaveLength(1);
      expect(families.get('service_namespace_info')?.samples).toHaveLength(1);
      expect(figure(families, 'service_checkpoint_load_duration_seconds_count', ofDefault)).toBe(1);
      expect(figure(families, 'service_checkpoint_load_bytes_sum', ofDefault)).toBeGreaterThan(0);
    });
  });

  test('with a key it is anonymous unless told otherwise', async () => {
    const key = { 'Security:ApiKey': 'a-key-of-some-length' };
    await withService({ ...enabled, ...key }, async (service) => void (await scrape(service)));
    const closed = { ...enabled, ...key, 'Observability:Prometheus:RequireApiKey': true };
    await withService(closed, async (service) => {
      expectProblem(await service.call('GET', '/metrics'), 401);
      const headers = { 'x-api-key': 'a-key-of-some-length' };
      expect((await service.call('GET', '/metrics', { headers })).status).toBe(200);
    });
  });

  test('the dashboard asks only for series and labels that a scrape shows', async () => {
    await withService(enabled, async (service) => {
      await service.call('PUT', `/vertex${waited}`, { json: { label: 'c' } });
      expectJson(await service.call('PUT', '/save', { json: {} }));
      const { families } = await scrape(service);
      const shown = [...families.values()].flatMap(({ samples }) => samples);
      const names = new Set(shown.map(({ name }) => name));
      const labels = new Set(shown.flatMap((sample) => Object.keys(sample.labels)));
      const { panels } = JSON.parse(readFileSync(at('docs/grafana/arcwise.json'), 'utf8')) as {
        panels: { targets: { expr: string }[] }[];
      };
      const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
      expect(queries.length).toBeGreaterThan(0);
      for (const query of queries) {
        const grouped = [...query.matchAll(/(?:by|on|group_left) \(([^)]*)\)/g)].flatMap(([, list]) =>
          (list as string).split(', '),
        );
        for (const label of grouped) expect(labels, query).toContain(label);
        const rest = query.replace(/(?:by|on|group_left) \([^)]*\)/g, '');
        const asked = rest.match(/\b(?:service|http)_\w+/g) ?? [];
        expect(asked, query).not.toHaveLength(0);
        for (const name of asked) expect(names, query).toContain(name);
      }
    });
  });

  test('the page for operators asks only for series and labels that there are', () => {
    const mangled = (name: string): string => name.replace(/[^A-Za-z0-9_]/g, '_');
    const endings = { s: '_seconds', By: '_bytes' } as Readonly<Record<string, string>>;
    const names = new Set<string>();
    const labels = new Set<string>(['service_scope_id']);
    for (const { name, unit, kind, tags } of Object.values(instruments)) {
      const family = `${mangled(name)}${endings[unit] ?? ''}${kind === 'counter' ? '_total' : ''}`;
      names.add(family);
      if (kind === 'histogram') for (const part of ['_bucket', '_sum', '_count']) names.add(family + part);
      for (const tag of tags) labels.add(mangled(tag));
    }
    const page = readFileSync(at('docs/operations.md'), 'utf8');
    const asked = page.match(/\b(?:service|http)_\w+/g) ?? [];
    expect(asked.length).toBeGreaterThan(15);
    for (const word of asked) expect(names.has(word) || labels.has(word), word).toBe(true);
    const grouped = [...page.matchAll(/\{(\w+)=/g)].map(([, label]) => label as string);
    expect(grouped).toContain('failure_reason');
    for (const label of grouped) expect(labels).toContain(label);
  });

  test('no tag comes from a graph, a path or a fragment', async () => {
    await withService(enabled, async (service) => {
      const property = { propertyId: hostile, propertyValue: hostile, fullQualifiedTypeName: 'System.String' };
      const created = await service.call('PUT', `/vertex${waited}`, {
        json: { label: hostile, properties: [property] },
      });
      expect(created.status).toBeLessThan(300);
      await service.call('POST', `/index${waited}`, { json: { uniqueId: hostile, pluginType: 'DictionaryIndex' } });
      const fragment = `return (v) => v.Label == "${hostile}";`;
      await service.call('POST', '/delegates/validate', { json: { delegateKind: 'VertexFilter', fragment } });
      await service.call('POST', '/delegates/validate', { json: { delegateKind: hostile, fragment } });
      await service.call('GET', `/${encodeURIComponent(hostile)}`);
      await service.call('GET', `/ns/${encodeURIComponent(hostile)}/vertex/0`);
      await service.call('HOSTILE', '/vertex/0').catch(() => null); // the listener may refuse the method itself
      const { text, families } = await scrape(service);
      expect(text).not.toMatch(/HOSTILE/i);
      expect(families.has('evil')).toBe(false);
      const known = new Set([
        ...Object.values(instruments).flatMap(({ tags }) =>
          tags.map((tag: string) => tag.replace(/[^A-Za-z0-9_]/g, '_')),
        ),
        ...['le', 'service_scope_id', 'service_namespace_name'],
      ]);
      for (const { samples } of families.values()) {
        for (const { labels } of samples) for (const label of Object.keys(labels)) expect(known).toContain(label);
      }
    });
  });
});
