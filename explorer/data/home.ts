// The engine in this page: `arcwise/browser` beside the explorer's own files, loaded when a graph is first opened here. It answers the
// same contract as a service, so everything above it is the same.

import { type FileKind, kindOf, readWith } from './files.ts';

export interface Home {
  fetch(input: Request | string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

interface Library {
  createArcwise(): Promise<Home>;
}

async function openHome(): Promise<Home> {
  const address = new URL('./engine/index.js', import.meta.url).href;
  const { createArcwise } = (await import(address).catch(() => {
    throw new Error(`The engine of this page is missing: there is no ${address}.`);
  })) as Library;
  return createArcwise();
}

const types: Readonly<Record<Exclude<FileKind, 'table'>, readonly [path: string, type: string]>> = {
  lines: ['/bulk/import', 'application/x-ndjson'],
  package: ['/package', 'application/octet-stream'],
};

/**
 * A home with the graph of a file; throws with what is wrong with the file, and nothing is left running then. `advance` hears what share of
 * the file the engine has taken.
 */
export async function homeOf(content: Blob, advance: (share: number) => void = () => {}): Promise<Home> {
  const kind = await kindOf(content);
  const home = await openHome();
  try {
    const [path, type] = types[kind === 'package' ? 'package' : 'lines'];
    const body = readWith(content, advance);
    const answer = await home.fetch(path, { method: 'POST', headers: { 'content-type': type }, body });
    if (!answer.ok) throw new Error(await whyNot(answer));
    return home;
  } catch (error) {
    await home.close().catch(() => {}); // the file is what the caller asks about
    throw error;
  }
}

async function whyNot(answer: Response): Promise<string> {
  const problem = (await answer.json().catch(() => null)) as { detail?: string; lineNumber?: number } | null;
  const line = problem?.lineNumber === undefined ? '' : ` (line ${problem.lineNumber})`;
  return `This file is no graph that can be opened${line}: ${problem?.detail ?? `the engine answers ${answer.status}`}`;
}
