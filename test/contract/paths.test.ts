// Contract part 2, Path request, Semantic block and Fragments, asked of the running service.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEdges, createVertices, expectJson, expectProblem, property, waited } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;
let embeds = true;

/** A, B, C (0..2), A-B weight 10, A-C and C-B weight 1 (3..5), and D (6) apart. */
beforeAll(async () => {
  if (!isReal) return;
  service = await startService({ 'Security:SensitiveRateLimitPermitPerWindow': '100000' });
  await createVertices(service, [
    { label: 'A' },
    { label: 'B' },
    { label: 'C', properties: [property('age', '40', 'int')] },
  ]);
  const weight = (value: string) => [property('weight', value, 'double')];
  await createEdges(service, [
    { sourceVertex: 0, targetVertex: 1, edgePropertyId: 'road', properties: weight('10') },
    { sourceVertex: 0, targetVertex: 2, edgePropertyId: 'path', properties: weight('1') },
    { sourceVertex: 2, targetVertex: 1, edgePropertyId: 'path', properties: weight('1') },
  ]);
  await createVertices(service, [{ label: 'D' }]);
  for (const [id, vector] of [
    [0, [1, 0]],
    [1, [0.6, 0.8]],
    [2, [0, 1]],
  ] as const) {
    const answer = await service.call('PUT', `/graphelement/${id}/embedding/default${waited}`, { json: { vector } });
    embeds = answer.status < 300;
  }
});
afterAll(() => service?.stop());

interface Path {
  readonly pathElements: readonly { readonly edgeId: number; readonly direction: number; readonly weight: number }[];
  readonly totalWeight: number;
}

const find = (json: unknown, from = 0, to = 1) => service.call('POST', `/path/${from}/to/${to}`, { json });
const edgesOf = async (json: unknown, from = 0, to = 1) =>
  (expectJson(await find(json, from, to)) as Path[]).map((path) => path.pathElements.map(({ edgeId }) => edgeId));
const totalsOf = async (json: unknown, from = 0, to = 1) =>
  (expectJson(await find(json, from, to)) as Path[]).map(({ totalWeight }) => totalWeight);

const weight = 'return e => e.TryGetProperty<double>(out var w, "weight") ? w : 1.0;';
const zero = 'return v => 0.0;';

