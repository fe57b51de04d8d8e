// Capabilities of the contract that this version has not, with the settings that are theirs. They are known, checked and listed like all
// others, but a start says that they do nothing: silence would look like success. Whoever builds one takes its line away.

import { type SettingKey, settingsRoot } from './catalogue.ts';

/** By the beginning of their keys; a key of its own needs no colon behind it. */
const unbuilt: readonly (readonly [prefix: string, reason: string])[] = [['Integrations', 'there are no integrations']];

/** One sentence for each capability that is configured and not there. `given`: the keys that some source names. */
export function unbuiltWarnings(given: Iterable<SettingKey>): string[] {
  const keys = [...given];
  return unbuilt.flatMap(([prefix, reason]) => {
    const named = keys.filter((key) => key === prefix || key.startsWith(`${prefix}:`));
    if (named.length === 0) return [];
    const list = named.map((key) => `${settingsRoot}:${key}`).join(', ');
    return [`${list} ${named.length === 1 ? 'has' : 'have'} no effect: in this version ${reason}.`];
  });
}
