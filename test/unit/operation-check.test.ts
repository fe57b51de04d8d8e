// What a program gets that leaves a member of an operation out, or writes another type there.

import { describe, expect, test } from 'vitest';
import type { WriteOperation } from '../../src/core/requests.ts';
import { TypeId } from '../../src/core/values.ts';
import { embeddedGraph } from '../../src/embedded-graph.ts';
import { checkOperations, InvalidOperation } from '../../src/operation-check.ts';

const property = { key: 'name', type: TypeId.string, text: 'Ann' };

/** One of each kind, whole. */
const whole: { readonly [Kind in WriteOperation['kind']]: Extract<WriteOperation, { kind: Kind }> } = {
  createVertex: { kind: 'createVertex', creationDate: 0, label: null, properties: [property] },
  createEdge: {
    ...{ kind: 'createEdge', creationDate: 2 ** 32 - 1, source: 0, target: -1 },
    ...{ edgeType: 'knows', label: 'x', properties: [] },
  },
  setProperty: { kind: 'setProperty', element: 0, key: 'v', type: TypeId.singleArray, text: new Uint8Array(4) },
  removeProperty: { kind: 'removeProperty', element: 0, key: 'v' },
  removeElement: { kind: 'removeElement', element: 0, skipRemoved: false },
  erase: { kind: 'erase' },
  trim: { kind: 'trim' },
  createIndex: { kind: 'createIndex', index: 'i', indexKind: 1, definition: null },
  dropIndex: { kind: 'dropIndex', index: 'i' },
  clearIndex: { kind: 'clearIndex', index: 'i' },
  addToIndex: { kind: 'addToIndex', index: 'i', element: 0, type: TypeId.int32, text: '1' },
  removeFromIndex: { kind: 'removeFromIndex', index: 'i', element: 0 },
  removeIndexKey: { kind: 'removeIndexKey', index: 'i', type: TypeId.int32, text: '1' },
  putDocument: { kind: 'putDocument', documentKind: 1, name: 'a', text: 'b' },
  removeDocument: { kind: 'removeDocument', documentKind: 1, name: 'a' },
};

/** What is said of these operations; null when they are taken. */
function flawOf(...operations: unknown[]): string | null {
  try {
    checkOperations(operations as WriteOperation[]);
    return null;
  } catch (error) {
    if (error instanceof InvalidOperation) return error.message;
    throw error;
  }
}

const members = Object.values(whole).flatMap((operation) =>
  Object.keys(operation).map((name) => ({ operation, name })),
);

test('operations that are whole are taken', () => {
  expect(flawOf(...Object.values(whole))).toBeNull();
});

test.each(members)('$operation.kind says that $name is missing, or is another type', ({ operation, name }) => {
  const { [name as 'kind']: _, ...rest } = operation;
  expect(flawOf(whole.erase, rest)).toMatch(new RegExp(`^Operation \\[1\\]\\.${name} is missing[:;] `));
  expect(flawOf({ ...operation, [name]: { an: 'object' } })).toMatch(
    new RegExp(`^Operation \\[0\\]\\.${name} .*an object`),
  );
});

describe('the message', () => {
  test('names the place in a property, and the member that was written instead', () => {
    const { label: _, ...rest } = whole.createVertex;
    expect(flawOf({ ...rest, lable: 'p' })).toBe(
      "Operation [0].label is missing: 'createVertex' needs it, a string or null. There is 'lable', which 'createVertex' does not have.",
    );
    expect(flawOf({ ...whole.createVertex, properties: [property, { key: 'age', type: 'int', text: '7' }] })).toBe(
      'Operation [0].properties[1].type takes a member of TypeId, not "int".',
    );
    expect(flawOf({ ...whole.createVertex, properties: [{ ...property, text: 7 }] })).toBe(
      'Operation [0].properties[0].text takes a string, not 7.',
    );
    expect(flawOf({ ...whole.createVertex, properties: [null] })).toBe('Operation [0].properties[0] is no object.');
    expect(flawOf({ kind: 'creatVertex' })).toMatch(/\.kind is "creatVertex"; .* Did you mean 'createVertex'\?$/);
    expect(flawOf('erase')).toBe('Operation [0] is no object.');
  });

  test.each([-1, 1.5, 2 ** 32, Number.NaN, '0', null])('no moment of creation is %j', (creationDate) => {
    expect(flawOf({ ...whole.createVertex, creationDate })).toContain('a whole number from 0 to 4294967295, not ');
  });
});

test('a transaction is refused before the graph is asked', async () => {
  const graph = embeddedGraph(() => {
    throw new Error('The graph was asked.');
  });
  const short = [{ kind: 'createVertex', label: 'p' }] as unknown as WriteOperation[];
  await expect(graph.transact(short)).rejects.toThrow('Operation [0].creationDate is missing');
  await expect(graph.transact({} as unknown as WriteOperation[])).rejects.toThrow('A transaction is a list');
  await expect(graph.transact([whole.erase])).rejects.toThrow('The graph was asked.');
});
