// Contract part 2, Stored queries and plugins (reference section 14), asked of the running service. The plugins are those of docs/plugins.md.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { fillWithRoads, withPlugin } from './support/plugin-graph.ts';
import { cheapest, found, functionOf, neighbourhood, reciprocity, summarise } from './support/plugin-sources.ts';
import { expectJson, expectProblem, property } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;

beforeAll(async () => {
  if (!isReal) return;
  service = await startService({
    'Security:SensitiveRateLimitPermitPerWindow': '100000',
    'Plugins:MaxCount': '8',
    'Plugins:MaxSeconds': '2',
  });
  await fillWithRoads(service);
});

afterAll(async () => {
  await service?.stop();
});

const post = (path: string, json: unknown): Promise<Answer> => service.call('POST', path, { json });
const remove = (name: string): Promise<Answer> => service.call('DELETE', `/plugins/${name}`);

describe.runIf(isReal)('registering', () => {
  test('answers the summary and where it is', async () => {
    const description = 'steps';
    const answer = await post('/plugins/function', { name: 'Neighbourhood', description, sourceCode: neighbourhood });
    const summary = expectJson(answer, 201) as Record<string, unknown>;
    expect(Object.keys(summary)).toEqual(['name', 'category', 'contract', 'description', 'createdAt', 'compileState']);
    expect(summary).toMatchObject({
      category: 'Function',
      contract: 'GraphFunction',
      description,
      compileState: 'Compiled',
    });
    expect(answer.headers.location).toBe('/plugins/Neighbourhood');
    expect(expectJson(await service.call('GET', '/plugins'))).toEqual([summary]);
    const detail = expectJson(await service.call('GET', '/plugins/Neighbourhood'));
    expect(detail).toEqual({ ...summary, sourceCode: neighbourhood, compileDiagnostics: null });
    expectProblem(
      await post('/plugins/function', { name: 'Neighbourhood', sourceCode: neighbourhood }),
      409,
      'Conflict',
    );
    expect((await remove('Neighbourhood')).status).toBe(204);
    expectProblem(await remove('Neighbourhood'), 404, 'Not Found');
    expectProblem(await service.call('GET', '/plugins/Neighbourhood'), 404, 'Not Found');
  });

  test.each<[string, string, object, number, RegExp]>([
    ['a name that is none', 'function', { name: 'a b', sourceCode: neighbourhood }, 400, /1 to 128/],
    ['a blank source', 'function', { name: 'a', sourceCode: ' ' }, 400, /blank/],
    [
      'a source that is too long',
      'function',
      { name: 'a', sourceCode: ' '.repeat(200_000) + neighbourhood },
      400,
      /200000/,
    ],
    [
      'an unknown contract',
      'algorithm',
      { name: 'a', contract: 'path', sourceCode: cheapest },
      400,
      /Unknown contract/,
    ],
    [
      'another contract',
      'algorithm',
      { name: 'Cheapest', contract: 'Analytics', sourceCode: cheapest },
      400,
      /CS0535.*IGraphAnalytics/,
    ],
    ['another name', 'function', { name: 'Other', sourceCode: neighbourhood }, 400, /PluginName is 'Neighbourhood'/],
    [
      'a name of its kind that is built in',
      'algorithm',
      { name: 'WCC', contract: 'Analytics', sourceCode: 'x' },
      409,
      /built-in/,
    ],
    [
      'an error',
      'function',
      { name: 'E', sourceCode: functionOf('E', 'result = null;\n    return Missing;') },
      400,
      /\(19,12\): error CS0103/,
    ],
    [
      'a name not imported',
      'function',
      { name: 'E', sourceCode: functionOf('E', found).replace('using System.Collections.Generic;\n', '') },
      400,
      /CS0246.*IDictionary/,
    ],
    [
      'files',
      'function',
      { name: 'E', sourceCode: functionOf('E', `System.IO.File.ReadAllText("x"); ${found}`) },
      400,
      /CS1069/,
    ],
    [
      'a type with type parameters',
      'function',
      { name: 'E', sourceCode: functionOf('E', found, 'class Inner<T> { }') },
      400,
      /CS8652: A type with type parameters/,
    ],
    [
      'two plugins in one source',
      'function',
      { name: 'E', sourceCode: `${functionOf('E', found)} public class F : E { }`.replace('sealed ', '') },
      400,
      /CS0535: More than one/,
    ],
    [
      'a constructor that throws',
      'function',
      { name: 'E', sourceCode: functionOf('E', found, 'public E() { throw new InvalidOperationException("no"); }') },
      400,
      /InvalidOperationException.*no/,
    ],
    [
      'a constructor without end',
      'function',
      { name: 'E', sourceCode: functionOf('E', found, 'public E() { while (true) { } }') },
      400,
      /Plugins:MaxSeconds/,
    ],
    [
      'a constructor with parameters',
      'function',
      { name: 'E', sourceCode: functionOf('E', found, 'public E(int x) { }') },
      400,
      /CS7036/,
    ],
  ])('refuses %s', async (_what, kind, json, status, detail) => {
    const problem = expectProblem(await post(`/plugins/${kind}`, json), status);
    expect(problem.detail).toMatch(detail);
    expect(expectJson(await service.call('GET', '/plugins'))).toEqual([]);
  });

  test('is bounded in number', async () => {
    for (let i = 0; i < 8; i++)
      expectJson(await post('/plugins/function', { name: `F${i}`, sourceCode: functionOf(`F${i}`, found) }), 201);
    const ninth = { name: 'F8', sourceCode: functionOf('F8', found) };
    expect(expectProblem(await post('/plugins/function', ninth), 409).detail).toMatch(/Plugins:MaxCount/);
    const names = (expectJson(await service.call('GET', '/plugins')) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['F0', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7']);
    for (const name of names) await remove(name);
  });

  test('a check says the same and registers nothing', async () => {
    const check = async (kind: string, json: object) => expectJson(await post(`/plugins/${kind}/validate`, json));
    expect(await check('function', { name: 'Neighbourhood', sourceCode: neighbourhood })).toEqual({
      valid: true,
      error: null,
    });
    expect(await check('algorithm', { name: 'Cheapest', contract: 'Path', sourceCode: cheapest })).toEqual({
      valid: true,
      error: null,
    });
    const broken = functionOf('E', 'result = null;\n    return Missing;');
    const { valid, error } = (await check('function', { name: 'E', sourceCode: broken })) as {
      valid: boolean;
      error: string;
    };
    expect(valid).toBe(false);
    expect(error).toMatch(/^\(19,12\): error CS0103: /);
    expect(await check('function', { sourceCode: neighbourhood })).toMatchObject({ valid: false });
    expectProblem(
      await post('/plugins/algorithm/validate', { name: 'Cheapest', contract: 'x', sourceCode: cheapest }),
      400,
    );
    expectProblem(await service.call('POST', '/plugins/function/validate'), 400);
    expect(expectJson(await service.call('GET', '/plugins'))).toEqual([]);
  });

  test('is 403 where the namespace switches it off, whatever the body; what is there still runs', async () => {
    await service.call('PUT', '/ns/closed');
    const at = (path: string, json?: unknown) =>
      service.call('POST', `/ns/closed${path}`, json === undefined ? {} : { json });
    const one = { name: 'One', sourceCode: functionOf('One', found) };
    expect((await at('/plugins/function', one)).headers.location).toBe('/ns/closed/plugins/One');
    await service.call('PATCH', '/ns/closed', { json: { pluginRegistration: 'disabled' } });
    for (const path of [
      '/plugins/function',
      '/plugins/algorithm',
      '/plugins/function/validate',
      '/plugins/algorithm/validate',
    ]) {
      for (const json of [undefined, {}, one]) expectProblem(await at(path, json), 403, 'Forbidden');
    }
    expectJson(await at('/plugins/function/One/invoke', {}));
    expectProblem(await post('/plugins/function/One/invoke', {}), 404);
    expect((await service.call('DELETE', '/ns/closed/plugins/One')).status).toBe(204);
  });
});

const invoke = (name: string, parameters?: object): Promise<Answer> =>
  post(`/plugins/function/${name}/invoke`, { parameters });
const ids = (answer: Answer) => {
  const { vertices, edges } = expectJson(answer) as { vertices: { id: number }[]; edges: { id: number }[] };
  return [vertices.map(({ id }) => id), edges.map(({ id }) => id)];
};

describe.runIf(isReal)('a function', () => {
  test('answers elements in their read shapes', () =>
    withPlugin(service, { name: 'Neighbourhood', sourceCode: neighbourhood }, async () => {
      expect(ids(await invoke('Neighbourhood', { from: '0' }))).toEqual([
        [0, 1, 2],
        [4, 5],
      ]);
      expect(ids(await invoke('Neighbourhood', { from: '0', steps: '2' }))).toEqual([
        [0, 1, 2, 3],
        [4, 5, 7, 8, 6],
      ]);
      const { edges } = expectJson(await invoke('Neighbourhood', { from: '2' })) as { edges: unknown[] };
      expect(edges).toEqual([expectJson(await service.call('GET', '/edge/6'))]);
      expectProblem(await invoke('Neighbourhood', { from: '99' }), 400, 'Bad Request');
      expectProblem(await invoke('Neighbourhood', { from: '0', steps: 'x' }), 500);
      expectProblem(await invoke('Nobody'), 404, 'Not Found');
    }));

  test('shares nothing between calls', async () => {
    const members = 'static int calls; readonly List<int> seen = new List<int>();';
    const body = `calls++; seen.Add(1); if (calls != 1 || seen.Count != 1) throw new Exception(); ${found}`;
    await withPlugin(service, { name: 'Counting', sourceCode: functionOf('Counting', body, members) }, async () => {
      for (let i = 0; i < 3; i++) expect(ids(await invoke('Counting'))).toEqual([[0, 1, 2, 3], []]);
    });
  });

  test('that needs more memory than it began with begins again in more of it', async () => {
    const body = `if (++begun != 1) throw new Exception();
      var all = new List<long[]>(); for (var i = 0; i < 10; i++) { all.Add(new long[50000]); all[i][i] = i; }
      var sum = 0L; for (var i = 0; i < 10; i++) sum += all[i][i];
      if (sum != 45) throw new Exception(); ${found}`;
    await withPlugin(
      service,
      { name: 'Large', sourceCode: functionOf('Large', body, 'static int begun;') },
      async () => {
        for (let i = 0; i < 2; i++) expect(ids(await invoke('Large'))).toEqual([[0, 1, 2, 3], []]);
      },
    );
  });

  test.each<[string, string, string, number, RegExp]>([
    ['an endless loop', 'while (true) { }', '', 408, /Plugins:MaxSeconds/],
    [
      'endless recursion',
      'result = null; return Again(1) > 0;',
      'int Again(int n) => Again(n + 1) + 1;',
      500,
      /failed/,
    ],
    ['an allocation bomb', 'var all = new List<long[]>(); while (true) all.Add(new long[100000]);', '', 500, /failed/],
    ['a text that doubles', 'var s = "ab"; while (true) s += s;', '', 500, /failed/],
    ['an exception in Dispose', found, 'public void Dispose() { throw new Exception("x"); }', 500, /failed/],
  ])('with %s ends, and the service lives', async (_what, body, members, status, detail) => {
    await withPlugin(service, { name: 'Bad', sourceCode: functionOf('Bad', body, members) }, async () => {
      const answer = await invoke('Bad');
      // On a slow machine the time is over before the memory.
      const isLate = status !== 408 && answer.status === 408;
      expect(expectProblem(answer, isLate ? 408 : status).detail).toMatch(isLate ? /Plugins:MaxSeconds/ : detail);
      expectJson(await service.call('GET', '/status'));
    });
  });

  test('that runs while its graph is erased sees the old one or the new one', async () => {
    await service.call('PUT', '/ns/erased');
    const at = (method: string, path: string, json: unknown) => service.call(method, `/ns/erased${path}`, { json });
    await at('PUT', '/vertices?waitForCompletion=true', Array(2000).fill({ label: 'x' }));
    const body = `var n = 0; foreach (var v in graph.GetAllVertices()) n += v.Label == null ? 0 : 1; ${found}`;
    await at('POST', '/plugins/function', { name: 'Seeing', sourceCode: functionOf('Seeing', body) });
    const running = Array.from({ length: 8 }, () => at('POST', '/plugins/function/Seeing/invoke', {}));
    await service.call('HEAD', '/ns/erased/tabularasa');
    for (const answer of await Promise.all(running)) {
      const { vertices } = expectJson(answer) as { vertices: unknown[] };
      expect(vertices.length).toBeLessThanOrEqual(2000);
    }
    expect((await service.call('DELETE', '/ns/erased')).status).toBe(204);
  });

  test('and a hundred registrations at once end in the quota, with reads in between', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `Many${i}`);
    const registered = names.map((name) => post('/plugins/function', { name, sourceCode: functionOf(name, found) }));
    let isOver = false;
    const all = Promise.all(registered).finally(() => {
      isOver = true;
    });
    let reads = 0;
    for (; !isOver; reads++) expectJson(await service.call('GET', '/vertex/0'));
    expect(reads).toBeGreaterThan(0);
    const statuses = (await all).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    const list = expectJson(await service.call('GET', '/plugins')) as { name: string }[];
    expect(list.length).toBe(8);
    expect(statuses.filter((status) => status === 201)).toHaveLength(8);
    for (const { name } of list) await remove(name);
  });

  test('that is deleted while it runs runs to its end', async () => {
    const body = `var n = 0; while (n < 300000) n++; ${found}`;
    expectJson(await post('/plugins/function', { name: 'Slow', sourceCode: functionOf('Slow', body) }), 201);
    const running = invoke('Slow');
    expect((await remove('Slow')).status).toBe(204);
    expect([200, 404]).toContain((await running).status);
    expectProblem(await invoke('Slow'), 404);
  });
});

