// The bodies of part 1 as schemas. Member names match in any case, unknown members are ignored, numbers may come as quoted
// strings, and omitted members of a property take their placeholders (reference 1.1). What a type name or a value text means is
// not decided here: routes answer it differently.

import { z } from 'zod';
import { integerText, numberText } from '../config/number-text.ts';

// What a missing member and one of another kind are told, in our words; `a` before them, but for these.
const withAn = /^(?:object|array|int)/;
z.config({
  customError: ({ code, input, ...issue }) => {
    if (code !== 'invalid_type') return undefined;
    if (input === undefined) return 'Left out, and it has to be there.';
    const { expected } = issue as { expected: string };
    return `Expected ${withAn.test(expected) ? 'an' : 'a'} ${expected}.`;
  },
});

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** Most options, parameters or steps of one request. */
const maxEntries = 1000;
/** What is listed of one list's faults before the rest of it is left alone. */
const maxFaults = 100;

/** For schemas that read faster, or more, than a document can say: the one that says it. */
const documented = new WeakMap<z.ZodType, z.ZodType>();

/** `schema`, which the document shows as `shown`. */
export function standsFor<Schema extends z.ZodType>(shown: z.ZodType, schema: Schema): Schema {
  documented.set(schema, shown);
  return schema;
}

/** What the document shows instead of `schema`, if anything. */
export function shownFor(schema: z.ZodType): z.ZodType | undefined {
  return documented.get(schema);
}

const placeholders = new WeakSet<z.ZodType>();

/** `schema` with the contract's placeholder for a member left out: a value that nobody means, unlike the default of an option. */
export function placeholder<Schema extends z.ZodType>(schema: Schema, value: z.util.NoUndefined<z.output<Schema>>) {
  const withDefault = schema.default(value);
  placeholders.add(withDefault);
  return withDefault;
}

export function isPlaceholder(schema: z.ZodType): boolean {
  return placeholders.has(schema);
}

export function integer(minimum: number, maximum: number): z.ZodType<number> {
  const inRange = z.number().int().min(minimum).max(maximum);
  const quoted = z.string().regex(integerText).transform(Number).pipe(inRange);
  return z.union([inRange, quoted], { error: expected(`a whole number from ${minimum} to ${maximum}`) });
}

/** What is said of a value that is none of `what`, or is not there. */
function expected(what: string) {
  return ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? `Left out; it takes ${what}.` : `Expected ${what}.`;
}

/** A finite number, or its text. */
export const number = z.union([z.number(), z.string().regex(numberText).transform(Number).pipe(z.number())], {
  error: expected('a number'),
});

/** An id, or any other whole number of 32 bits. */
export const id = integer(int32.minimum, int32.maximum);

export const notBlank = z
  .string()
  .refine((text) => text.trim() !== '', 'The field may not be blank.')
  .meta({ pattern: '\\S' });
export const optionalText = z.string().nullable().default(null);

/** An object whose member names match in any case; a later member of the same name wins. */
export function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(foldNames(Object.keys(shape)), z.object(shape));
}

/** Gives the members of an object the spelling of `names`; an object that has it already stays as it is. */
export function foldNames(names: readonly string[]): (value: unknown) => unknown {
  const exact = new Set(names);
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  // No letter of another length folds to one of these names, and a body may have half a million others.
  const longest = Math.max(...names.map((name) => name.length));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    for (const name in value) {
      if (name.length <= longest && !exact.has(name) && byLowerCase.has(name.toLowerCase()))
        return renamed(value, byLowerCase);
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
  const schema = z.unknown().transform((value, context) => {
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
  return standsFor(z.array(item).max(most), schema);
}

function addIssues(context: z.RefinementCtx, issues: readonly z.core.$ZodIssue[], index: number): number {
  for (const { message, path } of issues) context.addIssue({ code: 'custom', message, path: [index, ...path] });
  return issues.length;
}

const resultTypes = ['Vertices', 'Edges', 'Both'] as const;
const anyResultType = z.string().transform((text, context) => {
  const known = resultTypes.find((one) => one.toLowerCase() === text.toLowerCase());
  if (known !== undefined) return known;
  context.addIssue(`Expected one of ${resultTypes.join(', ')}.`);
  return z.NEVER;
});
/** Which elements a scan finds; the words match in any case. */
export const resultType = standsFor(z.enum(resultTypes), anyResultType);

/** By their numbers (assembly/scan/compare.ts); other numbers match nothing. */
export const operators = ['Equals', 'Greater', 'GreaterOrEquals', 'Lower', 'LowerOrEquals', 'NotEquals'] as const;
export const operator = id.meta({
  description: `${operators.map((name, number) => `${name} ${number}`).join(', ')}.`,
});

/** A missing type name means the text itself. */
export const literal = record({ value: z.string(), fullQualifiedTypeName: optionalText }).meta({
  id: 'Literal',
  description: 'A typed value to compare with.',
});
