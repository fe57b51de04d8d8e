// The kinds of index by the names of the contract: what each can do, and what its creation options say. A new kind is a line here.

import { IndexKind } from '../../core/indexes.ts';
import type { TypeId } from '../../core/values.ts';

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
];

const byType = new Map(plugins.map((plugin) => [plugin.pluginType, plugin]));
const byKind = new Map(plugins.map((plugin) => [plugin.kind, plugin]));

/** Names for `availableIndexPlugins`. */
export const indexPlugins: readonly string[] = plugins.map(({ pluginType }) => pluginType);

export function pluginOf(pluginType: string): IndexPlugin | undefined {
  return byType.get(pluginType);
}

/** Name of a kind; a number this version does not know is its own name. */
export function pluginTypeOf(kind: number): string {
  return byKind.get(kind)?.pluginType ?? `Kind${kind}`;
}

export function capabilitiesOf(kind: number): readonly Capability[] {
  return byKind.get(kind)?.capabilities ?? [];
}
