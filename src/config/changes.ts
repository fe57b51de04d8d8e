// A batch of changes to the stored settings, checked whole before any of it counts (reference 16.2): every refusal of the batch is
// found, and one refusal refuses all. Stricter than a start: a number out of its range is not reset or clamped but refused, and the word
// of an enumeration has its exact letters, because whoever sends a change reads the answer.

import { type SettingKey, settingsRoot } from './catalogue.ts';
import type { Setting } from './kinds.ts';
import { keyOf, settingOf } from './settings.ts';
import type { Layer } from './sources.ts';

/** `text` null: the stored value is dropped. */
export interface SettingChange {
  readonly key: SettingKey;
  readonly text: string | null;
}

/** `conflict`: right in itself, and yet it cannot be stored or would not count. */
export interface Refusal {
  /** As it was asked for. */
  readonly key: string;
  readonly kind: 'invalid' | 'conflict';
  /** A sentence. */
  readonly detail: string;
}

export type CheckedChanges =
  | { readonly ok: true; readonly changes: readonly SettingChange[] }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** `asked`: texts by their full keys. `origins`: the layer that names each key. */
export function checkChanges(
  asked: Readonly<Record<string, string | null>>,
  origins: ReadonlyMap<SettingKey, Layer>,
): CheckedChanges {
  const refusals: Refusal[] = [];
  const changes = new Map<SettingKey, SettingChange>();
  for (const [name, text] of Object.entries(asked)) {
    const refuse = (kind: Refusal['kind'], detail: string): void => void refusals.push({ key: name, kind, detail });
    const key = keyOf(name);
    if (key === null) {
      refuse('invalid', `${shortened(name)} is not a setting.`);
      continue;
    }
    const full = `${settingsRoot}:${key}`;
    if (changes.has(key)) refuse('invalid', `${full} is named twice.`);
    changes.set(key, { key, text });
    const setting = settingOf(key);
    if (setting.exclusion !== null) {
      const { rule, reason } = setting.exclusion;
      refuse('invalid', `${full} is never written over HTTP (${rule}: ${reason}).`);
      continue;
    }
    if (text !== null && !isInDomain(setting, text)) {
      refuse('invalid', `${full} takes ${setting.expected}, not ${shown(setting, text)}.`);
      continue;
    }
    const layer = origins.get(key);
    if (layer === 'environment' || layer === 'commandLine') {
      const place = layer === 'environment' ? 'the environment' : 'the command line';
      refuse('conflict', `${full} is set by ${place}, which a stored value never overrides.`);
    }
  }
  return refusals.length > 0 ? { ok: false, refusals } : { ok: true, changes: [...changes.values()] };
}

/** Whether a write may store this text. */
export function isInDomain(setting: Setting<unknown>, text: string): boolean {
  if (!setting.schema.safeParse(text).success) return false;
  if (setting.words !== null) return setting.words.includes(text);
  if (setting.kind !== 'double') return true; // the schema keeps the bounds of whole numbers
  const value = Number(text);
  return Number.isFinite(value) && value >= (setting.minimum ?? value) && value <= (setting.maximum ?? value);
}

/** Texts may be keys of somebody's, put where they do not belong; what stands in an answer of a few numbers and words is of use. */
function shown(setting: Setting<unknown>, text: string): string {
  return setting.kind === 'string' ? `one of ${text.length}` : JSON.stringify(shortened(text));
}

const shownLength = 100;

function shortened(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}...` : text;
}
