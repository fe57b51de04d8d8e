// What plugins ask of the engine beside the graph, and plugins that make subgraphs (reference sections 11 and 14).

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { needs } from './support/needs.ts';
import { fillWithRoads, withPlugin } from './support/plugin-graph.ts';
import { cheapest, found, functionOf, quotient, reciprocity } from './support/plugin-sources.ts';
import { expectJson, expectProblem, property } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;

beforeAll(async () => {
  if (!isReal) return;
  service = await startService({
    'Security:SensitiveRateLimitPermitPerWindow': '100000',
    'Plugins:MaxCount': '8',
    // Nothing here ends by the time it takes, which is long where plugins are interpreted.
    'Plugins:MaxSeconds': '120',
    // A plugin that holds one thread leaves others.
    'Jobs:Threads': '4',
  });
  await fillWithRoads(service);
});

afterAll(async () => {
  await service?.stop();
});

const post = (path: string, json: unknown): Promise<Answer> => service.call('POST', path, { json });

const invoke = (name: string, parameters?: object): Promise<Answer> =>
  post(`/plugins/function/${name}/invoke`, { parameters });
const ids = (answer: Answer) => {
  const { vertices, edges } = expectJson(answer) as { vertices: { id: number }[]; edges: { id: number }[] };
  return [vertices.map(({ id }) => id), edges.map(({ id }) => id)];
};

