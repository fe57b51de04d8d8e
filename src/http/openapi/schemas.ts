// The schemas of routes as JSON Schema. One that has a name (`.meta({ id })`) stands once, among the document's components, and is
// referred to from everywhere else.

import { z } from 'zod';
import { shownFor } from '../schemas.ts';

type Json = Record<string, unknown>;

const local = '#/$defs/';
const shared = '#/components/schemas/';

export class Schemas {
  private readonly named = new Map<string, Json>();

  /** What a client sends. */
  input(schema: z.ZodType): Json {
    return this.convert(schema, 'input');
  }

  /** What the service answers. */
  output(schema: z.ZodType): Json {
    return this.convert(schema, 'output');
  }

  /** A schema that is written down as it is, under a name. */
  add(name: string, schema: Json): Json {
    const known = this.named.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas are called ${name}.`);
    }
    this.named.set(name, schema);
    return { $ref: shared + name };
  }

  /** All schemas with a name, by it. */
  components(): Json {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private convert(schema: z.ZodType, io: 'input' | 'output'): Json {
    // Inside of an object, because a schema that is the root of a conversion is never referred to.
    const converted = z.toJSONSchema(z.object({ root: schema }), {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        delete jsonSchema.id;
        const preset = io === 'input' ? presetOf(zodSchema as unknown as z.ZodType) : undefined;
        if (preset !== undefined) jsonSchema.default = preset;
        const shown = shownFor(zodSchema as unknown as z.ZodType);
        if (shown !== undefined) Object.assign(jsonSchema, this.convert(shown, io));
      },
    }) as unknown as { properties: { root: Json }; $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries(converted.$defs ?? {})) this.add(name, refer(definition));
    return refer(converted.properties.root);
  }
}

/** What stands for a member left out. A conversion of what is put in leaves it away where texts of numbers are taken too. */
function presetOf(schema: z.ZodType): unknown {
  const { def } = schema._zod;
  return def.type === 'default' ? (def as z.core.$ZodDefaultDef).defaultValue : z.globalRegistry.get(schema)?.default;
}

/** References that point into the document's components. */
function refer<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(`"${local}`, `"${shared}`));
}
