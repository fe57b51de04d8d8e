// The pages of docs/: each is in the list of the site, opens with what one can do after it, and every link leads somewhere.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { chapters, indexPage } from '../../scripts/lib/site-pages.mjs';
import { renderPage, sectionsOf, slugOf } from '../../scripts/lib/site-render.mjs';

interface Section {
  readonly title: string;
  readonly place: string;
}

const pages = readdirSync(at('docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.replace(/\.md$/, ''));
const textOf = (path: string): string => readFileSync(at(path), 'utf8');

test('every page stands in one chapter', () => {
  const listed = [indexPage, ...chapters.flatMap(({ pages: some }) => some)];
  expect(listed.toSorted()).toEqual(pages.toSorted());
});

test.each(pages)('%s opens with what one can do after it', (page) => {
  const opening = textOf(`docs/${page}.md`)
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/^## /m)[0] as string;
  expect(opening).toMatch(/^# .+\n+After this page you /);
});

/** Links of a page that is written in Markdown, without those in code. */
function linksOf(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href as string);
}

/** Ids of the headings of a page. */
function placesOf(text: string): Set<string> {
  const prose = text.replace(/```[\s\S]*?```/g, '');
  return new Set([...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugOf(heading as string)));
}

/** What is wrong with a link from a page; null when it leads somewhere. */
function flawOf(from: string, href: string): string | null {
  if (/^https?:/.test(href)) return null;
  const [file = '', place] = href.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), file));
  if (!existsSync(at(path))) return `${from}: there is no ${path}`;
  if (place === undefined || placesOf(textOf(path)).has(place)) return null;
  return `${from}: ${path} has no heading #${place}`;
}

const linked = ['README.md', 'CHANGELOG.md', 'NOTICE.md', ...pages.map((page) => `docs/${page}.md`)];

test.each(linked)('the links of %s lead somewhere', (path) => {
  expect(linksOf(textOf(path)).flatMap((href) => flawOf(path, href) ?? [])).toEqual([]);
});

test('a link that leads nowhere is noticed', () => {
  expect(flawOf('docs/paths.md', 'path.md')).toBe('docs/paths.md: there is no docs/path.md');
  expect(flawOf('docs/paths.md', 'values.md#prices')).toBe('docs/paths.md: docs/values.md has no heading #prices');
  expect(flawOf('docs/paths.md', '#filters')).toBeNull();
});

describe('a page of the site', () => {
  const text =
    '# A `page`\n\nAfter this page you [go](values.md#dates).\n\n## Dates\n\n```sh\n$ curl "<x>"\n{}\n```\n\n## Dates\n';

  test('links to its neighbours, keeps code as text, and gives each heading a place', () => {
    const html = renderPage('tutorial', text);
    expect(html).toContain('<a href="values.html#dates">go</a>');
    expect(html).toContain('<b>$ curl &quot;&lt;x&gt;&quot;</b>');
    expect(html).toContain('<h2 id="dates-1">');
    expect(html).toContain('<a href="tutorial.html" aria-current="page">');
    expect(html.replace(/<svg[\s\S]*?<\/svg>/g, '')).not.toMatch(/<script>|<style|style=|(?:src|href)="(?:https?:|\/)/);
  });

  test('is found by its sections', () => {
    expect(sectionsOf('tutorial', text).map((section: Section) => `${section.title} ${section.place}`)).toEqual([
      'A page a-page',
      'Dates dates',
      'Dates dates-1',
    ]);
  });
});
