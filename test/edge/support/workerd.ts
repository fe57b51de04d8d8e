// The local runtime of Workers in a process of its own, with a configuration file in a directory that tests may keep between runs.

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '../../../scripts/lib/freshness.mjs';

export type Values = Readonly<Record<string, string | number | boolean>>;

/** The binary comes as an optional package of its platform; null where there is none. */
export const workerdPath = ((): string | null => {
  const names: Record<string, string> = {
    'linux x64': 'workerd-linux-64',
    'linux arm64': 'workerd-linux-arm64',
    'darwin x64': 'workerd-darwin-64',
    'darwin arm64': 'workerd-darwin-arm64',
    'win32 x64': 'workerd-windows-64',
  };
  const name = names[`${process.platform} ${process.arch}`];
  if (name === undefined) return null;
  try {
    const manifest = createRequire(import.meta.url).resolve(`@cloudflare/${name}/package.json`);
    const path = join(manifest, '..', 'bin', process.platform === 'win32' ? 'workerd.exe' : 'workerd');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
})();

export interface WorkerdOptions {
  readonly settings?: Values;
  readonly bindings?: Readonly<Record<string, string>>;
  /** A module in place of the library's own: its text. */
  readonly main?: string;
  /** Its objects stay in memory; the runtime takes others out after ten seconds without a request. */
  readonly awake?: boolean;
  /** A configuration file of its own; missing: the one that the package brings. */
  readonly configuration?: string;
  /** Where a bucket answers (bucket-server.ts), bound as ARCWISE_BUCKET. */
  readonly bucket?: string;
}

/** A process that runs the built library. Everything it writes lies below `directory`. */
export class Workerd {
  readonly directory = mkdtempSync(join(tmpdir(), 'arcwise-edge-'));
  url = '';
  private readonly options: WorkerdOptions;
  private child: ChildProcess | null = null;
  private told = '';

  private constructor(options: WorkerdOptions) {
    this.options = options;
  }

  static async start(options: WorkerdOptions = {}): Promise<Workerd> {
    const workerd = new Workerd(options);
    await workerd.start();
    return workerd;
  }

  /** What the process has said. */
  get log(): string {
    return this.told;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** Bytes of memory that the process has, or had at most; 0 where the system does not tell. */
  memory(which: 'now' | 'most'): number {
    const path = `/proc/${this.pid}/status`;
    if (!existsSync(path)) return 0;
    const pattern = which === 'now' ? /VmRSS:\s*(\d+)/ : /VmHWM:\s*(\d+)/;
    return 1024 * Number(pattern.exec(readFileSync(path, 'utf8'))?.[1] ?? 0);
  }

  async start(bindings: Readonly<Record<string, string>> = {}): Promise<void> {
    if (workerdPath === null) throw new Error('There is no workerd for this platform.');
    mkdirSync(join(this.directory, 'objects'), { recursive: true });
    const child = spawn(
      workerdPath,
      [
        ...['serve', configurationOf(this.directory, this.options), '--experimental', '--control-fd=3'],
        ...['--socket-addr=http=127.0.0.1:0', `--directory-path=disk=${join(this.directory, 'objects')}`],
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        env: { ARCWISE_SETTINGS: JSON.stringify(this.options.settings ?? {}), ...this.options.bindings, ...bindings },
      },
    );
    this.child = child;
    this.told = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (block) => this.hear(block));
    const port = await new Promise<number>((resolve, reject) => {
      let control = '';
      child.stdio[3]?.on('data', (block) => {
        control += block;
        for (const line of control.split('\n').slice(0, -1)) {
          const message = JSON.parse(line) as { event: string; port?: number };
          if (message.event === 'listen' && message.port !== undefined) resolve(message.port);
        }
      });
      child.once('exit', (code) => reject(new Error(`workerd ended with ${code}: ${this.told}`)));
    });
    this.url = `http://127.0.0.1:${port}`;
  }

  private hear(block: Buffer): void {
    this.told += block;
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async restart(): Promise<void> {
    await this.end('SIGTERM');
    await this.start();
  }

  async stop(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** `patienceMs`: how long the process may take; then it is killed. */
  async end(signal: 'SIGKILL' | 'SIGTERM', patienceMs?: number): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const late = patienceMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await ended;
    clearTimeout(late);
  }
}

/** The configuration that the package brings; with a module in place of the library's own or a bucket, a copy of it. */
function configurationOf(directory: string, { main, bucket, configuration, awake }: WorkerdOptions): string {
  if (configuration !== undefined) return configuration;
  if (main === undefined && bucket === undefined && !awake) return at('dist/edge/workerd.capnp');
  cpSync(at('dist/edge'), directory, { recursive: true });
  if (main !== undefined) writeFileSync(join(directory, 'index.js'), main);
  const path = join(directory, 'workerd.capnp');
  if (bucket !== undefined) writeFileSync(path, withBucket(readFileSync(path, 'utf8'), bucket));
  if (awake)
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('enableSql = true', 'enableSql = true, preventEviction = true'),
    );
  return path;
}

function withBucket(text: string, address: string): string {
  const service = `(name = "bucket", external = (address = "${address}", http = ())),`;
  const binding = '(name = "ARCWISE_BUCKET", r2Bucket = "bucket"),';
  return text
    .replace('services = [', `services = [\n    ${service}`)
    .replace('bindings = [', `bindings = [\n    ${binding}`);
}
