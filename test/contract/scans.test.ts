// Contract part 1, Property scans: six operators over typed values, and the text search over all properties.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEdges, createVertices, expectJson, expectProblem, property } from './support/requests.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;

/** Ids 0..5 vertices, 6 an edge. */
beforeAll(async () => {
  service = await startService();
  await createVertices(service, [
    { label: 'person', properties: [property('age', '20', 'int'), property('name', 'Alice')] },
    { label: 'person', properties: [property('age', '30', 'int'), property('name', 'bob')] },
    { label: 'robot', properties: [property('age', '30', 'int'), property('on', 'true', 'bool')] },
    {
      label: 'person',
      properties: [property('age', '30', 'long'), property('born', '2001-02-03T04:05:06', 'DateTime')],
    },
    { properties: [property('age', 'old'), property('weight', '0.5', 'double')] },
    { label: 'empty' },
  ]);
  await createEdges(service, [
    {
      sourceVertex: 0,
      targetVertex: 1,
      edgePropertyId: 'knows',
      label: 'person',
      properties: [property('age', '30', 'int')],
    },
  ]);
});
afterAll(() => service.stop());

describe('POST /scan/graph/property/{propertyId}', () => {
  const scan = (json: unknown, key = 'age') =>
    service.call('POST', `/scan/graph/property/${encodeURIComponent(key)}`, { json });
  const literal = (value: string, fullQualifiedTypeName = 'System.Int32') => ({ value, fullQualifiedTypeName });

  test.each([
    [0, '30', [1, 2, 6]],
    [1, '20', [1, 2, 6]],
    [2, '20', [0, 1, 2, 6]],
    [3, '30', [0]],
    [4, '30', [0, 1, 2, 6]],
    [5, '30', [0, 3, 4]],
    [0, '31', []],
    [6, '30', []],
    [-1, '30', []],
  ])('operator %i with %s finds %j', async (operator, value, expected) => {
    expect(expectJson(await scan({ operator, literal: literal(value), resultType: 'Both' }))).toEqual(expected);
  });

  test('resultType restricts, and is Vertices when omitted', async () => {
    const body = { operator: 0, literal: literal('30') };
    expect(expectJson(await scan(body))).toEqual([1, 2]);
    expect(expectJson(await scan({ ...body, resultType: 'Vertices' }))).toEqual([1, 2]);
    expect(expectJson(await scan({ ...body, resultType: 'Edges' }))).toEqual([6]);
    expect(expectJson(await scan({ ...body, resultType: 'edges' }))).toEqual([6]);
  });

  test('label restricts hits exactly; elements without a label never match', async () => {
    const body = { operator: 0, literal: literal('30'), resultType: 'Both' };
    expect(expectJson(await scan({ ...body, label: 'person' }))).toEqual([1, 6]);
    expect(expectJson(await scan({ ...body, label: 'Person' }))).toEqual([]);
    expect(expectJson(await scan({ ...body, label: null }))).toEqual([1, 2, 6]);
    expect(expectJson(await scan({ operator: 0, literal: literal('old', 'String'), label: 'person' }))).toEqual([]);
  });

  test('equality is typed: an Int32 never equals an Int64', async () => {
    expect(expectJson(await scan({ operator: 0, literal: literal('30', 'long') }))).toEqual([3]);
    expect(expectJson(await scan({ operator: 0, literal: literal('30', 'String') }))).toEqual([]);
  });

  test('other types compare by their own order', async () => {
    expect(expectJson(await scan({ operator: 4, literal: literal('0.5', 'double') }, 'weight'))).toEqual([4]);
    expect(expectJson(await scan({ operator: 1, literal: literal('2001-02-03', 'DateTime') }, 'born'))).toEqual([3]);
    expect(expectJson(await scan({ operator: 0, literal: literal('TRUE', 'bool') }, 'on'))).toEqual([2]);
    expect(expectJson(await scan({ operator: 3, literal: literal('a', 'String') }, 'name'))).toEqual([0]);
  });

  test('a literal without a type is a text; operator may be quoted or missing', async () => {
    expect(expectJson(await scan({ literal: { value: 'Alice' } }, 'name'))).toEqual([0]);
    expect(
      expectJson(await scan({ OPERATOR: '5', Literal: { VALUE: 'Alice', FullQualifiedTypeName: null } }, 'name')),
    ).toEqual([1]);
    expect(expectJson(await scan({ literal: { value: 'Alice', fullQualifiedTypeName: '' } }, 'name'))).toEqual([0]);
  });

  test('an unknown key matches nothing', async () => {
    expect(expectJson(await scan({ operator: 5, literal: literal('1') }, 'nothing/at all'))).toEqual([]);
  });

  test.each([
    ['no literal', { operator: 0 }],
    ['a null literal', { operator: 0, literal: null }],
    ['a null value', { operator: 0, literal: { value: null, fullQualifiedTypeName: 'int' } }],
    ['no value', { operator: 0, literal: { fullQualifiedTypeName: 'int' } }],
    ['an unknown type', { operator: 0, literal: { value: '1', fullQualifiedTypeName: 'Foo' } }],
    ['an array type', { operator: 0, literal: { value: '1', fullQualifiedTypeName: 'System.Single[]' } }],
    ['a value that is none of its type', { operator: 0, literal: { value: 'x', fullQualifiedTypeName: 'int' } }],
    [
      'an unknown resultType',
      { operator: 0, literal: { value: '1', fullQualifiedTypeName: 'int' }, resultType: 'All' },
    ],
    [
      'a resultType that is a number',
      { operator: 0, literal: { value: '1', fullQualifiedTypeName: 'int' }, resultType: 0 },
    ],
    ['an operator that is a word', { operator: 'Equals', literal: { value: '1', fullQualifiedTypeName: 'int' } }],
    ['null', null],
  ])('%s is 400', async (_, body) => {
    expectProblem(await scan(body), 400);
  });
});

