// Asks a real C# compiler and runtime what whole classes say. For developers only: neither the build nor the tests need it.
//
//   node scripts/plugin-oracle/plugin-oracle.mjs <folder for what is compiled> [--write]
//
// Needs Mono's `mcs` and `mono` (packages mono-mcs and mono-runtime), a compiler of C# 7. Every file of test/fixtures/plugins/classes is compiled with a
// program that prints `Case.Run()`; differences from answers.json are printed, `--write` stores the new answers.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at } from '../lib/freshness.mjs';

const [scratch, ...options] = process.argv.slice(2);
if (scratch === undefined) throw new Error('Where may what is compiled lie?');
const folder = at('test/fixtures/plugins/classes');
const file = join(folder, 'answers.json');
const before = JSON.parse(readFileSync(file, 'utf8'));

function run(program, list) {
  const { status, stdout, stderr } = spawnSync(program, list, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (status !== 0) throw new Error(`${program} ${list.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

const answers = {};
for (const source of readdirSync(folder).filter((name) => name.endsWith('.cs'))) {
  const name = source.replace('.cs', '');
  const space = /^namespace ([\w.]+)/m.exec(readFileSync(join(folder, source), 'utf8'))?.[1];
  const [main, program] = [join(scratch, 'Main.cs'), join(scratch, `${name}.exe`)];
  const call = `System.Console.Out.Write(${space === undefined ? '' : `${space}.`}Case.Run());`;
  writeFileSync(main, `public static class Program { public static void Main() { ${call} } }\n`);
  run('mcs', ['-langversion:latest', '-warn:0', `-out:${program}`, join(folder, source), main]);
  answers[name] = run('mono', [program]);
  if (answers[name] !== before[name]) console.log(`${name}\n  before ${before[name]}\n  now    ${answers[name]}`);
}
if (options.includes('--write')) writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`);
