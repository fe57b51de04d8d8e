// What a plugin may be for, and what its class has to implement for that (reference 14.2). The names are those that authors write.

export type PluginContract = 'Path' | 'SubGraph' | 'Analytics' | 'GraphFunction';

export interface ContractShape {
  readonly interfaceName: string;
  /** The method of the contract. */
  readonly method: string;
}

export const contractShapes: Readonly<Record<PluginContract, ContractShape>> = {
  Path: { interfaceName: 'IShortestPathAlgorithm', method: 'TryCalculateShortestPath' },
  SubGraph: { interfaceName: 'ISubGraphAlgorithm', method: 'TryCreateSubgraph' },
  Analytics: { interfaceName: 'IGraphAnalyticsAlgorithm', method: 'TryRunAnalytics' },
  GraphFunction: { interfaceName: 'IGraphFunction', method: 'TryInvoke' },
};

/** The engine's own base class of analytics, and the method that it leaves to those who derive from it. */
export const analyticsBase = { name: 'AGraphAnalyticsAlgorithm', method: 'TryRunCore' } as const;

/** Members of every plugin. */
export const pluginProperties = ['PluginName', 'PluginCategory', 'Description', 'Manufacturer'] as const;
export const pluginMethods = ['Initialize', 'Dispose'] as const;
