// The configuration of a running service: the values of all layers, where each came from, the inventory that GET /config lists, and the
// changes that PATCH /config stores (contract part 3, Configuration read; reference 16).
//
// There are two sets of values. `settings` is what is in force; the other is what a start would read now. A change goes to the store
// first, then into the second set, and into `settings` only where its setting is one that counts at once. So nothing is in force that
// would be gone after a restart, and what the two sets differ in is what waits for one.

import { type SettingKey, type Settings, settingsRoot } from './catalogue.ts';
import { checkChanges, isInDomain, type Refusal, type SettingChange } from './changes.ts';
import type { ApplyMode, SettingKind } from './kinds.ts';
import {
  crossProblems,
  InvalidSetting,
  keyOf,
  type ReadSettings,
  readSettings,
  settingKeys,
  settingOf,
} from './settings.ts';
import type { Layer, RawSetting } from './sources.ts';
import { unbuiltWarnings } from './unbuilt.ts';

type Tier = 'live' | 'restart' | 'notWritable';

/** A line of the inventory, member by member as it is sent. */
interface SettingEntry {
  /** With the root. */
  readonly key: string;
  readonly kind: SettingKind;
  readonly tier: Tier;
  readonly applyMode: ApplyMode;
  /** What a start would read now. Missing: there is none, or it is withheld. */
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

interface PendingRestart {
  readonly key: string;
  readonly runningValue: string | null;
  readonly pendingValue: string | null;
}

/** What became of one change of a batch, member by member as it is sent. */
interface ChangeResult {
  readonly key: string;
  readonly value: string | null;
  /** The value is not, letter by letter, the one that was asked for. */
  readonly coerced: boolean;
  readonly cleared: boolean;
  readonly applyMode: ApplyMode;
  readonly restartPending: boolean;
  /** Why a value that counts at once does not: it waits for a restart. */
  readonly applyFailure?: string;
}

export type ChangeOutcome =
  | { readonly ok: true; readonly results: readonly ChangeResult[] }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Where changes are kept: texts by full keys. */
export interface OverrideStore {
  /** Empty when there is nothing stored, else what is wrong with what there is, as the end of a sentence. */
  read(): Promise<ReadonlyMap<string, string> | { readonly problem: string }>;
  /** Replaces everything that is stored, durably; rejects when it cannot, and then all is as it was. */
  write(texts: ReadonlyMap<string, string>): Promise<void>;
}

/** Changes could not be stored; nothing has changed. */
export class ChangesNotStored extends Error {
  override readonly name = 'ChangesNotStored';
}

type Apply = () => void;

export class Configuration {
  /** What is in force. A setting that a change applies to at once changes here; all others are as the start found them. */
  readonly settings: Settings;
  private readonly sources: readonly RawSetting[];
  private now: ReadSettings;
  private readonly appliers = new Map<SettingKey, Apply[]>();
  private store: OverrideStore | null = null;
  private storeProblem: string | null = null;
  /** What is stored, also what was not understood: somebody may have written it for another version. */
  private stored: ReadonlyMap<string, string> = new Map();
  private lastChange: Promise<unknown> = Promise.resolve();

  /** Throws InvalidSetting with a message for people. */
  constructor(sources: readonly RawSetting[]) {
    this.sources = sources;
    this.now = readSettings(sources);
    const [problem] = crossProblems(this.now.settings);
    if (problem !== undefined) throw new InvalidSetting(problem);
    this.settings = { ...this.now.settings };
  }

  /** What the log of the start should say. */
  get warnings(): readonly string[] {
    return [...this.now.warnings, ...unbuiltWarnings(this.now.origins.keys())];
  }

  /**
   * Brings in what is stored, before anything reads a setting that can be written. What cannot be used is left out; that, and what has
   * no effect, is told in the sentences that are answered.
   */
  async openStore(store: OverrideStore): Promise<string[]> {
    this.store = store;
    const read = await store.read();
    if ('problem' in read) {
      this.storeProblem = read.problem;
      return [`The stored settings are ignored: ${read.problem}.`];
    }
    this.stored = read;
    const flaws = Array.from(read, ([name, text]) => flawOf(name, text)).filter((flaw) => flaw !== null);
    const next = this.readWith(read);
    const crossed = crossProblems(next.settings);
    if (crossed.length > 0)
      return [...flaws, ...crossed.map((problem) => `The stored settings are ignored: ${problem}`)];
    const before = { ...this.settings };
    this.now = next;
    Object.assign(this.settings, next.settings);
    for (const [key, appliers] of this.appliers) {
      if (textOf(before[key]) !== textOf(this.settings[key])) for (const apply of appliers) apply();
    }
    const written = [...next.origins].filter(([, layer]) => layer === 'override').map(([key]) => key);
    return [...flaws, ...unbuiltWarnings(written)];
  }

  /** `apply` puts a changed value into force; a failure to do so is told to whoever changed it. */
  onChange(keys: readonly SettingKey[], apply: Apply): void {
    for (const key of keys) this.appliers.set(key, [...(this.appliers.get(key) ?? []), apply]);
  }

  /** All settings, in ordinal order of their keys. */
  entries(): SettingEntry[] {
    return [...settingKeys].sort(byOrdinal).map((key) => this.entryOf(key));
  }

  pendingRestart(): PendingRestart[] {
    const pending = settingKeys.filter((key) => this.isPending(key)).sort(byOrdinal);
    return pending.map((key) => ({
      key: `${settingsRoot}:${key}`,
      runningValue: textOf(this.settings[key]),
      pendingValue: textOf(this.now.settings[key]),
    }));
  }

