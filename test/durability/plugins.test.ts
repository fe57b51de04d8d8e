// Plugins through kill -9, save games and a restore: what was answered is there and runs, what was deleted is not. What a write-back set is in
// memory and in save games, and not in the log.

// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ServiceProcess } from './service-process.ts';

const directory = await mkdtemp(join(tmpdir(), 'arcwise-plugins-'));
const settings = { Service__Log__Level: 'error', Service__Security__SensitiveRateLimitPermitPerWindow: '1000' };
let service = await ServiceProcess.start(directory, settings);

afterAll(async () => {
  await service.kill();
  await rm(directory, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: unknown): Promise<unknown> => service.call(method, path, body);

async function killed(): Promise<void> {
  await service.kill();
  service = await ServiceProcess.start(directory, settings);
}

const degrees = (name: string): string => `
using System;
using System.Collections.Generic;
using System.Diagnostics;
using NoSQL.GraphDB.Core.Algorithms.Analytics;
public class ${name} : AGraphAnalyticsAlgorithm {
  public override string PluginName => "${name}";
  public override string Description => "d";
  protected override bool TryRunCore(out GraphAnalyticsResult result, GraphAnalyticsDefinition definition,
    Workspace workspace, BudgetGuard budget, Stopwatch stopwatch) {
    var scores = new Dictionary<int, double>();
    foreach (var vertex in workspace.Vertices) scores[vertex.Id] = vertex.GetOutDegree();
    result = new GraphAnalyticsResult(scores, null, true, 1, stopwatch.Elapsed, false);
    return true;
  }
}`;

const register = (name: string): Promise<unknown> =>
  call('POST', '/plugins/algorithm', { name, contract: 'Analytics', sourceCode: degrees(name) });
const names = async (): Promise<string[]> =>
  ((await call('GET', '/plugins')) as { name: string; compileState: string }[]).map(
    ({ name, compileState }) => `${name} ${compileState}`,
  );
const best = async (name: string): Promise<unknown> =>
  ((await call('POST', `/analytics/${name}`, { maxResults: 1 })) as { results: unknown[] }).results;
const propertiesOf = async (id: number): Promise<unknown[]> =>
  ((await call('GET', `/vertex/${id}`)) as { properties: unknown[] }).properties;

const creating = `
using System;
using System.Collections.Generic;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Plugin;
using NoSQL.GraphDB.Core.Plugins;
using NoSQL.GraphDB.Core.Transaction;
public class Creating : IGraphFunction {
  IFallen8 graph;
  public string PluginName => "Creating";
  public Type PluginCategory => typeof(IGraphFunction);
  public string Description => "d";
  public string Manufacturer => "m";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { graph = fallen8; }
  public void Dispose() { }
  public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters) {
    result = null;
    var done = graph.EnqueueTransaction(new DelegateTransaction(w => {
      var made = w.CreateVertex(0, "made");
      w.TryCreateEdge(out var edge, made.Id, "to", 0, 0);
    }));
    return done.TransactionState == TransactionState.Finished;
  }
}`;

it('and what they create is there after a kill, with what others created behind it', async () => {
  const own = await mkdtemp(join(tmpdir(), 'arcwise-plugins-'));
  const other = await ServiceProcess.start(own, settings);
  try {
    await other.call('PUT', '/vertices?waitForCompletion=true', [{ label: 'a' }]);
    await other.call('POST', '/plugins/function', { name: 'Creating', sourceCode: creating });
    await other.call('POST', '/plugins/function/Creating/invoke', {});
    const edge = { sourceVertex: 1, targetVertex: 0, edgePropertyId: 'behind' };
    expect(await other.call('PUT', '/edges?waitForCompletion=true', [edge])).toEqual([3]);
    await other.kill();
    const again = await ServiceProcess.start(own, settings);
    try {
      expect(await again.call('GET', '/status')).toMatchObject({ vertexCount: 2, edgeCount: 2 });
      expect(await again.call('GET', '/vertex/1')).toMatchObject({ outEdges: { to: [2], behind: [3] } });
    } finally {
      await again.kill();
    }
  } finally {
    await other.kill();
    await rm(own, { recursive: true, force: true });
  }
}, 60_000);

it('are there after a kill, beside and after a save game, and as it has them after its restore', async () => {
  await call('PUT', '/vertices?waitForCompletion=true', [{ label: 'a' }, { label: 'b' }]);
  await call('PUT', '/edges?waitForCompletion=true', [{ sourceVertex: 1, targetVertex: 0, edgePropertyId: 'one' }]);
  await register('One');
  await register('Two');
  await killed();
  const status = (await call('GET', '/status')) as { availableAnalyticsPlugins: string[] };
  expect(status.availableAnalyticsPlugins.slice(-2)).toEqual(['One', 'Two']);
  expect(await best('One')).toEqual([{ graphElementId: 1, score: 1 }]);
  expect(await names()).toEqual(['One Compiled', 'Two Compiled']);

  await call('POST', '/analytics/One', { writeBack: true });
  expect(await propertiesOf(1)).toHaveLength(1);
  await call('PUT', '/vertices?waitForCompletion=true', [{ label: 'c' }]);
  await killed();
  expect(await propertiesOf(1)).toEqual([]);
  expect(await propertiesOf(3)).toEqual([]);

  const before = await call('GET', '/plugins/Two');
  const { id } = (await call('PUT', '/save', {})) as { id: string };
  await register('Three');
  await call('DELETE', '/plugins/One');
  await killed();
  expect(await names()).toEqual(['Three Compiled', 'Two Compiled']);
  expect(await call('GET', '/plugins/Two')).toEqual(before);

  await call('HEAD', '/tabularasa');
  expect(await names()).toEqual(['Three Compiled', 'Two Compiled']);
  await call('PUT', '/save', {});
  await call('PUT', `/savegames/${id}/load?waitForCompletion=true`);
  expect(await names()).toEqual(['One Compiled', 'Two Compiled']);
  expect(await best('One')).toEqual([{ graphElementId: 1, score: 1 }]);
}, 60_000);
