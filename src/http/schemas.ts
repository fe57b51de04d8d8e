// The bodies of part 1 as schemas. Member names match in any case, unknown members are ignored, numbers may come as quoted
// strings, and omitted members of a property take their placeholders (reference 1.1). What a type name or a value text means is
// not decided here: routes answer it differently.

import { z } from 'zod';
import { isPlainEdge, isPlainId, isPlainVertex, type ListSchema, unlessPlain } from './plain-bodies.ts';

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const maxUint32 = 2 ** 32 - 1;

/** Most ids `POST /graphelements/get` takes. */
export const maxElementsOfGet = 100_000;
/** Most properties that one element is created with. */
const maxProperties = 100_000;
/** Most options, parameters or steps of one request. */
const maxEntries = 1000;
/** What is listed of one list's faults before the rest of it is left alone. */
const maxFaults = 100;

export function integer(minimum: number, maximum: number): z.ZodType<number> {
  const inRange = z.number().int().min(minimum).max(maximum);
  const quoted = z
    .string()
    .regex(/^[+-]?\d{1,20}$/)
    .transform(Number)
    .pipe(inRange);
  return z.union([inRange, quoted], { error: `Expected a whole number from ${minimum} to ${maximum}.` });
}

/** A finite number, or its text. */
export const number = z.union(
  [
    z.number(),
    z
      .string()
      .regex(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/)
      .transform(Number)
      .pipe(z.number()),
  ],
  { error: 'Expected a number.' },
);

/** An id, or any other whole number of 32 bits. */
export const id = integer(int32.minimum, int32.maximum);
const unixSeconds = integer(0, maxUint32);

export const notBlank = z.string().refine((text) => text.trim() !== '', 'The field may not be blank.');
export const optionalText = z.string().nullable().default(null);

/** An object whose member names match in any case; a later member of the same name wins. */
export function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(foldNames(Object.keys(shape)), z.object(shape));
}

/** Gives the members of an object the spelling of `names`; an object that has it already stays as it is. */
function foldNames(names: readonly string[]): (value: unknown) => unknown {
  const exact = new Set(names);
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    for (const name in value) {
      if (!exact.has(name) && byLowerCase.has(name.toLowerCase())) return renamed(value, byLowerCase);
    }
    return value;
  };
}

function renamed(value: object, names: Map<string, string>): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const known = names.get(name.toLowerCase());
    if (known !== undefined) members[known] = member;
  }
  return members;
}

/** `schema` for a list or an object of at most `most` entries. A longer one is refused before any of them is looked at. */
export function atMost<Schema extends z.ZodType>(schema: Schema, most: number = maxEntries) {
  return z.preprocess((value, context) => {
    if (typeof value !== 'object' || value === null) return value;
    const entries = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (entries <= most) return value;
    context.addIssue(`Has ${entries} entries; at most ${most} are taken.`);
    return z.NEVER;
  }, schema);
}

/** A list that may be long: when enough is wrong with its items, the rest is not looked at. */
export function longList<Item>(item: z.ZodType<Item>, most: number): z.ZodType<Item[]> {
  return z.unknown().transform((value, context) => {
    if (!Array.isArray(value) || value.length > most) {
      context.addIssue(Array.isArray(value) ? `At most ${most} items are taken.` : 'Expected an array.');
      return z.NEVER;
    }
    const items: Item[] = [];
    let faults = 0;
    for (let i = 0; i < value.length && faults < maxFaults; i++) {
      const result = item.safeParse(value[i]);
      if (result.success) items.push(result.data);
      else faults += addIssues(context, result.error.issues, i);
    }
    return faults === 0 ? items : z.NEVER;
  }) as unknown as z.ZodType<Item[]>;
}

function addIssues(context: z.RefinementCtx, issues: readonly z.core.$ZodIssue[], index: number): number {
  for (const { message, path } of issues) context.addIssue({ code: 'custom', message, path: [index, ...path] });
  return issues.length;
}

export const property = record({
  propertyId: notBlank.default('cacheSize'),
  propertyValue: z.string().default('1000'),
  fullQualifiedTypeName: notBlank.default('System.Int32'),
});

const properties = longList(property, maxProperties).nullable().default(null);

const anyVertex = record({ creationDate: unixSeconds.default(0), label: optionalText, properties });

const anyEdge = record({
  sourceVertex: id,
  targetVertex: id,
  edgePropertyId: notBlank,
  creationDate: unixSeconds.default(0),
  label: optionalText,
  properties,
});

export type PropertyBody = z.infer<typeof property>;
export type VertexBody = z.infer<typeof anyVertex>;
export type EdgeBody = z.infer<typeof anyEdge>;

