// The home of servers: `dist/node/main.js` in a process of its own, over a directory that tests may look into.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '../../../../scripts/lib/freshness.mjs';
import { send } from '../client.ts';
import type { Home, HomeService, ServiceSettings } from './home.ts';

const main = at('dist/node/main.js');

export class NodeService implements HomeService {
  /** The working directory; data lies in `arcwise-data`. */
  readonly directory = mkdtempSync(join(tmpdir(), 'arcwise-contract-'));
  url = '';
  private child: ChildProcess | null = null;
  private err = '';

  get log(): string {
    return this.err;
  }

  async start(settings: ServiceSettings): Promise<void> {
    const { child, ended } = this.spawn(settings);
    let out = '';
    this.url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (block) => {
        out += block;
        const found = /http:\/\/\S+/.exec(out)?.[0];
        if (found !== undefined) resolve(found);
      });
      void ended.then((code) => reject(new Error(`Ended with ${code}: ${this.err}`)));
    });
    while ((await send(this.url, 'GET', '/readyz')).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Starts it and waits until it ends by itself; its exit code. */
  async startAndEnd(settings: ServiceSettings): Promise<number | null> {
    const code = await this.spawn(settings).ended;
    this.child = null;
    return code;
  }

  private spawn(settings: ServiceSettings): { child: ChildProcess; ended: Promise<number | null> } {
    if (!existsSync(main)) throw new Error('dist/node/main.js is missing: npm run build makes it.');
    this.err = '';
    const all = { 'Http:Port': 0, ...settings };
    const args = Object.entries(all).map(([key, value]) => `--Service:${key}=${value}`);
    const child = spawn(process.execPath, [main, ...args], { cwd: this.directory, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    child.stderr.on('data', (block) => {
      this.err += block;
    });
    return { child, ended: new Promise((resolve) => child.once('close', resolve)) };
  }

  async end(how: 'stop' | 'kill'): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.kill(how === 'stop' ? 'SIGTERM' : 'SIGKILL');
    const code = await ended;
    if (how === 'stop' && code !== 0) throw new Error(`Ended with ${code}: ${this.err}`);
  }

  async remove(): Promise<void> {
    await this.end('kill');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export const nodeHome: Home = { name: 'node', missing: null, skips: [], open: () => new NodeService() };
