// Builds the documentation site into dist/site/ from the pages of docs/: a page of HTML for each, a list of all beside it, and a search that
// runs in the page. The files name each other by relative paths and nothing is fetched, so the folder opens from a disk as well as from a
// server. Markdown is read by marked, code is coloured by highlight.js, words are found by MiniSearch, whose index is a script.
//
//   node scripts/build-site.mjs    builds when something has changed

import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  at,
  hashesOf,
  hashOf,
  hashOfFile,
  isFresh,
  listFiles,
  outputsOf,
  replaceFile,
  withLock,
  writeStamp,
} from './lib/freshness.mjs';
import { chapters, indexPage } from './lib/site-pages.mjs';
import { renderPage, sectionsOf, titleOf } from './lib/site-render.mjs';

const STEP = 'site';
const FOLDER = 'dist/site';
const RECIPE_FILES = ['scripts/build-site.mjs', 'scripts/lib/site-pages.mjs', 'scripts/lib/site-render.mjs'];
const LIBRARIES = ['marked', 'highlight.js', 'minisearch'];
const STYLE = 'site/site.css';
const SCRIPT = 'site/search.ts';
/** What is indexed of a section, and what a hit brings along. */
const indexOptions = { fields: ['title', 'text'], storeFields: ['title', 'page', 'place'] };

/** Builds what is not fresh; false after a failure, which has been reported. */
export async function buildSite({ report = console.log } = {}) {
  const recipe = hashOf([...RECIPE_FILES.map(hashOfFile), ...LIBRARIES.map(versionOf)].join('\n'));
  if (isFresh(STEP, recipe, listInputs())) return true;
  return withLock(STEP, async () => {
    const inputs = listInputs();
    if (isFresh(STEP, recipe, inputs)) return true;
    const started = performance.now();
    const hashes = hashesOf(inputs);
    try {
      const outputs = await makeFiles();
      writeStamp(STEP, recipe, hashes, outputs);
      report(`  site: ${outputs.length} files in ${((performance.now() - started) / 1000).toFixed(1)} s`);
      return true;
    } catch (error) {
      report(`  site: FAILED\n${error.stack ?? error}`);
      return false;
    }
  });
}

function listInputs() {
  const pages = listFiles(['docs'], (path) => /^docs\/[^/]+\.md$|^docs\/pictures\//.test(path));
  return [...pages, ...listFiles(['site'], () => true)];
}

function versionOf(library) {
  return JSON.parse(readFileSync(at(`node_modules/${library}/package.json`), 'utf8')).version;
}

async function makeFiles() {
  const { default: MiniSearch } = await import('minisearch');
  const words = new MiniSearch(indexOptions);
  const texts = [indexPage, ...chapters.flatMap(({ pages }) => pages)].map((name) => ({
    name,
    text: readFileSync(at(`docs/${name}.md`), 'utf8'),
  }));
  const titles = new Map(texts.map(({ name, text }) => [name, titleOf(text)]));
  const outputs = [];
  for (const { name, text } of texts) {
    outputs.push(put(`${name === indexPage ? 'index' : name}.html`, renderPage(name, text, titles)));
    words.addAll(sectionsOf(name, text));
  }
  for (const path of listInputs().filter((one) => one.startsWith('docs/pictures/'))) {
    outputs.push(put(path.slice('docs/'.length), readFileSync(at(path))));
  }
  outputs.push(put('site.css', readFileSync(at(STYLE))), put('search.js', await bundledScript()));
  const index = { options: indexOptions, words: JSON.stringify(words) };
  outputs.push(put('search-index.js', `window.siteIndex = ${JSON.stringify(index)};\n`));
  const kept = new Set(outputs);
  for (const path of outputsOf(STEP)) if (!kept.has(path)) rmSync(at(path), { force: true });
  return outputs;
}

/** The page's script as one file. */
async function bundledScript() {
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({ input: at(SCRIPT), platform: 'browser', logLevel: 'warn' });
  const { output } = await bundled.generate({ format: 'iife', minify: true }).finally(() => bundled.close());
  return output[0].code;
}

function put(name, content) {
  const path = `${FOLDER}/${name}`;
  if (hashOfFile(path) !== hashOf(content)) replaceFile(path, content);
  return path;
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  if (!(await buildSite())) process.exitCode = 1;
}
