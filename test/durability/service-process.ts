// The built service as a child process, to be killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../dist/node/main.js', import.meta.url));

export class ServiceProcess {
  readonly url: string;
  private readonly child: ChildProcess;
  private readonly exited: Promise<number | null>;

  private constructor(child: ChildProcess, url: string, exited: Promise<number | null>) {
    this.child = child;
    this.url = url;
    this.exited = exited;
  }

  /** Starts the service on a free port and waits until it listens; rejects with what it said when it ends instead. */
  static async start(
    storageDirectory: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<ServiceProcess> {
    if (!existsSync(entry)) throw new Error('The service is not built: npm run build.');
    const env = {
      ...process.env,
      Service__Http__Port: '0',
      Service__Durability__StorageDirectory: storageDirectory,
      ...settings,
    };
    const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    let said = '';
    child.stderr?.on('data', (part: Buffer) => {
      said = (said + part).slice(-4000);
    });
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stdout?.on('data', (part: Buffer) => {
        output += part;
        const found = /listening on (http:\S+)/.exec(output);
        if (found !== null) resolve(found[1] as string);
      });
      exited.then((code) => reject(new Error(`The service ended with code ${code}: ${said}`)));
    });
    return new ServiceProcess(child, url, exited);
  }

  /** Answers the body as JSON, null for none; rejects with what the service said of a refusal. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(this.url + path, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /** Ends it in order; answers its exit code. */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.exited;
  }
}
