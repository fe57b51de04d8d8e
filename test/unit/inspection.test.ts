// Every default of every body in the table is either a placeholder, of which a request is warned, or the default of an option.

import { expect, test } from 'vitest';
import type { z } from 'zod';
import { inspectionOf } from '../../src/http/inspection.ts';
import { allRoutes } from '../../src/http/routes.ts';
import { isPlaceholder, shownFor } from '../../src/http/schemas.ts';
import { Warnings } from '../../src/http/warnings.ts';

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

test('defaults that stand for data are placeholders, the others are those of options', async () => {
  const placeholders = new Set<string>();
  const options = new Set<string>();
  for (const { body } of await allRoutes()) {
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
      "after -1",
      "creationDate 0",
      "direction out",
      "edges ",
      "embed true",
      "k 10",
      "limit 25",
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

type Shape = Readonly<Record<string, z.ZodType>>;

/** Every object of a schema with its place in a body, and what makes a body of a value at that place. Objects within themselves once. */
function* objectsOf(
  schema: z.ZodType,
  at: string,
  whole: (value: unknown) => unknown,
  above: readonly z.ZodType[],
): Generator<{ at: string; shape: Shape; whole: (value: unknown) => unknown }> {
  const shown = shownFor(schema);
  if (shown !== undefined) return yield* objectsOf(shown, at, whole, above);
  if (above.includes(schema)) return;
  const below = [...above, schema];
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  const inner = (next: z.ZodType, place: string, wrap: (value: unknown) => unknown) =>
    objectsOf(next, place, (value) => whole(wrap(value)), below);
  const dot = at === '' ? '' : `${at}.`;
  if (def.type === 'object') {
    if (def.catchall !== undefined) return;
    yield { at, shape: def.shape as Shape, whole };
    for (const [name, member] of Object.entries(def.shape as Shape))
      yield* inner(member, `${dot}${name}`, (value) => ({ [name]: value }));
  } else if (def.type === 'array') yield* inner(def.element as z.ZodType, `${at}[0]`, (value) => [value]);
  else if (def.type === 'record') yield* inner(def.valueType as z.ZodType, `${dot}any`, (value) => ({ any: value }));
  else if (def.type === 'pipe') yield* inner(def.out as z.ZodType, at, (value) => value);
  else if ('innerType' in def) yield* inner(def.innerType as z.ZodType, at, (value) => value);
}

test('every object of every body warns of a member it does not know, and of each placeholder it puts in', async () => {
  let [objects, placeholders] = [0, 0];
  for (const { method, path, body } of await allRoutes()) {
    if (body === undefined) continue;
    const inspect = inspectionOf(body.schema);
    for (const { at, shape, whole } of objectsOf(body.schema, '', (value) => value, [])) {
      const dot = at === '' ? '' : `${at}.`;
      const warnings = new Warnings();
      inspect?.(whole({ nobodyReadsThis: 1 }), '', warnings);
      const said = new Set(
        (JSON.parse(warnings.toHeader()) as { code: string; at: string }[]).map((one) => `${one.code} ${one.at}`),
      );
      const where = `${method} ${path} ${at}`;
      expect(said, where).toContain(`ignoredMember ${dot}nobodyReadsThis`);
      objects++;
      for (const [name, schema] of Object.entries(shape)) {
        expect(said.has(`placeholder ${dot}${name}`), `${where} ${name}`).toBe(isPlaceholder(schema));
        if (isPlaceholder(schema)) placeholders++;
      }
    }
  }
  expect(objects).toBeGreaterThan(50);
  expect(placeholders).toBeGreaterThan(15);
});

/** A value of the schema without any member that has a placeholder, whose places go to `places`; undefined: nothing has to be there. */
function bareValue(schema: z.ZodType, at: string, places: string[]): unknown {
  const shown = shownFor(schema);
  if (shown !== undefined) return bareValue(shown, at, places);
  if (isPlaceholder(schema)) {
    places.push(at);
    return undefined;
  }
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return bareValue(def.innerType as z.ZodType, at, places);
  if (def.type === 'pipe') return bareValue(def.out as z.ZodType, at, places);
  if (def.type === 'array') return [bareValue(def.element as z.ZodType, `${at}[0]`, places)];
  if (def.type === 'record') return { x: bareValue(def.valueType as z.ZodType, `${at}.x`, places) };
  if (def.type !== 'object') return undefined;
  const members = Object.entries(def.shape).map(([name, inner]) => {
    return [name, bareValue(inner as z.ZodType, at === '' ? name : `${at}.${name}`, places)];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

test('a request that leaves them all out is warned of every placeholder of every route', async () => {
  const silent: Record<string, string[]> = {};
  for (const { method, path, body } of await allRoutes()) {
    if (body === undefined) continue;
    const places: string[] = [];
    const value = bareValue(body.schema, '', places);
    if (places.length === 0) continue;
    silent[`${method} ${path}`] = places;
    const warnings = new Warnings();
    inspectionOf(body.schema)?.(value, '', warnings);
    const told = JSON.parse(warnings.toHeader()).filter(({ code }: { code: string }) => code === 'placeholder');
    expect(told.map(({ at }: { at: string }) => at).sort(), path).toEqual(places.sort());
  }
  expect(silent).toMatchInlineSnapshot(`
    {
      "DELETE /index/:indexId/propertyValue": [
        "fullQualifiedTypeName",
        "propertyValue",
      ],
      "POST /index": [
        "pluginOptions.x.fullQualifiedTypeName",
        "pluginOptions.x.propertyValue",
        "pluginType",
        "uniqueId",
      ],
      "POST /scan/index/spatial": [
        "distance",
        "graphElementId",
      ],
      "POST /scan/index/vector": [
        "k",
      ],
      "POST /service": [
        "pluginOptions.x.fullQualifiedTypeName",
        "pluginOptions.x.propertyValue",
        "pluginType",
        "uniqueId",
      ],
      "PUT /edge": [
        "properties[0].fullQualifiedTypeName",
        "properties[0].propertyId",
        "properties[0].propertyValue",
      ],
      "PUT /edges": [
        "[0].properties[0].fullQualifiedTypeName",
        "[0].properties[0].propertyId",
        "[0].properties[0].propertyValue",
      ],
      "PUT /graphelement/:id/:propertyId": [
        "fullQualifiedTypeName",
        "propertyValue",
      ],
      "PUT /graphelements/properties": [
        "[0].fullQualifiedTypeName",
        "[0].propertyValue",
      ],
      "PUT /index/:indexId": [
        "graphElementId",
        "key.fullQualifiedTypeName",
        "key.propertyValue",
      ],
      "PUT /index/vector/:indexId": [
        "graphElementId",
      ],
      "PUT /vertex": [
        "properties[0].fullQualifiedTypeName",
        "properties[0].propertyId",
        "properties[0].propertyValue",
      ],
      "PUT /vertices": [
        "[0].properties[0].fullQualifiedTypeName",
        "[0].properties[0].propertyId",
        "[0].properties[0].propertyValue",
      ],
    }
  `);
});
