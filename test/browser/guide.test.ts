// Programs of docs/browser.md that want a file or a script beside them, as they stand there; page.test.ts runs the others. Wants Chromium.

// @module-tag long

import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVertices } from '../contract/support/requests.ts';
import { startService } from '../contract/support/service.ts';
import { executablePath, guideBlock, hasBrowser, type PageServer, servePages } from './support/page-server.ts';

const library = "import { createArcwise } from '/arcwise/index.js';\n";
const module = (path: string): string =>
  `<!doctype html><title>A page</title><script type="module" src="${path}"></script>`;
const count = "console.log(await (await arcwise.fetch('/vertex/count')).text());\n";

describe.skipIf(!hasBrowser)('the guide', () => {
  let server: PageServer;
  let browser: Browser;

  beforeAll(async () => {
    const service = await startService();
    await createVertices(service, [{}, {}, {}]);
    const { bytes } = await service.call('GET', '/package');
    await service.stop();
    const opened = "const arcwise = await createArcwise({ store: 'memory://' });\n";
    server = await servePages({
      '/graph.arcwise': bytes,
      '/package.html': module('/package.js'),
      '/package.js': library + guideBlock('js', '## From a package') + count,
      '/plain.html': module('/plain.js'),
      '/plain.js': `${library}${opened}${guideBlock('js', '## Plain fetch')}console.log(await answer.text(), events.url);\n`,
      '/service-worker.js': "import '/arcwise/service-worker.js';",
    });
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath, args });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** What its program says first. */
  async function told(path: string): Promise<string> {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    const said = page.waitForEvent('console');
    await page.goto(server.origin + path);
    const text = (await said).text();
    await page.close();
    return [text, ...problems].join('\n');
  }

  it('opens a package of a service', async () => {
    expect(await told('/package.html')).toBe('3');
  });

  it('is asked by plain fetch', async () => {
    expect(await told('/plain.html')).toBe(`0 ${server.origin}/api/changefeed`);
  });
});
