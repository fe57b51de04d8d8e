// Sources of plugins that contract tests register: those of docs/plugins.md, and functions of a body.

import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../../docs/plugins.md', import.meta.url), 'utf8');
export const [neighbourhood = '', cheapest = '', reciprocity = '', quotient = '', summarise = ''] = Array.from(
  guide.matchAll(/```csharp\n([\s\S]*?)```/g),
  ([, source]) => source as string,
);

/** A function of this body. */
export const functionOf = (name: string, body: string, members = '') => `using System;
using System.Collections.Generic;
using System.Linq;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Model;
using NoSQL.GraphDB.Core.Plugin;
using NoSQL.GraphDB.Core.Plugins;
public class ${name} : IGraphFunction {
  IFallen8 graph;
  public string PluginName => "${name}";
  public Type PluginCategory => typeof(IGraphFunction);
  public string Description => "d";
  public string Manufacturer => "m";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { graph = fallen8; }
  ${members.includes('Dispose()') ? '' : 'public void Dispose() { }'}
  ${members}
  public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters) {
    ${body}
  }
}`;
export const found = 'result = GraphFunctionResult.FromElements(graph.GetAllVertices(), null); return true;';
