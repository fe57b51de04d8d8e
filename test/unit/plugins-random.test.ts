// Random classes beside the real compiler and runtime: some seeds whose answers are stored, and as many as CLASS_SEEDS says (`npm run soak:classes`),
// for which Mono's `mcs` and `mono` are asked.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { randomClasses } from '../../scripts/plugin-oracle/random-classes.mjs';
import { boundPlugin, PluginHome } from './support/plugin-corpus.ts';

const stored: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(at('test/fixtures/plugins/random.json'), 'utf8'),
);
const asked = Number(process.env.CLASS_SEEDS ?? 0);
/** The first of them. */
const first = Number(process.env.CLASS_SEED ?? Math.floor(Math.random() * 2 ** 20));

/** A function that throws what the classes say. */
const pluginOf = (source: string): string => `using NoSQL.GraphDB.Core; using NoSQL.GraphDB.Core.Plugin;
using NoSQL.GraphDB.Core.Plugins; ${source}
public sealed class Says : IGraphFunction {
  public string PluginName => "Says"; public Type PluginCategory => typeof(IGraphFunction);
  public string Description => ""; public string Manufacturer => "tests";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { }
  public void Dispose() { }
  public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters) {
    throw new InvalidOperationException(Case.Run());
  }
}`;

/** What Mono makes of it; the constants of a source may overflow, which no compiler takes: null. */
function monoSays(source: string, folder: string): string | null {
  const [file, main, program] = ['Case.cs', 'Main.cs', 'Case.exe'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, source);
  writeFileSync(
    main,
    'public static class Program { public static void Main() { System.Console.Out.Write(Case.Run()); } }\n',
  );
  const compiled = spawnSync('mcs', ['-langversion:latest', '-warn:0', `-out:${program}`, file, main], {
    encoding: 'utf8',
  });
  if (compiled.error !== undefined) throw compiled.error;
  if (compiled.status !== 0) return null;
  return spawnSync('mono', [program], { encoding: 'utf8' }).stdout;
}

describe('random classes', () => {
  const home = new PluginHome('dist/wasm/debug/core.shared.wasm');
  const say = (seed: number, answer: string): void => {
    const bound = boundPlugin(pluginOf(randomClasses(seed)), 'GraphFunction');
    const expected = { kind: 'exception', type: 'InvalidOperationException', message: answer };
    expect(home.interpreted(bound), `seed ${seed}, interpreted`).toEqual(expected);
    const compiled = home.compiled(bound);
    if (typeof compiled !== 'string') expect(compiled, `seed ${seed}, compiled`).toEqual(expected);
    // Every other seed has no exceptions of its own, so that it is compiled.
    else expect(seed % 2, compiled).toBe(0);
  };

  it.each(Object.entries(stored))('seed %s says what the real compiler makes of it', (seed, answer) => {
    say(Number(seed), answer);
  });

  it.skipIf(asked === 0)(`as many seeds as are asked for: CLASS_SEED=${first}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'classes-'));
    try {
      let met = 0;
      for (let seed = first; seed < first + asked; seed++) {
        const answer = monoSays(randomClasses(seed), folder);
        if (answer === null) continue;
        met++;
        say(seed, answer);
      }
      expect(met).toBeGreaterThan(asked / 2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
