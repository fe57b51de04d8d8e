// One page of the documentation as HTML, and as sections for the search.

import hljs from 'highlight.js/lib/common';
import { Marked } from 'marked';
import { chapters, indexPage } from './site-pages.mjs';

/** The id that GitHub gives a heading, so that links to places work there and here. */
export function slugOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** The name of a page in lists: its first heading. */
export function titleOf(text) {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? '';
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replace(/[&<>"]/g, (one) => escapes[one]);

/** Where a link of a page leads on the site. */
export function linkOf(href) {
  if (/^[a-z]+:/.test(href)) return href;
  return href.replace(/^README\.md\b/, 'index.html').replace(/^([\w-]+)\.md\b/, '$1.html');
}

function markedWith() {
  const seen = new Map();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const slug = slugOf(text);
        const times = seen.get(slug) ?? 0;
        seen.set(slug, times + 1);
        const id = times === 0 ? slug : `${slug}-${times}`;
        return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      code({ text, lang }) {
        const language = lang === 'sh' ? 'bash' : lang === 'dockerfile' ? 'bash' : lang;
        const isKnown = language && hljs.getLanguage(language) && !text.startsWith('$ ');
        const html = isKnown ? hljs.highlight(text, { language }).value : commandsOf(text);
        return `<pre tabindex="0"><code>${html}</code></pre>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(linkOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      table(token) {
        const cells = (row, tag) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="wide" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return marked;
}

/** A transcript: questions stand out from answers. */
function commandsOf(text) {
  return text
    .split('\n')
    .map((line) => (line.startsWith('$ ') ? `<b>${escaped(line)}</b>` : escaped(line)))
    .join('\n');
}

function navigation(current, titles) {
  const groups = chapters.map(({ title, pages }) => {
    const items = pages.map((page) => {
      const mark = page === current ? ' aria-current="page"' : '';
      return `<li><a href="${page}.html"${mark}>${escaped(titles.get(page) ?? page)}</a></li>`;
    });
    return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
  });
  return groups.join('\n');
}

/** @param {Map<string, string>} titles the first headings of all pages */
export function renderPage(name, text, titles = new Map()) {
  const body = markedWith().parse(text.replace(/<!--[\s\S]*?-->/g, ''));
  const title = name === indexPage ? 'Arcwise' : `${titleOf(text)} · Arcwise`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="site.css">
<script src="search.js" defer></script>
</head>
<body>
<header>
<a class="home" href="index.html">Arcwise</a>
<form role="search"><input type="search" id="search" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off">
<ol id="found" hidden></ol></form>
</header>
<div class="columns">
<nav aria-label="Pages"><details id="pages"><summary>Pages</summary>
${navigation(name, titles)}
</details></nav>
<main>
${body}</main>
</div>
</body>
</html>
`;
}

/** The parts of a page between headings, for the search. */
export function sectionsOf(name, text) {
  const page = name === indexPage ? 'index' : name;
  const parts = text.replace(/<!--[\s\S]*?-->/g, '').split(/^(?=#{1,3} )/m);
  const seen = new Map();
  return parts.flatMap((part, i) => {
    const heading = /^#{1,3} (.+)$/m.exec(part)?.[1];
    if (heading === undefined) return [];
    const slug = slugOf(heading);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    const place = times === 0 ? slug : `${slug}-${times}`;
    return [
      { id: `${page}-${i}`, title: heading.replaceAll('`', ''), page, place, text: part.slice(part.indexOf('\n') + 1) },
    ];
  });
}
