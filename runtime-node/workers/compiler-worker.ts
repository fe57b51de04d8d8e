// The entry of a thread that compiles fragments. It gives way before it loads the compiler, which is a tenth of a second of work.

import { parentPort, workerData } from 'node:worker_threads';
import type { ToCompiler } from '../../src/queries/fragments/compilers.ts';
import { giveWay, type ThreadData } from './priority.ts';

if (parentPort === null) throw new Error('This is the entry of a worker thread.');
const port = parentPort;
giveWay((workerData as ThreadData | null)?.niceness ?? 0);
const { CompilerServer } = await import('../../src/queries/fragments/compiler-server.ts');
const server = new CompilerServer((message) => port.postMessage(message), null);
port.on('message', (message: ToCompiler) => server.receive(message));
server.begin();
