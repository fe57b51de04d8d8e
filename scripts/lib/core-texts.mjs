// The constant texts of the core. Its modules have no data section, because each instance's memory belongs to all of them, so a text is
// code: words of it, stored at an address or compared with what stands there. This writes that code from the list in assembly/texts.json.
//
//   functions   write the text at `p` and answer the address behind it; the last word overlaps the one before it, none goes beyond
//   words       lists whose names end so: the first eight bytes of a text as a number, behind a 2 the next eight, and so on

import { mkdirSync, readFileSync } from 'node:fs';
import { at, replaceFile } from './freshness.mjs';

const LIST = 'assembly/texts.json';
const FOLDER = 'assembly/generated';
const WORDS = /(^|-)words$/;
const WORD_BYTES = 8;
const MOST_BYTES = 4 * WORD_BYTES;

/** Writes the files whose content is not what the list says. */
export function writeCoreTexts() {
  mkdirSync(at(FOLDER), { recursive: true });
  for (const [name, texts] of Object.entries(JSON.parse(readFileSync(at(LIST), 'utf8')))) {
    const entries = Object.entries(texts);
    const isWords = WORDS.test(name);
    const code = isWords ? entries.flatMap(wordsOf).join('\n') : entries.map(functionOf).join('\n');
    const path = `${FOLDER}/${name}.ts`;
    const text = `// Made by the build from ${LIST}.\n\n${code}${isWords ? '\n' : ''}`;
    if (readOrNull(path) !== text) replaceFile(path, text);
  }
}

function readOrNull(path) {
  try {
    return readFileSync(at(path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** @param {[name: string, text: string]} entry */
function functionOf([name, text]) {
  const bytes = Buffer.from(text, 'utf8');
  const stores = storesOf(bytes).map(([width, offset]) => {
    const place = offset === 0 ? '' : `, ${offset}`;
    return `  store<u${width * 8}>(p, ${numberOf(bytes.subarray(offset, offset + width))}${place});\n`;
  });
  const mark = '// @ts-ignore: decorator\n@inline\n';
  return `/** \`${text}\` */\n${mark}export function ${name}(p: usize): usize {\n${stores.join('')}  return p + ${bytes.length};\n}\n`;
}

/** Words that cover the bytes, each as wide as it can be. */
function storesOf({ length }) {
  const stores = [];
  let offset = 0;
  while (offset + 8 <= length) {
    stores.push([8, offset]);
    offset += 8;
  }
  const rest = length - offset;
  if (rest === 0) return stores;
  const widest = rest > 4 && length >= 8 ? 8 : length >= 4 ? 4 : length >= 2 ? 2 : 1;
  if (rest > widest) stores.push([widest, offset]);
  stores.push([widest, length - widest]);
  return stores;
}

/** @param {[name: string, text: string]} entry */
function wordsOf([name, text]) {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > MOST_BYTES) throw new Error(`${LIST}: ${name} has more than ${MOST_BYTES} bytes`);
  const lines = [];
  for (let from = 0; from < bytes.length; from += WORD_BYTES) {
    const part = from === 0 ? '' : `_${from / WORD_BYTES + 1}`;
    const word = numberOf(bytes.subarray(from, from + WORD_BYTES));
    lines.push(`export const ${name}${part}: u64 = ${word};${from === 0 ? ` // ${text}` : ''}`);
  }
  return lines;
}

/** Little-endian. */
function numberOf(bytes) {
  return `0x${Buffer.from(bytes).reverse().toString('hex')}`;
}
