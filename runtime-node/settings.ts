// The settings of a Node service, from weakest to strongest: defaults, configuration file, environment, command line.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogue } from '../src/config/catalogue.ts';
import { Configuration } from '../src/config/configuration.ts';
import {
  InvalidSettingsSource,
  type RawSetting,
  readCommandLine,
  settingsFromEnvironment,
  settingsFromJson,
} from '../src/config/sources.ts';

const defaultFile = 'appsettings.json';

const synopsis = `arcwise [settings]              the service
arcwise sample NAME|FILE        a graph for it to answer questions about; arcwise sample --help says which
arcwise package NAME|FILE OUT    such a graph as one file, to be opened in a page or posted to a service
arcwise restore | verify         what Service:Backup:Url has stored; arcwise restore --help says how

  --Service:KEY=VALUE     a setting, such as --Service:Http:Port=9000
  --config FILE           configuration file (default: ${defaultFile} in the working directory, when there is one)
  --help                  this text

Settings also come from environment variables, such as Service__Http__Port=9000, and from the configuration file's member
Service. The command line is stronger than the environment, the environment than the file.
`;

/** What `--help` prints: how to give settings, and all of them. */
export function usage(): string {
  const lines = Object.entries(catalogue).map(([key, { initial, description, expected }]) => {
    const value = initial === null || initial === '' || Array.isArray(initial) ? 'nothing' : String(initial);
    return `  ${key}\n      ${description} Takes ${expected}; default: ${value}.`;
  });
  return `${synopsis}\n${lines.join('\n')}`;
}

/** Null when only help is asked for. Throws InvalidSetting or InvalidSettingsSource with a message for people. */
export function loadSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Configuration | null {
  const commandLine = readCommandLine(args);
  if (commandLine.help) return null;
  return new Configuration([
    ...developmentOf(environment),
    ...readFile(commandLine.configFile),
    ...settingsFromEnvironment(environment),
    ...commandLine.settings,
  ]);
}

/** Node's own word for development counts where nothing says `Service:Environment`. */
function developmentOf({ NODE_ENV }: Readonly<Record<string, string | undefined>>): RawSetting[] {
  if (NODE_ENV !== 'development') return [];
  return [{ key: 'Environment', text: 'Development', layer: 'appSettings', source: 'environment variable NODE_ENV' }];
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
