// A folder of static files beside the routes: a web page such as Studio, on the service's own origin (reference 1.5, 21). Routes come
// first; a path without one is a file of the folder, or, when a browser navigates to it, the folder's index.html, because such a page has
// paths of its own. A script or a program that asks for an unknown path gets the usual 404, never a page. Files need no key, as a
// browser cannot send one before the page is there. Methods but GET and HEAD, and paths that name nothing a folder should give
// (dot files, encoded slashes, backslashes, NUL), are as if there were no folder.

import type { Exchange } from './exchange.ts';
import type { PageFolder } from './page-folders.ts';
import type { StaticFile, StaticFiles } from './platform.ts';
import type { HeaderList } from './problems.ts';

const indexName = 'index.html';
/** Longest path that is looked for, in characters; file systems give up at about as many. */
const maxPathLength = 4096;

const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  map: 'application/json',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml',
};

/** The file or page that a path without a route means; null when it means none. */
export async function answerStatic(exchange: Exchange, files: StaticFiles): Promise<Response | null> {
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') return null;
  const names = namesOf(exchange.path);
  if (names === null) return null;
  const wanted = names.length === 0 ? [indexName] : names;
  const file = await files.open(wanted);
  if (file !== null) return answerFile(exchange, file, wanted.at(-1) as string);
  if (!isNavigation(exchange)) return null;
  const index = await files.open([indexName]);
  return index === null ? null : answerFile(exchange, index, indexName);
}

const closed = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/** The explorer's scripts are its own files; it asks the service it came from, or one whose address its user typed. */
const explorerPolicy = [
  ...closed,
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' http: https:",
].join('; ');

/** The documentation asks nobody. */
const docsPolicy = [...closed, "script-src 'self'", "style-src 'self'", "img-src 'self'"].join('; ');

const policies: Readonly<Record<PageFolder['name'], string>> = { explorer: explorerPolicy, docs: docsPolicy };

/** A folder's page and files; null when the path means none of them. */
export async function answerPage(
  exchange: Exchange,
  { name, path: home, files }: PageFolder,
): Promise<Response | null> {
  const { method, path } = exchange;
  if (method !== 'GET' && method !== 'HEAD') return null;
  // Its files are named relative to the page, so the page needs the slash. Relative, for a proxy that puts a prefix in front.
  if (path === home) return exchange.file(null, 302, [['location', `${home.slice(1)}/`]]);
  if (!path.startsWith(`${home}/`)) return null;
  const names = namesOf(path.slice(home.length));
  if (names === null) return null;
  const wanted = names.length === 0 ? [indexName] : names;
  const file = await files.open(wanted);
  return file === null
    ? null
    : answerFile(exchange, file, wanted.at(-1) as string, [['content-security-policy', policies[name]]]);
}

/** The segments of a path, decoded; null when one of them is not a file's or folder's name. */
function namesOf(path: string): string[] | null {
  if (path.length > maxPathLength) return null;
  if (path === '/') return [];
  try {
    const names = path.slice(1).split('/').map(decodeURIComponent);
    return names.every(isName) ? names : null;
  } catch {
    return null; // not percent-encoded UTF-8
  }
}

/** A colon is a drive or a stream on some systems; a blank or a dot at the end is cut off by them. */
function isName(name: string): boolean {
  return /^[^./\\:\0][^/\\:\0]*$/.test(name) && !/[. ]$/.test(name);
}

/** Whether a browser wants to show it as a page; other clients say the same by accepting HTML. */
function isNavigation(exchange: Exchange): boolean {
  const mode = exchange.header('sec-fetch-mode');
  if (mode !== null) return mode === 'navigate';
  return /\btext\/html\b/i.test(exchange.header('accept') ?? '');
}

async function answerFile(
  exchange: Exchange,
  file: StaticFile,
  name: string,
  more: HeaderList = [],
): Promise<Response> {
  const tag = `W/"${file.sizeBytes.toString(16)}-${Math.floor(file.modifiedMs).toString(16)}"`;
  // A new build takes over at once: a browser asks again each time and mostly gets 304.
  const headers: HeaderList = [
    ['etag', tag],
    ['cache-control', 'no-cache'],
    ['x-content-type-options', 'nosniff'],
    ...more,
  ];
  if (isKnown(exchange.header('if-none-match'), tag)) {
    await file.close();
    return exchange.file(null, 304, headers);
  }
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const described: HeaderList = [
    ['content-type', (name.includes('.') ? mediaTypes[extension] : undefined) ?? 'application/octet-stream'],
    ['content-length', String(file.sizeBytes)],
    ...headers,
  ];
  if (exchange.method === 'GET' && file.sizeBytes > 0) return exchange.file(file.stream(), 200, described);
  await file.close();
  return exchange.file(null, 200, described);
}

function isKnown(header: string | null, tag: string): boolean {
  if (header === null) return false;
  const opaque = (one: string): string => one.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((one) => opaque(one) === opaque(tag));
}
