#!/usr/bin/env node
// The Node service's entry: settings in, one line on standard output, signals to an orderly end. A start that fails says why in one
// line and ends with code 1.

import { setFlagsFromString } from 'node:v8';
import type { Settings } from '../src/config/catalogue.ts';
import type { Logger } from '../src/engine/logger.ts';
import { createLogger } from './logger.ts';
import { type RunningService, startService } from './service.ts';
import { loadSettings, usage } from './settings.ts';

/**
 * V8 takes notes of where objects are made that live long, and makes later ones among the old objects at once. Here no object of JavaScript lives long
 * that was made by a request, but those of the first moments seem to. One such object keeps its whole request until the next collection of everything,
 * and so does what the request refers to. (Measured on Node 20: collections took 2 us for each write, and 10 to 12 where a service was backed up or
 * followed; with the flag 2 to 3 there, and a write a tenth to a fifth less of the processor.)
 */
function keepNewObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

async function main(): Promise<void> {
  const [command] = process.argv.slice(2);
  if (command === 'sample' || command === 'package') {
    process.argv.splice(2, 1);
    await (command === 'sample' ? import('./samples/main.ts') : import('./samples/package.ts'));
    return;
  }
  if (command === 'restore' || command === 'verify') {
    const { backupCommand } = await import('./backup/main.ts');
    return backupCommand(command, process.argv.slice(3));
  }
  keepNewObjectsYoung();
  const configuration = loadSettings(process.argv.slice(2), process.env);
  if (configuration === null) {
    console.log(usage());
    return;
  }
  const { settings, warnings } = configuration;
  const logger = createLogger(settings['Log:Level']);
  configuration.onChange(['Log:Level'], () => logger.setLevel(settings['Log:Level']));
  for (const warning of warnings) logger.warn(warning);
  const service =
    settings['Cluster:Url'] === null || settings['Replica:Of'] !== null
      ? await startService(configuration, logger)
      : await startNode(logger);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(service));
  stopWithParent(service);
  console.log(announcement(service, settings));
}

/** A node of a cluster: its part, and with it some settings, changes while it runs. */
async function startNode(logger: Logger): Promise<RunningService> {
  const { startClusterNode } = await import('./cluster/node.ts');
  return startClusterNode((extra) => {
    const configuration = loadSettings([...process.argv.slice(2), ...extra], process.env);
    if (configuration === null) throw new Error('There are no settings.');
    return configuration;
  }, logger);
}

/** How often the parent is looked for. */
const parentCheckMs = 500;

/** A command such as `npm start` can end without handing its signal on: what it started is then nobody's, and stops. */
function stopWithParent(service: RunningService): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    stop(service);
  }, parentCheckMs);
  check.unref();
}

function announcement({ url, storageDirectory }: RunningService, settings: Settings): string {
  const storage = storageDirectory === null ? 'volatile, nothing is kept' : `data ${storageDirectory}`;
  const key = settings['Security:ApiKey'] === null ? 'no API key' : 'API key required';
  return `arcwise listening on ${url} · ${storage} · ${key} · explorer ${url}/explorer · docs ${url}/docs`;
}

let stopping = false;

/** The second signal does not wait. */
async function stop(service: RunningService): Promise<void> {
  if (stopping) process.exit(1);
  stopping = true;
  try {
    await service.stop();
    process.exit(0);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): never {
  console.error(`arcwise: ${reasonOf(error)}`);
  process.exit(1);
}

function reasonOf(error: unknown): string {
  const { code, message, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE') {
    return `${address}:${port} is in use by another program; --Service:Http:Port=0 takes any free port.`;
  }
  if (code === 'EACCES' && port !== undefined && port > 0)
    return `Port ${port} needs more rights; choose one above 1023.`;
  return message ?? String(error);
}

main().catch(fail);
