// The explorer on WordNet: a service in a process of its own that keeps nothing, the sample in it, and the address. It runs until it is
// stopped. A browser is opened where the machine has a way to do that; without one the address is enough.

import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { at } from './lib/freshness.mjs';

const service = 'dist/node/main.js';
const samples = 'dist/runtime-node/samples/main.js';
const openers = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''], linux: ['xdg-open'] };

/** Resolves with the exit code when the service has ended; null leaves the code as it is. */
export async function exploreSample(args) {
  // Any free port, unless one is named.
  const port = process.env.Service__Http__Port === undefined ? ['--Service:Http:Port=0'] : [];
  const settings = ['--Service:Durability:Volatile=true', ...port, ...args];
  const child = spawn(process.execPath, [at(service), ...settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('SIGINT', () => child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const url = await Promise.race([addressOf(child), ended.then(() => null)]);
  if (url === null) return 1;
  const { status } = spawnSync(process.execPath, [at(samples), 'wordnet', '--url', url], { stdio: 'inherit' });
  if (status !== 0) {
    child.kill('SIGTERM');
    return 1;
  }
  console.log(`\nThe explorer: ${url}/explorer  (Ctrl+C ends it)`);
  openPage(`${url}/explorer`);
  return ended;
}

function addressOf(child) {
  return new Promise((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const found = /listening on (http:\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}

function openPage(url) {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const [command, ...first] = openers[process.platform] ?? [];
  if (command === undefined) return;
  const opener = spawn(command, [...first, url], { stdio: 'ignore', detached: true });
  opener.on('error', () => {}); // the address has been printed
  opener.unref();
}
