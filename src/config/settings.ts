// Raw texts of all sources made into the values of the catalogue. An invalid value stops the start with a message that names key,
// value, source and what was expected; unknown keys and values that fall back to their default are told to the caller.

import { aliases, catalogue, type SettingKey, type Settings, settingsRoot } from './catalogue.ts';
import type { Setting } from './kinds.ts';
import type { RawSetting } from './sources.ts';

/** A value that its key does not take. (@testonly: a start shows the message of whatever it catches.) */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}

export interface ReadSettings {
  readonly settings: Settings;
  /** One sentence for each unknown key and each value that was replaced by its default. */
  readonly warnings: readonly string[];
}

const keys = Object.keys(catalogue) as SettingKey[];
const keyByName = new Map<string, SettingKey>(keys.map((key) => [key.toLowerCase(), key]));
for (const [alias, key] of Object.entries(aliases)) keyByName.set(alias.toLowerCase(), key);

/** The settings of `sources`, later ones before earlier ones; throws InvalidSetting. */
export function readSettings(sources: readonly RawSetting[]): ReadSettings {
  const warnings: string[] = [];
  const texts = new Map<SettingKey, RawSetting>();
  const lists = new Map<SettingKey, Map<number, RawSetting>>();
  for (const raw of sources) {
    const name = raw.key.toLowerCase();
    const key = keyByName.get(name);
    if (key !== undefined) {
      texts.set(key, raw);
      continue;
    }
    const [, listName = '', index = ''] = /^(.*):(\d{1,4})$/.exec(name) ?? [];
    const listKey = keyByName.get(listName);
    if (listKey !== undefined && settingOf(listKey).list) {
      const items = lists.get(listKey) ?? new Map<number, RawSetting>();
      lists.set(listKey, items.set(Number(index), raw));
    } else {
      warnings.push(`Unknown setting ${settingsRoot}:${raw.key} (${raw.source}) is ignored.`);
    }
  }
  for (const [key, items] of lists) texts.set(key, joinItems(items));
  const values = keys.map((key) => [key, readValue(key, texts.get(key), warnings)] as const);
  return { settings: Object.fromEntries(values) as unknown as Settings, warnings };
}

function joinItems(items: Map<number, RawSetting>): RawSetting {
  const ordered = [...items].sort(([a], [b]) => a - b).map(([, raw]) => raw);
  return { ...(ordered[0] as RawSetting), text: ordered.map((raw) => raw.text).join(',') };
}

function readValue(key: SettingKey, raw: RawSetting | undefined, warnings: string[]): unknown {
  const setting = settingOf(key);
  if (raw === undefined) return setting.initial;
  const result = setting.schema.safeParse(raw.text);
  if (result.success) return result.data;
  if (raw.text.trim() === '') return setting.initial;
  const shown = setting.secret ? 'the given value' : JSON.stringify(raw.text);
  const problem = `${settingsRoot}:${key} is ${shown} (${raw.source}), expected ${setting.expected}`;
  if (!setting.resets || !(Number(raw.text) <= 0)) throw new InvalidSetting(`${problem}.`);
  warnings.push(`${problem}; its default ${String(setting.initial)} is used.`);
  return setting.initial;
}

function settingOf(key: SettingKey): Setting<unknown> {
  return catalogue[key] as Setting<unknown>;
}
