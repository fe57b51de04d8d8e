// Compiling on real threads, beside a service that answers: what a hostile text costs its sender and nobody else. Some threads of this test go
// wrong on purpose (compiler-worker.mjs).

// @module-tag long

import { afterEach, describe, expect, test, vi } from 'vitest';
import { createNodePlatform } from '../../runtime-node/http-platform.ts';
import { type Listener, listen } from '../../runtime-node/listener.ts';
import { compilersOnThreads } from '../../runtime-node/workers/compiler-threads.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { Configuration } from '../../src/config/configuration.ts';
import { sectionKinds } from '../../src/engine/checkpoint/types.ts';
import { createHandler } from '../../src/http/handler.ts';
import type { FragmentTexts, SetTask } from '../../src/queries/fragments/compile-task.ts';
import { FragmentCompiler } from '../../src/queries/fragments/compiler.ts';
import { compilersHere } from '../../src/queries/fragments/compiler-here.ts';
import type { Compilers } from '../../src/queries/fragments/compilers.ts';
import { subgraphAlgorithm } from '../../src/queries/subgraphs/recipe.ts';
import { silent } from '../../src/telemetry/telemetry.ts';
import { graphOf, startedWith, vertex } from './engine-support.ts';

const built = new URL(`file://${at('dist/runtime-node/workers/compiler-worker.js')}`);
const faulty = new URL('./compiler-worker.mjs', import.meta.url);
const aMinuteMs = 60_000;

const setOf = (...fragments: string[]): FragmentTexts =>
  Object.fromEntries(fragments.map((text, i) => [`f${i}`, { kind: 'VertexFilter' as const, text }]));
const taskOf = (...fragments: string[]): SetTask => ({
  ...{ kind: 'set', shared: true, emits: true },
  texts: setOf(...fragments),
});
const good = 'return v => v.Label != "a";';
const bad = 'return v => v.Gone;';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

function threads(maxMs: number, entry: URL = faulty): Compilers {
  const compilers = compilersOnThreads({ maxWaiting: 100, maxMs, entry });
  open.push(compilers);
  return compilers;
}

describe.each([
  ['threads', () => threads(aMinuteMs, built)],
  ['one thread', () => compilersHere({ maxWaiting: 100, maxMs: aMinuteMs })],
])('compilers on %s', (_, make) => {
  test('answer modules, errors with their places, and diagnostics', async () => {
    const compilers = make();
    const done = await compilers.run(taskOf(good, 'return v => v.Id > 3;'));
    expect(done).toMatchObject({
      ok: true,
      value: { ok: true, modules: { f0: { texts: [], bytes: expect.any(Number) } } },
    });
    const modules = done.ok && done.value.ok ? done.value.modules : {};
    expect(Object.values(modules).map((made) => made?.module)).toEqual([
      expect.any(WebAssembly.Module),
      expect.any(WebAssembly.Module),
    ]);
    const refused = await compilers.run(taskOf(good, bad, 'return v =>\n v.Gone;'));
    expect(refused).toMatchObject({ ok: true, value: { ok: false } });
    const errors = refused.ok && !refused.value.ok ? refused.value.errors : [];
    expect(errors).toEqual([
      expect.stringMatching(/^f1 \(1,15\): error CS1061: /),
      expect.stringMatching(/^f2 \(2,4\): error CS1061: /),
    ]);
    const said = await compilers.run({
      kind: 'validation',
      text: 'return v =>\n v.Gone;',
      delegateKind: 'VertexFilter',
    });
    expect(said).toMatchObject({ ok: true, value: [{ line: 2, column: 4, endLine: 2, endColumn: 8, id: 'CS1061' }] });
  });
});

describe('on one thread', () => {
  test('a set that takes too long is left between two fragments', async () => {
    let pauses = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pause = async (): Promise<void> => {
      pauses++;
      if (pauses === 3) vi.advanceTimersByTime(1100);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const compilers = compilersHere({ maxWaiting: 1, maxMs: 1000, pause });
    expect(await compilers.run(taskOf(...Array.from({ length: 50 }, (_, i) => `return v => v.Id > ${i};`)))).toEqual({
      ok: false,
      limit: 'time',
    });
    expect(pauses).toBeLessThan(10);
    vi.useRealTimers();
    expect(await compilers.run(taskOf(good))).toMatchObject({ ok: true });
  });

  test('of validations that wait, the thread is left after each', async () => {
    let pauses = 0;
    const pause = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      pauses++;
    };
    const compilers = compilersHere({ maxWaiting: 10, maxMs: aMinuteMs, pause });
    const ask = async (text: string): Promise<number> => {
      await compilers.run({ kind: 'validation', text, delegateKind: 'VertexFilter' });
      return pauses;
    };
    expect(await Promise.all([good, bad, good].map(ask))).toEqual([1, 2, 3]);
  });
});

