// Raw texts of all layers made into the values of the catalogue. An invalid value stops the start with a message that names key,
// value, source and what was expected; unknown keys and values that fall back to their default are told to the caller.

import { nearestOf } from '../words/nearest.ts';
import { aliases, catalogue, type SettingKey, type Settings, settingsRoot } from './catalogue.ts';
import type { Setting } from './kinds.ts';
import { type Layer, layers, type RawSetting } from './sources.ts';

/** A value that its key does not take. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}

export interface ReadSettings {
  readonly settings: Settings;
  /** The layer that names each key; a key that none names has its default. */
  readonly origins: ReadonlyMap<SettingKey, Layer>;
  /** One sentence for each unknown key and each value that was replaced by its default. */
  readonly warnings: readonly string[];
}

export const settingKeys = Object.keys(catalogue) as SettingKey[];
const keyByName = new Map<string, SettingKey>(settingKeys.map((key) => [key.toLowerCase(), key]));
for (const [alias, key] of Object.entries(aliases)) keyByName.set(alias.toLowerCase(), key);

const orderedPairs = [['Ingestion:ChunkMinChars', 'Ingestion:ChunkMaxChars']] as const;

/** What one layer says of a key: one text, or the items of a list by their index. */
interface Given {
  readonly layer: Layer;
  readonly items: Map<number, RawSetting> | null;
  readonly raw: RawSetting;
}

/** The settings of `sources`; throws InvalidSetting. Where `isStrict`, also for what would else be a warning. */
export function readSettings(sources: readonly RawSetting[], isStrict = false): ReadSettings {
  const warnings: string[] = [];
  const given = new Map<SettingKey, Given>();
  for (const raw of weakestFirst(sources)) {
    const layer = layerOf(raw);
    const { key, index } = addressOf(raw.key);
    if (key === null) warnings.push(unknownSetting(raw, layer, isStrict));
    else if (index === null) given.set(key, { layer, items: null, raw });
    else {
      // Whatever form a weaker layer gave a list in, this one replaces it.
      const before = given.get(key);
      const items = (before?.layer === layer ? before.items : null) ?? new Map<number, RawSetting>();
      given.set(key, { layer, items: items.set(index, raw), raw });
    }
  }
  const values = settingKeys.map(
    (key) => [key, readValue(key, textOf(given.get(key)), isStrict ? null : warnings)] as const,
  );
  return {
    settings: Object.fromEntries(values) as unknown as Settings,
    origins: new Map(Array.from(given, ([key, { layer }]) => [key, layer])),
    warnings,
  };
}

export function settingOf(key: SettingKey): Setting<unknown> {
  return catalogue[key] as Setting<unknown>;
}

/** What is wrong with settings together, each of which is right in itself: sentences. */
export function crossProblems(settings: Settings): string[] {
  return orderedPairs.flatMap(([less, greater]) => {
    if (settings[less] <= settings[greater]) return [];
    const values = `${settings[less]} is more than ${settings[greater]}`;
    return [`${settingsRoot}:${less} may not exceed ${settingsRoot}:${greater}, and ${values}.`];
  });
}

/** The key that a full name means, in any case, root included; null when there is none. */
export function keyOf(name: string): SettingKey | null {
  const root = `${settingsRoot}:`;
  if (!name.toLowerCase().startsWith(root.toLowerCase())) return null;
  return addressOf(name.slice(root.length).toLowerCase()).key;
}

/** Keys below it guard the service: a misspelt one would leave it open without a word. */
const guarded = 'security:';

/** The warning of a key that is none. Throws InvalidSetting where ignoring it is no choice; what is stored is never that. */
function unknownSetting(raw: RawSetting, layer: Layer, isStrict: boolean): string {
  const nearest = nearestOf(raw.key, settingKeys);
  const proposal = nearest === null ? '' : ` Did you mean ${settingsRoot}:${nearest}?`;
  const unknown = `Unknown setting ${settingsRoot}:${raw.key} (${raw.source})`;
  if (isStrict || (layer !== 'override' && raw.key.toLowerCase().startsWith(guarded)))
    throw new InvalidSetting(`${unknown}.${proposal}`);
  return `${unknown} is ignored.${proposal}`;
}

function layerOf(raw: RawSetting): Layer {
  return raw.layer ?? 'host';
}

function weakestFirst(sources: readonly RawSetting[]): RawSetting[] {
  const strength = (raw: RawSetting): number => layers.indexOf(layerOf(raw));
  return [...sources].sort((a, b) => strength(a) - strength(b));
}

/** The key that a name means, in any case, and its place in the list where it names one of its items. */
function addressOf(name: string): { key: SettingKey | null; index: number | null } {
  const lower = name.toLowerCase();
  const key = keyByName.get(lower);
  if (key !== undefined) return { key, index: null };
  const [, listName = '', index = ''] = /^(.*):(\d{1,4})$/.exec(lower) ?? [];
  const listKey = keyByName.get(listName);
  if (listKey === undefined || settingOf(listKey).kind !== 'array') return { key: null, index: null };
  return { key: listKey, index: Number(index) };
}

function textOf(given: Given | undefined): RawSetting | undefined {
  if (given === undefined || given.items === null) return given?.raw;
  const ordered = [...given.items].sort(([a], [b]) => a - b).map(([, raw]) => raw);
  return { ...(ordered[0] as RawSetting), text: ordered.map((raw) => raw.text).join(',') };
}

/** `warnings`: null where none is allowed. */
function readValue(key: SettingKey, raw: RawSetting | undefined, warnings: string[] | null): unknown {
  const setting = settingOf(key);
  if (raw === undefined) return setting.initial;
  const result = setting.schema.safeParse(raw.text);
  if (result.success) return result.data;
  if (raw.text.trim() === '') return setting.initial;
  // An address may have a key in it.
  const isHidden = setting.secret || setting.exclusion?.rule === 'R4';
  const shown = isHidden ? 'the given value' : JSON.stringify(raw.text);
  const problem = `${settingsRoot}:${key} takes ${setting.expected}, not ${shown} (${raw.source})`;
  if (warnings === null || !setting.resets || !(Number(raw.text) <= 0)) throw new InvalidSetting(`${problem}.`);
  warnings.push(`${problem}; its default ${String(setting.initial)} is used.`);
  return setting.initial;
}
