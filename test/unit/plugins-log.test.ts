// What plugins say: templates, the bounds of one call and of all, and that compiled and interpreted plugins say the same.

import { expect, it } from 'vitest';
import { logTemplate } from '../../src/fragments/log-template.ts';
import { pacedLog } from '../../src/queries/plugins/plugin-log.ts';
import { WriterChannel, type WriterMessage } from '../../src/queries/plugins/writer-channel.ts';
import { boundPlugin, PluginHome } from './support/plugin-corpus.ts';

it.each([
  ['plain', 'plain', 0],
  ['{Name} has {Count:D3}', '{0} has {1:D3}', 2],
  ['{Wide,8:F1}', '{0,8:F1}', 1],
  ['{{not}} {One}', '{{not}} {0}', 1],
  ['a } brace {', 'a }} brace {{', 0],
])('%s', (template, format, count) => {
  expect(logTemplate(template)).toEqual({ format, count });
});

it('one call says no more than may be, and that it was more', () => {
  const lines: WriterMessage[] = [];
  const channel = new WriterChannel(
    null,
    (message) => lines.push(message),
    () => {},
  );
  for (let at = 0; at < 1000; at++) channel.log(2, 'x'.repeat(5000));
  expect(lines).toHaveLength(101);
  expect(lines.at(-1)).toMatchObject({ line: expect.stringMatching(/more than 100 lines/) });
  expect((lines[0] as { line: string }).line).toHaveLength(2000);
});

it('all calls together say so many lines in a time, and then how many were left out', () => {
  const said: string[] = [];
  let now = 0;
  const log = (_level: number, line: string) => void said.push(line);
  const paced = pacedLog(log, () => now);
  expect(pacedLog(log, () => now)).toBe(paced);
  for (let at = 0; at < 250; at++) paced(2, String(at));
  expect(said).toHaveLength(100);
  now = 10_000;
  paced(2, 'later');
  expect(said.slice(100)).toEqual(['Plugins said 150 lines more, which were left out.', 'later']);
});

const source = `using System; using System.Collections.Generic; using Microsoft.Extensions.Logging; using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Plugin; using NoSQL.GraphDB.Core.Plugins;
public sealed class Says : IGraphFunction {
  IFallen8 graph;
  public string PluginName => "Says"; public Type PluginCategory => typeof(IGraphFunction);
  public string Description => ""; public string Manufacturer => "";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { graph = fallen8; }
  public void Dispose() { }
  public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters) {
    ILogger log = graph.LoggerFactory.CreateLogger("x");
    log.LogDebug("unsaid {N}", 1);
    log.LogInformation("{Name} has {Count:D3} of {{all}}", "a", 7);
    log.LogWarning("plain");
    log.LogError("{Half}", 0.5);
    result = GraphFunctionResult.FromElements(null, null);
    return true;
  }
}`;

it('compiled and interpreted plugins say the same', () => {
  const home = new PluginHome('dist/wasm/core.shared.wasm');
  const bound = boundPlugin(source, 'GraphFunction');
  const said = [2, 3, 4].map((level, at) => ({
    plugin: 'log',
    level,
    line: ['a has 007 of {all}', 'plain', '0.5'][at],
  }));
  expect(home.compiled(bound)).toMatchObject({ kind: 'result' });
  expect(home.said.splice(0)).toEqual(said);
  expect(home.interpreted(bound)).toMatchObject({ kind: 'result' });
  expect(home.said.splice(0)).toEqual(said);
});