describe('POST /scan/graph/properties', () => {
  const search = (json: unknown) => service.call('POST', '/scan/graph/properties', { json });

  test.each([
    ['alice', [0]],
    ['BOB', [1]],
    ['30', [1, 2, 3, 6]],
    ['rue', [2]],
    ['0.5', [4]],
    ['02/03/2001', [3]],
    ['nothing', []],
  ])('%s finds %j', async (searchTerm, expected) => {
    expect(expectJson(await search({ searchTerm }))).toEqual(expected);
  });

  test('label and resultType restrict', async () => {
    expect(expectJson(await search({ searchTerm: '30', label: 'person' }))).toEqual([1, 3, 6]);
    expect(expectJson(await search({ searchTerm: '30', resultType: 'Edges' }))).toEqual([6]);
    expect(expectJson(await search({ searchTerm: '30', resultType: 'Vertices' }))).toEqual([1, 2, 3]);
  });

  test.each([{}, { searchTerm: null }, { searchTerm: '' }, { searchTerm: ' \n' }, { searchTerm: 5 }, null])(
    'the body %j is 400',
    async (body) => {
      expectProblem(await search(body), 400, 'One or more validation errors occurred.');
    },
  );
});

test("the sample graph answers as the contract's vectors say", async () => {
  await service.call('PUT', '/ns/sample');
  await service.call('PUT', '/ns/sample/unittest');
  const literal = { value: 'Trent', fullQualifiedTypeName: 'String' };
  const scan = await service.call('POST', '/ns/sample/scan/graph/property/name', { json: { operator: 0, literal } });
  expect(expectJson(scan)).toEqual([4]);
  const search = await service.call('POST', '/ns/sample/scan/graph/properties', {
    json: { searchTerm: 'trent', resultType: 'Vertices' },
  });
  expect(expectJson(search)).toEqual([4]);
});
