// What the engine has of classes, as C#: read with a source that names them.

const analytics = `
namespace NoSQL.GraphDB.Core.Algorithms.Analytics {
public abstract class AGraphAnalyticsAlgorithm : IGraphAnalyticsAlgorithm {
  protected NoSQL.GraphDB.Core.IFallen8 _fallen8;
  public abstract string PluginName { get; }
  public abstract string Description { get; }
  public virtual System.Type PluginCategory => typeof(IGraphAnalyticsAlgorithm);
  public virtual string Manufacturer => "";
  public virtual void Initialize(NoSQL.GraphDB.Core.IFallen8 fallen8, System.Collections.Generic.IDictionary<string, object> parameter) { _fallen8 = fallen8; }
  public virtual void Dispose() { _fallen8 = null; }
  public virtual bool TryRunAnalytics(out GraphAnalyticsResult result, GraphAnalyticsDefinition definition) =>
    TryRunCore(out result, definition, Arcwise.Host.Running.Call.Workspace, Arcwise.Host.Running.Call.Budget, System.Diagnostics.Stopwatch.StartNew());
  protected abstract bool TryRunCore(out GraphAnalyticsResult result, GraphAnalyticsDefinition definition, Workspace workspace, BudgetGuard budget, System.Diagnostics.Stopwatch stopwatch);
  protected static bool TryGetDoubleParameter(GraphAnalyticsDefinition definition, string name, out double value, out bool invalid) {
    value = 0;
    invalid = false;
    if (definition.Parameters == null || !definition.Parameters.TryGetValue(name, out var raw) || raw == null) return false;
    if (raw is double number) { value = number; return true; }
    invalid = true;
    return false;
  }
}
}
namespace Arcwise.Host { public static class Running { public static PluginCall Call; } }
`;

/** Classes of the engine that the text names. */
export function preludeFor(source: string): string {
  return source.includes('AGraphAnalyticsAlgorithm') ? analytics : '';
}
