// The configuration of a running service: the values of all layers, where each came from, and the inventory that GET /config lists
// (contract part 3, Configuration read; reference 16.1).

import { type SettingKey, type Settings, settingsRoot } from './catalogue.ts';
import type { ApplyMode, SettingKind } from './kinds.ts';
import { type ReadSettings, readSettings, settingKeys, settingOf } from './settings.ts';
import type { Layer, RawSetting } from './sources.ts';
import { unbuiltWarnings } from './unbuilt.ts';

export type Tier = 'live' | 'restart' | 'notWritable';

/** A line of the inventory, member by member as it is sent. */
export interface SettingEntry {
  /** With the root. */
  readonly key: string;
  readonly kind: SettingKind;
  readonly tier: Tier;
  readonly applyMode: ApplyMode;
  /** Missing: there is none, or it is withheld. */
  readonly value?: string;
  /** Of every setting that is never written: the answer may go to anybody where there is no key. */
  readonly valueWithheld?: true;
  readonly source: Layer | 'default';
  readonly restartPending: boolean;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly allowedValues: readonly string[] | null;
  readonly rule: string | null;
  readonly reason: string | null;
}

export class Configuration {
  private readonly read: ReadSettings;

  /** Throws InvalidSetting with a message for people. */
  constructor(sources: readonly RawSetting[]) {
    this.read = readSettings(sources);
  }

  get settings(): Settings {
    return this.read.settings;
  }

  /** What the log of the start should say. */
  get warnings(): readonly string[] {
    return [...this.read.warnings, ...unbuiltWarnings(this.read.origins.keys())];
  }

  /** All settings, in ordinal order of their keys. */
  entries(): SettingEntry[] {
    return [...settingKeys].sort(byOrdinal).map((key) => this.entryOf(key));
  }

  private entryOf(key: SettingKey): SettingEntry {
    const { kind, applyMode, minimum, maximum, words, exclusion } = settingOf(key);
    const text = textOf(this.settings[key]);
    const shown = text === null ? {} : { value: text };
    return {
      key: `${settingsRoot}:${key}`,
      kind,
      tier: tierOf(applyMode),
      applyMode,
      ...(applyMode === 'never' ? { valueWithheld: true } : shown),
      source: this.read.origins.get(key) ?? 'default',
      restartPending: false,
      minimum,
      maximum,
      allowedValues: words,
      rule: exclusion?.rule ?? null,
      reason: exclusion?.reason ?? null,
    };
  }
}

function tierOf(mode: ApplyMode): Tier {
  if (mode === 'never') return 'notWritable';
  return mode === 'restart' ? 'restart' : 'live';
}

/** A value as text; null where there is none. */
function textOf(value: Settings[SettingKey]): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? value.join(',') : String(value);
}

function byOrdinal(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
