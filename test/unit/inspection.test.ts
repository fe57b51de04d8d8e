// Every default of every body in the table is either a placeholder, of which a request is warned, or the default of an option.

import { expect, test } from 'vitest';
import type { z } from 'zod';
import { routes } from '../../src/http/routes.ts';
import { isPlaceholder, shownFor } from '../../src/http/schemas.ts';

function* defaultsOf(schema: z.ZodType, name: string, seen: Set<z.ZodType>): Generator<[string, z.ZodType]> {
  if (seen.has(schema)) return;
  seen.add(schema);
  const shown = shownFor(schema);
  if (shown !== undefined) yield* defaultsOf(shown, name, seen);
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  if (def.type === 'default') yield [name, schema];
  if (def.type === 'object') {
    for (const [member, inner] of Object.entries(def.shape)) yield* defaultsOf(inner as z.ZodType, member, seen);
  }
  if (def.type === 'array') yield* defaultsOf(def.element as z.ZodType, name, seen);
  if (def.type === 'record') yield* defaultsOf(def.valueType as z.ZodType, name, seen);
  if (def.type === 'pipe') yield* defaultsOf(def.out as z.ZodType, name, seen);
  if ('innerType' in def) yield* defaultsOf(def.innerType as z.ZodType, name, seen);
}

test('defaults that stand for data are placeholders, the others are those of options', () => {
  const placeholders = new Set<string>();
  const options = new Set<string>();
  for (const { body } of routes) {
    if (body === undefined) continue;
    for (const [name, schema] of defaultsOf(body.schema, '$', new Set())) {
      const value = schema.parse(undefined);
      if (isPlaceholder(schema)) placeholders.add(`${name} ${value}`);
      else if (value !== null && value !== false) options.add(`${name} ${value}`);
    }
  }
  expect([...placeholders].sort()).toEqual([
    'distance 0',
    'fullQualifiedTypeName System.Int32',
    'graphElementId 0',
    'k 0',
    'pluginType DictionaryIndex',
    'propertyId cacheSize',
    'propertyValue 1000',
    'uniqueId indexService1',
  ]);
  expect([...options].sort()).toMatchInlineSnapshot(`
    [
      "creationDate 0",
      "edges ",
      "embed true",
      "k 10",
      "maxResults 65535",
      "name default",
      "operator 0",
      "pathAlgorithmName BLS",
      "purpose assist",
      "resultType Both",
      "resultType Vertices",
      "startServices true",
      "vertices ",
      "window 0",
    ]
  `);
});
