// The module a page starts as a worker. It opens a service of its own and answers over the worker's own channel; where another tab has the
// store open, it passes on what the page asks until that tab is gone (tabs.ts).

import './random-ids.ts';
import type { Configuration } from '../src/config/configuration.ts';
import { type ArcwiseService, createService } from '../src/service.ts';
import { settingsOf } from '../src/settings-of.ts';
import { EnginePort } from './engine-port.ts';
import { openBrowserHome } from './home.ts';
import { type FromEngine, failureOf, type Post, type ToEngine } from './messages.ts';
import { StoreInUse, StoreRefused } from './storage/sync-file.ts';
import { type Store, storeOf } from './store-name.ts';
import { type Asked, Follower, lead, lockOf } from './tabs.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;
const post: Post<FromEngine> = (message, transfer = []) => scope.postMessage(message, transfer);

/** Handles of a tab that was killed may outlive its lock by a moment: how often and how long they are waited for. */
const patience = { tries: 100, pauseMs: 50 };

let gotCore: (module: WebAssembly.Module) => void = () => {};
const core = new Promise<WebAssembly.Module>((resolve) => {
  gotCore = resolve;
});
let service: ArcwiseService | null = null;
/** Who answers the page. Pages send nothing but `open` before they are told `opened`. */
let answerer: { receive(message: Asked): void } = { receive: (message) => void held.push(message) };
/** What came while this tab was about to lead. */
let held: Asked[] = [];
let follower: Follower | null = null;
let told = false;
let closing = false;

scope.onmessage = ({ data }: MessageEvent<ToEngine>) => {
  if (data.kind === 'open') void open(data);
  else if (data.kind === 'core') gotCore(data.module);
  else if (data.kind === 'close') void close();
  else answerer.receive(data);
};

async function open({ store, settings }: Extract<ToEngine, { kind: 'open' }>): Promise<void> {
  try {
    // These are read first: their mistakes cost no start.
    const place = storeOf(store);
    const configuration = settingsOf(settings);
    if (place.kind === 'memory') await serve(place, configuration);
    else await takePart(store, place, configuration);
  } catch (error) {
    refuse(error);
  }
}

/** Leads where nobody does, and follows until then. Resolves when this tab leads no more, which it does to its end. */
async function takePart(store: string, place: Store, configuration: Configuration): Promise<void> {
  const leading = async (): Promise<void> => {
    if (closing) return;
    if (follower !== null) {
      answerer = { receive: (message) => void held.push(message) };
      held = [...follower.end()];
      follower = null;
    }
    const opened = await serve(place, configuration);
    lead(store, opened.fetch);
    await new Promise<never>(() => {}); // the lock goes with the worker
  };
  // Where there are no locks there is no storage either: a page that did not come over https.
  if (navigator.locks === undefined)
    throw new StoreRefused('The browser gives this page no storage of its own: it needs https, or localhost.');
  const lock = lockOf(store);
  const isFree = await navigator.locks
    .request(lock, { ifAvailable: true }, async (granted) => {
      if (granted !== null) await leading();
      return granted !== null;
    })
    .catch(lost);
  if (isFree) return;
  follower = new Follower(store, post, tellOpened, refuse);
  answerer = follower;
  await navigator.locks.request(lock, leading).catch(lost);
}

/**
 * Somebody took the lock from this tab, which had stood still perhaps. Nobody else can have written: its files are open here. They are
 * given back, and nothing more is written.
 */
async function lost(error: unknown): Promise<never> {
  await service?.close().catch(() => {}); // the page is told of the loss
  throw error;
}

async function serve(place: Store, configuration: Configuration): Promise<ArcwiseService> {
  const opened = await createService(await openPatiently(place, configuration), configuration);
  service = opened;
  await opened.ready;
  const port = new EnginePort(opened.fetch, post);
  answerer = port;
  for (const message of held.splice(0)) port.receive(message);
  tellOpened();
  return opened;
}

async function openPatiently(place: Store, configuration: Configuration): ReturnType<typeof openBrowserHome> {
  for (let tries = 1; ; tries++) {
    try {
      return await openBrowserHome(place, configuration, core);
    } catch (error) {
      if (!(error instanceof StoreInUse) || tries === patience.tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, patience.pauseMs));
    }
  }
}

function tellOpened(): void {
  if (!told) post({ kind: 'opened' });
  told = true;
}

/** The page ends the worker with this. */
function refuse(error: unknown): void {
  if (!closing) post({ kind: 'refused', failure: failureOf(error) });
}

async function close(): Promise<void> {
  closing = true;
  try {
    follower?.end();
    service?.endOpenEnded();
    await service?.close();
    post({ kind: 'closed', failure: null });
  } catch (error) {
    post({ kind: 'closed', failure: failureOf(error) });
  }
}
