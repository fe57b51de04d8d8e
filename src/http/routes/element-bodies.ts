// The bodies of element writes. What a type name or a value text means is not decided here: routes answer it differently.

import { z } from 'zod';
import type { BodyLimits } from '../bodies.ts';
import { Problem } from '../problems.ts';
import {
  foldNames,
  id,
  integer,
  longList,
  notBlank,
  optionalText,
  placeholder,
  record,
  standsFor,
} from '../schemas.ts';

/** The largest value of Http:MaxProperties. */
const maxProperties = 100_000;
const unixSeconds = integer(0, 2 ** 32 - 1).meta({ description: 'Seconds since 1970, UTC.' });

const value = {
  propertyValue: placeholder(z.string().meta({ description: 'The value as text, by invariant culture.' }), '1000'),
  fullQualifiedTypeName: placeholder(
    notBlank.meta({ description: 'One of the 18 types, such as System.String.' }),
    'System.Int32',
  ),
};

export const property = record({ propertyId: placeholder(notBlank, 'cacheSize'), ...value }).meta({
  id: 'PropertySpecification',
  description: 'An omitted member takes its default.',
});

/** The property whose key stands in the path. */
export const namedProperty = record({
  propertyId: notBlank.optional().meta({ description: 'Not used: the key is that of the path.' }),
  ...value,
}).meta({ id: 'NamedPropertySpecification', description: 'The value of a property whose key stands in the path.' });

/** A typed value without a key, as indexes take them. */
export const keyValue = record(value).meta({
  id: 'TypedValue',
  description: 'A typed value, such as a key of an index.',
});

const elementMembers = {
  creationDate: unixSeconds.default(0),
  label: optionalText,
  properties: longList(property, maxProperties).nullable().default(null),
};

export const vertex = record(elementMembers).meta({
  id: 'VertexSpecification',
  description: 'A vertex to be created.',
});

export const edge = record({ sourceVertex: id, targetVertex: id, edgePropertyId: notBlank, ...elementMembers }).meta({
  id: 'EdgeSpecification',
  description: 'An edge to be created; edgePropertyId is its type.',
});

/** Refuses an element with more properties than Http:MaxProperties. */
export function refuseManyProperties(value: unknown, { properties: most }: BodyLimits): void {
  if (typeof value !== 'object' || value === null) return;
  for (const name in value) {
    if (name.length !== 'properties'.length || name.toLowerCase() !== 'properties') continue;
    const list = (value as Record<string, unknown>)[name];
    if (!Array.isArray(list) || list.length <= most) continue;
    const detail = `An element has ${list.length} properties; at most the ${most} of Http:MaxProperties are taken.`;
    throw new Problem('bodyTooLarge', detail);
  }
}

export type PropertyBody = z.infer<typeof property>;
export type VertexBody = z.infer<typeof vertex>;
export type EdgeBody = z.infer<typeof edge>;

/** One item of `PUT /graphelements/properties`; a removal needs no value, whatever stands in its place. */
const setting = z
  .object({ graphElementId: id, propertyId: notBlank, ...value, remove: z.boolean().default(false) })
  .meta({ id: 'PropertyChange', description: 'Sets a property of an element, or removes it.' });
const removal = setting.pick({ graphElementId: true, propertyId: true });
export type Change = z.infer<typeof setting>;

export const change = standsFor(
  setting,
  z.preprocess(
    foldNames(Object.keys(setting.shape)),
    z.unknown().transform((item, context): Change => {
      const removes = typeof item === 'object' && item !== null && (item as { remove?: unknown }).remove === true;
      const result = (removes ? removal : setting).safeParse(item);
      if (result.success) return { propertyValue: '', fullQualifiedTypeName: '', remove: removes, ...result.data };
      for (const { message, path } of result.error.issues) context.addIssue({ code: 'custom', message, path });
      return z.NEVER;
    }),
  ),
);
