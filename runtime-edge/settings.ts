// Settings of an object: those of the configuration file over the defaults of this home, which fit into 128 MB and count work instead of
// time (docs/edge.md).

import type { Configuration } from '../src/config/configuration.ts';
import { InvalidSetting } from '../src/config/settings.ts';
import { type SettingValues, settingsOf } from '../src/settings-of.ts';
import type { Environment } from './platform.ts';

const mebibyte = 2 ** 20;
const memoryKey = 'Memory:MaxBytesPerNamespace';
/** Beside it lie the script, the heap of the language and what a trim borrows. */
const mostMemoryBytes = 96 * mebibyte;
const defaultCheckpointBytes = 4 * mebibyte;

/** A body that a route reads whole; imports stream. */
export const maxBodyBytes = 16 * mebibyte;

const edgeDefaults: SettingValues = {
  [memoryKey]: 64 * mebibyte,
  'Analytics:ProjectionCacheMegabytes': 16,
  // Nobody tells an object that it ends: where one does end its service, it does so to begin anew.
  'Durability:SaveOnShutdown': false,
  // What an interpreter does in some seconds: a search ends by what it has done, since no clock moves under it.
  'Fragments:MaxFuel': 20_000_000,
  'Plugins:MaxMemoryBytes': 32 * mebibyte,
  'Subgraphs:MaxMatchBytes': 16 * mebibyte,
  'Subgraphs:MaxMatchSteps': 100_000_000,
};

/** Throws InvalidSetting. */
export function edgeSettings({ ARCWISE_SETTINGS }: Environment): Configuration {
  const given = ARCWISE_SETTINGS ?? {};
  const values: SettingValues = typeof given === 'string' ? parsed(given) : given;
  const configuration = settingsOf({ ...edgeDefaults, ...values });
  const bytes = configuration.settings[memoryKey];
  if (bytes > mostMemoryBytes) {
    throw new InvalidSetting(
      `${memoryKey} is ${bytes}, and an object has 128 MB for everything: ${mostMemoryBytes} fits at most.`,
    );
  }
  return configuration;
}

/** Bytes of log behind which a checkpoint is written. Throws InvalidSetting. */
export function checkpointBytesOf({ ARCWISE_CHECKPOINT_BYTES }: Environment): number {
  const given = ARCWISE_CHECKPOINT_BYTES ?? defaultCheckpointBytes;
  const bytes = Number(given);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new InvalidSetting(`ARCWISE_CHECKPOINT_BYTES is "${given}", which is no whole number above 0.`);
}

function parsed(text: string): SettingValues {
  try {
    return JSON.parse(text) as SettingValues;
  } catch (error) {
    throw new InvalidSetting(`ARCWISE_SETTINGS is no JSON: ${(error as Error).message}`);
  }
}
