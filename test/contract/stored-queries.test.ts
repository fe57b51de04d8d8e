// Contract part 2, Stored queries (reference section 13), asked of the running service.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { createEdges, createVertices, expectJson, expectProblem, property } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

let service: TestService;

/** A, B, C (0..2), A-B weight 10, A-C and C-B weight 1 (3..5). */
beforeAll(async () => {
  if (!isReal) return;
  service = await startService({
    'Security:SensitiveRateLimitPermitPerWindow': '100000',
    'StoredQueries:MaxCount': '12',
  });
  await createVertices(service, [{ label: 'A' }, { label: 'B' }, { label: 'C' }]);
  const weight = (value: string) => [property('weight', value, 'double')];
  await createEdges(service, [
    { sourceVertex: 0, targetVertex: 1, edgePropertyId: 'road', properties: weight('10') },
    { sourceVertex: 0, targetVertex: 2, edgePropertyId: 'path', properties: weight('1') },
    { sourceVertex: 2, targetVertex: 1, edgePropertyId: 'path', properties: weight('1') },
  ]);
});

afterAll(async () => {
  await service?.stop();
});

const notRoad = 'return t => t != "road";';
const weights = 'return e => e.TryGetProperty(out double w, "weight") ? w : 1.0;';
const broken = 'return v => v.Missing;';

const register = (json: unknown, prefix = ''): Promise<Answer> =>
  service.call('POST', `${prefix}/storedquery`, { json });
const read = (name: string, prefix = ''): Promise<Answer> => service.call('GET', `${prefix}/storedquery/${name}`);
const remove = (name: string, prefix = ''): Promise<Answer> => service.call('DELETE', `${prefix}/storedquery/${name}`);

async function registered(json: object): Promise<Answer> {
  const answer = await register(json);
  expectJson(answer, 201);
  return answer;
}

async function hops(json: object): Promise<number[][]> {
  const answer = await service.call('POST', '/path/0/to/1', { json });
  const paths = expectJson(answer) as { pathElements: { edgeId: number }[] }[];
  return paths.map(({ pathElements }) => pathElements.map(({ edgeId }) => edgeId));
}

