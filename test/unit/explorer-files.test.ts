// What the explorer makes of a dropped file.

import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { kindOf, readWith } from '../../explorer/data/files.ts';
import { guessShape, headOfTable, linesOfTable } from '../../explorer/data/table.ts';
import { at } from '../../scripts/lib/freshness.mjs';

const maxFileBytes = 1024 ** 3;
const file = (text: string): File => new File([text], 'dropped');
const tableOf = async (text: string, hasNames = true): Promise<unknown[]> => {
  const shape = guessShape(await headOfTable(file(text), hasNames), hasNames);
  const lines = await (await linesOfTable(file(text), shape)).text();
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

describe('a dropped file', () => {
  test('is told by its first bytes', async () => {
    expect(await kindOf(file('{"type":"meta"}\n'))).toBe('lines');
    expect(await kindOf(file('\ufeff {"type":"meta"}\n'))).toBe('lines');
    expect(await kindOf(file('ARCWPACK\u0001'))).toBe('package');
    expect(await kindOf(file('from;to\na;b'))).toBe('table');
  });

  test.each([
    ['', /empty/],
    ['just words', /no graph/],
    ['\0\u0001,\0', /no graph/],
  ])('is refused with a word: %j', async (text, word) => {
    await expect(kindOf(file(text))).rejects.toThrow(word);
  });

  test('is refused when it is larger than a page holds', async () => {
    const sized = (size: number): Blob => Object.defineProperty(file('{'), 'size', { value: size });
    await expect(kindOf(sized(maxFileBytes + 1))).rejects.toThrow(/npm run sample/);
    expect(await kindOf(sized(maxFileBytes))).toBe('lines');
  });
});

describe('a table of edges', () => {
  test('becomes vertices by name and edges by row, whatever its separator and quotes', async () => {
    const lines = await tableOf('id\tto\tfrom\tkind\n7\t"b ""x"""\ta\tknows\n8\ta\ta\t\n');
    expect(lines).toEqual([
      { type: 'meta', format: 'service-jsonl', version: 2, vertexCount: 2, edgeCount: 2 },
      expect.objectContaining({ id: 0, properties: { name: { type: 'System.String', value: 'a' } } }),
      expect.objectContaining({ id: 1, properties: { name: { type: 'System.String', value: 'b "x"' } } }),
      expect.objectContaining({
        edgePropertyId: 'knows',
        source: 0,
        target: 1,
        properties: { id: { type: 'System.Double', value: '7' } },
      }),
      expect.objectContaining({ edgePropertyId: 'edge', source: 0, target: 0 }),
    ]);
  });

  test('without names of columns has places as names', async () => {
    const [, , , edge] = await tableOf('a,b,x\n', false);
    expect(edge).toMatchObject({ source: 0, target: 1, properties: { 'Column 3': { value: 'x' } } });
  });

  test.each([
    ['from,to\na,\n', /Row 2 of the table has no target/],
    ['from,to\n', /no rows/],
  ])('is refused with the place: %j', async (text, word) => {
    await expect(tableOf(text)).rejects.toThrow(word);
  });
});

test('the page is at most 250 kB gzipped, the engine and the samples left out', () => {
  const folder = at('dist/explorer');
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (one) => one.isFile() && /\.(js|css|html)$/.test(one.name),
  );
  expect(files.length).toBeGreaterThan(3);
  const bytes = files.reduce((sum, { name }) => sum + gzipSync(readFileSync(`${folder}/${name}`)).length, 0);
  expect(bytes).toBeLessThan(250_000);
});

test('a file tells how much of it was read, no sooner than it is', async () => {
  const file = new Blob([new Uint8Array(1 << 20), new Uint8Array(1 << 20)]);
  const shares: number[] = [];
  const reader = readWith(file, (share) => shares.push(share)).getReader();
  const first = await reader.read();
  expect(shares[0]).toBe((first.value as Uint8Array).byteLength / file.size);
  expect(shares.at(-1)).toBeLessThan(1);
  let bytes = (first.value as Uint8Array).byteLength;
  for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.byteLength;
  expect(bytes).toBe(file.size);
  expect(shares.at(-1)).toBe(1);
});