describe.runIf(isReal)('POST /path/{from}/to/{to}', () => {
  test('answers fewest hops by default, in the shape of the contract', async () => {
    expect(expectJson(await find({}))).toEqual([
      {
        pathElements: [
          { sourceVertexId: 0, targetVertexId: 1, edgeId: 3, edgePropertyId: 'road', direction: 1, weight: 0 },
        ],
        totalWeight: 0,
      },
    ]);
    const back = expectJson(await find({}, 1, 0)) as Path[];
    expect(back[0]?.pathElements[0]).toMatchObject({ sourceVertexId: 1, targetVertexId: 0, direction: 0 });
    expect(await edgesOf(null)).toEqual([[3]]);
  });

  test('compares letters beyond ASCII without regard to case', async () => {
    const vertexFilter = 'return v => (v.Label + "ü").EndsWith("Ü", StringComparison.OrdinalIgnoreCase);';
    expect(await edgesOf({ filter: { vertexFilter } })).toEqual([[3]]);
  });

  test('weighs with DIJKSTRA', async () => {
    const cost = { edgeCost: weight, vertexCost: zero };
    expect(await totalsOf({ pathAlgorithmName: 'DIJKSTRA', maxResults: 1, cost })).toEqual([2]);
    expect(await totalsOf({ pathAlgorithmName: 'DIJKSTRA', cost })).toEqual([2, 10]);
    expect(await totalsOf({ pathAlgorithmName: 'DIJKSTRA', cost: { edgeCost: weight } })).toEqual([4, 11]);
    expect(await totalsOf({ pathAlgorithmName: 'DIJKSTRA', cost: { edgeCost: weight, vertexCost: null } })).toEqual([
      2, 10,
    ]);
    expect(await totalsOf({ pathAlgorithmName: 'DIJKSTRA' })).toEqual([1, 2]);
    expect(await totalsOf({ pathAlgorithmName: 'DIJKSTRA', cost: {} })).toEqual([2, 4]);
    expect(await totalsOf({ pathAlgorithmName: 'DIJKSTRA', cost, maxPathWeight: 9 })).toEqual([2]);
    expect(await totalsOf({ pathAlgorithmName: 'DIJKSTRA', cost, maxDepth: 1 })).toEqual([10]);
  });

  test('filters vertices, edges and edge types', async () => {
    expect(await edgesOf({ filter: { edgePropertyFilter: 'return t => t == "path";' } })).toEqual([[4, 5]]);
    expect(await edgesOf({ filter: { edgeFilter: 'return e => e.Id != 3;' } })).toEqual([[4, 5]]);
    const both = { edgePropertyFilter: 'return t => t == "path";', vertexFilter: 'return v => v.Label != "C";' };
    expect(await edgesOf({ filter: both })).toEqual([]);
    expect(await edgesOf({ filter: { vertexFilter: 'return v => v.Label == "B";' } })).toEqual([[3]]);
    expect(await edgesOf({ filter: { vertexFilter: '', edgeFilter: null } })).toEqual([[3]]);
    expect(await edgesOf({ filter: { vertexFilter: 'return v => v.Label != "B";' } })).toEqual([]);
  });

  test('is empty where there is no path', async () => {
    for (const [body, from, to] of [
      [{}, 0, 6],
      [{}, 0, 0],
      [{}, 0, 99],
      [{}, 99, 0],
      [{}, 3, 0],
      [{ maxResults: 0 }, 0, 1],
      [{ maxDepth: 0 }, 0, 1],
      [{ pathAlgorithmName: 'bls' }, 0, 1],
      [{ pathAlgorithmName: 'NOSUCH' }, 0, 1],
    ] as const) {
      expect(expectJson(await find(body, from, to))).toEqual([]);
    }
  });

  test('scores by similarity', async ({ skip }) => {
    if (!embeds) skip();
    const semantic = { queryVector: [0, 1], minScore: 0.9 };
    expect(await edgesOf({ semantic })).toEqual([]);
    expect(await edgesOf({ semantic: { queryVector: [0, 1], minScore: 0.8 } })).toEqual([[3]]);
    expect(
      await edgesOf({
        semantic: { queryVector: [0, 1], minScore: 0.8 },
        filter: { edgeFilter: 'return e => e.Id > 3;' },
      }),
    ).toEqual([[4, 5]]);
    const weighed = { pathAlgorithmName: 'DIJKSTRA', semantic: { queryVector: [0, 1], costBySimilarity: true } };
    const totals = await totalsOf({ ...weighed, cost: { edgeCost: 'return e => 0;' } });
    expect(totals[0]).toBeCloseTo(0.2, 5);
    const asked = 'return v => context.HasQueryVector && context.TrySimilarity(v, out var s) && s > 0.7f;';
    expect(await edgesOf({ semantic: { queryVector: [0, 1] }, filter: { vertexFilter: asked } })).toEqual([[3]]);
  });

  const filter = { vertexFilter: 'return v => true;' };
  test.each([
    [{ semantic: {} }],
    [{ semantic: { queryVector: [] } }],
    [{ semantic: { queryVector: [0, 0] } }],
    [{ semantic: { queryVector: [1], queryText: 'x' } }],
    [{ semantic: { queryVector: [1], metric: 'cosine' } }],
    [{ semantic: { queryVector: [1], embeddingName: 'no name' } }],
    [{ semantic: { queryVector: [1], minScore: 0.5 }, filter }],
    [{ semantic: { queryVector: [1], costBySimilarity: true }, filter, pathAlgorithmName: 'DIJKSTRA' }],
    [{ semantic: { queryVector: [1], costBySimilarity: true } }],
    [{ semantic: { queryVector: [1], costBySimilarity: true, metric: 'DotProduct' }, pathAlgorithmName: 'DIJKSTRA' }],
    [
      {
        semantic: { queryVector: [1], costBySimilarity: true },
        cost: { vertexCost: zero },
        pathAlgorithmName: 'DIJKSTRA',
      },
    ],
    [{ timeBudgetSeconds: 0 }],
    [{ timeBudgetSeconds: 3601 }],
    [{ timeBudgetSeconds: -1 }],
    [{ maxDepth: 65536 }],
    [{ maxResults: -1 }],
    [{ pathAlgorithmName: ' ' }],
    [{ filter: 'x' }],
    [{ storedQuery: 'x', filter }],
  ])('refuses %j', async (body) => {
    expectProblem(await find(body), 400);
  });

  test('refuses code that does not compile, with what is wrong and where', async () => {
    const problem = expectProblem(await find({ filter: { vertexFilter: 'return v => v.Lable == "x";' } }, 98, 99), 400);
    expect(problem.detail).toContain('CS1061');
    expect(problem.detail).toContain('(1,15)');
    expectProblem(await find({ filter: { vertexFilter: `return v => v.Id == ${'1'.repeat(100_001)};` } }), 400);
    const blank = expectProblem(await find({ filter: { edgeFilter: ' '.repeat(100_001) } }), 400);
    expect(blank.detail).toContain('edgeFilter (1,1): error F8LIMIT');
    expect(expectJson(await find({ filter: { edgeFilter: ' '.repeat(100_000) } }))).toHaveLength(1);
    expectProblem(await find({ filter: { vertexFilter: 'x'.repeat(1_100_000) } }), 413);
  });

  test('answers 403 to a query text, 404 to a stored query that is not there', async () => {
    expectProblem(await find({ semantic: { queryText: 'x' } }), 403);
    expectProblem(await find({ storedQuery: 'nothing' }), 404);
  });

  test('answers 500 when a fragment throws: the detail names the two vertices, a member of its own the exception', async () => {
    const problem = expectProblem(await find({ filter: { vertexFilter: 'return v => v.OutEdges.Count > 0;' } }), 500);
    expect(problem.detail).toContain('0');
    expect(problem.detail).toContain('1');
    expect(problem.detail).not.toContain('Null');
    expect(problem.exception).toBe('NullReferenceException');
    expect((await service.call('GET', '/status')).status).toBe(200);
  });

  test('ends a fragment that never ends with its time budget, and goes on serving', async () => {
    const body = { timeBudgetSeconds: 0.3, filter: { vertexFilter: 'return v => { while (true) { } };' } };
    expectProblem(await find(body), 408, 'Path budget exhausted');
    expect(await edgesOf({})).toEqual([[3]]);
  });

  test('runs what is not compiled in the interpreter', async () => {
    const grouped =
      'return v => v.OutEdges == null || v.OutEdges.Values.SelectMany(l => l).GroupBy(e => e.EdgePropertyId).All(g => g.Count() > 0);';
    expect(await edgesOf({ filter: { vertexFilter: grouped } })).toEqual([[3]]);
    const caught =
      'return v => { try { return v.OutEdges.Count > 7; } catch (NullReferenceException) { return true; } };';
    expect(await edgesOf({ filter: { vertexFilter: caught } })).toEqual([[3]]);
    const exact = 'return e => (double)(0.1m + 0.2m) + (e.TryGetProperty<double>(out var w, "weight") ? w : 0);';
    expect(
      (
        await totalsOf({ pathAlgorithmName: 'DIJKSTRA', maxResults: 1, cost: { edgeCost: exact, vertexCost: zero } })
      )[0],
    ).toBeCloseTo(2.6, 12);
    const type = 'return t => string.Format("{0}!", t) == "path!";';
    expect(await edgesOf({ filter: { edgePropertyFilter: type } })).toEqual([[4, 5]]);
    const never = 'return v => { var n = 0m; while (true) { n += 1m; } };';
    expectProblem(
      await find({ timeBudgetSeconds: 0.3, filter: { vertexFilter: never } }),
      408,
      'Path budget exhausted',
    );
    expectProblem(await find({ filter: { vertexFilter: 'return v => decimal.MaxValue + v.Id > 0;' } }), 500);
  });

  test('ends recursion without end', async () => {
    const body = { filter: { vertexFilter: 'int f(int n) => f(n + 1) + 1; return v => f(0) > 0;' } };
    expectProblem(await find(body), 500);
    expect(await edgesOf({})).toEqual([[3]]);
  });
});

