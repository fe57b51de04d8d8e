// Plain files under a strict content security policy: the built modules as /arcwise/, an empty page that has the library's names as its
// own, and the page of the guide.

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { at } from '../../../scripts/lib/freshness.mjs';

export interface PageServer {
  readonly origin: string;
  /** Paths that were asked for and are there. */
  readonly asked: ReadonlySet<string>;
  close(): Promise<void>;
}

/** The browser of the tests: CHROMIUM_PATH, or where Debian puts it. */
export const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
export const hasBrowser = existsSync(executablePath);

const types: Record<string, string> = { js: 'text/javascript', html: 'text/html', wasm: 'application/wasm' };

/** The first block of that language in a chapter of the guide, or at its beginning. */
export function guideBlock(language: string, heading = ''): string {
  const guide = readFileSync(at('docs/browser.md'), 'utf8');
  const chapter = guide.slice(guide.indexOf(heading));
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(chapter)?.[1] ?? '';
}

const plainPage = '## A plain page';

function contentOf(path: string): string | Buffer | null {
  if (path === '/guide.html') return guideBlock('html', plainPage);
  if (path === '/page.js') return guideBlock('js', plainPage);
  if (path === '/first.html')
    return '<!doctype html><title>A page</title><script type="module" src="/first.js"></script>';
  if (path === '/first.js') return guideBlock('js').replace("'arcwise/browser'", "'/arcwise/index.js'");
  if (path === '/empty.html')
    return '<!doctype html><title>A page</title><script type="module" src="/library.js"></script>';
  if (path === '/library.js')
    return "import * as library from '/arcwise/index.js'; Object.assign(globalThis, library);";
  const file = at(`dist/browser/${path.replace('/arcwise/', '')}`);
  return path.startsWith('/arcwise/') && existsSync(file) ? readFileSync(file) : null;
}

/** Of pages that are isolated from other origins, and of all they load. */
const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

interface PageServing {
  readonly isolated?: boolean;
  /** Another origin that pages may ask, as it is when one is loaded. */
  readonly mayAsk?: () => string;
  /** Takes the body of what a page posts, whatever the path. */
  readonly onPost?: (body: string) => void;
}

/** `more`: modules and other files by their paths. */
export async function servePages(
  more: Readonly<Record<string, string | Uint8Array>> = {},
  { isolated = false, mayAsk = () => '', onPost }: PageServing = {},
): Promise<PageServer> {
  const paths = new Set<string>();
  const server = createServer((asked, answer) => {
    if (asked.method === 'POST' && onPost !== undefined) {
      void text(asked).then((body) => {
        onPost(body);
        answer.writeHead(204).end();
      });
      return;
    }
    const [url = '/'] = (asked.url ?? '/').split('?');
    const content = more[url] ?? contentOf(url);
    const policy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ${mayAsk()}`;
    const type = types[url.slice(url.lastIndexOf('.') + 1)] ?? 'text/plain';
    if (content !== null) paths.add(url);
    answer.writeHead(content === null ? 404 : 200, {
      ...{ 'content-type': type, 'content-security-policy': policy },
      ...(isolated ? isolation : {}),
    });
    answer.end(content ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: paths, close };
}
