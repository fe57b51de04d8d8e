// The storage of a page in Firefox, which no driver opens here: its page posts what came of the suite. The contract's tests ask the whole
// engine there (`npm run contract -- --home page --browser firefox`).

// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { browserOf, killBrowser, missingBrowser, startBrowser } from '../contract/support/homes/browsers.ts';
import { servePages } from './support/page-server.ts';
import { suiteModule } from './support/suite-module.ts';
import type { SuiteResult } from './support/vitest-in-page.ts';

const kind = browserOf('firefox');
const missing = missingBrowser(kind);
if (missing !== null) console.log(`No tests of a page's storage in Firefox: ${missing}.`);

const page = '<!doctype html><title>The suite of all stores</title><script type="module" src="/run.js"></script>';
const script = `
const worker = new Worker('/suite.js', { type: 'module' });
const tell = (told) => fetch('/results', { method: 'POST', body: JSON.stringify(told) });
worker.onmessage = ({ data }) => tell({ results: data });
worker.onerror = ({ message }) => tell({ failure: message ?? 'The worker did not start.' });
`;

interface Told {
  readonly results?: readonly SuiteResult[];
  readonly failure?: string;
}

describe.skipIf(missing !== null)("a page's own storage in Firefox", () => {
  it('passes the suite of all stores', async () => {
    let tell: (told: Told) => void = () => {};
    const told = new Promise<Told>((resolve) => {
      tell = resolve;
    });
    const server = await servePages(
      { '/suite.html': page, '/run.js': script, '/suite.js': await suiteModule() },
      { onPost: (body) => tell(JSON.parse(body) as Told) },
    );
    const profile = await mkdtemp(join(tmpdir(), 'arcwise-firefox-'));
    const browser = startBrowser(kind, profile, `${server.origin}/suite.html`);
    try {
      browser.once('exit', (code) => tell({ failure: `Firefox ended with ${code}.` }));
      const { results, failure } = await told;
      expect(failure).toBeUndefined();
      expect(results?.filter((one) => one.failure !== null)).toEqual([
        { name: 'a canary that must fail', failure: expect.stringContaining('expected') },
      ]);
      expect(results?.length).toBeGreaterThan(9);
    } finally {
      await killBrowser(browser);
      await server.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
