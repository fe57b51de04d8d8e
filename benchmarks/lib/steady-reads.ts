// GET requests at a steady rate, sent by a thread of their own, so that nothing else that a benchmark does delays them. Latencies count from the
// moment at which a request was due: a server that stands still delays all those that come due meanwhile.

import { Agent, request } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface ReadPlan {
  readonly port: number;
  readonly path: string;
  readonly perSecond: number;
  readonly durationMs: number;
  /** How long after that answers are waited for. */
  readonly patienceMs: number;
}

/** Milliseconds of each read; Infinity for one without an answer. */
export function steadyReads(plan: ReadPlan): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: plan });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function read(agent: Agent, { port, path }: ReadPlan, due: number): Promise<number> {
  return new Promise((resolve) => {
    const failed = (): void => resolve(Number.POSITIVE_INFINITY);
    const outgoing = request({ host: '127.0.0.1', port, path, agent }, (incoming) => {
      incoming.resume();
      incoming.on('error', failed);
      incoming.on('end', () => (incoming.statusCode === 200 ? resolve(performance.now() - due) : failed()));
    });
    outgoing.on('error', failed);
    outgoing.end();
  });
}

async function run(plan: ReadPlan): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const reads: Promise<number>[] = [];
  const began = performance.now();
  for (let due = began; due < began + plan.durationMs; due += 1000 / plan.perSecond) {
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(wait)));
    reads.push(read(agent, plan, due));
  }
  const patience = setTimeout(() => agent.destroy(), plan.patienceMs);
  parentPort?.postMessage(await Promise.all(reads));
  clearTimeout(patience);
  agent.destroy();
}

if (!isMainThread) await run(workerData as ReadPlan);
