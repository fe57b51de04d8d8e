// GGUF files for tests: a model of the BERT kind whose one layer changes nothing, so that a text's vector is the normalised mean of its words'.

type Value =
  | readonly ['u32' | 'i32' | 'f32', number]
  | readonly ['bool', boolean]
  | readonly ['text', string]
  | readonly ['list', 'text' | 'f32' | 'i32', readonly (string | number)[]];

const types = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8, list: 9 } as const;
const alignment = 32;
/** Of the feed-forward network, which does nothing. */
const inner = 32;
const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

class Writer {
  readonly parts: Buffer[] = [];
  bytes = 0;

  put(bytes: Buffer): void {
    this.parts.push(bytes);
    this.bytes += bytes.byteLength;
  }

  u32(value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    this.put(bytes);
  }

  u64(value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    this.put(bytes);
  }

  f32(value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    this.put(bytes);
  }

  text(value: string): void {
    const bytes = Buffer.from(value, 'utf8');
    this.u64(bytes.byteLength);
    this.put(bytes);
  }

  scalar(type: 'u32' | 'i32' | 'f32' | 'bool' | 'text', value: string | number | boolean): void {
    if (type === 'text') this.text(String(value));
    else if (type === 'f32') this.f32(Number(value));
    else if (type === 'bool') this.put(Buffer.from([value ? 1 : 0]));
    else this.u32(Number(value));
  }

  pad(): void {
    this.put(Buffer.alloc((alignment - (this.bytes % alignment)) % alignment));
  }
}

export interface WordModel {
  readonly words: Readonly<Record<string, readonly number[]>>;
  readonly contextTokens: number;
  readonly version?: number;
}

export function ggufModel({ words, contextTokens, version = 3 }: WordModel): Buffer {
  const tokens = [...special, ...Object.keys(words).map((word) => `\u2581${word}`)];
  const dimension = Object.values(words)[0]?.length ?? 0;
  const pairs: Record<string, Value> = {
    'general.architecture': ['text', 'bert'],
    'bert.context_length': ['u32', contextTokens],
    'bert.embedding_length': ['u32', dimension],
    'bert.feed_forward_length': ['u32', inner],
    'bert.block_count': ['u32', 1],
    'bert.attention.head_count': ['u32', 1],
    'bert.attention.layer_norm_epsilon': ['f32', 1e-12],
    'bert.attention.causal': ['bool', false],
    'bert.pooling_type': ['u32', 1],
    'tokenizer.ggml.token_type_count': ['u32', 2],
    'tokenizer.ggml.model': ['text', 'bert'],
    'tokenizer.ggml.tokens': ['list', 'text', tokens],
    'tokenizer.ggml.scores': ['list', 'f32', tokens.map(() => -1000)],
    'tokenizer.ggml.token_type': ['list', 'i32', tokens.map((_, i) => (i < special.length ? 3 : 1))],
    'tokenizer.ggml.padding_token_id': ['u32', 0],
    'tokenizer.ggml.unknown_token_id': ['u32', 1],
    'tokenizer.ggml.bos_token_id': ['u32', 2],
    'tokenizer.ggml.cls_token_id': ['u32', 2],
    'tokenizer.ggml.seperator_token_id': ['u32', 3],
    'tokenizer.ggml.mask_token_id': ['u32', 4],
  };
  const tensors = tensorsOf(tokens, words, dimension, contextTokens);
  const out = new Writer();
  out.put(Buffer.from('GGUF'));
  out.u32(version);
  out.u64(tensors.length);
  out.u64(Object.keys(pairs).length);
  for (const [key, value] of Object.entries(pairs)) {
    out.text(key);
    out.u32(types[value[0]]);
    if (value[0] !== 'list') {
      out.scalar(value[0], value[1]);
      continue;
    }
    out.u32(types[value[1]]);
    out.u64(value[2].length);
    for (const one of value[2]) out.scalar(value[1], one);
  }
  let offset = 0;
  for (const [name, shape, data] of tensors) {
    out.text(name);
    out.u32(shape.length);
    for (const length of shape) out.u64(length);
    out.u32(0); // 32-bit numbers
    out.u64(offset);
    offset += Math.ceil(data.byteLength / alignment) * alignment;
  }
  out.pad();
  for (const [, , data] of tensors) {
    out.put(Buffer.from(data.buffer));
    out.pad();
  }
  return Buffer.concat(out.parts);
}

type Tensor = readonly [name: string, shape: readonly number[], data: Float32Array];

function tensorsOf(
  tokens: readonly string[],
  words: WordModel['words'],
  dimension: number,
  contextTokens: number,
): Tensor[] {
  const zeros = (name: string, ...shape: number[]): Tensor => [
    name,
    shape,
    new Float32Array(shape.reduce((product, length) => product * length, 1)),
  ];
  const norm = (name: string): Tensor[] => [
    [`${name}.weight`, [dimension], new Float32Array(dimension).fill(1)],
    zeros(`${name}.bias`, dimension),
  ];
  const vectors = new Float32Array(tokens.length * dimension);
  // Those of the marks lie where no word does, so that a text of none has a direction too.
  for (const i of special.keys()) vectors[(i + 1) * dimension - 1] = 1;
  for (const [i, vector] of Object.values(words).entries()) vectors.set(vector, (special.length + i) * dimension);
  const square = ['attn_q', 'attn_k', 'attn_v', 'attn_output'];
  return [
    ['token_embd.weight', [dimension, tokens.length], vectors],
    zeros('token_types.weight', dimension, 2),
    zeros('position_embd.weight', dimension, contextTokens),
    ...norm('token_embd_norm'),
    ...square.flatMap((name) => [
      zeros(`blk.0.${name}.weight`, dimension, dimension),
      zeros(`blk.0.${name}.bias`, dimension),
    ]),
    ...norm('blk.0.attn_output_norm'),
    ...[zeros('blk.0.ffn_up.weight', dimension, inner), zeros('blk.0.ffn_up.bias', inner)],
    ...[zeros('blk.0.ffn_down.weight', inner, dimension), zeros('blk.0.ffn_down.bias', dimension)],
    ...norm('blk.0.layer_output_norm'),
  ];
}
