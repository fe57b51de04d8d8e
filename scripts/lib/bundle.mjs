// Bundles of modules, and what they weigh. Not by Vite, which would take a worker for a file of a web site.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { at } from './freshness.mjs';

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
    return (await bundled.generate({ format: 'es', minify: true, entryFileNames: '[name].js', ...output })).output;
  } finally {
    await bundled.close();
  }
}

/** Bytes of project files, each compressed as well as gzip does. */
export function gzippedBytes(paths) {
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(at(path)), { level: 9 }).length, 0);
}