describe.runIf(isReal)('registering', () => {
  test('answers the summary and where it is', async () => {
    const answer = await register({
      Name: 'Quiet-roads_1',
      KIND: 'Path',
      description: 'no \u00fc',
      path: { Filter: { edgepropertyfilter: notRoad } },
    });
    const summary = expectJson(answer, 201) as Record<string, unknown>;
    expect(Object.keys(summary)).toEqual(['name', 'kind', 'description', 'createdAt', 'compileState']);
    expect(summary).toMatchObject({
      name: 'Quiet-roads_1',
      kind: 'Path',
      description: 'no \u00fc',
      compileState: 'Compiled',
    });
    expect(summary.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.headers.location).toBe('/storedquery/Quiet-roads_1');
    const detail = expectJson(await read('Quiet-roads_1')) as Record<string, unknown>;
    expect(Object.keys(detail)).toEqual([...Object.keys(summary), 'specificationJson', 'compileDiagnostics']);
    expect(detail).toMatchObject({ ...summary, compileDiagnostics: null });
    expect(JSON.parse(detail.specificationJson as string)).toEqual({ filter: { edgePropertyFilter: notRoad } });
    expectProblem(await read('quiet-roads_1'), 404, 'Not Found');
    expect((await remove('Quiet-roads_1')).status).toBe(204);
  });

  test.each<[string, object]>([
    ['a name that is none', { name: 'a b', kind: 'Path', path: {} }],
    ['a blank name', { name: ' ', kind: 'Path', path: {} }],
    ['a name in another script', { name: '\u00fc', kind: 'Path', path: {} }],
    ['129 characters', { name: 'n'.repeat(129), kind: 'Path', path: {} }],
    ['no name', { kind: 'Path', path: {} }],
    ['no kind', { name: 'q', path: {} }],
    ['another kind', { name: 'q', kind: 'Analytics', path: {} }],
    ['a kind in another case', { name: 'q', kind: 'path', path: {} }],
    ['no block', { name: 'q', kind: 'Path' }],
    ['a null block', { name: 'q', kind: 'Path', path: null }],
    ['the block of the other kind', { name: 'q', kind: 'Path', subGraph: {} }],
    ['both blocks', { name: 'q', kind: 'Path', path: {}, subGraph: {} }],
    ['both blocks for a subgraph', { name: 'q', kind: 'SubGraph', path: {}, subGraph: {} }],
    ['no block for a subgraph', { name: 'q', kind: 'SubGraph' }],
    ['a block that is no object', { name: 'q', kind: 'Path', path: 'x' }],
    ['a fragment that is no text', { name: 'q', kind: 'Path', path: { filter: { vertexFilter: 1 } } }],
    ['an array', []],
  ])('refuses %s', async (_, json) => {
    expect((await register(json)).status).toBe(400);
    expect(expectJson(await service.call('GET', '/storedquery'))).toEqual([]);
  });

  test('refuses what does not compile, with its diagnostics', async () => {
    const path = await register({ name: 'q', kind: 'Path', path: { filter: { vertexFilter: broken } } });
    expectProblem(path, 400, 'Bad Request');
    expect((path.json as { detail: string }).detail).toMatch(/vertexFilter \(1,15\): error CS1061/);
    const step = { type: 'Vertex', vertexFilter: broken };
    const subGraph = await register({ name: 'q', kind: 'SubGraph', subGraph: { patterns: [step] } });
    expectProblem(subGraph, 400, 'Bad Request');
    expect((subGraph.json as { detail: string }).detail).toContain('patterns[0].vertexFilter (1,15): error CS1061');
    const long = { filter: { vertexFilter: `${' '.repeat(100_001)}x` } };
    const oversize = await register({ name: 'q', kind: 'Path', path: long });
    expect((oversize.json as { detail: string }).detail).toContain('F8LIMIT');
    expectProblem(await read('q'), 404, 'Not Found');
  });

  test('refuses fragments that are too many or too long together', async () => {
    const steps = (count: number, fragment: (i: number) => string) =>
      Array.from({ length: 2 * count - 1 }, (_, i) => (i % 2 === 0 ? { vertexFilter: fragment(i) } : { type: 'Edge' }));
    const ofPatterns = (patterns: object[]) => ({ name: 'big', kind: 'SubGraph', subGraph: { patterns } });
    const many = steps(600, (i) => `return v => v.Id > ${i};`);
    expectProblem(await register(ofPatterns(many)), 400);
    const long = steps(10, () => 'return v => true;'.padEnd(100_000));
    const { detail } = expectProblem(await register(ofPatterns(long)), 400);
    expect(detail).toContain('F8LIMIT');
    const direct = await service.call('PUT', '/subgraph', { json: { name: 'big', patterns: long } });
    expect(expectProblem(direct, 400).detail).toContain('F8LIMIT');
    await registered(ofPatterns(steps(9, () => 'return v => true;'.padEnd(100_000))));
    expect((await remove('big')).status).toBe(204);
  });

  test('refuses a second one of a name, and one too many', async () => {
    for (let i = 0; i < 12; i++) await registered({ name: `n${i}`, kind: 'Path', path: {} });
    expectProblem(await register({ name: 'n3', kind: 'SubGraph', subGraph: {} }), 409, 'Conflict');
    expectProblem(await register({ name: 'more', kind: 'Path', path: {} }), 409, 'Conflict');
    expect((await remove('n5')).status).toBe(204);
    await registered({ name: 'more', kind: 'Path', path: {} });
    const names = (expectJson(await service.call('GET', '/storedquery')) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['more', 'n0', 'n1', 'n10', 'n11', 'n2', 'n3', 'n4', 'n6', 'n7', 'n8', 'n9']);
    for (const name of names) expect((await remove(name)).status).toBe(204);
    expectProblem(await remove('more'), 404, 'Not Found');
  });

  test('takes no body over 1 MiB', async () => {
    const description = 'x'.repeat(1_048_576);
    expectProblem(await register({ name: 'q', kind: 'Path', path: {}, description }), 413, 'Content Too Large');
  });

  test('is told a namespace by its path', async () => {
    await service.call('PUT', '/ns/other');
    const answer = await register({ name: 'q', kind: 'Path', path: {} }, '/ns/other');
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe('/ns/other/storedquery/q');
    expectProblem(await read('q'), 404, 'Not Found');
    expect((await read('q', '/ns/other')).status).toBe(200);
    expect(expectJson(await service.call('GET', '/ns/other/storedquery'))).toHaveLength(1);
    expect((await remove('q', '/ns/other')).status).toBe(204);
  });
});

const vertexStep = { type: 'Vertex' };
const edgeStep = { type: ' edge ', direction: 'out' };
const variable = (minLength?: unknown, maxLength?: unknown) => ({ type: 'VariableLengthEdge', minLength, maxLength });

