// A PriorityQueue of compiled plugins (assembly/fragments/heap.ts) beside that of the interpreter: elements and priorities of every size, many of
// them equal, so that the order of equals shows too.

import { expect, it } from 'vitest';
import { boundPlugin, PluginHome } from './support/plugin-corpus.ts';

const home = new PluginHome('dist/wasm/debug/core.shared.wasm');

const source = (element: string, made: string, priority: string, urgent: string) => `using System;
using System.Collections.Generic;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Plugin;
using NoSQL.GraphDB.Core.Plugins;
public class Heap : IGraphFunction {
  public string PluginName => "Heap"; public Type PluginCategory => typeof(IGraphFunction);
  public string Description => ""; public string Manufacturer => "tests";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { }
  public void Dispose() { }
  static ${element} Made(int i) => ${made};
  static ${priority} Urgent(int n) => ${urgent};
  public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters) {
    var queue = new PriorityQueue<${element}, ${priority}>();
    var random = 1;
    var said = "";
    for (var i = 0; i < 900; i++) {
      random = (int)((random * 48271L) % 2147483647);
      if (random % 5 < (i < 500 ? 3 : 1)) queue.Enqueue(Made(i), Urgent(random / 8 % 40));
      else if (queue.TryDequeue(out var first, out var how)) said += first + "/" + how + " ";
    }
    while (queue.Count > 0) said += queue.Dequeue() + " ";
    throw new InvalidOperationException(said);
  }
}`;

const elements = [
  ['int', 'i'],
  ['long', 'i * 3000000000L'],
  ['string', '"e" + i'],
  ['decimal', 'i * 1.5m'],
] as const;
const priorities = [
  ['int', 'n - 20'],
  ['long', '(n - 20) * 3000000000L'],
  ['float', 'n == 7 ? float.NaN : n == 8 ? -0f : n == 9 ? 0f : n / 3'],
  ['double', 'n == 7 ? double.NaN : n == 8 ? double.NegativeInfinity : n / 3 - 5'],
  ['uint', '(uint)n * 100000000u'],
  ['string', '"p" + n / 2'],
  ['decimal', 'n / 2'],
] as const;

it.each(
  elements.flatMap(([element, made]) =>
    priorities.map(([priority, urgent]) => [element, priority, made, urgent] as const),
  ),
)('of %s by %s', (element, priority, made, urgent) => {
  const plugin = boundPlugin(source(element, made, priority, urgent), 'GraphFunction');
  const compiled = home.compiled(plugin);
  expect(compiled).toEqual(home.interpreted(plugin));
  expect(compiled).toMatchObject({ kind: 'exception', message: expect.stringMatching(/^(\S+ ){200,}$/) });
});