describe('threads that go wrong', () => {
  test('one that never ends holds nobody else up', async () => {
    const compilers = threads(aMinuteMs);
    const controller = new AbortController();
    let isOver = false;
    const endless = compilers.run(taskOf('endless'), { signal: controller.signal }).finally(() => {
      isOver = true;
    });
    for (let i = 0; i < 5; i++) {
      expect(await compilers.run(taskOf(`return v => v.Id > ${i};`))).toMatchObject({ ok: true });
    }
    expect(isOver).toBe(false);
    controller.abort();
    await expect(endless).rejects.toMatchObject({ reason: 'cancelled' });
  });

  test('those that never end are ended at the deadline, and another one takes their place', async () => {
    const compilers = threads(2000);
    const endless = Array.from({ length: 3 }, (_, i) => compilers.run(taskOf(`endless ${i}`)));
    const after = compilers.run(taskOf(good));
    for (const one of endless) expect(await one).toEqual({ ok: false, limit: 'time' });
    expect(await after).toMatchObject({ ok: true });
  });

  test('one that takes all memory is ended; so is one that dies, as a defect', async () => {
    const compilers = threads(aMinuteMs);
    expect(await compilers.run(taskOf('hungry'))).toEqual({ ok: false, limit: 'memory' });
    await expect(compilers.run(taskOf('deadly'))).rejects.toMatchObject({ reason: 'crashed' });
    expect(await compilers.run(taskOf(good))).toMatchObject({ ok: true });
  });
});

describe('sets', () => {
  const compilerOver = (compilers: Compilers, bytes = 2 ** 20): FragmentCompiler => {
    const cache = { entries: 100, bytes, ageMs: 60_000 };
    return new FragmentCompiler({
      compilers,
      shared: true,
      emits: true,
      cache,
      maxSeconds: 60,
      now: () => 0,
      telemetry: silent,
      artifact: 'subgraph',
    });
  };
  /** Counts what is compiled, and lets it through when told to. */
  function gated(): { compilers: Compilers; begun: AbortSignal[]; open: () => void } {
    const inner = compilersHere({ maxWaiting: 100, maxMs: aMinuteMs });
    const begun: AbortSignal[] = [];
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const compilers: Compilers = {
      ...{ warm: () => {}, close: async () => {} },
      run: async (task, caller = {}) => {
        begun.push(caller.signal as AbortSignal);
        await gate;
        return inner.run(task, {});
      },
    };
    return { compilers, begun, open: go };
  }

  test('that are the same are compiled once, also while they are', async () => {
    const { compilers, begun, open: go } = gated();
    const compiler = compilerOver(compilers);
    const both = [compiler.compile(setOf(good)), compiler.compile(setOf(good))];
    go();
    const [first, second] = await Promise.all(both);
    expect(first).toMatchObject({ ok: true });
    expect(second).toBe(first);
    expect(await compiler.compile(setOf(good))).toBe(first);
    expect(begun).toHaveLength(1);
  });

  test('go on for whoever still waits, and end with the last one', async () => {
    const { compilers, begun, open: go } = gated();
    const compiler = compilerOver(compilers);
    const controllers = [new AbortController(), new AbortController()];
    const waiting = controllers.map(({ signal }) => compiler.compile(setOf(good), { signal }));
    controllers[0]?.abort();
    await expect(waiting[0]).rejects.toMatchObject({ reason: 'cancelled' });
    expect(begun[0]?.aborted).toBe(false);
    controllers[1]?.abort();
    await expect(waiting[1]).rejects.toMatchObject({ reason: 'cancelled' });
    expect(begun[0]?.aborted).toBe(true);
    // Nobody joins what was given up.
    const again = compiler.compile(setOf(good));
    go();
    expect(await again).toMatchObject({ ok: true });
    expect(begun).toHaveLength(2);
    const late = compilerOver(gated().compilers).compile(setOf(good), { timeoutMs: 1 });
    await expect(late).rejects.toMatchObject({ reason: 'deadline' });
  });

  test('are kept within their bytes', async () => {
    const { compilers, begun, open: go } = gated();
    go();
    const long = (i: number): FragmentTexts => setOf(`return v => v.Id > ${i}; //${'x'.repeat(10_000)}`);
    const compiler = compilerOver(compilers, 100_000);
    for (const i of [0, 1, 2, 3, 0, 1, 2, 3]) await compiler.compile(long(i));
    expect(begun).toHaveLength(4);
    // A fifth one takes the place of the one that was not asked for longest.
    for (const i of [4, 4, 1, 0]) await compiler.compile(long(i));
    expect(begun).toHaveLength(6);
  });
});

