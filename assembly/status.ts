// What a core call can answer besides success. The host reads the same numbers from src/core/status.ts.

export const OK: i32 = 0;
/** An element, or an endpoint of an edge, does not exist. `errorElement` names it. */
export const NOT_FOUND: i32 = 1;
/** The memory limit does not allow it; nothing changed. */
export const NO_MEMORY: i32 = 2;
/** A value text is not a value of its type. `errorRecord` and `errorProperty` say where. */
export const BAD_VALUE: i32 = 3;
/** A property key stands twice in one element. */
export const DUPLICATE_KEY: i32 = 4;
/** The id counter would leave int32. */
export const TOO_MANY_IDS: i32 = 5;
/** A transaction buffer that no encoder of ours writes (wrong magic, offsets outside, unknown operation). */
export const BAD_TRANSACTION: i32 = 6;
/** The instance's own arena is too small; `arenaNeed` says how many bytes it takes. Only reader instances answer this. */
export const ARENA_TOO_SMALL: i32 = 7;
/** The element exists but is of the other kind. */
export const WRONG_KIND: i32 = 8;
/** The stop word ended the call (memory/stop.ts); nothing it was to answer is there. */
export const STOPPED: i32 = 9;
/** A limit that came with the call does not allow it; the call has a function that says which one. */
export const LIMIT_MET: i32 = 10;
/** Of a call that does its work in steps: there is more to do. */
export const MORE: i32 = -1;
/** The transaction reads adjacency, which the graph's edges are not in yet (checkpoint/link.ts); nothing changed. */
export const NOT_LINKED: i32 = 11;
