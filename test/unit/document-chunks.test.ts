// Chunks of documents against a naive twin that does one step of the reference after the other over whole arrays, on random documents and
// on real ones: the READMEs of the installed packages.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../src/documents/blocks.ts';
import { type ChunkLimits, chunksOf } from '../../src/documents/chunks.ts';
import { identifiersOf } from '../../src/documents/identifiers.ts';
import { structureOf } from '../../src/documents/structure.ts';
import { decodedBytes, markdownBlocks, plainBlocks } from '../../src/documents/texts.ts';

const limits: ChunkLimits = { minChars: 800, maxChars: 3600, maxIdentifiers: 64 };

interface Twin {
  kind: string;
  path: string;
  text: string;
  from: number | null;
  to: number | null;
}

/** Markdown, line by line. */
function twinBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  const end = (): void => {
    const paragraph = lines.join('\n').trim();
    if (paragraph !== '') blocks.push({ kind: 'paragraph', text: paragraph, pages: null });
    lines = [];
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const marks = line.length - line.replace(/^#+/, '').length;
    if (marks >= 1 && marks <= 6 && line[marks] === ' ') {
      end();
      blocks.push({ kind: 'heading', level: marks, text: line.slice(marks + 1).trim(), pages: null });
    } else lines.push(line);
  }
  end();
  return blocks;
}

function twinTable(rows: readonly (readonly string[])[], max: number): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const lines = rows.map((row) => {
    const cells = Array.from({ length: columns }, (_, i) => (row[i] ?? '').split(/\r\n|\r|\n/).join(' '));
    return `| ${cells.map((cell) => cell.split('|').join('\\|')).join(' | ')} |`;
  });
  const head = `${lines[0]}\n| ${Array(columns).fill('---').join(' | ')} |`;
  const windows: string[][] = [[]];
  for (const line of lines.slice(1)) {
    const window = windows.at(-1) as string[];
    if (window.length > 0 && [head, ...window, line].join('\n').length > max) windows.push([line]);
    else window.push(line);
  }
  return windows.map((window) => [head, ...window].join('\n'));
}

function twinChunks(blocks: readonly Block[], { minChars, maxChars }: ChunkLimits): Twin[] {
  const all: Twin[] = [];
  let path: [number, string][] = [];
  let open: Twin | null = null;
  const pathText = (): string => path.map(([, title]) => title).join(' > ');
  const add = (text: string, pages: Block['pages']): void => {
    open ??= { kind: 'text', path: pathText(), text: '', from: null, to: null };
    open.text = [open.text, text].filter((part) => part !== '').join('\n\n');
    for (const page of pages === null ? [] : [pages.from, pages.to]) {
      open.from = Math.min(open.from ?? page, page);
      open.to = Math.max(open.to ?? page, page);
    }
  };
  const close = (): void => {
    if (open !== null && open.text !== '') all.push(open);
    open = null;
  };
  for (const block of blocks) {
    if (block.kind === 'paragraph') add(block.text, block.pages);
    else close();
    if (block.kind === 'heading') {
      const above = path.findIndex(([level]) => level >= block.level);
      path = [...(above === -1 ? path : path.slice(0, above)), [block.level, block.text]];
      add(block.text, block.pages);
    }
    if (block.kind === 'table') {
      const [from, to] = [block.pages?.from ?? null, block.pages?.to ?? null];
      for (const text of twinTable(block.rows, maxChars)) all.push({ kind: 'table', path: pathText(), text, from, to });
    }
  }
  close();
  for (let i = 0; i < all.length - 1; ) {
    const [one, next] = [all[i] as Twin, all[i + 1] as Twin];
    if (one.kind === 'text' && next.kind === 'text' && one.text.length < minChars) {
      const pages = [one.from, one.to, next.from, next.to].filter((page): page is number => page !== null);
      one.text = `${one.text}\n\n${next.text}`;
      if (pages.length > 0) [one.from, one.to] = [Math.min(...pages), Math.max(...pages)];
      all.splice(i + 1, 1);
    } else i++;
  }
  return all.flatMap((one) => {
    if (one.kind === 'table' || one.text.length <= maxChars) return [one];
    const parts = one.text.split(/\n[^\S\n]*\n\s*/).flatMap((paragraph) => twinCut(paragraph.trim(), maxChars));
    const packed: string[] = [];
    for (const part of parts) {
      const longer = `${packed.at(-1) ?? ''}\n\n${part}`;
      if (packed.length > 0 && longer.length <= maxChars) packed[packed.length - 1] = longer;
      else packed.push(part);
    }
    return packed.map((text) => ({ ...one, text }));
  });
}

