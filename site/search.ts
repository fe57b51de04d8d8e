// The search of the documentation, and the list of pages on narrow screens. The index of words is a script that is loaded with the first
// touch of the field, so it works where nothing may be fetched: from a folder, and under a policy that knows the site's own files alone.

import MiniSearch, { type Options } from 'minisearch';

declare global {
  interface Window {
    /** Set by `search-index.js`. */
    siteIndex?: { readonly options: Options; readonly words: string };
  }
}

interface Found {
  readonly title: string;
  readonly page: string;
  readonly place: string;
}

const mostShown = 12;
const field = document.querySelector('#search') as HTMLInputElement;
const list = document.querySelector('#found') as HTMLElement;
let engine: Promise<MiniSearch> | null = null;

async function prepare(): Promise<MiniSearch> {
  await new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'search-index.js';
    script.onload = resolve;
    script.onerror = () => reject(new Error('search-index.js does not load.'));
    document.head.append(script);
  });
  if (window.siteIndex === undefined) throw new Error('search-index.js holds no index.');
  return MiniSearch.loadJSON(window.siteIndex.words, window.siteIndex.options);
}

async function show(): Promise<void> {
  engine ??= prepare();
  const search = await engine;
  const words = field.value.trim();
  const options = { prefix: true, fuzzy: 0.15, boost: { title: 4 }, combineWith: 'AND' } as const;
  const found = search.search(words, options) as unknown as Found[];
  const items = found.slice(0, mostShown).map(entryOf);
  list.replaceChildren(...(items.length > 0 ? items : [itemOf('Nothing found.')]));
  list.hidden = words === '';
}

function entryOf({ title, page, place }: Found): HTMLElement {
  const link = document.createElement('a');
  link.href = `${page}.html#${place}`;
  const small = document.createElement('small');
  small.textContent = ` ${page}`;
  link.append(title, small);
  return itemOf(link);
}

function itemOf(content: string | Node): HTMLElement {
  const item = document.createElement('li');
  item.append(content);
  return item;
}

field.addEventListener('input', () => void show());
field.form?.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
list.addEventListener('click', () => {
  list.hidden = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  } else if (event.key === 'Escape') {
    list.hidden = true;
  }
});

// On wide pages the list of pages is always open.
const pages = document.querySelector('#pages') as HTMLDetailsElement;
const wide = matchMedia('(min-width: 60rem)');
const follow = (): void => {
  pages.open = wide.matches;
};
wide.addEventListener('change', follow);
follow();
