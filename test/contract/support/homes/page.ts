// The home of pages: the built library in a browser of its own, whose engine keeps its graphs in the page's storage. CONTRACT_BROWSER names the
// browser: chromium, or firefox.

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../client.ts';
import { browserOf, killBrowser, missingBrowser, startBrowser } from './browsers.ts';
import type { Home, HomeService, ServiceSettings } from './home.ts';
import { PageBridge } from './page-bridge.ts';
import { pageLacks, pageSkips } from './page-skips.ts';

const kind = browserOf(process.env.CONTRACT_BROWSER ?? 'chromium');
/** Whether the page may share memory between its workers, and so has threads. */
const isIsolated = process.env.CONTRACT_ISOLATED === '1';

class PageService implements HomeService {
  url = '';
  private readonly profile = mkdtempSync(join(tmpdir(), 'arcwise-page-'));
  private bridge: PageBridge | null = null;
  private browser: ChildProcess | null = null;
  private told = '';

  /** What the browser tells is its own; the engine's warnings go to the console of the page. */
  readonly log = '';

  /** The page stays when its engine has been closed, and so does its origin, which the store belongs to. */
  async start(settings: ServiceSettings): Promise<void> {
    this.bridge ??= await PageBridge.start(isIsolated);
    const { bridge } = this;
    if (this.browser === null) {
      const connected = bridge.whenConnected();
      this.launch(bridge);
      await connected;
    }
    const texts = Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)]));
    await bridge.do({ kind: 'open', store: 'opfs://contract', settings: texts });
    this.url = bridge.url;
    while ((await send(this.url, 'GET', '/readyz')).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 10));
  }

  private launch(bridge: PageBridge): void {
    const child = startBrowser(kind, this.profile, bridge.newPage());
    this.browser = child;
    this.told = '';
    child.stderr?.on('data', (block) => {
      this.told += block;
    });
    child.once('exit', (code) => bridge.lose(new Error(`The browser ended with ${code}: ${this.told}`)));
  }

  async end(how: 'stop' | 'kill'): Promise<void> {
    if (this.browser === null) return;
    if (how === 'stop') {
      await this.bridge?.do({ kind: 'close' });
      return;
    }
    const { browser } = this;
    this.browser = null;
    await killBrowser(browser);
  }

  async remove(): Promise<void> {
    await this.end('kill');
    await this.bridge?.close();
    this.bridge = null;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const pageHome: Home = {
  name: 'page',
  missing: missingBrowser(kind),
  lacks: pageLacks(isIsolated),
  skips: pageSkips,
  open: () => new PageService(),
};
