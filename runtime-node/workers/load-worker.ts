// The entry of a thread that helps to load a graph: an instance of the core over the writer's memory, which does what it is told.

import { parentPort } from 'node:worker_threads';
import { LinkHelper } from '../../src/core/checkpoint.ts';
import { ColumnPages } from '../../src/core/column-pages.ts';
import { CoreInstance } from '../../src/core/instance.ts';
import { CoreStatus } from '../../src/core/status.ts';
import type { FromHelper, ToHelper } from './load-messages.ts';

if (parentPort === null) throw new Error('This is the entry of a worker thread.');
const port = parentPort;
let helper: LinkHelper | null = null;

function answer(status: number): void {
  const message: FromHelper = { status };
  port.postMessage(message);
}

port.on('message', (message: ToHelper) => {
  if (message.kind === 'detach') {
    helper = null;
  } else if (message.kind === 'touch') {
    ColumnPages.from(message.pages).touch(message.memory);
    answer(CoreStatus.ok);
  } else if (message.kind === 'attach') {
    helper = new LinkHelper(new CoreInstance(message.binary, message.memory), message.heaps);
    answer(helper.attach() ? CoreStatus.ok : CoreStatus.noMemory);
  } else {
    if (helper === null) throw new Error('A helper was told to work before it was attached.');
    answer(helper.run(message.part));
  }
});