describe('a service', () => {
  async function serviceOver(compilers: Compilers, said: string[] = []) {
    const home = await startedWith();
    graphOf(home.engine).write([vertex(), vertex()]);
    const entries = Object.entries({
      'Security:SensitiveRateLimitPermitPerWindow': '1000',
      'Fragments:MaxCompileSeconds': '2',
    });
    const configuration = new Configuration(entries.map(([key, text]) => ({ key, text, source: 'test' })));
    const platform = createNodePlatform({ info: () => {}, warn: (line) => void said.push(line), error: () => {} });
    const handler = createHandler({ engine: home.engine, configuration, platform, compilers });
    const listener: Listener = await listen(handler, { host: '127.0.0.1', port: 0 });
    open.push({ close: () => listener.close(0) });
    const call = async (method: string, path: string, body?: unknown, signal: AbortSignal | null = null) => {
      const headers = { 'content-type': 'application/json' };
      const text = body === undefined ? {} : { headers, body: JSON.stringify(body) };
      const answer = await fetch(listener.url + path, { method, ...text, signal });
      const answered = await answer.text();
      return { status: answer.status, json: answered === '' ? null : JSON.parse(answered) };
    };
    return { call, graph: graphOf(home.engine) };
  }
  const hostile = 'return v => v.Label == "endless";';
  const filter = { vertexFilter: hostile };
  const tooLong = expect.stringContaining(
    'error F8LIMIT: To compile it takes longer than Fragments:MaxCompileSeconds, 2 s, allows.',
  );

  test('answers everybody else while it compiles without end', async () => {
    const { call } = await serviceOver(threads(aMinuteMs));
    const controller = new AbortController();
    let isOver = false;
    const waiting = call('POST', '/path/0/to/1', { filter }, controller.signal)
      .catch(() => null)
      .finally(() => {
        isOver = true;
      });
    for (let i = 0; i < 100; i++) expect((await call('GET', '/vertex/0')).status).toBe(200);
    const other = { name: 'q', kind: 'Path', path: { filter: { vertexFilter: good } } };
    expect((await call('POST', '/storedquery', other)).status).toBe(201);
    const validated = await call('POST', '/delegates/validate', { delegateKind: 'VertexFilter', fragment: good });
    expect(validated).toMatchObject({ status: 200, json: { valid: true } });
    expect(isOver).toBe(false);
    controller.abort();
    await waiting;
  });

  test('says what took too long, on every route that compiles', async () => {
    const { call, graph } = await serviceOver(threads(500));
    const stored = { name: 'q', kind: 'Path', path: { filter } };
    const subgraph = { name: 's', vertexFilter: hostile };
    const answers = await Promise.all([
      call('POST', '/path/0/to/1', { filter }),
      call('POST', '/storedquery', stored),
      call('PUT', '/subgraph', subgraph),
      call('POST', '/delegates/validate', { delegateKind: 'VertexFilter', fragment: hostile }),
    ]);
    for (const answer of answers.slice(0, 3)) expect(answer).toMatchObject({ status: 400, json: { detail: tooLong } });
    const at = { line: 1, column: 1, endLine: 1, endColumn: 1 };
    expect(answers[3]).toMatchObject({
      status: 200,
      json: { valid: false, diagnostics: [{ ...at, id: 'F8LIMIT', severity: 'error' }] },
    });
    expect((await call('GET', '/storedquery')).json).toEqual([]);
    expect((await call('GET', '/subgraph')).json).toEqual([]);
    // One that was registered when it still compiled.
    const text = { kind: 'Path', description: null, createdAt: '2026-01-01T00:00:00.000Z', specification: { filter } };
    graph.documents.put(sectionKinds.storedQueries, 'old', JSON.stringify(text));
    expect((await call('GET', '/storedquery')).json).toMatchObject([{ name: 'old', compileState: 'Failed' }]);
    expect(await call('POST', '/path/0/to/1', { storedQuery: 'old' })).toMatchObject({
      status: 409,
      json: { detail: tooLong },
    });
    expect((await call('DELETE', '/storedquery/old')).status).toBe(204);
  });

  test('builds again what hostile recipes left, and answers everybody else meanwhile', async () => {
    const said: string[] = [];
    const { call, graph } = await serviceOver(threads(2000), said);
    const recipe = (name: string, vertexFilter: string) => ({
      ...{ name, fromSubGraph: null, algorithm: subgraphAlgorithm, template: { vertexFilter } },
      ...{ semantic: null, additionalInformation: null },
    });
    for (const name of ['a', 'b']) {
      const text = JSON.stringify(recipe(name, `return v => v.Label == "endless ${name}";`));
      graph.documents.put(sectionKinds.subgraphRecipes, name, text);
    }
    let isOver = false;
    const names = call('GET', '/subgraph').finally(() => {
      isOver = true;
    });
    const first = await call('GET', '/vertex/0');
    expect([first.status, isOver]).toEqual([200, false]);
    expect(await names).toMatchObject({ status: 200, json: [] });
    expect(said).toEqual(['a', 'b'].map((name) => expect.stringMatching(`'${name}' is left out: [^]*F8LIMIT`)));
  });

  test('counts compiling into the time budget of a path', async () => {
    const { call } = await serviceOver(threads(aMinuteMs));
    const answer = await call('POST', '/path/0/to/1', { filter, timeBudgetSeconds: 0.05 });
    expect(answer).toMatchObject({ status: 408, json: { title: 'Path budget exhausted' } });
  });

  test('registers one of two queries of the same name that compile at the same time', async () => {
    const { call } = await serviceOver(threads(aMinuteMs));
    const register = (text: string) =>
      call('POST', '/storedquery', { name: 'q', kind: 'Path', path: { filter: { vertexFilter: text } } });
    const answers = await Promise.all([register(good), register('return v => v.Id > 7;')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await call('GET', '/storedquery')).json).toHaveLength(1);
  });
});