describe.runIf(isReal)('what a function asks beside the graph', () => {
  const put = async (path: string, json: unknown): Promise<void> =>
    expect([200, 202]).toContain(
      (await service.call('PUT', `/ns/asked${path}?waitForCompletion=true`, { json })).status,
    );
  const ask = (method: string, path: string, json: unknown = {}): Promise<Answer> =>
    service.call(method, `/ns/asked${path}`, method === 'GET' ? {} : { json });
  const register = async (name: string, body: string, usings = ''): Promise<void> => {
    const sourceCode = `${usings}${functionOf(name, body)}`;
    expectJson(await ask('POST', '/plugins/function', { name, sourceCode }), 201);
  };
  const answered = async (name: string, parameters = {}): Promise<number[]> => {
    const { vertices } = expectJson(await ask('POST', `/plugins/function/${name}/invoke`, { parameters })) as {
      vertices: { id: number }[];
    };
    return vertices.map(({ id }) => id);
  };

  beforeAll(async () => {
    await service.call('PUT', '/ns/asked');
    const person = (name: string, age: string) => ({
      label: 'person',
      properties: [property('name', name, 'string'), property('age', age, 'int')],
    });
    await put('/vertices', [person('Ada Byron', '36'), person('Alan', '41'), person('Grace', '85'), { label: 'x' }]);
    await put('/edges', [
      { sourceVertex: 0, targetVertex: 1, edgePropertyId: 'knows' },
      { sourceVertex: 1, targetVertex: 2, edgePropertyId: 'knows' },
    ]);
    const option = (propertyId: string, value: string, type: string) => ({
      [propertyId]: property(propertyId, value, type),
    });
    const vector = { ...option('dimension', '2', 'int'), ...option('metric', 'L2', 'string') };
    for (const [uniqueId, pluginType, pluginOptions] of [
      ['ages', 'RangeIndex', {}],
      ['names', 'RegExIndex', {}],
      ['places', 'VectorIndex', vector],
    ] as const) {
      expect(expectJson(await ask('POST', '/index', { uniqueId, pluginType, pluginOptions }))).toBe(true);
    }
    for (const [id, name, age] of [
      [0, 'Ada Byron', '36'],
      [1, 'Alan', '41'],
      [2, 'Grace', '85'],
    ] as const) {
      const add = (index: string, key: object) => ask('PUT', `/index/${index}`, { graphElementId: id, key });
      for (const answer of [
        await add('ages', property('', age, 'int')),
        await add('names', property('', name, 'string')),
        await ask('PUT', '/index/vector/places', { graphElementId: id, vector: [id, 1] }),
      ]) {
        expect(answer.status).toBe(200);
      }
    }
  });

  test('scans of texts and indexes', async () => {
    const usings = 'using NoSQL.GraphDB.Core.Expression; using NoSQL.GraphDB.Core.Index.Vector;';
    const found =
      'result = GraphFunctionResult.FromElements(ids.Select(i => graph.TryGetVertex(out var v, i) ? v : null), null); return true;';
    await register(
      'Texts',
      `graph.GraphScanAllProperties(out var all, "BYRON"); var ids = all.Select(e => e.Id); ${found}`,
    );
    expect(await answered('Texts')).toEqual([0]);
    await register(
      'Keys',
      `var ids = new List<int>();
       if (graph.IndexScan(out var above, "ages", 36, BinaryOperator.Greater)) ids.AddRange(above.Select(e => e.Id));
       if (graph.RangeIndexScan(out var between, "ages", 36, 41, false)) ids.AddRange(between.Select(e => e.Id));
       if (graph.IndexScan(out var none, "ages", 1) || none != null || graph.IndexScan(out _, "nowhere", 1)) return (result = null) != null;
       ${found}`,
      usings,
    );
    expect(await answered('Keys')).toEqual([1, 2, 1]);
    await register(
      'Words',
      `if (!graph.FulltextIndexScan(out var hits, "names", "a[dl]a")) return (result = null) != null;
       var ids = hits.Elements.Where(e => e.Score == 1 && e.Highlights.Count == 1 && hits.MaximumScore == 1).Select(e => e.GraphElement.Id).ToList();
       try { graph.FulltextIndexScan(out _, "names", "(a"); } catch (ArgumentException) { ids.Add(3); }
       ${found}`,
    );
    expect(await answered('Words')).toEqual([0, 1, 3]);
    await register(
      'Near',
      `if (!graph.VectorIndexScan(out var near, "places", new float[] { 2, 1 }, 2)) return (result = null) != null;
       var ids = near.Entries.Select(e => e.Element.Id).ToList();
       if (near.Metric != VectorDistanceMetric.L2 || near.HigherIsBetter || graph.VectorIndexScan(out _, "places", new float[] { 2 }, 2)) ids.Clear();
       ${found}`,
      usings,
    );
    expect(await answered('Near')).toEqual([2, 1]);
    for (const name of ['Texts', 'Keys', 'Words', 'Near']) {
      expect((await service.call('DELETE', `/ns/asked/plugins/${name}`)).status).toBe(204);
    }
  });

  test('other plugins, and itself no deeper than may be', async () => {
    await register(
      'Inner',
      'result = GraphFunctionResult.FromElements(graph.GetAllVertices(parameters["label"] as string), null); return true;',
    );
    await register(
      'Outer',
      `var given = new Dictionary<string, object> { ["label"] = "x" };
       if (graph.TryInvokeGraphFunction(out _, "Nobody", given)) throw new Exception("nobody");
       return graph.TryInvokeGraphFunction(out result, "Inner", given);`,
    );
    expect(await answered('Outer')).toEqual([3]);
    expectJson(
      await ask('POST', '/plugins/algorithm', { name: 'Cheapest', contract: 'Path', sourceCode: cheapest }),
      201,
    );
    expectJson(
      await ask('POST', '/plugins/algorithm', { name: 'Reciprocity', contract: 'Analytics', sourceCode: reciprocity }),
      201,
    );
    const usings = 'using NoSQL.GraphDB.Core.Algorithms.Path; using NoSQL.GraphDB.Core.Algorithms.Analytics;';
    await register(
      'Both',
      `graph.TryCalculateShortestPath(out var paths, "Cheapest", new ShortestPathDefinition { SourceVertexId = 0, DestinationVertexId = 2, MaxDepth = 9 });
       graph.TryRunAnalytics(out var scores, "Reciprocity", new GraphAnalyticsDefinition { VertexLabel = "person" });
       if (scores.VertexScores.Count != 3 || !scores.Converged) throw new Exception("scores");
       result = GraphFunctionResult.FromElements(paths[0].GetPathElements().Select(e => e.TargetVertex), null); return true;`,
      usings,
    );
    expect(await answered('Both')).toEqual([1, 2]);
    await register('Again', 'return graph.TryInvokeGraphFunction(out result, "Again", parameters);');
    expectProblem(await ask('POST', '/plugins/function/Again/invoke'), 500);
  });

  test('built-in algorithms over the whole graph', async () => {
    needs('threads');
    const usings = 'using NoSQL.GraphDB.Core.Algorithms; using NoSQL.GraphDB.Core.Algorithms.Analytics;';
    await register(
      'Best',
      `result = null;
       var of = new GraphAnalyticsDefinition { Direction = Direction.UndirectedEdge };
       if (parameters.TryGetValue("label", out var label)) of.VertexLabel = (string)label;
       if (parameters.TryGetValue("type", out var type)) of.EdgePropertyId = (string)type;
       if (parameters.TryGetValue("source", out var from))
         of.Parameters = new Dictionary<string, object> { ["Source"] = int.Parse((string)from) };
       if (!graph.TryRunAnalytics(out var ran, (string)parameters["algorithm"], of)) return false;
       var ids = ran.VertexScores != null
         ? ran.VertexScores.OrderByDescending(one => one.Value).ThenBy(one => one.Key).Select(one => one.Key)
         : ran.VertexPartitions.OrderBy(one => one.Value).ThenBy(one => one.Key).Select(one => one.Key);
       if (!ran.Converged) throw new Exception("rounds");
       if (parameters.TryGetValue("statistics", out var told))
       {
         var wanted = ((string)told).Split(';');
         if (ran.Statistics.Count != wanted.Length - 1) throw new Exception("statistics");
         foreach (var one in ran.Statistics)
           if (!wanted.Contains(one.Key + "=" + one.Value)) throw new Exception(one.Key + "=" + one.Value);
       }
       result = GraphFunctionResult.FromElements(ids.Select(id => { graph.TryGetVertex(out var v, id); return v; }), null);
       return true;`,
      usings,
    );
    const scored = async (algorithm: string, body: object): Promise<number[]> => {
      const { results, partitions } = expectJson(await ask('POST', `/analytics/${algorithm}`, body)) as {
        results: { graphElementId: number }[] | null;
        partitions: { partitionId: number }[] | null;
      };
      if (results !== null) return results.map(({ graphElementId }) => graphElementId);
      const members: number[] = [];
      for (const { partitionId } of (partitions ?? []).toSorted((a, b) => a.partitionId - b.partitionId)) {
        const page = await ask('POST', `/analytics/${algorithm}/partition/${partitionId}`, body);
        members.push(...(expectJson(page) as { members: number[] }).members);
      }
      return members;
    };
    const both = { direction: 'both' };
    const statisticsOf = async (algorithm: string): Promise<string> => {
      const { statistics } = expectJson(await ask('POST', `/analytics/${algorithm}`, both)) as { statistics: object };
      return Object.entries(statistics)
        .map(([name, value]) => `${name}=${value};`)
        .join('');
    };
    for (const algorithm of ['PAGERANK', 'DEGREE', 'WCC', 'SCC', 'TRIANGLECOUNT', 'LOUVAIN', 'KCORE', 'CLOSENESS']) {
      const statistics = await statisticsOf(algorithm);
      expect(await answered('Best', { algorithm, statistics }), algorithm).toEqual(await scored(algorithm, both));
    }
    expect(await answered('Best', { algorithm: 'PAGERANK', label: 'person' })).toEqual(
      await scored('PAGERANK', { ...both, vertexLabel: 'person' }),
    );
    expect(await answered('Best', { algorithm: 'DEGREE', label: 'nobody' })).toEqual([]);
    expect(await answered('Best', { algorithm: 'BFS', source: '0' })).toEqual(
      await scored('BFS', { ...both, parameters: { Source: 0 } }),
    );
    const none = (parameters: object) => ask('POST', '/plugins/function/Best/invoke', { parameters });
    expectProblem(await none({ algorithm: 'BFS', source: '77' }), 400);
    expectProblem(await none({ algorithm: 'BFS' }), 400);
    expectProblem(await none({ algorithm: 'PageRank' }), 400);
    const memory = expectJson(await ask('GET', '/status')) as { namespaceMemory: { projections: number } };
    for (let i = 0; i < 20; i++) await answered('Best', { algorithm: 'PAGERANK' });
    expect(expectJson(await ask('GET', '/status'))).toMatchObject({
      namespaceMemory: { projections: memory.namespaceMemory.projections },
    });
    expect((await service.call('DELETE', '/ns/asked/plugins/Best')).status).toBe(204);
  });

  test('built-in algorithms of a graph that is replaced and erased meanwhile', async () => {
    needs('threads');
    const at = '/ns/replaced';
    const call = (method: string, path: string, json: unknown = {}) => service.call(method, `${at}${path}`, { json });
    expectJson(await service.call('PUT', at), 201);
    expectJson(await service.call('GET', `${at}/generate?nodeCount=3000&edgeCount=4`));
    // There is one place for all of them: who finds it taken goes on without a result.
    const body = `result = null; var n = 0; var definition = new GraphAnalyticsDefinition();
      for (; n < 40; n++)
      {
        try { graph.TryRunAnalytics(out var ran, n % 2 == 0 ? "PAGERANK" : "WCC", definition); }
        catch (InvalidOperationException) { }
      }
      ${found}`;
    const sourceCode = `using NoSQL.GraphDB.Core.Algorithms.Analytics; ${functionOf('Often', body)}`;
    expectJson(await call('POST', '/plugins/function', { name: 'Often', sourceCode }), 201);
    expectJson(await call('PUT', '/save?waitForCompletion=true'));
    const games = expectJson(await service.call('GET', '/savegames')) as { namespace: string; id: string }[];
    const game = games.find(({ namespace }) => namespace === 'replaced')?.id ?? games[0]?.id;
    const runs = Array.from({ length: 4 }, () => call('POST', '/plugins/function/Often/invoke'));
    expect((await service.call('PUT', `/savegames/${game}/load?waitForCompletion=true`)).status).toBeLessThan(300);
    expect((await service.call('HEAD', `${at}/tabularasa`)).status).toBe(200);
    for (const { status } of await Promise.all(runs)) expect([200, 404, 500, 503]).toContain(status);
    expectJson(await service.call('GET', `${at}/generate?nodeCount=10&edgeCount=1`));
    expect(expectJson(await call('POST', '/analytics/WCC'))).toMatchObject({ vertexCount: 10 });
    expect((await service.call('DELETE', at)).status).toBe(204);
  });

  test('built-in algorithms in the places of whole-graph runs, of which there is one', async () => {
    needs('threads');
    const usings = 'using NoSQL.GraphDB.Core.Algorithms; using NoSQL.GraphDB.Core.Algorithms.Analytics;';
    const ranks = 'graph.TryRunAnalytics(out var ran, "DEGREE", new GraphAnalyticsDefinition())';
    await register('Ranks', `result = null; if (!${ranks}) return false; ${found}`, usings);
    const ranked = async (): Promise<number> => (await ask('POST', '/plugins/function/Ranks/invoke')).status;
    for (let round = 0; round < 3; round++) expect(await ranked()).toBe(200);
    // A run that is a plugin itself has the only place, and what it runs goes there.
    const at = '/ns/held';
    expectJson(await service.call('PUT', at), 201);
    const algorithm = async (name: string, body: string): Promise<void> => {
      const sourceCode = analyticsOf(name, body);
      const registered = await service.call('POST', `${at}/plugins/algorithm`, {
        json: { name, contract: 'Analytics', sourceCode },
      });
      expectJson(registered, 201);
    };
    await service.call('PUT', `${at}/vertices?waitForCompletion=true`, { json: [{ label: 'a' }, { label: 'b' }] });
    await algorithm('Outer', 'return _fallen8.TryRunAnalytics(out result, "DEGREE", new GraphAnalyticsDefinition());');
    expect(expectJson(await service.call('POST', `${at}/analytics/Outer`, { json: {} }))).toMatchObject({
      vertexCount: 2,
    });
    await algorithm('Endless', 'result = null; while (true) { }');
    const endless = service.call('POST', `${at}/analytics/Endless`, { json: { timeBudgetSeconds: 200 } });
    while ((await ask('POST', '/analytics/DEGREE')).status !== 429);
    expect(await ranked()).toBe(400);
    expect((await service.call('DELETE', at)).status).toBe(204);
    expect([404, 503]).toContain((await endless).status);
    expect(await ranked()).toBe(200);
    expectJson(await ask('POST', '/analytics/DEGREE'));
    expect((await service.call('DELETE', '/ns/asked/plugins/Ranks')).status).toBe(204);
  });

  test('while the graph is restored or the plugin is deleted', async () => {
    await register('Slow', `var n = 0; while (n < 3000000) n++; var all = graph.GetAllVertices(); ${found}`);
    expectJson(await ask('PUT', '/save?waitForCompletion=true'));
    const games = expectJson(await service.call('GET', '/savegames')) as { id: string }[];
    const running = Array.from({ length: 3 }, () => ask('POST', '/plugins/function/Slow/invoke'));
    const [game] = games;
    await service.call('PUT', `/savegames/${game?.id}/load?waitForCompletion=true`);
    for (const { status } of await Promise.all(running)) expect([200, 404, 503]).toContain(status);
    expect(await answered('Inner', { label: 'x' })).toEqual([3]);
    expect((await service.call('DELETE', '/ns/asked')).status).toBe(204);
  });

  test('its log, which is bounded', () =>
    withPlugin(
      service,
      {
        name: 'Says',
        sourceCode: `using Microsoft.Extensions.Logging; ${functionOf(
          'Says',
          `var log = graph.LoggerFactory.CreateLogger<Says>();
           for (var i = 0; i < 100000; i++) log.LogInformation("line {Number}", i);
           ${found}`,
        )}`,
      },
      async () => expect(ids(await invoke('Says'))).toEqual([[0, 1, 2, 3], []]),
    ));
});

