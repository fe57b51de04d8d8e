// What plugins cost who asks a service: registering them, and a search by a plugin beside the built-in one.

import { bothEnds } from './both-ends.ts';
import { median } from './measure.ts';
import {
  type Ask,
  type HundredFigures,
  hundredFigures,
  type RegisteringFigures,
  registeringFigures,
} from './registering.ts';
import { startService } from './servers.ts';

export interface PluginServiceFigures {
  readonly registering: RegisteringFigures;
  readonly hundred: HundredFigures;
  /** Milliseconds, over all that can be reached from one vertex. */
  readonly pluginMs: number;
  readonly settled: number;
  /** Between pairs of vertices, from both ends: of a plugin and of the built-in search. */
  readonly bothEndsMs: number;
  readonly builtInMs: number;
  /** Reads while sources of the largest size are registered: the longest of each registration, of as many reads without one, and how many. */
  readonly beside: {
    readonly longestMs: number[];
    readonly idleMs: number[];
    readonly reads: number;
    readonly registeredMs: number;
  };
}

const headers = { 'content-type': 'application/json' };
const rounds = 9;
const vertices = 100_000;
const degree = 5;
/** Vertices that a way is looked for to, spread over the graph. */
const targets = [99_991, 7_919, 31_337, 50_021, 77_777];

/** `search`: a function over the whole graph, called Search, that answers the vertex that it comes to last, by costs of `edge.Id % 7 + 1`. */
export async function pluginServiceFigures(search: string): Promise<PluginServiceFigures> {
  const server = await startService([
    '--Service:Log:Level=error',
    '--Service:Security:SensitiveRateLimitPermitPerWindow=100000',
    '--Service:Fragments:MaxCompileSeconds=60',
    '--Service:Plugins:MaxCount=1000',
  ]);
  try {
    return await measured(`http://127.0.0.1:${server.port}`, search);
  } finally {
    await server.stop();
  }
}

async function measured(url: string, search: string): Promise<PluginServiceFigures> {
  const ask: Ask = async (method, path, body) => {
    const began = performance.now();
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return { ms: performance.now() - began, json: text === '' ? null : JSON.parse(text) };
  };

  await ask('GET', '/ns/default/generate?nodeCount=10&edgeCount=2');
  const registering = await registeringFigures(ask, rounds);
  const hundred = await hundredFigures(ask);

  await ask('PUT', '/ns/large');
  await ask('GET', `/ns/large/generate?nodeCount=${vertices}&edgeCount=${degree}`);
  await ask('POST', '/ns/large/plugins/function', { name: 'Search', sourceCode: search });
  const algorithm = { name: 'BothEnds', contract: 'Path', sourceCode: bothEnds };
  await ask('POST', '/ns/large/plugins/algorithm', algorithm);
  const cost = { edgeCost: 'return e => e.Id % 7 + 1;', vertexCost: 'return v => 0;' };
  const path = { maxDepth: 1000, maxResults: 1, cost };
  const [plugin, both, builtIn]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round <= rounds; round++) {
    plugin.push((await ask('POST', '/ns/large/plugins/function/Search/invoke', {})).ms);
    for (const target of targets) {
      const way = async (pathAlgorithmName: string, into: number[]): Promise<number | undefined> => {
        const { ms, json } = await ask('POST', `/ns/large/path/0/to/${target}`, { ...path, pathAlgorithmName });
        if (round > 0) into.push(ms);
        return (json as { totalWeight: number }[])[0]?.totalWeight;
      };
      if ((await way('BothEnds', both)) !== (await way('DIJKSTRA', builtIn)))
        throw new Error(`The ways to ${target} differ.`);
    }
  }
  return {
    registering,
    hundred,
    pluginMs: median(plugin.slice(1)),
    settled: vertices,
    beside: await readBeside(ask),
    bothEndsMs: median(both),
    builtInMs: median(builtIn),
  };
}

async function readBeside(ask: Ask): Promise<PluginServiceFigures['beside']> {
  const [longestMs, idleMs]: [number[], number[]] = [[], []];
  const registered: number[] = [];
  let reads = 0;
  for (let round = 0; round < rounds; round++) {
    const name = `Large${round}`;
    let isOver = false;
    const registering = ask('POST', '/plugins/function', { name, sourceCode: largeSource(name) }).finally(() => {
      isOver = true;
    });
    let [longest, count] = [0, 0];
    for (; !isOver; count++) longest = Math.max(longest, (await ask('GET', '/ns/large/vertex/7')).ms);
    registered.push((await registering).ms);
    await ask('DELETE', `/plugins/${name}`);
    longestMs.push(longest);
    longest = 0;
    for (let read = 0; read < count; read++) longest = Math.max(longest, (await ask('GET', '/ns/large/vertex/7')).ms);
    idleMs.push(longest);
    reads += count;
  }
  return { longestMs, idleMs, reads, registeredMs: median(registered) };
}

/** Almost 200,000 characters, with methods that all are called. */
function largeSource(name: string): string {
  const methods: string[] = [];
  for (let length = 0; length < 190_000; length += (methods.at(-1) as string).length + 1) {
    const number = methods.length;
    methods.push(`  static int M${number}(int n) { var list = new List<int> { n, ${number} }; var sum = 0;
    foreach (var one in list) { if (one % 3 == 1) sum += one; else sum -= ${number % 7}; }
    return ${number === 0 ? 'sum' : `sum > 1000 ? M${number - 1}(sum % 100) : sum`}; }`);
  }
  return `using System;
using System.Collections.Generic;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Model;
using NoSQL.GraphDB.Core.Plugin;
using NoSQL.GraphDB.Core.Plugins;
public class ${name} : IGraphFunction {
  public string PluginName => "${name}";
  public Type PluginCategory => typeof(IGraphFunction);
  public string Description => "d";
  public string Manufacturer => "m";
  public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) { }
  public void Dispose() { }
  public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters) {
    result = null;
    return M${methods.length - 1}(1) > 5;
  }
${methods.join('\n')}
}`;
}