describe.runIf(isReal)('POST /delegates/validate', () => {
  const validate = (json: unknown) => service.call('POST', '/delegates/validate', { json });

  test('accepts what compiles', async () => {
    const good = { valid: true, diagnostics: [] };
    expect(
      expectJson(await validate({ delegateKind: 'VertexFilter', fragment: 'return v => v.Label == "x";' })),
    ).toEqual(good);
    expect(expectJson(await validate({ delegateKind: ' edgecost ', fragment: 'return e => 1.0;' }))).toEqual(good);
    expect(expectJson(await validate({ delegateKind: 'GraphElementFilter', fragment: '' }))).toEqual(good);
    expect(expectJson(await validate({ delegateKind: 'EdgeFilter' }))).toEqual(good);
  });

  test.each([
    ['return (v) => v.Label == "x"', 'CS1002', 1, 29],
    ['return (v) => v.GetAllProperties() != null;', 'CS0012', 1, 15],
    ['return (v) => System.Text.RegularExpressions.Regex.IsMatch(v.Label, "x");', 'CS1069', 1, 15],
    ['return (v) =>\n  v.Nope;', 'CS1061', 2, 5],
  ])('%s: %s', async (fragment, id, line, column) => {
    const { valid, diagnostics } = expectJson(await validate({ delegateKind: 'VertexFilter', fragment })) as {
      valid: boolean;
      diagnostics: { id: string; line: number; column: number; severity: string }[];
    };
    expect(valid).toBe(false);
    expect(diagnostics[0]).toMatchObject({ id, line, column, severity: 'error' });
    expect(Object.keys(diagnostics[0] ?? {})).toEqual([
      'line',
      'column',
      'endLine',
      'endColumn',
      'id',
      'message',
      'severity',
    ]);
  });

  test.each(['x', ''])('says F8LIMIT of what is too long, ending in %j', async (end) => {
    const answer = expectJson(
      await validate({ delegateKind: 'VertexFilter', fragment: `${' '.repeat(100_001)}${end}` }),
    );
    expect(answer).toMatchObject({
      valid: false,
      diagnostics: [{ id: 'F8LIMIT', line: 1, column: 1, endLine: 1, endColumn: 1 }],
    });
  });

  test('refuses other kinds and no body', async () => {
    expectProblem(await validate({ delegateKind: 'LabelFilter', fragment: 'return l => true;' }), 400);
    expectProblem(await validate({ delegateKind: '', fragment: 'x' }), 400);
    expectProblem(await service.call('POST', '/delegates/validate'), 400);
  });
});
