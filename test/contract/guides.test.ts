// Every page of docs/ that shows questions and answers: each is asked of the real service, in a namespace of the page's own. With
// GUIDES=update the answers are written into the pages instead, to be read before they are committed.

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { allRoutes } from '../../src/http/routes.ts';
import { ask, examplesOf, steady } from './support/examples.ts';
import { type FakeProvider, json, type Received, startProvider } from './support/provider.ts';
import { expectJson } from './support/requests.ts';
import { isReal, startService, type TestService } from './support/service.ts';

const pages = readdirSync(at('docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(at(`docs/${name}`), 'utf8') }))
  .filter(({ text }) => examplesOf(text).length > 0);

/** First segments of paths that a namespace has not. */
const ofTheService = new Set(
  (await allRoutes()).filter(({ scope }) => scope === 'service').map(({ path }) => path.split('/')[1]),
);

/** Where a command of a page asks: in the page's namespace, where there may be one. */
function homeOf(command: string, url: string, namespace: string): string {
  const [, segment] = /localhost:8080\/([^\s'/?]*)/.exec(command) ?? [];
  return segment !== undefined && ofTheService.has(segment) ? url : `${url}/ns/${namespace}`;
}

const run = promisify(execFile);

/** The first block of a language. */
function blockOf(page: string, language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
}

/** Pages whose first program is followed by what it prints. */
const programs = readdirSync(at('docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => {
    const page = readFileSync(at(`docs/${name}`), 'utf8');
    const found = /```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(page);
    return found === null ? [] : [[name, { text: found[1] as string, output: found[2] as string }] as const];
  });

/** Pages that are asked of a service with the model that comes along. */
const withModel = /^(?:documents|embedding)\.md$/;
const model = {
  ...{
    'Ingestion:Enabled': true,
    'Embedding:Enabled': true,
    'Embedding:ModelName': 'words',
    'Embedding:Dimension': 100,
  },
  ...{ 'Embedding:Onnx:ModelPath': at('models/words.onnx'), 'Embedding:Onnx:VocabPath': at('models/words.vocab.txt') },
  'Embedding:Onnx:MaxTokens': 4096,
};

/** What a model says of chat.md's conversations: a call of the tool it may call, or a sentence. */
function said({ body }: Received): object {
  const question = (body.messages as { role: string }[]).at(-1)?.role;
  if (body.tools !== undefined)
    return { content: '', tool_calls: [{ function: { name: 'neighbours', arguments: { id: 7 } } }] };
  return { content: question === 'tool' ? 'Vertices 3 and 9 know Ann.' : 'Vertices and edges that carry properties.' };
}

/** A backend for chat.md, which answers as Ollama does. */
async function startBackend(): Promise<FakeProvider> {
  const backend = await startProvider();
  const numbers = { done: true, prompt_eval_count: 12, eval_count: 8, eval_duration: 2e8, total_duration: 3e8 };
  backend.on('/api/chat', (response, received) => {
    const message = { role: 'assistant', ...said(received) };
    json({ model: 'llama3.2', message, ...numbers })(response, received);
  });
  backend.on('/api/tags', json({ models: [{ name: 'llama3.2' }] }));
  return backend;
}

/** Resolves when what a command has sent is taken apart. */
async function ingested(home: string): Promise<void> {
  await expect
    .poll(async () => await (await fetch(`${home}/document`)).text(), { timeout: 60_000 })
    .not.toContain('"status":"processing"');
}

/** Whose commands want several services, and are run by durability/cluster-page. */
const shownOnly = /cluster\.md/;

test('every command of a page has its answer beside it', () => {
  const bare = readdirSync(at('docs'))
    .filter((name) => name.endsWith('.md') && !shownOnly.test(name))
    .flatMap((name) =>
      [...readFileSync(at(`docs/${name}`), 'utf8').matchAll(/^curl .*/gm)].map(([line]) => `${name}: ${line}`),
    );
  expect(bare).toEqual([]);
});

test('edge.md shows the template that the package brings', () => {
  const page = readFileSync(at('docs/edge.md'), 'utf8');
  for (const [language, file] of [
    ['js', 'worker.js'],
    ['json', 'wrangler.jsonc'],
  ] as const)
    expect(blockOf(page, language)).toBe(readFileSync(at(`dist/edge/template/${file}`), 'utf8'));
});

test('there are pages to try', () => {
  expect(pages.length).toBeGreaterThan(6);
  expect(programs.map(([name]) => name)).toEqual(
    expect.arrayContaining(['changefeed.md', 'clients.md', 'embed.md', 'tutorial.md']),
  );
});

describe.runIf(isReal)('the page', () => {
  let backend: FakeProvider;
  let service: TestService;

  beforeAll(async () => {
    backend = await startBackend();
    const chat = {
      'Chat:Enabled': true,
      'Chat:Ollama:Endpoint': backend.origin,
      'Chat:Ollama:Models:Assist': 'llama3.2',
    };
    service = await startService({ 'Security:SensitiveRateLimitPermitPerWindow': '100000', ...model, ...chat });
  });

  afterAll(async () => {
    await service.stop();
    await backend.close();
  });

  for (const { name, text } of pages) {
    test(name, async () => {
      const namespace = `guide-${name.replace('.md', '')}`;
      await service.call('PUT', `/ns/${namespace}`);
      const files = { 'graph.jsonl': blockOf(text, 'json') };
      const lines = text.split('\n');
      let moved = 0;
      for (const { command, answer: shown, line, lines: count } of examplesOf(text)) {
        const home = homeOf(command, service.url, namespace);
        const answer = await ask(command, home, files);
        if (withModel.test(name) && command.includes('/document/text')) await ingested(home);
        if (steady(answer) === steady(shown)) continue;
        if (process.env.GUIDES !== 'update') expect(answer, `${name}: ${command}`).toBe(shown);
        const next = answer.split('\n');
        lines.splice(line + moved, count, ...next);
        moved += next.length - count;
      }
      if (process.env.GUIDES === 'update') writeFileSync(at(`docs/${name}`), lines.join('\n'));
    });
  }

  for (const [name, program] of programs) {
    test(`${name}: its program prints what it says`, async () => {
      const namespace = `program-${name.replace('.md', '')}`;
      await service.call('PUT', `/ns/${namespace}`);
      const folder = mkdtempSync(join(tmpdir(), 'guide-'));
      const file = at(`dist/guide-${process.pid}.mjs`);
      writeFileSync(
        file,
        program.text.replace("'http://localhost:8080'", `'${service.url}', namespace: '${namespace}'`),
      );
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder }).finally(() => {
        rmSync(file);
        rmSync(folder, { recursive: true });
      });
      expect(stderr).toBe('');
      expect(stdout).toBe(program.output);
    });
  }

  test('subgraphs.md and fragments.md: the first of each is taken without a warning', async () => {
    const block = (page: string, language: string) => blockOf(readFileSync(at(`docs/${page}`), 'utf8'), language);
    expectJson(await service.call('PUT', '/ns/first'), 201);
    const json = JSON.parse(block('subgraphs.md', 'json'));
    const headers = { prefer: 'handling=strict' };
    expectJson(await service.call('PUT', '/ns/first/subgraph', { json, headers }), 201);
    const fragment = { delegateKind: 'VertexFilter', fragment: block('fragments.md', 'csharp') };
    const judged = await service.call('POST', '/delegates/validate', { json: fragment, headers });
    expect(expectJson(judged)).toEqual({ valid: true, diagnostics: [] });
  });

  test('import.md: its file is taken, and so is what its script makes of tables', async () => {
    const page = readFileSync(at('docs/import.md'), 'utf8');
    const block = (language: string) => blockOf(page, language);
    const folder = mkdtempSync(join(tmpdir(), 'guide-'));
    writeFileSync(join(folder, 'convert.mjs'), block('js'));
    writeFileSync(join(folder, 'people.csv'), 'key,name,born\na,"King, ""Ada""",1815\nb,Grace,1906\nc,,1930\n');
    writeFileSync(join(folder, 'knows.csv'), 'from,to,since\na,b,1990\nb,c,1991\n');
    const args = [join(folder, 'convert.mjs'), join(folder, 'people.csv'), join(folder, 'knows.csv')];
    const made = spawnSync(process.execPath, args, { encoding: 'utf8' });
    writeFileSync(join(folder, 'knows.csv'), 'from,to,since\na,b,1990\nb,z,1991\n');
    const lost = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([lost.status, lost.stderr]).toEqual([
      1,
      expect.stringContaining("knows.csv, row 3: nobody has the key 'z'"),
    ]);
    writeFileSync(join(folder, 'people.csv'), '\ufeffkey;name;born\na;Ada;1815\n');
    const separated = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([separated.status, separated.stderr]).toEqual([
      1,
      expect.stringContaining("people.csv has no column 'key': key;name;born"),
    ]);
    const refusals = [
      ['key,name,born\na,Ada,1815\na,Grace,1906\n', "people.csv, row 3: the key 'a' was there before"],
      ['key,name,born\na,"two\nlines",1815\n', 'people.csv, row 2 has 2 fields and not 3'],
    ];
    for (const [text, told] of refusals) {
      writeFileSync(join(folder, 'people.csv'), text as string);
      expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stderr).toContain(told);
    }
    expect(spawnSync(process.execPath, args.slice(0, 2), { encoding: 'utf8' }).stderr).toContain('EDGES.csv');
    rmSync(folder, { recursive: true });
    for (const [name, lines, vertices, edges] of [
      ['shown', block('json'), 2, 1],
      ['converted', made.stdout, 3, 2],
    ] as const) {
      expectJson(await service.call('PUT', `/ns/${name}`), 201);
      const headers = { 'content-type': 'application/x-ndjson' };
      const answer = await service.call('POST', `/ns/${name}/bulk/import`, { body: lines, headers });
      expect(answer.json, answer.text).toMatchObject({ verticesCreated: vertices, edgesCreated: edges });
    }
    const nameless = await service.call('GET', '/ns/converted/vertex/2');
    expect(nameless.json.properties).toMatchObject([{ propertyId: 'born', propertyValue: '1930' }]);
    const { json } = await service.call('GET', '/ns/converted/vertex/0');
    expect(json.properties.map(({ propertyValue }: { propertyValue: string }) => propertyValue)).toEqual([
      '1815',
      'King, "Ada"',
    ]);
  });
});
