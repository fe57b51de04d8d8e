// Asks a real C# compiler and runtime what fragments answer. For developers only: neither the build nor the tests need it.
//
//   node scripts/fragment-oracle/fragment-oracle.mjs <sdk folder> <cache folder> [fragments.json] [--write]
//
// The SDK is an unpacked .NET Core SDK (its folder holds `dotnet`, `sdk` and `shared`); the cache folder takes what is compiled and lies
// outside the tree. Without a file the corpus `test/fixtures/fragments/results.json` is run again: every difference from what it says is
// printed, `--write` stores the new answers. A file holds a list of [kind, fragment]; its answers come out beside it, as `<file>.results.json`.
//
// Entries with a `by` were worked out by hand (C# newer than that compiler) and are left alone.

import { spawnSync } from 'node:child_process';
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

/** Compiles and runs [kind, fragment] pairs; answers a list of texts for each, or the compiler's error, or null where the runtime itself breaks. */
function answersOf(pairs, sdk, cache) {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const environment = { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
  const run = (options) =>
    spawnSync(join(sdk, 'dotnet'), options, { env: environment, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const framework = join(sdk, 'shared/Microsoft.NETCore.App');
  const version = readdirSync(framework)[0];
  const runtime = { runtimeOptions: { framework: { name: 'Microsoft.NETCore.App', version } } };
  writeFileSync(join(cache, 'run.runtimeconfig.json'), JSON.stringify(runtime));
  /** What cannot be run, by index. */
  const left = new Map();
  const results = join(cache, 'results.txt');
  for (;;) {
    const before = left.size;
    compile(pairs, left, { run, sdk, cache, framework: join(framework, version) });
    if (left.size > before) continue;
    const { status, stderr } = run([join(cache, 'run.dll'), results]);
    if (status === 0) break;
    const broken = /Algorithms\.F(\d+)/.exec(stderr);
    if (broken === null) throw new Error(stderr);
    console.log(`the runtime breaks down on ${pairs[Number(broken[1])][1]}`);
    left.set(Number(broken[1]), null);
  }
  const answers = pairs.map((_, index) => left.get(index) ?? null);
  for (const line of readFileSync(results, 'utf8').split('\n')) {
    if (line === '') continue;
    const space = line.indexOf(' ');
    answers[Number(line.slice(0, space))] = JSON.parse(line.slice(space + 1));
  }
  return answers;
}

/** Compiles what is not in `left`, and puts there what has errors. */
function compile(pairs, left, { run, sdk, cache, framework }) {
  const versions = readdirSync(join(sdk, 'sdk')).filter((name) => /^\d/.test(name));
  const compiler = join(sdk, 'sdk', versions[0], 'Roslyn/bincore/csc.dll');
  const references = readdirSync(framework).filter((name) =>
    /^(System\.(Private\.CoreLib|Runtime|Runtime\.Extensions|Linq|Collections)|netstandard)\.dll$/.test(name),
  );
  const indices = [...pairs.keys()].filter((index) => !left.has(index));
  for (const index of indices) writeFileSync(join(cache, `F${index}.cs`), fragmentText(pairs[index], index));
  writeFileSync(join(cache, 'graph.cs'), programText(indices));
  const options = [
    '/nologo', '/target:exe', '/nostdlib', '/langversion:preview', '/optimize+', '/warn:0', `/out:${join(cache, 'run.dll')}`,
    ...references.map((name) => `/r:${join(framework, name)}`),
    at('scripts/fragment-oracle/model.cs'), join(cache, 'graph.cs'), ...indices.map((index) => join(cache, `F${index}.cs`)),
  ]; // biome-ignore format: a table
  writeFileSync(join(cache, 'options.rsp'), options.map((option) => `"${option}"`).join('\n'));
  const { stdout, stderr } = run([compiler, '/noconfig', `@${join(cache, 'options.rsp')}`]);
  for (const line of `${stdout}${stderr}`.split('\n')) {
    const found = /F(\d+)\.cs\(\d+,\d+\): error (CS\d+): (.*)/.exec(line);
    if (found && left.has(Number(found[1]))) continue;
    if (found) left.set(Number(found[1]), `${found[2]} ${found[3]}`);
    else if (line.includes('error')) throw new Error(line);
  }
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