export const vertex = unlessPlain(anyVertex, isPlainVertex);
export const edge = unlessPlain(anyEdge, isPlainEdge);
export const vertices: ListSchema<VertexBody> = { item: anyVertex, isPlain: isPlainVertex };
export const edges: ListSchema<EdgeBody> = { item: anyEdge, isPlain: isPlainEdge };

/** One item of `PUT /graphelements/properties`; a removal needs no value, whatever stands in its place. */
const setting = z.object({
  graphElementId: id,
  propertyId: notBlank,
  propertyValue: z.string().default('1000'),
  fullQualifiedTypeName: notBlank.default('System.Int32'),
  remove: z.boolean().default(false),
});
const removal = setting.pick({ graphElementId: true, propertyId: true });
type Change = z.infer<typeof setting>;

const change = z.preprocess(
  foldNames(Object.keys(setting.shape)),
  z.unknown().transform((item, context): Change => {
    const removes = typeof item === 'object' && item !== null && (item as { remove?: unknown }).remove === true;
    const result = (removes ? removal : setting).safeParse(item);
    if (result.success) return { propertyValue: '', fullQualifiedTypeName: '', remove: removes, ...result.data };
    for (const { message, path } of result.error.issues) context.addIssue({ code: 'custom', message, path });
    return z.NEVER;
  }),
);

export const propertyChanges: ListSchema<Change> = { item: change };

export const ids: ListSchema<number> = { item: id, isPlain: isPlainId };
export const idsOfGet: ListSchema<number> = { ...ids, maxItems: maxElementsOfGet };

const resultTypes = ['Vertices', 'Edges', 'Both'] as const;
const resultType = z.string().transform((text, context) => {
  const known = resultTypes.find((one) => one.toLowerCase() === text.toLowerCase());
  if (known !== undefined) return known;
  context.addIssue(`Expected one of ${resultTypes.join(', ')}.`);
  return z.NEVER;
});

/** A missing type name means the text itself. */
const literal = record({ value: z.string(), fullQualifiedTypeName: optionalText });

export const propertyScan = record({
  operator: id.default(0),
  literal,
  label: optionalText,
  resultType: resultType.default('Vertices'),
});

export const textScan = record({ searchTerm: notBlank, label: optionalText, resultType: resultType.default('Both') });

const keyValue = record({
  propertyValue: z.string().default('1000'),
  fullQualifiedTypeName: notBlank.default('System.Int32'),
});

/** Creation options by name; names are case-sensitive. */
export const pluginSpecification = record({
  uniqueId: notBlank.default('indexService1'),
  pluginType: notBlank.default('DictionaryIndex'),
  pluginOptions: atMost(z.record(z.string(), keyValue).nullable()).default(null),
});

export const indexAdd = record({ graphElementId: id.default(0), key: keyValue });

export const indexKey = keyValue;

export const indexBackfill = record({
  propertyId: notBlank,
  replace: z.boolean().default(false),
  prefix: z.boolean().default(false),
  label: optionalText,
});

export const indexScan = record({
  indexId: notBlank,
  operator: id.default(0),
  literal,
  label: optionalText,
  resultType: resultType.default('Vertices'),
});

export const indexRange = record({
  indexId: notBlank,
  leftLimit: notBlank,
  rightLimit: notBlank,
  fullQualifiedTypeName: notBlank,
  includeLeft: z.boolean().default(false),
  includeRight: z.boolean().default(false),
  resultType: resultType.default('Vertices'),
});

export const indexFulltext = record({ indexId: notBlank, requestString: notBlank });

export const indexSpatial = record({
  indexId: notBlank,
  graphElementId: id.default(0),
  distance: number.default(0),
});

const policy = z.string().nullable().default(null);

/** Words and names are judged by the route, which has a title for each. */
export const namespacePatch = record({
  name: z.string().nullable().default(null),
  pluginRegistration: policy,
  loadOnStartup: policy,
});

/** What a location may be is judged by the engine, which knows the storage directory. */
export const saveSpecification = record({
  saveGameLocation: optionalText,
  savePartitions: integer(1, int32.maximum).nullable().default(null),
});

/** Services are not started before there are any. */
export const loadSpecification = record({ saveGameLocation: notBlank, startServices: z.boolean().default(true) });

/** Bounds are judged by src/queries/analytics, which knows them. */
export const analyticsSpecification = record({
  vertexLabel: optionalText,
  edgePropertyId: optionalText,
  direction: optionalText,
  maxIterations: number.nullable().default(null),
  epsilon: number.nullable().default(null),
  parameters: atMost(z.record(z.string(), number).nullable()).default(null),
  timeBudgetSeconds: number.nullable().default(null),
  maxResults: number.nullable().default(null),
  offset: integer(int32.minimum, int32.maximum).nullable().default(null),
  writeBack: z.boolean().nullable().default(null),
  writeBackPropertyKey: optionalText,
  weightPropertyId: optionalText,
});