describe.runIf(isReal)('templates of subgraphs', () => {
  test.each<[string, object[]]>([
    ['an edge at the end', [vertexStep, edgeStep]],
    ['two vertices', [vertexStep, vertexStep]],
    ['two edges', [vertexStep, edgeStep, edgeStep, vertexStep]],
    ['a variable length at the start', [variable(1, 2), vertexStep]],
    ['an unknown type', [{ type: 'Node' }]],
    ['an unknown direction', [vertexStep, { type: 'Edge', direction: 'sideways' }, vertexStep]],
    ['101 hops', [vertexStep, variable(1, 101), vertexStep]],
    ['a range that is none', [vertexStep, variable(3, 2), vertexStep]],
    ['a least above the default most', [vertexStep, variable(2), vertexStep]],
    ['a negative least', [vertexStep, variable(-1, 2), vertexStep]],
    ['half a hop', [vertexStep, variable(0.5, 2), vertexStep]],
    ['a semantic score', [{ ...vertexStep, semanticMinScore: 0.5 }]],
    ['a semantic score of an edge', [vertexStep, { ...edgeStep, semanticMinScore: 0.5 }, vertexStep]],
  ])('refuse %s', async (_, patterns) => {
    expectProblem(await register({ name: 'q', kind: 'SubGraph', subGraph: { patterns } }), 400);
  });

  test.each<[string, object]>([
    ['nothing', {}],
    ['filters', { vertexFilter: 'return v => v.Id > 0;', edgeFilter: null }],
    ['an edge at the start', { patterns: [edgeStep, vertexStep] }],
    ['hops', { patterns: [vertexStep, variable('0', 100), vertexStep] }],
    ['empty patterns', { patterns: [] }],
    ['filters of steps', { patterns: [vertexStep, { ...edgeStep, edgePropertyFilter: notRoad }, vertexStep] }],
  ])('take %s', async (_, subGraph) => {
    await registered({ name: 'q', kind: 'SubGraph', subGraph });
    expect(expectJson(await read('q'))).toMatchObject({ kind: 'SubGraph', compileState: 'Compiled' });
    expect((await remove('q')).status).toBe(204);
  });
});

describe.runIf(isReal)('a path', () => {
  test('by the fragments of a stored query', async () => {
    const path = { filter: { edgePropertyFilter: notRoad } };
    await registered({ name: 'quiet', kind: 'Path', path });
    expect(await hops({})).toEqual([[3]]);
    expect(await hops({ storedQuery: 'quiet' })).toEqual([[4, 5]]);
    expect(await hops({ storedQuery: 'quiet', maxDepth: 1 })).toEqual([]);
    expect((await remove('quiet')).status).toBe(204);
    expectProblem(await service.call('POST', '/path/0/to/1', { json: { storedQuery: 'quiet' } }), 404, 'Not Found');
  });

  test('tells a missing cost from none, as a request does', async () => {
    await registered({ name: 'cost', kind: 'Path', path: { cost: { edgeCost: weights } } });
    await registered({
      name: 'edges',
      kind: 'Path',
      path: { cost: { edgeCost: weights, vertexCost: null } },
    });
    const total = async (storedQuery: string): Promise<number> => {
      const json = { pathAlgorithmName: 'DIJKSTRA', maxResults: 1, storedQuery };
      const [first] = expectJson(await service.call('POST', '/path/0/to/1', { json })) as { totalWeight: number }[];
      return first?.totalWeight ?? -1;
    };
    expect(await total('cost')).toBe(4);
    expect(await total('edges')).toBe(2);
    await remove('cost');
    await remove('edges');
  });

  test('refuses what cannot stand beside it, another kind and an unknown name', async () => {
    await registered({ name: 'sub', kind: 'SubGraph', subGraph: {} });
    const refusal = (json: object): Promise<Answer> => service.call('POST', '/path/0/to/1', { json });
    expectProblem(await refusal({ storedQuery: 'sub' }), 400, 'Bad Request');
    expectProblem(await refusal({ storedQuery: 'none' }), 404, 'Not Found');
    for (const beside of [{ filter: {} }, { cost: {} }, { semantic: { queryVector: [1, 0] } }]) {
      expectProblem(await refusal({ storedQuery: 'sub', ...beside }), 400, 'Bad Request');
    }
    expect(await hops({ storedQuery: ' ' })).toEqual([[3]]);
    expect(await hops({ storedQuery: 'none', maxDepth: 0 })).toEqual([]);
    await remove('sub');
  });
});
