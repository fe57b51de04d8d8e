// The built objects in the local runtime of edges, as the service of Node is started for measurements.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningServer, scratchFolder } from './servers.ts';

const configuration = fileURLToPath(new URL('../../edge/workerd.capnp', import.meta.url));

/** Null: there is no binary for this platform, or the objects are not built (`npm run build`). */
export function edgeBinary(): string | null {
  const architecture = process.arch === 'x64' ? '64' : process.arch;
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@cloudflare/workerd-${process.platform}-${architecture}/package.json`,
    );
    const path = join(manifest, '..', 'bin', 'workerd');
    return existsSync(path) && existsSync(configuration) ? path : null;
  } catch {
    return null;
  }
}

/** On a fresh folder. Resolves once it listens; objects open with their first request. */
export async function startEdge(binary: string, settings: Readonly<Record<string, unknown>>): Promise<RunningServer> {
  const folder = scratchFolder('arcwise-edge');
  const disk = join(folder, 'objects');
  mkdirSync(disk);
  const child = spawn(
    binary,
    [
      ...['serve', configuration, '--experimental', '--control-fd=3'],
      ...['--socket-addr=http=127.0.0.1:0', `--directory-path=disk=${disk}`],
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], env: { ARCWISE_SETTINGS: JSON.stringify(settings) } },
  );
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    child.stdio[3]?.on('data', (data: Buffer) => {
      text += data.toString();
      const found = /"port":(\d+)/.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', (code) => reject(new Error(`The runtime ended with ${code}.`)));
  });
  const stop = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, process: child, stop };
}