describe.runIf(isReal)('what a function asks of the engine', () => {
  test('scans and searches', async () => {
    const scan = 'graph.GraphScan(out var heavy, "weight", 5.0, BinaryOperator.GreaterOrEquals);';
    const search = `graph.TryCalculateShortestPath(out var paths, "DIJKSTRA", new ShortestPathDefinition {
      SourceVertexId = 0, DestinationVertexId = 3, MaxDepth = 5,
      EdgeCost = e => e.TryGetProperty(out double w, "weight") ? w : 1, VertexCost = v => 0 });`;
    const body = `${scan} ${search}
      if (graph.TryCalculateShortestPath(out _, "NOBODY", new ShortestPathDefinition())) throw new Exception();
      if (paths.Count != 1 || paths[0].Weight != 3.0 || graph.VertexCount != 4 || graph.EdgeCount != 5) throw new Exception();
      var edges = heavy.OfType<EdgeModel>().Concat(paths[0].GetPathElements().Select(e => e.Edge));
      result = GraphFunctionResult.FromElements(null, edges); return true;`;
    const sourceCode = functionOf('Asking', body).replace(
      'using System.Linq;',
      'using System.Linq;using NoSQL.GraphDB.Core.Expression;using NoSQL.GraphDB.Core.Algorithms.Path;',
    );
    await withPlugin(service, { name: 'Asking', sourceCode }, async () => {
      expect(ids(await invoke('Asking'))).toEqual([[], [4, 7, 5, 6, 8]]);
    });
  });

  test('writes in one transaction, or not at all', async () => {
    await service.call('PUT', '/ns/written');
    const at = async (method: string, path: string, json?: object): Promise<unknown> =>
      expectJson(
        await service.call(method, `/ns/written${path}`, json === undefined ? {} : { json }),
        method === 'POST' && path === '/plugins/function' ? 201 : 200,
      );
    const waited = '?waitForCompletion=true';
    expect(
      await service.call('PUT', `/ns/written/vertices${waited}`, {
        json: [{ label: 'a' }, { label: 'b' }, { label: 'a' }],
      }),
    ).toMatchObject({ status: 200 });
    await at('POST', '/plugins/function', { name: 'Summarise', sourceCode: summarise });
    const { vertices } = (await at('POST', '/plugins/function/Summarise/invoke', {})) as {
      vertices: { id: number; label: string; outEdges: unknown; properties: unknown[] }[];
    };
    expect(vertices.map(({ id, label, outEdges, properties }) => [id, label, outEdges, properties.length])).toEqual([
      [3, 'summary', { sums: [4, 5] }, 2],
      [6, 'summary', { sums: [7] }, 2],
    ]);
    const counts = { vertexCount: 5, edgeCount: 3 };
    expect(await at('GET', '/status')).toMatchObject(counts);
    const usings = 'using NoSQL.GraphDB.Core.Transaction; using System.Linq;';
    const body = `VertexModel made = null;
      var failed = graph.EnqueueTransaction(new DelegateTransaction(w => { w.CreateVertex(1, "x"); throw new Exception(); }));
      var again = graph.EnqueueTransaction(new DelegateTransaction(w => { made = w.CreateVertex(1, "x"); w.SetProperty(0, "p", 1); w.SetProperty(0, "p", 2); }));
      IFallen8WriterContext kept = null;
      var fine = graph.EnqueueTransaction(new DelegateTransaction(w => { kept = w; w.SetProperty(1, "p", 1); w.TryRemoveGraphElement(7); }));
      fine.WaitUntilFinished();
      try { kept.RemoveProperty(0, "p"); return false; } catch (InvalidOperationException) { }
      if (failed.TransactionState != TransactionState.RolledBack || again.TransactionState != TransactionState.RolledBack) throw new Exception();
      result = GraphFunctionResult.FromElements(graph.GetAllVertices().Where(v => v.TryGetProperty(out int p, "p")), null); return true;`;
    const sourceCode = functionOf('Trying', `result = null; ${body}`).replace('using System.Linq;', usings);
    await at('POST', '/plugins/function', { name: 'Trying', sourceCode });
    const tried = (await at('POST', '/plugins/function/Trying/invoke', {})) as { vertices: { id: number }[] };
    expect(tried.vertices.map(({ id }) => id)).toEqual([1]);
    expect(await at('GET', '/status')).toMatchObject({ vertexCount: 5, edgeCount: 2 });
  });

  test('holds up no other write for long, and none when it is over', async () => {
    const body = `graph.EnqueueTransaction(new DelegateTransaction(w => { while (true) { } })); ${found}`;
    const sourceCode = functionOf('Endless', body).replace(
      'using System.Linq;',
      'using NoSQL.GraphDB.Core.Transaction;',
    );
    await withPlugin(service, { name: 'Endless', sourceCode }, async () => {
      const running = invoke('Endless');
      const written = service.call('PUT', '/graphelement/0/p?waitForCompletion=true', {
        json: property('p', '1', 'int'),
      });
      expectProblem(await running, 408);
      expect((await written).status).toBe(202);
      expect((await service.call('DELETE', '/graphelement/0/p?waitForCompletion=true')).status).toBe(202);
    });
  });
});

