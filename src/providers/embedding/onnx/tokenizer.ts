// Texts as the numbers of a BERT vocabulary: WordPiece (Schuster and Nakajima, "Japanese and Korean voice search", 2012) behind BERT's own
// splitting of words. No token of the vocabulary has a special meaning inside a text: "[SEP]" is three words of it.

import { Tokenizer } from '@huggingface/tokenizers';
import { ProviderFailed } from '../../failure.ts';

/** Longer words are unknown, as BERT has it. */
const longestWord = 100;
const [unknown, begin, end, padding] = ['[UNK]', '[CLS]', '[SEP]', '[PAD]'];

export class WordPiece {
  /** What fills a text up to the length of its company. */
  readonly padding: number;
  private readonly pieces: Tokenizer;
  private readonly begin: number;
  private readonly end: number;

  /** `vocabulary`: a token a line, numbered from 0. Throws ProviderFailed. */
  constructor(vocabulary: string) {
    const tokens = vocabulary.replace(/\r?\n$/, '').split(/\r?\n/);
    const vocab = Object.fromEntries(tokens.map((token, number) => [token, number]));
    const numberOf = (token: string): number => {
      const number = vocab[token];
      if (number !== undefined) return number;
      throw new ProviderFailed('misconfigured', `The file of Service:Embedding:Onnx:VocabPath has no token ${token}.`);
    };
    numberOf(unknown);
    this.begin = numberOf(begin);
    this.end = numberOf(end);
    this.padding = vocab[padding] ?? 0; // it is masked: any token does
    // A vocabulary without capitals is one of small letters.
    const lowercase = !tokens.some((token) => !token.startsWith('[') && /\p{Lu}/u.test(token));
    this.pieces = new Tokenizer(
      {
        ...{ added_tokens: [], post_processor: null, decoder: null },
        normalizer: {
          ...{ type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null },
          lowercase,
        },
        pre_tokenizer: { type: 'BertPreTokenizer' },
        model: {
          ...{ type: 'WordPiece', unk_token: unknown, continuing_subword_prefix: '##', vocab },
          max_input_chars_per_word: longestWord,
        },
      },
      {},
    );
  }

  /** With the tokens for begin and end. */
  encode(text: string): number[] {
    // Half of a surrogate pair has no bytes to be looked up by.
    const { ids } = this.pieces.encode(text.replace(/\p{Surrogate}/gu, '\ufffd'), { add_special_tokens: false });
    return [this.begin, ...ids, this.end];
  }
}
