// A thread that compiles, but for texts in which a word says how it goes wrong: `endless` never ends, `hungry` takes all memory, `deadly` dies.

import { parentPort } from 'node:worker_threads';
import { CompilerServer } from '../../dist/src/queries/fragments/compiler-server.js';

const kept = [];
const server = new CompilerServer((message) => parentPort.postMessage(message), null);
parentPort.on('message', (message) => {
  const text = JSON.stringify(message.task);
  while (text.includes('endless'));
  while (text.includes('hungry')) kept.push(new Array(1000).fill(kept.length));
  if (text.includes('deadly')) process.exit(3);
  server.receive(message);
});
server.begin();
