// Asks a real C# compiler and runtime what fragments answer. For developers only: neither the build nor the tests need it.
//
//   node scripts/fragment-oracle/fragment-oracle.mjs <sdk folder> <cache folder> [fragments.json] [--write]
//
// The SDK is an unpacked .NET Core SDK (its folder holds `dotnet`, `sdk` and `shared`); the cache folder takes what is compiled and lies
// outside the tree. Without a file the corpus `test/fixtures/fragments/results.json` is run again: every difference from what it says is
// printed, `--write` stores the new answers. A file holds a list of [kind, fragment]; its answers come out beside it, as `<file>.results.json`.
//
// Entries with a `by` were worked out by hand (C# newer than that compiler) and are left alone.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { at } from '../lib/freshness.mjs';

const corpusFile = at('test/fixtures/fragments/results.json');
const graph = JSON.parse(readFileSync(at('test/fixtures/fragments/graph.json'), 'utf8'));

const literal = (text) =>
  text === null
    ? 'null'
    : `"${[...text].map((c) => (/[ !#-[\]-~]/.test(c) ? c : [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''))).join('')}"`;

function programText(indices) {
  // Vectors are set after the element was created.
  const modified = ({ created, properties }) =>
    properties.some(([, type]) => type === 'Single[]') ? graph.modified : created;
  const properties = (list) => list.map((part) => `, ${part.map(literal).join(', ')}`).join('');
  const vertices = graph.vertices.map(
    (v) => `Vertex(${literal(v.label)}, ${v.created}, ${modified(v)}${properties(v.properties)});`,
  );
  const edges = graph.edges.map(
    (e) =>
      `Edge(${e.source}, ${e.target}, ${literal(e.type)}, ${literal(e.label)}, ${e.created}, ${modified(e)}${properties(e.properties)});`,
  );
  const runs = indices.map((index) => `Run(output, ${index}, F${index}.Make);`);
  return `using NoSQL.GraphDB.Core.Algorithms;
public static partial class Program {
  private static readonly float[] query = { ${graph.queryVector.map((x) => `${x}f`).join(', ')} };
  private static void Build() {\n${[...vertices, ...edges].join('\n')}\n}
  private static void RunAll(System.IO.TextWriter output) {\n${runs.join('\n')}\n}
}\n`;
}

function fragmentText([kind, fragment], index) {
  return `using System; using System.Linq; using NoSQL.GraphDB.Core.Model; using NoSQL.GraphDB.Core.Index.Vector;
namespace NoSQL.GraphDB.Core.Algorithms { public static class F${index} { public static ${kind} Make(TraversalContext context) {
#line 1
${fragment}
}}}\n`;
}

/** Compiles and runs [kind, fragment] pairs; answers a list of texts for each, or the compiler's errors as one text. */
function answersOf(pairs, sdk, cache) {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const framework = join(sdk, 'shared/Microsoft.NETCore.App');
  const version = readdirSync(framework)[0];
  const compiler = join(
    sdk,
    'sdk',
    readdirSync(join(sdk, 'sdk')).find((name) => /^\d/.test(name)),
    'Roslyn/bincore/csc.dll',
  );
  const references = readdirSync(join(framework, version)).filter((name) =>
    /^(System\.(Private\.CoreLib|Runtime|Runtime\.Extensions|Linq|Collections)|netstandard)\.dll$/.test(name),
  );
  const environment = { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
  const wrong = new Map();
  for (;;) {
    const good = pairs.map((pair, index) => [pair, index]).filter(([, index]) => !wrong.has(index));
    for (const [pair, index] of good) writeFileSync(join(cache, `F${index}.cs`), fragmentText(pair, index));
    writeFileSync(join(cache, 'graph.cs'), programText(good.map(([, index]) => index)));
    const options = [
      '/nologo', '/target:exe', '/nostdlib', '/langversion:preview', '/optimize+', '/warn:0', `/out:${join(cache, 'run.dll')}`,
      ...references.map((name) => `/r:${join(framework, version, name)}`),
      at('scripts/fragment-oracle/model.cs'), join(cache, 'graph.cs'), ...good.map(([, index]) => join(cache, `F${index}.cs`)),
    ]; // biome-ignore format: a table
    writeFileSync(join(cache, 'options.rsp'), options.map((option) => `"${option}"`).join('\n'));
    const { stdout, stderr } = spawnSync(
      join(sdk, 'dotnet'),
      [compiler, '/noconfig', `@${join(cache, 'options.rsp')}`],
      {
        env: environment,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      },
    );
    const before = wrong.size;
    for (const line of `${stdout}${stderr}`.split('\n')) {
      const found = /F(\d+)\.cs\(\d+,\d+\): error (CS\d+): (.*)/.exec(line);
      if (found) wrong.set(Number(found[1]), `${found[2]} ${found[3]}`);
      else if (line.includes('error')) throw new Error(line);
    }
    if (wrong.size === before) break;
  }
  const runtime = { runtimeOptions: { framework: { name: 'Microsoft.NETCore.App', version } } };
  writeFileSync(join(cache, 'run.runtimeconfig.json'), JSON.stringify(runtime));
  execFileSync(join(sdk, 'dotnet'), [join(cache, 'run.dll'), join(cache, 'results.txt')], {
    env: environment,
    stdio: 'inherit',
  });
  const answers = pairs.map((_, index) => wrong.get(index) ?? null);
  for (const line of readFileSync(join(cache, 'results.txt'), 'utf8').split('\n')) {
    if (line === '') continue;
    const space = line.indexOf(' ');
    answers[Number(line.slice(0, space))] = JSON.parse(line.slice(space + 1));
  }
  return answers;
}

/** One entry a line. */
export const corpusText = (entries) => `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`;

const [sdk, cache, ...rest] = process.argv.slice(2);
if (sdk === undefined || cache === undefined) {
  console.log('usage: fragment-oracle.mjs <sdk folder> <cache folder> [fragments.json] [--write]');
  process.exit(1);
}
const file = rest.find((argument) => !argument.startsWith('--'));
if (file === undefined) {
  const corpus = JSON.parse(readFileSync(corpusFile, 'utf8'));
  const asked = corpus.filter(({ by }) => by === undefined);
  const answers = answersOf(
    asked.map(({ kind, fragment }) => [kind, fragment]),
    resolve(sdk),
    resolve(cache),
  );
  let differences = 0;
  for (const [index, entry] of asked.entries()) {
    if (JSON.stringify(entry.results) === JSON.stringify(answers[index])) continue;
    differences++;
    console.log(`${entry.fragment}\n  was ${JSON.stringify(entry.results)}\n  is  ${JSON.stringify(answers[index])}`);
    entry.results = answers[index];
  }
  console.log(`${asked.length} fragments, ${differences} differ`);
  if (rest.includes('--write')) writeFileSync(corpusFile, corpusText(corpus));
} else {
  const pairs = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(`${file}.results.json`, JSON.stringify(answersOf(pairs, resolve(sdk), resolve(cache))));
}
