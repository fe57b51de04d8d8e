// Builds the documentation site into dist/site/ from the pages of docs/: a page of HTML for each, a list of all beside it, and a search that
// runs in the page. The files name each other by relative paths and nothing is fetched, so the folder opens from a disk as well as from a
// server. Markdown is read by marked, code is coloured by highlight.js, words are found by MiniSearch, whose index is a script.
//
//   node scripts/build-site.mjs    builds when something has changed

import { readFileSync } from 'node:fs';
import { bundle } from './lib/bundle.mjs';
import { at, isStarted, listFiles, put, step } from './lib/freshness.mjs';
import { chapters, indexPage } from './lib/site-pages.mjs';
import { renderPage, sectionsOf, titleOf } from './lib/site-render.mjs';

const FOLDER = 'dist/site';
const RECIPE_FILES = ['scripts/build-site.mjs', 'scripts/lib/site-pages.mjs', 'scripts/lib/site-render.mjs'];
const LIBRARIES = ['marked', 'highlight.js', 'minisearch'];
const STYLE = 'site/site.css';
const SCRIPT = 'site/search.ts';
/** What is indexed of a section, and what a hit brings along. */
const indexOptions = { fields: ['title', 'text'], storeFields: ['title', 'page', 'place'] };

/** Builds what is not fresh; false after a failure, which has been reported. */
export function buildSite({ report = console.log } = {}) {
  const texts = LIBRARIES.map(versionOf);
  return step({ name: 'site', recipe: RECIPE_FILES, texts, inputs: listInputs, make: makeFiles, report });
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
    outputs.push(putPage(`${name === indexPage ? 'index' : name}.html`, renderPage(name, text, titles)));
    words.addAll(sectionsOf(name, text));
  }
  for (const path of listInputs().filter((one) => one.startsWith('docs/pictures/'))) {
    outputs.push(putPage(path.slice('docs/'.length), readFileSync(at(path))));
  }
  outputs.push(putPage('site.css', readFileSync(at(STYLE))), putPage('search.js', await bundledScript()));
  const index = { options: indexOptions, words: JSON.stringify(words) };
  outputs.push(putPage('search-index.js', `window.siteIndex = ${JSON.stringify(index)};\n`));
  return { outputs, says: `${outputs.length} files` };
}

/** The page's script as one file. */
async function bundledScript() {
  const [{ code }] = await bundle({ input: { search: SCRIPT } }, { format: 'iife' });
  return code;
}

function putPage(name, content) {
  return put(`${FOLDER}/${name}`, content);
}

if (isStarted(import.meta.url) && !(await buildSite())) process.exitCode = 1;