/** A whole-graph algorithm with this body. */
const analyticsOf = (name: string, body: string) => `using System.Diagnostics;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Algorithms.Analytics;
public sealed class ${name} : AGraphAnalyticsAlgorithm {
  public override string PluginName => "${name}";
  public override string Description => "d";
  protected override bool TryRunCore(out GraphAnalyticsResult result, GraphAnalyticsDefinition definition,
    Workspace workspace, BudgetGuard budget, Stopwatch stopwatch) {
    ${body}
  }
}`;

/** A plugin of subgraphs with this body. */
const subgraphOf = (name: string, body: string, usings = '') => `using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.Logging;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Algorithms;
using NoSQL.GraphDB.Core.Algorithms.SubGraph;
using NoSQL.GraphDB.Core.Model;
using NoSQL.GraphDB.Core.Plugin;
using NoSQL.GraphDB.Core.Transaction;
${usings}
public sealed class ${name} : ISubGraphAlgorithm {
  IFallen8 graph;
  public string PluginName => "${name}";
  public Type PluginCategory => typeof(ISubGraphAlgorithm);
  public string Description => "d";
  public string Manufacturer => "m";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { graph = fallen8; }
  public void Dispose() { }
  public bool TryCreateSubgraph(out SubGraphResult result, SubGraphDefinition definition) {
    ${body}
  }
}`;

