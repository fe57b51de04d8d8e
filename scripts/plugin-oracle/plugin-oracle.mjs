// Asks a real C# compiler and runtime what whole classes say, what whole plugins answer, and what is wrong with broken sources. For developers only:
// neither the build nor the tests need it.
//
//   node scripts/plugin-oracle/plugin-oracle.mjs <folder for what is compiled> [classes] [plugins] [broken] [--write]
//
// Needs Mono's `mcs` and `mono` (packages mono-mcs and mono-runtime), a compiler of C# 7. Every file of test/fixtures/plugins/classes is compiled with a
// program that prints `Case.Run()`; every plugin with engine.cs, a model of the engine over test/fixtures/plugins/graph.tsv; every source of broken.tsv by
// itself. Differences from what is stored are printed; `--write` stores the new answers, but for broken.tsv, in which ids are chosen by hand.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at } from '../lib/freshness.mjs';

const [scratch, ...options] = process.argv.slice(2);
if (scratch === undefined) throw new Error('Where may what is compiled lie?');
const fixtures = at('test/fixtures/plugins');
const wants = (what) => options.includes(what) || options.every((option) => option === '--write');
const compiler = ['-langversion:latest', '-warn:0', '-r:System.Core.dll'];

function run(program, list, mayFail = false) {
  const { status, stdout, stderr } = spawnSync(program, list, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (status !== 0 && !mayFail) throw new Error(`${program} ${list.join(' ')}\n${stdout}${stderr}`);
  return mayFail ? stdout + stderr : stdout;
}

function tell(name, before, now) {
  if (now !== before) console.log(`${name}\n  before ${before}\n  now    ${now}`);
}

function store(file, content) {
  if (options.includes('--write')) writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

function classes() {
  const folder = join(fixtures, 'classes');
  const file = join(folder, 'answers.json');
  const before = JSON.parse(readFileSync(file, 'utf8'));
  const answers = {};
  for (const source of readdirSync(folder).filter((name) => name.endsWith('.cs'))) {
    const name = source.replace('.cs', '');
    const space = /^namespace ([\w.]+)/m.exec(readFileSync(join(folder, source), 'utf8'))?.[1];
    const [main, program] = [join(scratch, 'Main.cs'), join(scratch, `${name}.exe`)];
    const encoding = 'System.Console.OutputEncoding = new System.Text.UTF8Encoding(false);';
    const call = `${encoding} System.Console.Out.Write(${space === undefined ? '' : `${space}.`}Case.Run());`;
    writeFileSync(main, `public static class Program { public static void Main() { ${call} } }\n`);
    run('mcs', [...compiler, `-out:${program}`, join(folder, source), main]);
    answers[name] = run('mono', [program]);
    tell(name, before[name], answers[name]);
  }
  store(file, answers);
}

function plugins() {
  const file = join(fixtures, 'answers.json');
  const before = JSON.parse(readFileSync(file, 'utf8'));
  const answers = {};
  for (const folder of ['analytics', 'function', 'path', 'subgraph']) {
    for (const source of readdirSync(join(fixtures, folder))) {
      const name = source.replace('.cs', '');
      const asked = before[name]?.asked ?? [];
      const program = join(scratch, `${name}.exe`);
      const engine = at('scripts/plugin-oracle/engine.cs');
      // A compiler of C# 7 refuses what is newer: then it says why.
      const said = run('mcs', [...compiler, `-out:${program}`, engine, join(fixtures, folder, source)], true);
      const refused = /error CS\d+: .*/.exec(said)?.[0];
      const answer = refused ?? run('mono', [program, join(fixtures, 'graph.tsv'), ...asked]);
      answers[name] = { asked, answer };
      tell(name, before[name]?.answer, answer);
    }
  }
  store(file, answers);
}

/** The first error has the stored id; where a column is stored, it stands there. */
function broken() {
  const lines = readFileSync(join(fixtures, 'broken.tsv'), 'utf8').trimEnd().split('\n');
  for (const [id, column, source] of lines.map((line) => line.split('\t'))) {
    const file = join(scratch, 'Broken.cs');
    writeFileSync(file, `${source}\n`);
    const said = run('mcs', [...compiler, '-target:library', `-out:${join(scratch, 'Broken.dll')}`, file], true);
    const found = /\(1,(\d+)\): error (CS\d+)/.exec(said);
    tell(source, `${id} ${column}`, `${found?.[2]} ${column === '' ? '' : found?.[1]}`);
  }
}

if (wants('classes')) classes();
if (wants('plugins')) plugins();
if (wants('broken')) broken();
