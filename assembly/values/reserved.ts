// Keys of the engine's own: `$embedding:<name>` holds an element's vector, `$embeddingModel:<name>` the model it came from (contract
// part 3, Element embeddings). What an import brings under them has the form in which the engine would have written it.

/** What a key may hold: anything, a vector, the name of a model. */
export const KEY_FREE: u32 = 0;
export const KEY_EMBEDDING: u32 = 1;
export const KEY_MODEL: u32 = 2;

const EMBEDDING_BYTES: u32 = 11;
const MODEL_BYTES: u32 = 16;
const LONGEST_NAME: u32 = 64;
const MOST_COMPONENTS: i32 = 4096;

/** Which kind of key the `bytes` bytes at `text` are; compares the little-endian words of the letters. */
export function reservedKey(text: usize, bytes: u32): u32 {
  if (bytes < EMBEDDING_BYTES || load<u64>(text) != 0x69646465626d6524) return KEY_FREE; // $embeddi
  if (load<u16>(text, 8) == 0x676e && load<u8>(text, 10) == 0x3a) return KEY_EMBEDDING; // ng:
  if (bytes < MODEL_BYTES || load<u64>(text, 8) != 0x3a6c65646f4d676e) return KEY_FREE; // ngModel:
  return KEY_MODEL;
}

/** Whether the rest of a key of that kind is `[A-Za-z0-9_-]{1,64}`. */
export function isEmbeddingName(text: usize, bytes: u32, kind: u32): bool {
  const from = kind == KEY_EMBEDDING ? EMBEDDING_BYTES : MODEL_BYTES;
  const length = bytes - from;
  if (length == 0 || length > LONGEST_NAME) return false;
  for (let at = from; at < bytes; at++) {
    const byte = <u32>load<u8>(text + <usize>at);
    const letter = byte | 0x20;
    if (letter >= 0x61 && letter <= 0x7a) continue;
    if ((byte >= 0x30 && byte <= 0x39) || byte == 0x5f || byte == 0x2d) continue;
    return false;
  }
  return true;
}

/** Whether the `count` f32 at `data` are the vector of an embedding. */
export function isEmbeddingVector(data: usize, count: i32): bool {
  if (count < 1 || count > MOST_COMPONENTS) return false;
  for (let at = data; at < data + ((<usize>count) << 2); at += 4) {
    if ((load<u32>(at) & 0x7f800000) == 0x7f800000) return false;
  }
  return true;
}
