// The module a page starts as a worker: opens a service of its own and answers over the worker's own channel.

import { type ArcwiseService, createService } from '../src/service.ts';
import { settingsOf } from '../src/settings-of.ts';
import { EnginePort } from './engine-port.ts';
import { openBrowserHome } from './home.ts';
import { type FromEngine, failureOf, type Post, type ToEngine } from './messages.ts';
import { storeOf } from './store-name.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;
const post: Post<FromEngine> = (message, transfer = []) => scope.postMessage(message, transfer);

interface Opened {
  readonly service: ArcwiseService;
  readonly port: EnginePort;
}

/** Pages send nothing but `open` before they are told `opened`. */
let opened: Opened | null = null;

scope.onmessage = ({ data }: MessageEvent<ToEngine>) => {
  if (data.kind === 'open') void open(data);
  else if (data.kind === 'close') void close();
  else opened?.port.receive(data);
};

async function open({ store, settings }: Extract<ToEngine, { kind: 'open' }>): Promise<void> {
  try {
    // These are read first: their mistakes cost no start.
    const place = storeOf(store);
    const configuration = settingsOf(settings);
    const service = await createService(await openBrowserHome(place), configuration);
    await service.ready;
    opened = { service, port: new EnginePort(service.fetch, post) };
    post({ kind: 'opened' });
  } catch (error) {
    post({ kind: 'refused', failure: failureOf(error) });
  }
}

async function close(): Promise<void> {
  try {
    opened?.service.endOpenEnded();
    await opened?.service.close();
    post({ kind: 'closed', failure: null });
  } catch (error) {
    post({ kind: 'closed', failure: failureOf(error) });
  }
}
