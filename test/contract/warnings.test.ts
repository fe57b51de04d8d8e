// What the contract ignores in silence is said in a header, and a strict request is refused for it.

import { describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { createEdges, createVertices, expectJson, expectProblem, property, waited } from './support/requests.ts';
import { withService } from './support/with-service.ts';

interface Warning {
  readonly code: string;
  readonly at: string;
  readonly message: string;
}

const strict = { prefer: 'handling=strict' };

function warningsOf({ headers }: Answer): Warning[] {
  const value = headers['x-arcwise-warnings'];
  return value === undefined ? [] : JSON.parse(String(value));
}

const placesOf = (answer: Answer) => warningsOf(answer).map(({ code, at }) => `${code} ${at}`);

describe('a generous service', () => {
  const service = withService({ 'Security:SensitiveRateLimitPermitPerWindow': 100_000 });
  const call = (method: string, path: string, json?: unknown, headers?: Record<string, string>) =>
    service().call(method, path, { ...(json === undefined ? {} : { json }), ...(headers ? { headers } : {}) });

  test('names misspelt members and the placeholders in their place', async () => {
    const misspelt = { creationDate: 0, label: 'p', properties: [{ name: 'name', value: 'Ann' }] };
    const answer = await call('PUT', `/vertices${waited}`, [misspelt]);
    expect(answer.status).toBe(200);
    expect(placesOf(answer)).toEqual([
      'ignoredMember [0].properties[0].name',
      'ignoredMember [0].properties[0].value',
      'placeholder [0].properties[0].propertyId',
      'placeholder [0].properties[0].propertyValue',
      'placeholder [0].properties[0].fullQualifiedTypeName',
    ]);
    expect(warningsOf(answer)[2]?.message).toContain('"cacheSize"');
    expect(
      placesOf(await call('PUT', '/graphelements/properties', [{ graphElementId: 0, propertyId: 'age', value: '7' }])),
    ).toEqual(['ignoredMember [0].value', 'placeholder [0].propertyValue', 'placeholder [0].fullQualifiedTypeName']);
    expect(placesOf(await call('POST', '/index', {}))).toEqual(['placeholder uniqueId', 'placeholder pluginType']);
  });

  test('says nothing of what is used as it was sent', async () => {
    const vertex = { LABEL: 'p', Properties: [property('a', '1', 'System.Int32')] };
    expect(placesOf(await call('PUT', `/vertices${waited}`, [vertex]))).toEqual([]);
    expect(placesOf(await call('GET', '/vertex/count?api-version=0.1'))).toEqual([]);
    const literal = { value: '1', fullQualifiedTypeName: 'int' };
    expect(placesOf(await call('POST', '/scan/graph/property/a', { literal }))).toEqual([]);
  });

  test('names query parameters that nobody reads', async () => {
    const answer = await call('GET', '/graph?label=p&maxElements=1');
    expect(answer.status).toBe(200);
    expect(placesOf(answer)).toEqual(['ignoredParameter label']);
    expectProblem(
      await call('GET', '/graph?label=p', undefined, strict),
      400,
      'One or more validation errors occurred.',
    );
    expect((await call('GET', '/graph?MAXELEMENTS=1', undefined, strict)).status).toBe(200);
  });

  test('a strict request is refused before anything is done, with every place', async () => {
    const before = expectJson(await call('GET', '/vertex/count'));
    const answer = await call('PUT', `/vertices${waited}`, [{ properties: [{ nmae: 'x' }] }], strict);
    expectProblem(answer, 400, 'One or more validation errors occurred.');
    expect(Object.keys(answer.json.errors)).toContain('[0].properties[0].nmae');
    expect(expectJson(await call('GET', '/vertex/count'))).toBe(before);
    expect((await call('PUT', `/vertices${waited}`, [{ label: 'x' }], strict)).status).toBe(200);
  });

  test('hostile names stay ASCII, and many of them a bounded header', async () => {
    const members = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${'é\r\n"\u2028'.repeat(40)}${i}`, 1]));
    const answer = await call('PUT', '/vertex', { creationDate: 0, ...members });
    const header = String(answer.headers['x-arcwise-warnings']);
    expect(header).toMatch(/^[\x20-\x7e]*$/);
    expect(header.length).toBeLessThan(4400);
    const warnings = warningsOf(answer);
    expect(warnings.at(-1)).toMatchObject({ code: 'more', message: `${500 - warnings.length + 1} more of the kind.` });
  });

  test('says why an index was not created, asked in vain, or searched with an unknown operator', async () => {
    const create = (uniqueId: string, pluginType: string, pluginOptions?: unknown) =>
      call('POST', '/index', { uniqueId, pluginType, ...(pluginOptions === undefined ? {} : { pluginOptions }) });
    const messageOf = async (answer: Promise<Answer>) => {
      const got = await answer;
      expect(got.text).toBe('false');
      return warningsOf(got)[0]?.message;
    };
    expect((await create('names', 'DictionaryIndex')).text).toBe('true');
    expect(await messageOf(create('names', 'RangeIndex'))).toBe("There is an index 'names'.");
    expect(await messageOf(create('x', 'Dictionary'))).toContain('DictionaryIndex, RangeIndex');
    expect(await messageOf(create('x', 'SpatialIndex'))).toContain('not created over HTTP');
    const option = (text: string, type = 'System.Int32') => ({ propertyValue: text, fullQualifiedTypeName: type });
    expect(await messageOf(create('v', 'VectorIndex', { Dimension: option('3') }))).toContain('given are Dimension');
    const bad = { dimension: option('3'), metric: option('cosine', 'System.String') };
    expect(await messageOf(create('v', 'VectorIndex', bad))).toContain("not 'cosine'");
    const fulltext = await call('POST', '/scan/index/fulltext', { indexId: 'names', requestString: 'a' });
    expect(placesOf(fulltext)).toEqual(['otherIndexKind indexId']);
    const missing = await call('POST', '/scan/index/all', { indexId: 'none', literal: { value: 'a' }, operator: 9 });
    expect(placesOf(missing)).toEqual(['unknownOperator operator', 'noSuchIndex indexId']);
  });

  test('says that there is nothing to load, to add to or to delete', async () => {
    const load = await call('PUT', '/load', { saveGameLocation: 'nowhere.f8s' });
    expect([load.status, ...placesOf(load)]).toEqual([204, 'nothingLoaded saveGameLocation']);
    const key = property('a', '1', 'System.Int32');
    const { propertyId, ...typed } = key;
    for (const answer of [
      await call('DELETE', '/index/none'),
      await call('DELETE', '/index/none/0'),
      await call('DELETE', '/index/none/propertyValue', typed),
      await call('PUT', '/index/none', { graphElementId: 0, key: typed }),
    ])
      expect([answer.text, ...placesOf(answer)]).toEqual(['false', 'noSuchIndex indexId']);
  });

  test('faults are told in words of the contract', async () => {
    const detailOf = async (path: string, body: unknown) => (await call('POST', path, body)).json.detail;
    expect(await detailOf('/scan/graph/property/a', {})).toBe('literal: Left out, and it has to be there.');
    const limits = { indexId: 'a', leftLimit: 1, rightLimit: '2', fullQualifiedTypeName: 'int' };
    expect(await detailOf('/scan/index/range', limits)).toBe('leftLimit: Expected a string.');
    const options = { uniqueId: 'a', pluginType: 'VectorIndex', pluginOptions: { dimension: 3 } };
    expect(await detailOf('/index', options)).toBe('pluginOptions.dimension: Expected an object.');
    const literal = { value: '1', fullQualifiedTypeName: 'date' };
    expect(await detailOf('/scan/graph/property/a', { literal })).toContain('DateTime');
  });

  test('says that no value has the type of a literal, or nobody the property', async () => {
    const first = [property('years', '7', 'System.Int64'), property('born', 'x', 'System.String')];
    await createVertices(service(), [
      { label: 'typed', properties: first },
      { label: 'typed', properties: [property('years', '1.5', 'System.Double')] },
    ]);
    const scan = (key: string, fullQualifiedTypeName: string, more = {}) =>
      call('POST', `/scan/graph/property/${key}`, { literal: { value: '7', fullQualifiedTypeName }, ...more });
    const [warning] = warningsOf(await scan('years', 'int'));
    expect(warning).toEqual({
      code: 'otherType',
      at: 'fullQualifiedTypeName',
      message: "The property 'years' has values of Int64, Double, and none equals a literal of Int32.",
    });
    expect(placesOf(await scan('years', 'long'))).toEqual([]);
    expect(placesOf(await scan('years', 'double', { operator: 3 }))).toEqual([]);
    expect(placesOf(await scan('born', 'int', { operator: 5 }))).toEqual(['otherType fullQualifiedTypeName']);
    expect(placesOf(await scan('years', 'int', { operator: 9 }))).toEqual(['unknownOperator operator']);
    const nobody = async (answer: Promise<Answer>) => warningsOf(await answer).map(({ message }) => message);
    expect(await nobody(scan('yaers', 'int'))).toEqual([
      "No vertex has a property 'yaers' (resultType Vertices). Did you mean 'years'?",
    ]);
    const more = { label: 'typed', resultType: 'Edges' };
    expect(await nobody(scan('years', 'long', more))).toEqual([
      "No edge labelled 'typed' has a property 'years' (resultType Edges).",
    ]);

    await call('POST', '/index', { uniqueId: 'ages', pluginType: 'RangeIndex' });
    const literal = { value: '7', fullQualifiedTypeName: 'int' };
    const all = { indexId: 'ages', operator: 0, literal };
    expect(placesOf(await call('POST', '/scan/index/all', all))).toEqual(['emptyIndex indexId']);
    const vain = await call('POST', '/index/backfill/ages', { propertyId: 'yaers' });
    expect(placesOf(vain)).toEqual(['noSuchProperty propertyId']);
    expect(placesOf(await call('POST', '/index/backfill/ages', { propertyId: 'years' }))).toEqual([]);
    expect(placesOf(await call('POST', '/scan/index/all', all))).toEqual(['otherType fullQualifiedTypeName']);
    const between = { indexId: 'ages', leftLimit: '1', rightLimit: '9', fullQualifiedTypeName: 'int' };
    expect(placesOf(await call('POST', '/scan/index/range', between))).toEqual(['otherType fullQualifiedTypeName']);
    const range = { ...between, fullQualifiedTypeName: 'long' };
    expect(placesOf(await call('POST', '/scan/index/range', range))).toEqual([]);
    const reversed = { ...range, leftLimit: '9', rightLimit: '1' };
    expect(placesOf(await call('POST', '/scan/index/range', reversed))).toEqual(['reversedLimits leftLimit']);
    const neither = { ...range, leftLimit: '90', rightLimit: '80' };
    expect(placesOf(await call('POST', '/scan/index/range', neither))).toEqual([]);
  });

  test('says of a comma in a number that it parts thousands', async () => {
    const price = (text: string, type = 'System.Double') => property('price', text, type);
    const put = async (...texts: string[]) =>
      call('PUT', `/vertices${waited}`, [
        { label: 'priced' },
        { label: 'priced', properties: texts.map((text) => price(text)) },
      ]);
    const [warning] = warningsOf(await put('1,5'));
    expect(warning).toEqual({
      code: 'decimalComma',
      at: '[1].properties[0].propertyValue',
      message: "Commas part thousands, so '1,5' is 15. A point is for fractions.",
    });
    for (const text of ['1,500', ' -12,345,678.25 ', '1,500e3', '1.5', '+1,000 ', 'NaN']) {
      expect([text, ...placesOf(await put(text))]).toEqual([text]);
    }
    for (const text of ['1,5', '0,25', '1,50', '12,34,567', '1,5e3', '1,2345', ',5']) {
      expect([text, ...placesOf(await put(text))]).toEqual([text, 'decimalComma [1].properties[0].propertyValue']);
    }
    const one = { label: 'priced', properties: [price('a,b', 'System.String'), price('7,25', 'System.Decimal')] };
    const second = { ...one, properties: [one.properties[0], { ...one.properties[1], propertyId: 'net' }] };
    expect(placesOf(await call('PUT', '/vertex', second))).toEqual(['decimalComma properties[1].propertyValue']);
    const { propertyId, ...typed } = price('2,5', 'float');
    expect(placesOf(await call('PUT', '/graphelement/0/weight', typed))).toEqual(['decimalComma propertyValue']);
    const change = { graphElementId: 0, propertyId: 'weight', ...typed };
    const changes = [{ ...change, propertyId: 'length', propertyValue: '2.5' }, change];
    expect(placesOf(await call('PUT', '/graphelements/properties', changes))).toEqual([
      'decimalComma [1].propertyValue',
    ]);
    const literal = { value: '1,5', fullQualifiedTypeName: 'double' };
    expect(placesOf(await call('POST', '/scan/graph/property/price', { literal }))).toEqual([
      'decimalComma literal.value',
    ]);
    await call('POST', '/index', { uniqueId: 'prices', pluginType: 'RangeIndex' });
    const between = { indexId: 'prices', leftLimit: '0,5', rightLimit: '1,5', fullQualifiedTypeName: 'double' };
    expect(placesOf(await call('POST', '/scan/index/range', between)).slice(0, 2)).toEqual([
      'decimalComma leftLimit',
      'decimalComma rightLimit',
    ]);
    const added = await call('PUT', '/index/prices', { graphElementId: 0, key: typed });
    expect(placesOf(added)).toEqual(['decimalComma key.propertyValue']);
    expect((await call('PUT', `/vertices${waited}`, [{ properties: [price('1,5')] }], strict)).status).toBe(200);
  });

  test('says of an index which of its options nobody looks at', async () => {
    const option = (propertyValue: string) => ({ propertyValue, fullQualifiedTypeName: 'System.String' });
    const vector = { dimension: option('3'), embeddingNmae: option('text'), Metric: option('L2') };
    const created = await call('POST', '/index', { uniqueId: 'v', pluginType: 'VectorIndex', pluginOptions: vector });
    expect([created.text, ...placesOf(created)]).toEqual([
      'true',
      'ignoredMember pluginOptions.embeddingNmae',
      'ignoredMember pluginOptions.Metric',
    ]);
    const range = { uniqueId: 'r', pluginType: 'RangeIndex', pluginOptions: { unique: option('true') } };
    expect((await call('POST', '/index', range, strict)).status).toBe(400);
    const made = await call('POST', '/index', range);
    expect([made.text, ...placesOf(made)]).toEqual(['true', 'ignoredMember pluginOptions.unique']);
  });

  test('says of a run of analytics what it does not look at', async () => {
    await createVertices(service(), [{ label: 'person' }]);
    const run = async (name: string, body: unknown) => placesOf(await call('POST', `/analytics/${name}`, body));
    expect(await run('PAGERANK', { parameters: { DampingFactor: 0.5 } })).toEqual([]);
    expect(await run('PAGERANK', { parameters: { dampingFactor: 0.5 } })).toEqual([
      'ignoredMember parameters.dampingFactor',
    ]);
    const page = await call('POST', '/analytics/WCC/partition/0', { parameters: { Samples: 1 } });
    expect(placesOf(page)).toEqual(['ignoredMember parameters.Samples']);
    const written = { parameters: { damping: 1 }, writeBack: true };
    expect((await call('POST', '/analytics/PAGERANK', written, strict)).status).toBe(400);
    expect((await call('GET', '/vertex/0')).text).not.toContain('analytics.pagerank');
    expect(await run('DEGREE', { weightPropertyId: 'km', vertexLabel: 'persn' })).toEqual([
      'ignoredMember weightPropertyId',
      'noSuchLabel vertexLabel',
    ]);
  });

  test('says of a value that is none of its type which it is', async () => {
    const properties = [{ propertyId: 'h', propertyValue: 'tall', fullQualifiedTypeName: 'int' }];
    const { json } = await call('PUT', `/vertex${waited}`, { properties });
    expect(json).toMatchObject({
      detail: expect.stringContaining("'h' of element 0 of the request is not a value of its type, Int32: 'tall'."),
    });
  });

  test('says of an import that nothing was in it', async () => {
    await call('PUT', '/ns/nothing', {});
    const headers = { 'content-type': 'application/x-ndjson' };
    const imported = await service().call('POST', '/ns/nothing/bulk/import', { body: '', headers });
    expect([imported.status, ...placesOf(imported)]).toEqual([200, 'nothingImported $']);
  });

  test('says once of the commas of an import how many there are and where they begin', async () => {
    const imported = async (...texts: string[]) => {
      const name = `commas-${++imports}`;
      await call('PUT', `/ns/${name}`, {});
      const meta = '{"type":"meta","format":"service-jsonl","version":2}';
      const body = [meta, ...texts.map(vertexOf)].join('\n');
      const headers = { 'content-type': 'application/x-ndjson' };
      return service().call('POST', `/ns/${name}/bulk/import`, { body, headers });
    };
    let imports = 0;
    const vertexOf = (text: string, id: number) =>
      JSON.stringify({
        type: 'vertex',
        id,
        creationDate: 0,
        properties: { p: { type: 'System.Double', value: text } },
      });
    const usual = ['1,500', ' -12,345,678.25 ', '1,500e3', '1.5', '+1,000 ', 'NaN', '123456789012345678'];
    expect(warningsOf(await imported(...usual))).toEqual([]);
    for (const text of ['1,5', '0,25', '1,50', '12,34,567', '1,5e3', '1,2345', '1234,567', '1,']) {
      const at = 'line 3';
      const message = `Commas part thousands, so '${text}' is ${text.replaceAll(',', '')}. A point is for fractions.`;
      const sent = await imported('1.5', text);
      expect([sent.status, warningsOf(sent)]).toEqual([200, [{ code: 'decimalComma', at, message }]]);
    }
    const [warning] = warningsOf(await imported(...usual, '1,5', '3', '2,5'));
    expect(warning?.at).toBe('line 9');
    expect(warning?.message).toContain("'1,5' is 15. A point is for fractions. 2 numbers are written like this.");
    const refused = await imported('1,5', 'no number');
    expect([refused.status, warningsOf(refused).map(({ at }) => at)]).toEqual([400, ['line 2']]);
  });

  test('takes the key of a property from the path, and says so of another one in the body', async () => {
    await createVertices(service(), [{}]);
    const set = (body: unknown, headers = {}) => call('PUT', '/graphelement/0/name', body, headers);
    const value = { propertyValue: 'Ann', fullQualifiedTypeName: 'string' };
    expect(placesOf(await set(value))).toEqual([]);
    expect(placesOf(await set({ ...value, propertyId: 'name' }))).toEqual([]);
    expect((await set(value, strict)).status).toBe(202);
    expect(placesOf(await set({ ...value, propertyId: 'nmae' }))).toEqual(['ignoredMember propertyId']);
    expectProblem(await set({ ...value, propertyId: 'nmae' }, strict), 400, 'One or more validation errors occurred.');
  });

  test('says of a vector scan that nothing is there, or nothing of that label', async () => {
    const option = (text: string, type: string) => ({ propertyValue: text, fullQualifiedTypeName: type });
    const pluginOptions = { dimension: option('2', 'System.Int32'), metric: option('L2', 'System.String') };
    await call('POST', '/index', { uniqueId: 'near', pluginType: 'VectorIndex', pluginOptions });
    const scan = async (more = {}) =>
      warningsOf(await call('POST', '/scan/index/vector', { indexId: 'near', query: [1, 0], k: 1, ...more }));
    expect(await scan()).toEqual([{ code: 'emptyIndex', at: 'indexId', message: "The index 'near' holds no vector." }]);
    await createVertices(service(), [{ label: 'place' }]);
    expect((await call('PUT', '/index/vector/near', { graphElementId: 0, vector: [1, 1] })).text).toBe('true');
    expect(await scan()).toEqual([]);
    const message = "No vertex in the index 'near' is labelled 'plaec'. Did you mean 'place'?";
    expect(await scan({ label: 'plaec', kind: 'vertex' })).toEqual([{ code: 'noSuchLabel', at: 'label', message }]);
  });

  test('says which name of the graph a misspelt one resembles', async () => {
    const [a, b] = await createVertices(service(), [
      { label: 'person', properties: [property('height', '2', 'System.Int32')] },
      {},
    ]);
    const km = property('km', '3', 'System.Double');
    await createEdges(service(), [{ sourceVertex: a, targetVertex: b, edgePropertyId: 'knows', properties: [km] }]);
    const said = async (path: string, body: unknown) =>
      warningsOf(await call('POST', path, body)).map(({ code, at, message }) => `${code} ${at}: ${message}`);
    const literal = { value: '2', fullQualifiedTypeName: 'System.Int32' };
    expect(await said('/scan/graph/property/hieght', { literal })).toEqual([
      "noSuchProperty propertyId: No vertex has a property 'hieght' (resultType Vertices). Did you mean 'height'?",
    ]);
    const persons = "noSuchLabel label: Nothing is labelled 'persn'. Did you mean 'person'?";
    expect(await said('/scan/graph/property/height', { literal, label: 'persn' })).toEqual([persons]);
    expect(await said('/scan/graph/properties', { searchTerm: '2', label: 'persn' })).toEqual([persons]);
    expect(await said('/scan/graph/properties', { searchTerm: '2', label: 'person' })).toEqual([]);
    expect(await said('/analytics/LOUVAIN', { vertexLabel: 'Persno', weightPropertyId: 'kms' })).toEqual([
      "noSuchProperty weightPropertyId: No edge has a property 'kms', so each weighs 1. Did you mean 'km'?",
      "noSuchLabel vertexLabel: No vertex is labelled 'Persno'. Did you mean 'person'?",
    ]);
    expect(await said('/analytics/DEGREE', { edgePropertyId: 'know' })).toEqual([
      "noSuchEdgeType edgePropertyId: No edge is a 'know'. Did you mean 'knows'?",
    ]);
    expect(await said('/analytics/DEGREE', { edgePropertyId: 'owns' })).toEqual([
      "noSuchEdgeType edgePropertyId: No edge is a 'owns'.",
    ]);
    expect(await said('/analytics/DEGREE', { edgePropertyId: 'knows', vertexLabel: 'person' })).toEqual([]);
    await call('HEAD', '/tabularasa');
    expect(await said('/scan/graph/property/hieght', { literal })).toEqual([
      "noSuchProperty propertyId: No vertex has a property 'hieght' (resultType Vertices).",
    ]);
  });

  test('says that nothing has the embedding that a search goes by', async () => {
    const [a, b] = await createVertices(service(), [{}, {}]);
    const semantic = { queryVector: [1, 0], embeddingName: 'titels', minScore: 0.5 };
    const path = () => call('POST', `/path/${a}/to/${b}`, { semantic });
    const name = 'noSuchEmbedding semantic.embeddingName';
    expect(placesOf(await path())).toEqual([name]);
    const patterns = [{ type: 'Vertex', semanticMinScore: 0.5 }];
    const subgraph = (query: unknown) => call('PUT', '/subgraph', { name: 'like', patterns, semantic: query });
    expect(placesOf(await subgraph({ ...semantic, minScore: null }))).toEqual([name]);
    expect((await call('PUT', `/graphelement/${a}/embedding/titels${waited}`, { vector: [1, 1] })).status).toBe(202);
    expect(warningsOf(await path())).toEqual([
      {
        code: 'noSuchEmbedding',
        at: 'to',
        message: `The vertex ${b} has no embedding 'titels', so it has no score.`,
      },
    ]);
    await createEdges(service(), [{ sourceVertex: a, targetVertex: b, edgePropertyId: 'to' }]);
    expect((await call('PUT', `/graphelement/${b}/embedding/titels${waited}`, { vector: [1, 1] })).status).toBe(202);
    expect(placesOf(await path())).toEqual([]);
  });

  test('says that a path may be longer than the default where the search ended there, and nowhere else', async () => {
    const row = await createVertices(
      service(),
      Array.from({ length: 9 }, () => ({})),
    );
    const steps = row.slice(1).map((to, i) => ({ sourceVertex: row[i], targetVertex: to, edgePropertyId: 'next' }));
    await createEdges(service(), steps);
    const search = async (to: unknown, body: unknown) => placesOf(await call('POST', `/path/${row[0]}/to/${to}`, body));
    for (const pathAlgorithmName of ['BLS', 'DIJKSTRA']) {
      expect(await search(row[8], { pathAlgorithmName })).toEqual(['defaultDepth maxDepth']);
      expect(await search(row[7], { pathAlgorithmName })).toEqual([]);
      const filter = { vertexFilter: 'return v => v.Label == "nobody";' };
      expect(await search(row[8], { pathAlgorithmName, filter })).toEqual([]);
      const alone = await createVertices(service(), [{}]);
      expect(await search(alone[0], { pathAlgorithmName })).toEqual([]);
    }
  });

  test('says what a path search did not look at', async () => {
    const [a, b] = await createVertices(service(), [{}, {}]);
    const search = async (body: unknown) => placesOf(await call('POST', `/path/${a}/to/${b}`, body));
    expect(await search({ cost: { edgeCost: 'return (e) => 1.0;' } })).toEqual(['ignoredCost cost']);
    expect(await search({ pathAlgorithmName: 'AStar', maxDepth: 3 })).toEqual(['unknownAlgorithm pathAlgorithmName']);
    expect(await search({ pathAlgorithmName: 'dijkstra' })).toEqual(['unknownAlgorithm pathAlgorithmName']);
    expect(await search({ maxDepth: 3 })).toEqual([]);
    expect(placesOf(await call('POST', '/path/99999/to/88888', {}))).toEqual(['noSuchVertex from', 'noSuchVertex to']);
    await createEdges(service(), [{ sourceVertex: a, targetVertex: b, edgePropertyId: 'knows' }]);
    const weighted = { pathAlgorithmName: 'DIJKSTRA', cost: { edgeCost: 'return (e) => -3.0;' } };
    expect(await search(weighted)).toEqual(['defaultCost cost.vertexCost', 'clampedCost cost']);
    const ownEdges = { pathAlgorithmName: 'DIJKSTRA', cost: { edgeCost: 'return (e) => 1.0;', vertexCost: null } };
    expect(await search(ownEdges)).toEqual([]);
    const byVertex = { pathAlgorithmName: 'DIJKSTRA', cost: { vertexCost: 'return (v) => 1.0;' } };
    expect(await search(byVertex)).toEqual(['defaultCost cost.edgeCost']);
    // A detour of eight free steps beside the direct edge.
    const between = await createVertices(service(), [{}, {}, {}, {}, {}, {}, {}]);
    const detour = [a, ...between, b];
    await createEdges(
      service(),
      between.concat([b as number]).map((to, i) => ({
        ...{ sourceVertex: detour[i], targetVertex: to, edgePropertyId: 'free' },
      })),
    );
    const free = {
      pathAlgorithmName: 'DIJKSTRA',
      cost: { edgeCost: 'return (e) => e.EdgePropertyId == "free" ? 0.0 : 1.0;', vertexCost: 'return (v) => 0.0;' },
    };
    expect(await search(free)).toEqual(['defaultDepth maxDepth']);
    expect(await search({ ...free, maxDepth: 7 })).toEqual([]);
    expect(await search({ ...free, maxDepth: 8 })).toEqual([]);
  });
});

test('a strict service refuses unless a request asks for generosity', async () => {
  const { startService } = await import('./support/service.ts');
  const service = await startService({ 'Api:Strict': 'true' });
  try {
    const json = { creationDate: 0, colour: 'red' };
    expectProblem(await service.call('PUT', '/vertex', { json }), 400, 'One or more validation errors occurred.');
    const lenient = await service.call('PUT', '/vertex', {
      json,
      headers: { prefer: 'respond-async, handling=lenient' },
    });
    expect(placesOf(lenient)).toEqual(['ignoredMember colour']);
  } finally {
    await service.stop();
  }
});
