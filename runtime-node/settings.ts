// The settings of a Node service, from weakest to strongest: defaults, configuration file, environment, command line.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ReadSettings, readSettings } from '../src/config/settings.ts';
import {
  InvalidSettingsSource,
  type RawSetting,
  readCommandLine,
  settingsFromEnvironment,
  settingsFromJson,
} from '../src/config/sources.ts';

const defaultFile = 'appsettings.json';

export const usage = `arcwise [settings]

  --Service:KEY=VALUE     a setting, such as --Service:Http:Port=9000; docs/configuration.md lists them
  --config FILE           configuration file (default: ${defaultFile} in the working directory, when there is one)
  --help                  this text

Settings also come from environment variables, such as Service__Http__Port=9000.`;

/** Null when only help is asked for. Throws InvalidSetting or InvalidSettingsSource with a message for people. */
export function loadSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReadSettings | null {
  const commandLine = readCommandLine(args);
  if (commandLine.help) return null;
  return readSettings([
    ...readFile(commandLine.configFile),
    ...settingsFromEnvironment(environment),
    ...commandLine.settings,
  ]);
}

/** The default file may be missing; one that was asked for may not. */
function readFile(name: string | null): RawSetting[] {
  const path = resolve(name ?? defaultFile);
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (name === null && code === 'ENOENT') return [];
    throw new InvalidSettingsSource(`The configuration file ${path} cannot be read: ${message}`);
  }
  return settingsFromJson(content, path);
}