  /**
   * Stores a batch of changes, texts by full keys, and applies those that count at once; all of them or, where there is anything to
   * refuse, none. Rejects with ChangesNotStored. Batches run one after the other.
   */
  change(asked: Readonly<Record<string, string | null>>): Promise<ChangeOutcome> {
    const outcome = this.lastChange.then(() => this.changeNow(asked));
    this.lastChange = outcome.catch(() => {}); // told to who asked
    return outcome;
  }

  private async changeNow(asked: Readonly<Record<string, string | null>>): Promise<ChangeOutcome> {
    const checked = checkChanges(asked, this.now.origins);
    const unstorable = this.storeRefusal();
    const refusals = [...(checked.ok ? [] : checked.refusals), ...(unstorable === null ? [] : [unstorable])];
    if (!checked.ok || this.store === null || refusals.length > 0) return { ok: false, refusals };
    const stored = changedTexts(this.stored, checked.changes);
    const next = this.readWith(stored);
    const crossed = crossProblems(next.settings);
    if (crossed.length > 0) {
      return { ok: false, refusals: crossed.map((detail) => ({ key: '', kind: 'invalid', detail })) };
    }
    try {
      await this.store.write(stored);
    } catch (error) {
      throw new ChangesNotStored(`The settings could not be stored: ${messageOf(error)}`, { cause: error });
    }
    this.stored = stored;
    this.now = next;
    const results = checked.changes.map((change) => this.resultOf(change, this.applyNow(change.key)));
    return { ok: true, results: results.sort((a, b) => byOrdinal(a.key, b.key)) };
  }

  private storeRefusal(): Refusal | null {
    const refusal = (detail: string): Refusal => ({ key: '', kind: 'conflict', detail });
    if (this.store === null) {
      return refusal(`There is no place to store settings: ${settingsRoot}:Metadata:Directory is not configured.`);
    }
    if (this.storeProblem === null) return null;
    return refusal(`The stored settings cannot be read and are left as they are: ${this.storeProblem}.`);
  }

  /** What a start would read with these texts stored. */
  private readWith(stored: ReadonlyMap<string, string>): ReadSettings {
    const overrides = Array.from(stored).flatMap(([name, text]): RawSetting[] => {
      const key = keyOf(name);
      if (key === null || flawOf(name, text) !== null) return [];
      return [{ key, text, layer: 'override', source: 'stored settings' }];
    });
    return readSettings([...this.sources, ...overrides]);
  }

  /** Puts a value into force if that may be done at once; why that failed, if it did. */
  private applyNow(key: SettingKey): string | null {
    const running = this.settings as Record<SettingKey, Settings[SettingKey]>;
    const before = running[key];
    if (tierOf(key) !== 'live' || textOf(before) === textOf(this.now.settings[key])) return null;
    running[key] = this.now.settings[key];
    try {
      for (const apply of this.appliers.get(key) ?? []) apply();
      return null;
    } catch (error) {
      running[key] = before;
      return messageOf(error);
    }
  }

  private resultOf({ key, text }: SettingChange, applyFailure: string | null): ChangeResult {
    const value = textOf(this.now.settings[key]);
    return {
      key: `${settingsRoot}:${key}`,
      value,
      coerced: text !== null && (value ?? '').toLowerCase() !== text.toLowerCase(),
      cleared: text === null,
      applyMode: settingOf(key).applyMode,
      restartPending: this.isPending(key),
      ...(applyFailure === null ? {} : { applyFailure }),
    };
  }

  private isPending(key: SettingKey): boolean {
    return textOf(this.settings[key]) !== textOf(this.now.settings[key]);
  }

  private entryOf(key: SettingKey): SettingEntry {
    const { kind, applyMode, minimum, maximum, words, exclusion } = settingOf(key);
    const text = textOf(this.now.settings[key]);
    const shown = text === null ? {} : { value: text };
    return {
      key: `${settingsRoot}:${key}`,
      kind,
      tier: tierOf(key),
      applyMode,
      ...(applyMode === 'never' ? { valueWithheld: true } : shown),
      source: this.now.origins.get(key) ?? 'default',
      restartPending: this.isPending(key),
      minimum,
      maximum,
      allowedValues: words,
      rule: exclusion?.rule ?? null,
      reason: exclusion?.reason ?? null,
    };
  }
}

/** Why a stored text does not count, as a sentence; null when it does. */
function flawOf(name: string, text: string): string | null {
  const key = keyOf(name);
  if (key === null) return `The stored setting ${name} is unknown and ignored.`;
  const setting = settingOf(key);
  if (setting.exclusion !== null) return `${name} is never written over HTTP, so what is stored of it is ignored.`;
  if (isInDomain(setting, text)) return null;
  return `What is stored of ${name} is ignored: it takes ${setting.expected}.`;
}

/** A name that is stored in other letters is replaced as well. */
function changedTexts(stored: ReadonlyMap<string, string>, changes: readonly SettingChange[]): Map<string, string> {
  const keys = new Set(changes.map(({ key }) => key));
  const texts = new Map([...stored].filter(([name]) => !keys.has(keyOf(name) as SettingKey)));
  for (const { key, text } of changes) if (text !== null) texts.set(`${settingsRoot}:${key}`, text);
  return new Map([...texts].sort(([a], [b]) => byOrdinal(a, b)));
}

function tierOf(key: SettingKey): Tier {
  const { applyMode } = settingOf(key);
  if (applyMode === 'never') return 'notWritable';
  return applyMode === 'restart' ? 'restart' : 'live';
}

/** A value as text; null where there is none. */
function textOf(value: Settings[SettingKey]): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? value.join(',') : String(value);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function byOrdinal(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
