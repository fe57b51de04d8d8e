// Transactions of plugins at the engine: other writes wait while one is open, it is one or none, and subscribers hear of it once.

import { describe, expect, it } from 'vitest';
import { graphOf, startedWith } from './engine-support.ts';

const vertex = { kind: 'createVertex', creationDate: 0, label: null, properties: [] } as const;

const changeFeed = {
  enabled: true,
  bufferSize: 100,
  subscriberQueueSize: 100,
  maxSubscribers: 1,
  keepAliveSeconds: 60,
};

describe('a transaction of a plugin', () => {
  it('gives its creates the ids it was told, while others wait, and is one event', async () => {
    const { engine } = await startedWith({ changeFeed });
    const graph = graphOf(engine);
    graph.write([vertex]);
    await new Promise((resolve) => setImmediate(resolve));
    const before = graph.changeFeed.newest;
    const open = await graph.runs.delegate();
    expect(open.firstId).toBe(1);
    let later = 0;
    const next = graph.runs.delegate().then((second) => {
      later = second.firstId;
      second.end();
    });
    expect(graph.writeHold()).not.toBeNull();
    const edge = {
      kind: 'createEdge',
      creationDate: 0,
      source: 1,
      target: 0,
      edgeType: 't',
      label: null,
      properties: [],
    };
    const committed = open.commit([vertex, edge as never]);
    expect(committed).toMatchObject({ ok: true });
    expect(later).toBe(0);
    open.end();
    await next;
    expect(later).toBe(3);
    expect(graph.writeHold()).toBeNull();
    expect([graph.vertexCount, graph.edgeCount]).toEqual([2, 1]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(graph.changeFeed.newest).toBe(before + 1);
    await engine.close();
  });

  it('changes nothing when another came first, or an element is not there', async () => {
    const { engine } = await startedWith({});
    const graph = graphOf(engine);
    const open = await graph.runs.delegate();
    graph.write([vertex]);
    expect(open.commit([vertex])).toMatchObject({ ok: false });
    open.end();
    const second = await graph.runs.delegate();
    const missing = { kind: 'removeProperty', element: 99, key: 'k' } as const;
    expect(second.commit([vertex, missing])).toMatchObject({ ok: false, flaw: expect.stringMatching(/not there/) });
    second.end();
    expect([graph.vertexCount, graph.writeHold()]).toEqual([1, null]);
    await engine.close();
  });

  it('makes a trim wait', async () => {
    const { engine } = await startedWith({});
    const graph = graphOf(engine);
    graph.write([vertex, vertex]);
    graph.write([{ kind: 'removeElement', element: 0, skipRemoved: false }]);
    const open = await graph.runs.delegate();
    const trimmed = graph.runs.trim();
    expect(open.commit([vertex])).toMatchObject({ ok: true });
    open.end();
    expect((await trimmed).ok).toBe(true);
    expect(graph.reads.element(1, 'vertex')).not.toBeNull();
    expect(graph.reads.element(2, 'vertex')).toBeNull();
    await engine.close();
  });
});
