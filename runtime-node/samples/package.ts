// `npm run package -- FILE.jsonl OUT`: makes a package of a graph, as `GET /package` writes it, without a running service: an engine that keeps
// nothing imports the lines and hands itself on.

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { parseArgs } from 'node:util';
import { Client } from '../../src/client/index.ts';
import { openService } from '../index.ts';
import { Progress } from './progress.ts';
import { openSource } from './sources.ts';

const usage = `npm run package -- wordnet|debian|FILE.jsonl OUT

  wordnet, debian   the graphs of \`npm run sample\`
  FILE.jsonl        a file in the bulk interchange format
  OUT               the package, for POST /package or createArcwise({ package })
`;

/** Nobody listens there. */
const url = 'http://arcwise.invalid';

async function write(name: string, out: string): Promise<void> {
  const source = await openSource(name);
  const service = await openService({ 'Durability:Volatile': true });
  try {
    const client = new Client({ url, fetch: (request) => service.fetch(request) });
    const progress = new Progress(source.name, source.total, source.unit);
    const imported = await client.importLines(source.blocks((amount) => progress.advance(amount)));
    progress.end();
    const answer = await service.fetch(new Request(`${url}/package`));
    if (answer.status !== 200 || answer.body === null) throw new Error(await answer.text());
    await pipeline(Readable.fromWeb(answer.body as WebStream<Uint8Array>), createWriteStream(out));
    console.log(`${out}: ${imported.verticesCreated} vertices, ${imported.edgesCreated} edges`);
  } finally {
    await service.close();
  }
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
const [name, out] = positionals;
if (name === undefined || out === undefined || values.help === true) {
  console.log(usage);
  process.exitCode = values.help === true ? 0 : 2;
} else {
  await write(name, out).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