function twinCut(paragraph: string, max: number): string[] {
  if (paragraph === '') return [];
  if (paragraph.length <= max) return [paragraph];
  const blank = paragraph.slice(0, max).search(/\s\S*$/);
  let at = blank > 0 ? blank : max;
  if (blank <= 0 && /[\ud800-\udbff]$/.test(paragraph.slice(0, max)) && /^[\udc00-\udfff]/.test(paragraph.slice(max)))
    at = max > 1 ? max - 1 : max + 1;
  return [paragraph.slice(0, at).trim(), ...twinCut(paragraph.slice(at).trim(), max)];
}

function compare(blocks: readonly Block[], with_: ChunkLimits): void {
  const chunks = [...chunksOf(blocks, with_)];
  expect(
    chunks.map(({ kind, headingPath, text, pages }) => {
      return { kind, path: headingPath, text, from: pages?.from ?? null, to: pages?.to ?? null };
    }),
  ).toEqual(twinChunks(blocks, with_));
  expect(chunks.map(({ order }) => order)).toEqual(chunks.map((_, i) => i));
}

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const scraps = ['a', 'word', 'MAX_SIZE', ' ', '\n', '\n\n', '\n \t\n', '# ', '## x', '\r\n', '😀', '|', 'FooBar', '\t'];

describe('chunks of a document', () => {
  it('are those of the naive twin for random texts and tables', () => {
    for (let seed = 1; seed <= 1500; seed++) {
      const random = randomOf(seed);
      const text = Array.from({ length: random(120) }, () => scraps[random(scraps.length)]).join('');
      const blocks: Block[] = [...markdownBlocks(text)];
      expect(blocks, `seed ${seed}`).toEqual(twinBlocks(text));
      for (let tables = random(3); tables > 0; tables--) {
        const cell = (): string => scraps[random(scraps.length)] as string;
        const rows = Array.from({ length: 1 + random(6) }, () => Array.from({ length: 1 + random(4) }, cell));
        const pages = random(2) === 0 ? null : { from: 1 + random(3), to: 4 + random(3) };
        blocks.splice(random(blocks.length + 1), 0, { kind: 'table', rows, pages });
      }
      const paged = blocks.map((block) => {
        return random(2) === 0 ? block : { ...block, pages: { from: 1 + random(5), to: 6 + random(5) } };
      });
      compare(paged, { minChars: 1 + random(60), maxChars: 1 + random(80), maxIdentifiers: 8 });
    }
  });

  it('are those of the naive twin for the READMEs of packages', () => {
    const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));
    let read = 0;
    for (const name of readdirSync(packages)) {
      if (name.startsWith('@') || name.startsWith('.')) continue;
      const readme = readdirSync(`${packages}${name}`).find((file) => /^readme\.md$/i.test(file));
      if (readme === undefined) continue;
      const text = decodedBytes(readFileSync(`${packages}${name}/${readme}`));
      const blocks = [...markdownBlocks(text)];
      expect(blocks, name).toEqual(twinBlocks(text));
      compare(blocks, limits);
      compare(blocks, { minChars: 200, maxChars: 300, maxIdentifiers: 4 });
      read++;
    }
    expect(read).toBeGreaterThan(20);
  });

  it('of one line of 50 MB come one by one, and each is within its limit', () => {
    const line = 'lorem ipsum '.repeat(4_200_000);
    let count = 0;
    for (const { text } of chunksOf(plainBlocks(line), limits)) {
      expect(text.length <= limits.maxChars && text.length > 0).toBe(true);
      if (++count === 2000) break;
    }
    expect(count).toBe(2000);
  });

  it('of a table of 10,000 columns have the header and one row each', () => {
    const row = Array.from({ length: 10_000 }, (_, i) => `c${i}`);
    const chunks = [...chunksOf([{ kind: 'table', rows: [row, row, row], pages: null }], limits)];
    expect(chunks).toHaveLength(2);
    for (const { text, kind } of chunks) expect([kind, text.split('\n').length]).toEqual(['table', 3]);
  });
});

