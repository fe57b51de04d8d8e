// What registering a plugin of 80 lines costs who asks a service, and what of it goes where: parts that a client can tell apart from outside.

import { median } from './measure.ts';

export type Ask = (method: string, path: string, body?: unknown) => Promise<{ ms: number; json: unknown }>;

/** Medians, in milliseconds. */
export interface RegisteringFigures {
  readonly lines: number;
  /** The very first, which also brings the compiler in. */
  readonly firstMs: number;
  /** Those at once behind it. */
  readonly nextMs: number;
  /** Those a little later, when the compiler has practised. */
  readonly warmMs: number;
  /** Of a warm one: the way there and back, the run that says its name (as a call takes), the log (as a write), and the rest. */
  readonly parts: {
    readonly request: number;
    readonly compiling: number;
    readonly trial: number;
    readonly log: number;
  };
  /** How much longer the first call of one takes than its second. */
  readonly firstCallMs: number;
}

/** A hundred registrations that begin within one second, over two namespaces. */
export interface HundredFigures {
  /** From the first one's begin to the last one's end. */
  readonly ms: number;
  readonly reads: number;
  /** Of a read meanwhile. */
  readonly longestReadMs: number;
}

const behindMs = 3000;

/** Over the namespace `default`, which is to have a vertex 0. */
export async function registeringFigures(ask: Ask, rounds: number): Promise<RegisteringFigures> {
  const place = '/plugins/function';
  const bodyOf = (name: string) => ({ name, sourceCode: eightyLines(name) });
  const register = async (name: string): Promise<number> => (await ask('POST', place, bodyOf(name))).ms;
  const firstMs = await register('First');
  const next: number[] = [];
  for (let round = 0; round < rounds; round++) next.push(await register(`Next${round}`));
  await new Promise((resolve) => setTimeout(resolve, behindMs));
  const whole: number[] = [];
  const called: number[] = [];
  const later: number[] = [];
  const read: number[] = [];
  const written: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const name = `Warm${round}`;
    whole.push(await register(name));
    const call = async () => (await ask('POST', `${place}/${name}/invoke`, { parameters: { from: '0' } })).ms;
    const first = await call();
    const second = await call();
    later.push(first - second);
    called.push(second);
    read.push((await ask('GET', '/vertex/0')).ms);
    written.push((await ask('PUT', '/vertex?waitForCompletion=true', { label: 'a', creationDate: 0 })).ms);
  }
  const request = median(read);
  const warmMs = median(whole);
  const trial = median(called) - request;
  const log = median(written) - request;
  return {
    lines: eightyLines('Any').trimEnd().split('\n').length,
    firstMs,
    nextMs: median(next),
    warmMs,
    parts: { request, compiling: warmMs - request - trial - log, trial, log },
    firstCallMs: median(later),
  };
}

/** Throws when one of them is refused. */
export async function hundredFigures(ask: Ask): Promise<HundredFigures> {
  await ask('PUT', '/ns/second');
  const places = ['', '/ns/second'];
  const began = performance.now();
  let isOver = false;
  const all = Array.from({ length: 100 }, async (_, at) => {
    await new Promise((resolve) => setTimeout(resolve, 10 * at));
    const name = `Hundred${at}`;
    await ask('POST', `${places[at % 2]}/plugins/function`, { name, sourceCode: eightyLines(name) });
  });
  const registered = Promise.all(all).finally(() => {
    isOver = true;
  });
  let [reads, longestReadMs] = [0, 0];
  for (; !isOver; reads++) longestReadMs = Math.max(longestReadMs, (await ask('GET', '/vertex/0')).ms);
  await registered;
  return { ms: performance.now() - began, reads, longestReadMs };
}

/** Whom somebody may want to know: those that most and least known acquaintances have in common with them. */
const source = `using System;
using System.Collections.Generic;
using System.Linq;
using NoSQL.GraphDB.Core;
using NoSQL.GraphDB.Core.Model;
using NoSQL.GraphDB.Core.Plugin;
using NoSQL.GraphDB.Core.Plugins;

public sealed class Acquaintances : IGraphFunction
{
    private const int Most = 20;
    private IFallen8 _graph;

    public string PluginName     => "Acquaintances";
    public Type   PluginCategory => typeof(IGraphFunction);
    public string Description    => "Whom somebody may want to know.";
    public string Manufacturer   => "you";

    public void Initialize(IFallen8 fallen8, IDictionary<string, object> parameter) => _graph = fallen8;
    public void Dispose() { }

    public bool TryInvoke(out GraphFunctionResult result, IDictionary<string, object> parameters)
    {
        result = null;
        if (!TryRead(parameters, "from", out var from) || !_graph.TryGetVertex(out var person, from)) return false;
        var scores = new Dictionary<int, double>();
        var known = new HashSet<int> { person.Id };
        foreach (var friend in Around(person)) known.Add(friend.Id);
        foreach (var friend in Around(person))
        {
            var friends = Around(friend);
            if (friends.Count < 2) continue;
            var weight = 1.0 / Math.Log(friends.Count);
            foreach (var other in friends)
            {
                if (known.Contains(other.Id)) continue;
                scores.TryGetValue(other.Id, out var sum);
                scores[other.Id] = sum + weight * Closeness(person, other);
            }
        }
        var best = new List<VertexModel>();
        foreach (var pair in scores.Where(p => p.Value > 0).OrderByDescending(p => p.Value).ThenBy(p => p.Key).Take(Most))
        {
            if (_graph.TryGetVertex(out var vertex, pair.Key)) best.Add(vertex);
        }
        result = GraphFunctionResult.FromElements(best, null);
        return true;
    }

    private List<VertexModel> Around(VertexModel vertex)
    {
        var found = new List<VertexModel>();
        var seen = new HashSet<int>();
        if (vertex.OutEdges != null)
        {
            foreach (var group in vertex.OutEdges)
                foreach (var edge in group.Value)
                    if (seen.Add(edge.TargetVertex.Id)) found.Add(edge.TargetVertex);
        }
        if (vertex.InEdges != null)
        {
            foreach (var group in vertex.InEdges)
                foreach (var edge in group.Value)
                    if (seen.Add(edge.SourceVertex.Id)) found.Add(edge.SourceVertex);
        }
        return found;
    }

    private static double Closeness(VertexModel left, VertexModel right)
    {
        if (!left.TryGetProperty<int>(out var one, "age") || !right.TryGetProperty<int>(out var other, "age")) return 1.0;
        return 1.0 / (1.0 + Math.Abs(one - other) / 10.0);
    }

    private static bool TryRead(IDictionary<string, object> parameters, string name, out int value)
    {
        value = 0;
        return parameters.TryGetValue(name, out var text) && int.TryParse((string)text, out value);
    }
}
`;

const eightyLines = (name: string): string => source.replaceAll('Acquaintances', name);
