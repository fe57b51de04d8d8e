// Bundles of modules, and what they weigh. Not by Vite, which would take a worker for a file of a web site.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { at, Failed } from './freshness.mjs';

/**
 * The modules that rolldown makes of the entries, by names of project files; minified, for browsers and what is like them.
 * @param {{ input: Record<string, string> } & Record<string, unknown>} options
 * @param {Record<string, unknown>} output
 * @returns {Promise<any[]>}
 */
export async function bundle({ input, ...options }, output = {}) {
  const { rolldown } = await import('rolldown');
  const entries = Object.fromEntries(Object.entries(input).map(([name, path]) => [name, at(path)]));
  const bundled = await rolldown({ input: entries, platform: 'browser', logLevel: 'warn', ...options });
  try {
    const made = await bundled.generate({ format: 'es', minify: true, entryFileNames: '[name].js', ...output });
    checkNotices(made.output);
    return made.output;
  } finally {
    await bundled.close();
  }
}

/** What a bundle contains of others comes with their copyright. */
function checkNotices(modules) {
  const ids = modules.flatMap(({ moduleIds = [] }) => moduleIds);
  const packages = new Set(ids.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]).filter(Boolean));
  const notices = readFileSync(at('NOTICE.md'), 'utf8');
  const missing = [...packages].filter((name) => !notices.includes(`\`${name}\``)).sort();
  if (missing.length > 0)
    throw new Failed(`NOTICE.md names no licence of what the bundle contains: ${missing.join(', ')}`);
}

/** Bytes of project files, each compressed as well as gzip does. */
export function gzippedBytes(paths) {
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(at(path)), { level: 9 }).length, 0);
}