describe('identifiers', () => {
  it('are words with underscores, CamelCase and hexadecimal numbers', () => {
    const text =
      'see MAX_SIZE, A_b and A_1! XMLHttpRequest FooBar Foobar FooB HTTPServer 0x1 0x1f 0x_ff max_size _FooBar FooBar';
    expect(identifiersOf(text, 64)).toEqual(['0x1f', 'FooBar', 'MAX_SIZE', 'XMLHttpRequest']);
  });

  it('are the first by position, in ordinal order', () => {
    expect(identifiersOf('ZooKeeper AlphaBeta GammaDelta', 2)).toEqual(['AlphaBeta', 'ZooKeeper']);
    expect(identifiersOf('éFooBar FooBaré', 2)).toEqual([]);
  });
});

describe('bytes of a text', () => {
  const encoded = (text: string, big: boolean, mark: boolean): Uint8Array => {
    const bytes = new Uint8Array(text.length * 2);
    for (let i = 0; i < text.length; i++) new DataView(bytes.buffer).setUint16(i * 2, text.charCodeAt(i), !big);
    return mark ? Uint8Array.from([...(big ? [0xfe, 0xff] : [0xff, 0xfe]), ...bytes]) : bytes;
  };

  it('are UTF-8 unless a mark says UTF-16', () => {
    expect(decodedBytes(encoded('grün', false, true))).toBe('grün');
    expect(decodedBytes(encoded('grün', true, true))).toBe('grün');
    expect(decodedBytes(encoded('ab', false, false))).toBe('a\0b\0');
    expect(decodedBytes(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('a');
    expect(decodedBytes(Uint8Array.of(0x61, 0xff, 0xc3))).toBe('a\ufffd\ufffd');
  });
});

describe('a structured document', () => {
  const texts = [
    { label: 'title', text: 'Turbines', prov: [{ page_no: 1 }] },
    { label: 'page_header', text: 'Draft' },
    { label: 'section_header', level: 2, text: 'Blades', prov: [{ page_no: 2 }] },
    { label: 'list_item', text: 'carbon', prov: [{ page_no: 2 }, { page_no: 3 }] },
    { label: 'caption', text: 'never reached' },
  ];
  const ref = (name: string): { $ref: string } => ({ $ref: `#/${name}` });
  const tables = [
    { data: { grid: [[{ text: 'a' }, { text: 'b' }], [{ text: '1' }]] }, prov: [{ page_no: 4 }] },
    {
      data: {
        num_rows: 2,
        num_cols: 1,
        table_cells: [{ text: 'x', start_row_offset_idx: 1, start_col_offset_idx: 0 }],
      },
    },
    { data: { num_rows: 1e9, num_cols: 1e9, table_cells: [] } },
  ];
  const groups = [{ children: [ref('texts/3'), ref('groups/0'), ref('texts/3')] }];
  const children = [
    'texts/0',
    'texts/1',
    'pictures/0',
    'texts/2',
    'groups/0',
    'tables/0',
    'tables/1',
    'tables/2',
    'nowhere/1',
  ].map(ref);
  const document = {
    body: { children },
    texts,
    tables,
    groups,
    pictures: [{ label: 'picture' }],
    pages: { 1: {}, 2: {} },
  };

  it('is walked in the order of its body, through groups, each node once', () => {
    const pages = (from: number, to = from): { from: number; to: number } => ({ from, to });
    expect(structureOf(document)).toEqual({
      pageCount: 4,
      blocks: [
        { kind: 'heading', level: 0, text: 'Turbines', pages: pages(1) },
        { kind: 'heading', level: 2, text: 'Blades', pages: pages(2) },
        { kind: 'paragraph', text: 'carbon', pages: pages(2, 3) },
        { kind: 'table', rows: [['a', 'b'], ['1']], pages: pages(4) },
        { kind: 'table', rows: [[''], ['x']], pages: null },
      ],
    });
  });

  it('that is none is told apart', () => {
    for (const none of [
      null,
      1,
      'text',
      [],
      {},
      { body: 3 },
      { body: { children: 7 } },
      { body: { children: [null] } },
    ])
      expect(structureOf(none)).toBeNull();
  });
});
