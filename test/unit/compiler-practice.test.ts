// A compiler that has seen a plugin makes its own code fast while nobody waits: a bounded number of rounds, behind whatever is asked for, and
// without a word to anybody.

import { afterEach, expect, test, vi } from 'vitest';
import { type CompileTask, compileInSteps } from '../../src/queries/fragments/compile-task.ts';
import { CompilerServer } from '../../src/queries/fragments/compiler-server.ts';
import type { FromCompiler } from '../../src/queries/fragments/compilers.ts';
import { practice } from '../../src/queries/fragments/practice.ts';

const fragment: CompileTask = {
  ...{ kind: 'set', shared: true, emits: true },
  texts: { filter: { kind: 'VertexFilter', text: 'return v => v.Id > 3;' } },
};
const broken: CompileTask = { ...practice, source: 'class' };

afterEach(() => {
  vi.useRealTimers();
});

function serverOf(pause: (() => Promise<void>) | null): { server: CompilerServer; said: FromCompiler[] } {
  vi.useFakeTimers();
  const said: FromCompiler[] = [];
  const server = new CompilerServer((message) => said.push(message), pause);
  server.begin();
  return { server, said };
}

test('what is practised compiles to a module', () => {
  const steps = compileInSteps(practice);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  expect(step.value).toEqual({ errors: [], module: expect.objectContaining({ bytes: expect.any(Number) }) });
});

test('practice waits for a plugin and for quiet, goes on behind what is asked, and ends', async () => {
  const { server, said } = serverOf(null);
  server.receive({ kind: 'compile', order: 1, task: fragment });
  expect(vi.getTimerCount()).toBe(0);
  server.receive({ kind: 'compile', order: 2, task: broken });
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersToNextTimerAsync();
  await vi.advanceTimersToNextTimerAsync();
  expect(vi.getTimerCount()).toBe(1);
  server.receive({ kind: 'compile', order: 3, task: fragment });
  await vi.runAllTimersAsync();
  expect(said.map((message) => ('order' in message ? [message.kind, message.order] : [message.kind]))).toEqual([
    ['ready'],
    ['done', 1],
    ['done', 2],
    ['done', 3],
  ]);
  server.receive({ kind: 'compile', order: 4, task: broken });
  expect(vi.getTimerCount()).toBe(0);
});

test('a thread that serves as well does not practise', async () => {
  const { server, said } = serverOf(() => Promise.resolve());
  server.receive({ kind: 'compile', order: 1, task: broken });
  await vi.runAllTimersAsync();
  expect(said.map(({ kind }) => kind)).toEqual(['ready', 'done']);
  expect(vi.getTimerCount()).toBe(0);
});
