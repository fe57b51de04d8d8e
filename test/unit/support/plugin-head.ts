// A whole plugin, to stand before a source that is wrong: what is told is about that source then.

export const pluginHead = `using System; using System.Collections.Generic; using NoSQL.GraphDB.Core; using NoSQL.GraphDB.Core.Plugin; using NoSQL.GraphDB.Core.Plugins;
public sealed class Says : IGraphFunction {
  public string PluginName => "Says"; public Type PluginCategory => typeof(IGraphFunction);
  public string Description => ""; public string Manufacturer => "tests";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { }
  public void Dispose() { }
  public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters) { result = null; return true; }
}
`;
