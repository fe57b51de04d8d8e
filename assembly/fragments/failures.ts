// What a routine of fragments answers instead of a text, an index or a truth value when C# throws: the complement of the exception's
// number in the host's list (src/fragments/emit/wasm/core-functions.ts, `failures`). As unsigned numbers these lie above every address,
// as signed ones below -1.

export const FAIL_NULL_REFERENCE: u32 = ~1;
export const FAIL_OVERFLOW: u32 = ~3;
export const FAIL_INDEX: u32 = ~4;
export const FAIL_OUT_OF_RANGE: u32 = ~5;
export const FAIL_ARGUMENT_NULL: u32 = ~8;
/** No room in scratch. */
export const FAIL_MEMORY: u32 = ~10;
/** Only the host knows: the search starts again with the interpreter. */
export const FAIL_HOST: u32 = ~11;
export const FAIL_ARGUMENT: u32 = ~13;
export const FAIL_FORMAT: u32 = ~16;
export const FAIL_INVALID_CAST: u32 = ~17;

/** Whether an answer is one of these and no text. */
// @ts-ignore: decorator
@inline
export function isFailure(answer: u32): bool {
  return answer >= 0xffffff80;
}