/** Vertices that pass, with the edges among them, and beside them one that says how many. */
const copying = `result = null;
    if (definition.Pattern.Count > 2) return false;
    var made = new Fallen8(graph.LoggerFactory);
    var vertices = new CreateVerticesTransaction();
    var chosen = graph.GetAllVertices().Where(v => definition.VertexFilter == null || definition.VertexFilter(v)).ToList();
    foreach (var v in chosen) vertices.AddVertex(new VertexDefinition { CreationDate = v.CreationDate, Label = v.Label,
      Properties = v.GetAllProperties().ToDictionary(p => p.Key, p => p.Value) });
    vertices.AddVertex(1, "count", new Dictionary<string, object> { ["of"] = chosen.Count, ["name"] = definition.Name });
    made.EnqueueTransaction(vertices).WaitUntilFinished();
    var created = vertices.GetCreatedVertices();
    var place = new Dictionary<int, int>();
    for (var i = 0; i < chosen.Count; i++) place[chosen[i].Id] = created[i].Id;
    var edges = new CreateEdgesTransaction();
    foreach (var e in graph.GetAllEdges().Where(e => place.ContainsKey(e.SourceVertex.Id) && place.ContainsKey(e.TargetVertex.Id)))
      edges.AddEdge(place[e.SourceVertex.Id], e.EdgePropertyId, place[e.TargetVertex.Id], e.CreationDate, e.Label);
    made.EnqueueTransaction(edges);
    if (made.VertexCount != chosen.Count + 1) throw new Exception("count");
    result = new SubGraphResult { Definitions = definition, SubGraph = made, SourceFallen8 = graph, SourceFallen8Id = graph.Id,
      AlgorithmPluginName = PluginName };
    return true;`;