interface FoundPath {
  readonly pathElements: readonly { readonly edgeId: number; readonly direction: number; readonly weight: number }[];
  readonly totalWeight: number;
}

describe.runIf(isReal)('a path algorithm', () => {
  const paths = async (json: object): Promise<unknown> => {
    const list = expectJson(await post('/path/0/to/1', { pathAlgorithmName: 'Cheapest', ...json })) as FoundPath[];
    return list.map(({ pathElements, totalWeight }) => [pathElements.map(({ edgeId }) => edgeId), totalWeight]);
  };

  test('is called with the filters and costs of the request', () =>
    withPlugin(service, { name: 'Cheapest', contract: 'Path', sourceCode: cheapest }, async () => {
      expect(await paths({})).toEqual([[[4], 1]]);
      const edgeCost = 'return e => e.TryGetProperty(out double w, "weight") ? w : 1.0;';
      expect(await paths({ cost: { edgeCost, vertexCost: null } })).toEqual([[[5, 6], 2]]);
      expect(await paths({ cost: { edgeCost } })).toEqual([[[5, 6], 4]]);
      expect(await paths({ filter: { edgePropertyFilter: 'return t => t != "road";' } })).toEqual([[[5, 6], 2]]);
      expect(await paths({ filter: { vertexFilter: 'return v => v.Id == 7;' } })).toEqual([]);
      expect(await paths({ maxDepth: 0 })).toEqual([]);
      const throwing = { filter: { edgeFilter: 'return e => e.Label.Length > 1;' }, pathAlgorithmName: 'Cheapest' };
      expectProblem(await post('/path/0/to/1', throwing), 500);
      expect(expectJson(await post('/path/0/to/1', { pathAlgorithmName: 'cheapest' }))).toEqual([]);
      const { availablePathPlugins } = expectJson(await service.call('GET', '/status')) as Record<string, unknown>;
      expect(availablePathPlugins).toEqual(['BLS', 'DIJKSTRA', 'Cheapest']);
    }));

  test('that is gone is an unknown name', async () => expect(await paths({})).toEqual([]));
});

