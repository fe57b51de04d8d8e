// `npm run sample -- wordnet|debian|FILE.jsonl`: turns a real data set into service-jsonl and imports it into a running service,
// with a progress bar. Nothing is held in memory but the source itself; lines go out as the service takes them.

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { Client, isProblem } from '../../src/client/index.ts';
import { settingsFromEnvironment } from '../../src/config/sources.ts';
import { embedTexts } from './embed.ts';
import { Progress } from './progress.ts';
import { openSource, type Source } from './sources.ts';

const usage = `npm run sample -- wordnet|debian|FILE.jsonl [options]

  wordnet      the WordNet database: words, synsets and how they relate
  debian       the packages this machine's apt knows, with their relations
  FILE.jsonl   a file in the bulk interchange format

  --url URL          the running service (http://127.0.0.1:8080, or the port of Service__Http__Port)
  --namespace NAME   import into this namespace, created when missing (default)
  --embed            embed the glosses of wordnet, by the service's embedding provider, and index them as glosses
  --erase            empty the namespace first
  --key KEY          the service's API key (Service__Security__ApiKey)
  --out FILE         write the lines to FILE and import nothing
`;

interface Target {
  readonly client: Client;
  readonly namespace: string;
}

async function importInto({ client, namespace }: Target, source: Source, erase: boolean): Promise<void> {
  if (namespace !== 'default') {
    await client.put('/ns/{name}', { path: { name: namespace } }).catch((error: unknown) => {
      if (!isProblem(error, 'Namespace name in use')) throw error;
    });
  }
  if (erase) await client.head('/tabularasa');
  const progress = new Progress(source.name, source.total, source.unit);
  const started = performance.now();
  const imported = await client
    .importLines(source.blocks((amount) => progress.advance(amount)))
    .catch((error: unknown) => {
      if (!isProblem(error, 'Import requires an empty graph')) throw error;
      throw new Error(`The namespace is not empty: add --erase or --namespace NAME.\n${error.message}`);
    });
  progress.end();
  console.log(`${JSON.stringify(imported)} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What the service reads from the same environment. */
function settingOf(environment: Environment, key: string): string | undefined {
  return settingsFromEnvironment(environment).find((one) => one.key.toLowerCase() === key.toLowerCase())?.text;
}

function defaultUrl(environment: Environment): string {
  return `http://127.0.0.1:${settingOf(environment, 'Http:Port') ?? '8080'}`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string', default: defaultUrl(process.env) },
      namespace: { type: 'string', default: 'default' },
      erase: { type: 'boolean', default: false },
      embed: { type: 'boolean', default: false },
      key: { type: 'string', default: settingOf(process.env, 'Security:ApiKey') },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const name = positionals[0];
  if (name === undefined || values.help) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const source = await openSource(name);
  if (values.embed && source.texts === undefined) throw new Error(`The sample ${name} has no texts to embed.`);
  if (values.out !== undefined) {
    const progress = new Progress(source.name, source.total, source.unit);
    await pipeline(Readable.from(source.blocks((amount) => progress.advance(amount))), createWriteStream(values.out));
    progress.end();
    return;
  }
  const { url, namespace, key } = values;
  const client = new Client({ url, namespace, ...(key === undefined ? {} : { apiKey: key }) });
  await importInto({ client, namespace }, source, values.erase);
  if (values.embed) await embedTexts(client, source.texts ?? []);
}

main().catch((error: Error & { cause?: { code?: string } }) => {
  const hint =
    error.cause?.code === 'ECONNREFUSED'
      ? '\nIs the service running? Start it with `npm start`, or name it by --url.'
      : '';
  console.error(`${error.message}${hint}`);
  process.exitCode = 1;
});
