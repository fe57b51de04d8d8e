// Where settings come from, each source as a list of keys and texts. Keys are relative to the root, in any case. A source belongs to a
// layer, and a stronger layer wins over a weaker one; within a layer what comes later does. What a key means is the catalogue's business.

import { settingsRoot } from './catalogue.ts';

/**
 * From weakest to strongest (reference 16.1 and 16.2). `host`: given by a program that embeds the service; `override`: written over HTTP.
 */
export const layers = ['appSettings', 'host', 'override', 'environment', 'commandLine'] as const;
export type Layer = (typeof layers)[number];

export interface RawSetting {
  readonly key: string;
  readonly text: string;
  /** Missing: `host`. */
  readonly layer?: Layer;
  /** Where it stands, for messages: "environment variable Service__Http__Port". */
  readonly source: string;
}

/** A source that cannot be read as settings at all. */
export class InvalidSettingsSource extends Error {
  override readonly name = 'InvalidSettingsSource';
}

const root = settingsRoot.toLowerCase();

/** `Service__A__B` variables, in any case. */
export function settingsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): RawSetting[] {
  const settings: RawSetting[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !name.toLowerCase().startsWith(`${root}__`)) continue;
    const key = name.slice(root.length + 2).replaceAll('__', ':');
    settings.push({ key, text: value, layer: 'environment', source: `environment variable ${name}` });
  }
  return settings;
}

/**
 * Members of a configuration file's JSON under the root, nested or with colons in their names. Other members at the top are
 * other programs' business.
 */
export function settingsFromJson(content: string, name: string): RawSetting[] {
  let value: unknown;
  try {
    value = JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InvalidSettingsSource(`${name} is not valid JSON: ${withoutQuote((error as Error).message)}`);
  }
  if (!isObject(value)) throw new InvalidSettingsSource(`${name} must hold a JSON object.`);
  const settings: RawSetting[] = [];
  flatten(value, '', (path, text) => {
    const key = belowRoot(path);
    if (key !== null) settings.push({ key, text, layer: 'appSettings', source: `${path} in ${name}` });
  });
  return settings;
}

/** What the parser says, without the piece of the text it says it of: that may be a credential. */
function withoutQuote(message: string): string {
  return message.replace(/, (?:\.\.\.)?".*$/s, '');
}

function flatten(value: unknown, path: string, add: (path: string, text: string) => void): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object') {
    add(path, String(value));
    return;
  }
  for (const [name, member] of Object.entries(value)) flatten(member, path === '' ? name : `${path}:${name}`, add);
}

function belowRoot(path: string): string | null {
  return path.toLowerCase().startsWith(`${root}:`) ? path.slice(root.length + 1) : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface CommandLine {
  readonly settings: RawSetting[];
  /** `--config FILE` */
  readonly configFile: string | null;
  readonly help: boolean;
}

/** `--Service:A:B=value`, `--Service:A:B value`, `--config FILE`, `--help`. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const settings: RawSetting[] = [];
  let configFile: string | null = null;
  let help = false;
  for (let i = 0; i < args.length; i++) {
    const argument = args[i] as string;
    const equals = argument.indexOf('=');
    const name = equals === -1 ? argument : argument.slice(0, equals);
    if (name === '--help' || name === '-h') {
      help = true;
      continue;
    }
    const key = name.startsWith('--') ? belowRoot(name.slice(2)) : null;
    if (key === null && name !== '--config')
      throw new InvalidSettingsSource(`Unknown argument ${name}; --help lists them.`);
    const value = equals === -1 ? args[++i] : argument.slice(equals + 1);
    if (value === undefined) throw new InvalidSettingsSource(`${name} needs a value.`);
    if (key === null) configFile = value;
    else settings.push({ key, text: value, layer: 'commandLine', source: `argument ${name}` });
  }
  return { settings, configFile, help };
}
