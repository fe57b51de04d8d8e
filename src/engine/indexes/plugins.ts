// The kinds of index by the names of the contract: what each can do, and what its creation options say. A new kind is a line here.

import { embeddingName } from '../../core/embeddings.ts';
import { IndexKind } from '../../core/indexes.ts';
import { TypeId } from '../../core/values.ts';
import { definitionText, maxDimension, vectorMetrics } from '../../core/vectors.ts';
import { mostNameCharacters } from '../names.ts';

export type Capability = 'equality' | 'range' | 'fulltext' | 'vector' | 'spatial';

/** Creation options by their names, which are case-sensitive. */
export type IndexOptions = ReadonlyMap<string, { readonly type: TypeId; readonly text: string }>;

interface IndexPlugin {
  readonly kind: number;
  readonly pluginType: string;
  /** In the order of the contract's list. */
  readonly capabilities: readonly Capability[];
  /** False: only the engine's own callers can create one, because its keys have no text form. */
  readonly overHttp: boolean;
  /** The definition that the core keeps, null for none; undefined refuses the options. */
  readonly define: (options: IndexOptions) => string | null | undefined;
}

const noOptions = (): null => null;

const digits = /^\s*\+?\d{1,9}\s*$/;
/** Types that can name a number of components; a text counts by what it says, as callers with texts only send it. */
const whole: ReadonlySet<TypeId> = new Set([
  ...[TypeId.byte, TypeId.sbyte, TypeId.int16, TypeId.uint16, TypeId.int32, TypeId.uint32, TypeId.int64, TypeId.uint64],
  TypeId.string,
]);

/**
 * `dimension` is required and a whole number, by its type or as a text; the others are texts (contract part 1, VectorIndex
 * creation options).
 */
function defineVector(options: IndexOptions): string | undefined {
  if (vectorFlaw(options) !== null) return undefined;
  const components = Number(options.get('dimension')?.text);
  const metric = vectorMetrics.find((one) => one === options.get('metric')?.text) ?? 'Cosine';
  const name = options.get('embeddingName')?.text ?? null;
  const model = options.get('model')?.text ?? null;
  return definitionText({ dimension: components, metric, embeddingName: name, model });
}

const plugins: readonly IndexPlugin[] = [
  {
    ...{ kind: IndexKind.dictionary, pluginType: 'DictionaryIndex', capabilities: ['equality'], overHttp: true },
    define: noOptions,
  },
  {
    ...{ kind: IndexKind.range, pluginType: 'RangeIndex', capabilities: ['equality', 'range'], overHttp: true },
    define: noOptions,
  },
  {
    ...{ kind: IndexKind.regex, pluginType: 'RegExIndex', capabilities: ['equality', 'fulltext'], overHttp: true },
    define: noOptions,
  },
  {
    ...{ kind: IndexKind.single, pluginType: 'SingleValueIndex', capabilities: ['equality'], overHttp: true },
    define: noOptions,
  },
  {
    ...{ kind: IndexKind.spatial, pluginType: 'SpatialIndex', capabilities: ['spatial'], overHttp: false },
    define: noOptions,
  },
  {
    ...{ kind: IndexKind.vector, pluginType: 'VectorIndex', capabilities: ['vector'], overHttp: true },
    define: defineVector,
  },
];

const byType = new Map(plugins.map((plugin) => [plugin.pluginType, plugin]));
const byKind = new Map(plugins.map((plugin) => [plugin.kind, plugin]));

/** Names for `availableIndexPlugins`. */
export const indexPlugins: readonly string[] = plugins.map(({ pluginType }) => pluginType);

export function pluginOf(pluginType: string): IndexPlugin | undefined {
  return byType.get(pluginType);
}

/** Whether an index may have the name: all of them are in every answer of `GET /status`, and their models. */
export function isIndexName(name: string): boolean {
  return name.length <= mostNameCharacters;
}

/** Why an index of a free name is not created over HTTP, in words. */
export function creationFlaw(name: string, pluginType: string, options: IndexOptions): string {
  if (!isIndexName(name)) return `A name has at most ${mostNameCharacters} characters.`;
  const plugin = byType.get(pluginType);
  const known = plugins.filter(({ overHttp }) => overHttp).map((one) => one.pluginType);
  if (plugin === undefined) return `There is no plugin type '${pluginType}'; there are ${known.join(', ')}.`;
  if (!plugin.overHttp) return `A ${pluginType} is not created over HTTP: its keys have no text form.`;
  return (plugin.kind === IndexKind.vector ? vectorFlaw(options) : null) ?? 'The namespace has no room for it.';
}

/** Names of options that an index of this kind does not look at; none where they are refused, which says what was given. */
export function ignoredOptions(pluginType: string, options: IndexOptions): string[] {
  const plugin = byType.get(pluginType);
  if (plugin === undefined || plugin.define(options) === undefined) return [];
  const read = plugin.kind === IndexKind.vector ? ['dimension', ...textOptions] : [];
  return [...options.keys()].filter((name) => !read.includes(name));
}

const textOptions = ['metric', 'embeddingName', 'model'];

/** What of the options a VectorIndex does not take; null when it takes them. */
function vectorFlaw(options: IndexOptions): string | null {
  const dimension = options.get('dimension');
  if (dimension === undefined) {
    const given = options.size === 0 ? 'none is given' : `given are ${[...options.keys()].join(', ')}`;
    return `A VectorIndex needs the option dimension; ${given}, and names are case-sensitive.`;
  }
  if (!whole.has(dimension.type) || !digits.test(dimension.text)) return 'The option dimension is no whole number.';
  const components = Number(dimension.text);
  if (components < 1 || components > maxDimension) return `The option dimension takes 1 to ${maxDimension}.`;
  for (const name of textOptions) {
    const option = options.get(name);
    if (option !== undefined && option.type !== TypeId.string) return `The option ${name} is no System.String.`;
  }
  const metric = options.get('metric')?.text;
  if (metric !== undefined && !vectorMetrics.some((one) => one === metric)) {
    return `The option metric takes ${vectorMetrics.join(', ')}, not '${metric}'.`;
  }
  if ((options.get('model')?.text.length ?? 0) > mostNameCharacters) {
    return `The option model has at most ${mostNameCharacters} characters.`;
  }
  const name = options.get('embeddingName')?.text;
  if (name === undefined || embeddingName.test(name)) return null;
  return 'The option embeddingName takes 1 to 64 letters, digits, - and _.';
}

/** Name of a kind; a number this version does not know is its own name. */
export function pluginTypeOf(kind: number): string {
  return byKind.get(kind)?.pluginType ?? `Kind${kind}`;
}

export function capabilitiesOf(kind: number): readonly Capability[] {
  return byKind.get(kind)?.capabilities ?? [];
}
