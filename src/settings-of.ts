// Settings as a program writes them down: an object of keys and values, in place of files, variables and flags.

import { settingsRoot } from './config/catalogue.ts';
import { Configuration } from './config/configuration.ts';
import { readSettings } from './config/settings.ts';

/** By key, with or without the root: `{ 'Durability:Volatile': true }`. */
export type SettingValues = Readonly<Record<string, string | number | boolean>>;

/** Every other setting has its default. Throws InvalidSetting, for a key that there is not too: in a program that is a mistake. */
export function settingsOf(values: SettingValues): Configuration {
  const root = `${settingsRoot}:`;
  const sources = Object.entries(values).map(([name, value]) => {
    const key = name.startsWith(root) ? name.slice(root.length) : name;
    return { key, text: String(value), source: 'the program' };
  });
  readSettings(sources, true);
  return new Configuration(sources);
}