describe.runIf(isReal)('an algorithm of subgraphs', () => {
  const put = (json: object, from = ''): Promise<Answer> => service.call('PUT', `/subgraph${from}`, { json });
  const drop = (name: string): Promise<Answer> => service.call('DELETE', `/subgraph/${name}`);
  const plugin = { name: 'Copying', contract: 'SubGraph', sourceCode: subgraphOf('Copying', copying) };

  test('makes the subgraph that a request names it for', () =>
    withPlugin(service, plugin, async () => {
      const status = expectJson(await service.call('GET', '/status')) as Record<string, unknown>;
      expect(status.availableSubGraphPlugins).toEqual(['Breadth First Search Subgraph Algorithm', 'Copying']);
      const made = { name: 'made', algorithm: 'Copying', vertexFilter: 'return v => v.Label == "A";' };
      const summary = expectJson(await put(made), 201) as Record<string, unknown>;
      expect(summary).toMatchObject({
        vertexCount: 4,
        edgeCount: 4,
        algorithmPluginName: 'Copying',
        canRecalculate: true,
      });
      const { vertices, edges } = expectJson(await service.call('GET', '/subgraph/made/graph')) as {
        vertices: { id: number; label: string; properties: { propertyId: string; propertyValue: string }[] }[];
        edges: { sourceVertex: number; targetVertex: number; edgePropertyId: string }[];
      };
      expect(vertices.map(({ id, label }) => [id, label])).toEqual([
        [0, 'A'],
        [1, 'A'],
        [2, 'A'],
        [3, 'count'],
      ]);
      const shown = vertices[3]?.properties.map(({ propertyId, propertyValue }) => [propertyId, propertyValue]);
      expect(Object.fromEntries(shown ?? [])).toEqual({ of: '3', name: 'made' });
      expect(edges.map((edge) => [edge.sourceVertex, edge.edgePropertyId, edge.targetVertex])).toEqual([
        [0, 'road', 1],
        [0, 'path', 2],
        [2, 'path', 1],
        [1, 'road', 0],
      ]);
      // Out of a subgraph, and again.
      expect(expectJson(await put({ name: 'child', algorithm: 'Copying' }, '?fromSubGraph=made'), 201)).toMatchObject({
        ...{ vertexCount: 5, edgeCount: 4 },
      });
      expect(expectJson(await service.call('POST', '/subgraph/made/recalculate'))).toMatchObject({ vertexCount: 4 });
      for (const name of ['made', 'child']) expect((await drop(name)).status).toBe(204);
    }));

  test('of the guide makes a graph of its own', () =>
    withPlugin(service, { name: 'Quotient', contract: 'SubGraph', sourceCode: quotient }, async () => {
      expectJson(await put({ name: 'q', algorithm: 'Quotient' }), 201);
      const { vertices, edges } = expectJson(await service.call('GET', '/subgraph/q/graph')) as {
        vertices: { label: string }[];
        edges: { sourceVertex: number; targetVertex: number }[];
      };
      expect(vertices.map(({ label }) => label)).toEqual(['A', 'D']);
      expect(edges.map((edge) => [edge.sourceVertex, edge.targetVertex])).toEqual([
        [0, 0],
        [0, 1],
      ]);
      expect((await drop('q')).status).toBe(204);
    }));

  test('is handed the pattern with its filters', async () => {
    const body = `result = null;
      var words = new List<string>();
      foreach (var one in definition.Pattern) {
        if (one is VertexPattern v) words.Add(v.Type + ":" + v.PatternName + ":" + graph.GetAllVertices().Count(x => v.Vertex(x)));
        if (one is VariableLengthEdgePattern l) words.Add(l.MinLength + ".." + l.MaxLength);
        if (one is EdgePattern e) words.Add(e.Type + ":" + e.Direction + ":" + e.EdgeProperty("road") + (e.Edge == null));
      }
      words.Add(definition.AdditionalInformation["a"]);
      var said = new Fallen8();
      var label = new CreateVertexTransaction { Definition = new VertexDefinition { Label = string.Join(" ", words) } };
      said.EnqueueTransaction(label);
      result = new SubGraphResult { SubGraph = label.VertexCreated == null ? null : said };
      return true;`;
    const sourceCode = subgraphOf('Patterns', body);
    await withPlugin(service, { name: 'Patterns', contract: 'SubGraph', sourceCode }, async () => {
      const vertexFilter = 'return v => v.Label == "A";';
      const patterns = [
        { type: 'Vertex', patternName: 'first', vertexFilter },
        {
          type: 'VariableLengthEdge',
          direction: 'IncomingEdge',
          minLength: 1,
          maxLength: 3,
          edgePropertyFilter: 'return t => t == "road";',
        },
        { type: 'Vertex', vertexFilter },
      ];
      const wanted = { name: 'p', algorithm: 'Patterns', patterns, additionalInformation: { a: 'b' } };
      expectJson(await put(wanted), 201);
      const { vertices } = expectJson(await service.call('GET', '/subgraph/p/graph')) as {
        vertices: { label: string }[];
      };
      expect(vertices.map(({ label }) => label)).toEqual([
        'Vertex:first:3 1..3 VariableLengthEdge:IncomingEdge:TrueTrue Vertex::3 b',
      ]);
      expect((await drop('p')).status).toBe(204);
    });
  });

  test('that is not there, or has no graph to give, makes none', async () => {
    expect(expectProblem(await put({ name: 'x', algorithm: 'Copying' }), 400).detail).toMatch(
      /Unknown subgraph algorithm/,
    );
    await withPlugin(service, plugin, async () => {
      const step = { type: 'Vertex' };
      const patterns = [step, { type: 'Edge' }, step];
      expectProblem(await put({ name: 'x', algorithm: 'Copying', patterns }), 400);
      expectProblem(await put({ name: 'x', algorithm: 'Copying', vertexFilter: 'return v => v.Missing;' }), 400);
      expectProblem(await put({ name: 'x', algorithm: 'Copying', vertexFilter: 'return v => v.Label[9] == 1;' }), 500);
      expectProblem(await put({ name: 'x', algorithm: 'Cheapest' }), 400);
      expectJson(await put({ name: 'kept', algorithm: 'Copying' }), 201);
    });
    // What has been made stays; it cannot be made again without its algorithm.
    expectJson(await service.call('GET', '/subgraph/kept'));
    expectProblem(await service.call('POST', '/subgraph/kept/recalculate'), 409);
    expect((await drop('kept')).status).toBe(204);
    expectProblem(
      await post('/plugins/algorithm', { ...plugin, name: 'Breadth First Search Subgraph Algorithm' }),
      400,
    );
  });
});
