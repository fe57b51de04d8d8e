// The entry of a thread that compiles fragments.

import { parentPort, workerData } from 'node:worker_threads';
import { CompilerServer } from '../../src/queries/fragments/compiler-server.ts';
import type { ToCompiler } from '../../src/queries/fragments/compilers.ts';
import { giveWay, type ThreadData } from './priority.ts';

if (parentPort === null) throw new Error('This is the entry of a worker thread.');
const port = parentPort;
giveWay((workerData as ThreadData | null)?.niceness ?? 0);
const server = new CompilerServer((message) => port.postMessage(message), null);
port.on('message', (message: ToCompiler) => server.receive(message));
server.begin();
