// Whole classes: each file of the corpus declares its own types and says by `Case.Run()` what they do. What it says is what the real compiler and
// runtime say (scripts/plugin-oracle); the interpreter says the same, and the compiled module wherever the emitter takes it.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import type { EmittedOutcome } from '../../src/queries/plugins/emitted.ts';
import { boundPlugin, PluginHome } from './support/plugin-corpus.ts';

const folder = at('test/fixtures/plugins/classes');
const answers: Readonly<Record<string, string>> = JSON.parse(readFileSync(`${folder}/answers.json`, 'utf8'));
const cases = readdirSync(folder).filter((file) => file.endsWith('.cs'));

/** A function that throws what the case says. */
function pluginOf(source: string): string {
  const space = /^namespace ([\w.]+)/m.exec(source)?.[1];
  const usings = ['Core', 'Core.Plugin', 'Core.Plugins'].map((name) => `using NoSQL.GraphDB.${name};`).join(' ');
  const missing = ['System', 'System.Collections.Generic'].filter((name) => !source.includes(`using ${name};`));
  const head = `${usings} ${missing.map((name) => `using ${name};`).join(' ')}`;
  const lines = source.split('\n');
  const first = lines.findIndex((line) => line.startsWith('using'));
  lines[first] = `${head} ${lines[first]}`;
  return `${lines.join('\n')}
public sealed class Says : IGraphFunction {
  public string PluginName => "Says"; public Type PluginCategory => typeof(IGraphFunction);
  public string Description => ""; public string Manufacturer => "tests";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { }
  public void Dispose() { }
  public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters) {
    throw new InvalidOperationException(${space === undefined ? '' : `${space}.`}Case.Run());
  }
}`;
}

function saidBy(outcome: EmittedOutcome | string): string {
  if (typeof outcome === 'string') return `not compiled: ${outcome}`;
  return outcome.kind === 'exception' ? outcome.message : JSON.stringify(outcome);
}

describe('classes of a source', () => {
  const home = new PluginHome('dist/wasm/debug/core.shared.wasm');

  it.each(cases)('%s says what the real compiler makes of it', (file) => {
    const name = file.replace('.cs', '');
    const bound = boundPlugin(pluginOf(readFileSync(`${folder}/${file}`, 'utf8')), 'GraphFunction');
    expect(saidBy(home.interpreted(bound))).toBe(answers[name]);
    const compiled = saidBy(home.compiled(bound));
    if (!compiled.startsWith('not compiled')) expect(compiled).toBe(answers[name]);
    else console.log(file, compiled);
  });
});