describe.runIf(isReal)('a whole-graph algorithm', () => {
  const plugin = { name: 'Reciprocity', contract: 'Analytics', description: 'answered', sourceCode: reciprocity };

  test('runs in its scope, and stands in the lists', () =>
    withPlugin(service, plugin, async () => {
      expect(expectJson(await service.call('GET', '/analytics/algorithms'))).toMatchObject({ Reciprocity: 'answered' });
      const all = expectJson(await post('/analytics/Reciprocity', {})) as Record<string, unknown>;
      expect(all).toMatchObject({
        algorithm: 'Reciprocity',
        converged: true,
        iterationsRun: 1,
        vertexCount: 4,
        partitions: null,
      });
      const score = (graphElementId: number, score: number) => ({ graphElementId, score });
      expect(all.results).toEqual([score(0, 0.5), score(1, 0.5), score(2, 0), score(3, 0)]);
      expect(all.statistics).toEqual({ Mean: 0.25 });
      const some = expectJson(await post('/analytics/Reciprocity', { vertexLabel: 'A', maxResults: 1 }));
      expect(some).toMatchObject({ vertexCount: 3, results: [score(1, 1)] });
      expectProblem(await post('/analytics/Reciprocity/partition/1', {}), 400, 'Bad Request');
      expectProblem(await post('/analytics/Reciprocity', { maxResults: 0 }), 400);
      expectProblem(await post('/analytics/reciprocity', {}), 404);
    }));

  test('writes back in transactions of its own', () =>
    withPlugin(service, plugin, async () => {
      const { writeBack } = expectJson(await post('/analytics/Reciprocity', { writeBack: true })) as Record<
        string,
        unknown
      >;
      expect(writeBack).toEqual({ propertyKey: 'analytics.reciprocity', verticesWritten: 4, chunks: 1 });
      const { properties } = expectJson(await service.call('GET', '/vertex/0')) as { properties: unknown[] };
      const value = {
        propertyId: 'analytics.reciprocity',
        propertyValue: '0.5',
        fullQualifiedTypeName: 'System.Double',
      };
      expect(properties).toEqual([value]);
    }));

  test('of partitions shows their members', async () => {
    const sourceCode = reciprocity
      .replace('new Dictionary<int, double>()', 'new Dictionary<int, int>()')
      .replace(/scores\[vertex.Id\] = all.*\n.*sum \+=.*\n/, 'scores[vertex.Id] = vertex.Id % 2;\n');
    await withPlugin(service, { ...plugin, sourceCode }, async () => {
      const { results, partitions } = expectJson(await post('/analytics/Reciprocity', {})) as Record<string, unknown>;
      expect([results, partitions]).toEqual([
        null,
        [
          { partitionId: 0, size: 2 },
          { partitionId: 1, size: 2 },
        ],
      ]);
      const page = expectJson(await post('/analytics/Reciprocity/partition/1', { offset: 1 }));
      expect(page).toEqual({ partitionId: 1, size: 2, offset: 1, members: [3] });
      expectProblem(await post('/analytics/Reciprocity/partition/7', {}), 404);
    });
  });
});
