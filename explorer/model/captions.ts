// The property that names a vertex of a label: chosen by hand, or guessed from the vertices that have been seen.

import { labelOf, type VertexData } from './elements.ts';

/** Keys that usually hold a name, the likeliest first. */
const likelyKeys = [
  'name',
  'title',
  'lemma',
  'caption',
  'label',
  'displayname',
  'fullname',
  'username',
  'package',
  'key',
  'id',
];
const textType = 'System.String';
/** A caption is a name: what is longer on average is a text. */
const longestMeanLength = 60;
const maxCaptionLength = 30;
const maxSamples = 200;
/** Of what is shown of a text that was found, and of what stands before the place. */
const [maxExcerpt, excerptLead] = [72, 16];

/** For each label the key whose values are its captions; missing: there is none worth showing. */
export function guessCaptions(vertices: Iterable<VertexData>): Map<string, string> {
  const tallies = new Map<string, Map<string, { count: number; length: number; values: Set<string> }>>();
  const seen = new Map<string, number>();
  for (const vertex of vertices) {
    const label = labelOf(vertex);
    const count = seen.get(label) ?? 0;
    if (count >= maxSamples) continue;
    seen.set(label, count + 1);
    const tally = tallies.get(label) ?? new Map();
    tallies.set(label, tally);
    for (const { key, type, value } of vertex.properties) {
      if (type !== textType || key.startsWith('$')) continue;
      const one = tally.get(key) ?? { count: 0, length: 0, values: new Set<string>() };
      one.count++;
      one.length += value.length;
      one.values.add(value);
      tally.set(key, one);
    }
  }
  const captions = new Map<string, string>();
  for (const [label, tally] of tallies) {
    const total = seen.get(label) as number;
    let best: { key: string; score: number } | null = null;
    for (const [key, { count, length, values }] of tally) {
      const codes = [...values].filter(isCode).length / values.size;
      const score = scoreOf(key, { share: count / total, mean: length / count, distinct: values.size / count, codes });
      if (best === null || score > best.score) best = { key, score };
    }
    if (best !== null) captions.set(label, best.key);
  }
  return captions;
}

/** Values as shares of those seen, but for their mean length. */
interface Tally {
  readonly share: number;
  readonly mean: number;
  readonly distinct: number;
  readonly codes: number;
}

function scoreOf(key: string, { share, mean, distinct, codes }: Tally): number {
  const place = likelyKeys.indexOf(key.toLowerCase());
  const known = place === -1 ? 0 : 2 - place / likelyKeys.length;
  return known + share + distinct + (mean <= longestMeanLength ? 1 : 0) - 3 * codes;
}

/** Made for machines: mostly digits, or a long run without a blank. */
function isCode(value: string): boolean {
  const digits = value.replace(/\D/g, '').length;
  return digits > value.length / 2 || (value.length > 24 && !value.includes(' '));
}

/** One line without marks that turn the direction of a text around. */
export function captionOf(vertex: VertexData, captions: ReadonlyMap<string, string>, most = maxCaptionLength): string {
  const key = captions.get(labelOf(vertex));
  const value = key === undefined ? undefined : vertex.properties.find((one) => one.key === key)?.value;
  return value === undefined || value.trim() === '' ? `#${vertex.id}` : shortened(value, most);
}

/** A vertex that a text was found in: its caption, and where that has not the text, the value that has it, from a little before it on. */
export function excerptOf(vertex: VertexData, captions: ReadonlyMap<string, string>, text: string): string {
  const wanted = text.trim().toLowerCase();
  const caption = captionOf(vertex, captions, maxExcerpt);
  if (caption.toLowerCase().includes(wanted)) return caption;
  const found = vertex.properties.find(({ value }) => value.toLowerCase().includes(wanted));
  if (found === undefined) return caption;
  const from = Math.max(0, found.value.toLowerCase().indexOf(wanted) - excerptLead);
  const part = `${from === 0 ? '' : '…'}${shortened(found.value.slice(from, from + 4 * maxExcerpt), maxExcerpt / 2)}`;
  return found.key === captions.get(labelOf(vertex)) ? part : `${captionOf(vertex, captions)} · ${part}`;
}

/** Keys of a graph that usually hold a name, and those that captions are taken from, the likeliest first. */
export function nameKeysOf(keys: readonly string[], captions: ReadonlyMap<string, string>): string[] {
  const used = new Set(captions.values());
  const likely = likelyKeys.flatMap((name) => keys.filter((key) => key.toLowerCase() === name));
  return [...new Set([...likely, ...keys.filter((key) => used.has(key))])];
}

/** At most so many characters, in one line, without control and direction marks. */
export function shortened(text: string, most: number): string {
  const line = text
    .slice(0, 4 * most)
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length > most || text.length > 4 * most ? `${characters.slice(0, most - 1).join('')}…` : line;
}
