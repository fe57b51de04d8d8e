// The record of one running bulk import. Several may run in one memory; each is a block in the system heap with everything it owns
// hanging off it, so a line's parser needs nothing but its address. It may know nothing of lines.

import { FILE_IDS_BYTES } from './file-ids';

export const S_BUILDER: usize = 0; //          transaction under construction
export const S_STATE: usize = 4; //            STATE_*
export const S_FILE_IDS: usize = 8; //         FILE_IDS_BYTES
export const S_BUFFER: usize = S_FILE_IDS + FILE_IDS_BYTES; // chunk, with the unfinished line before it
export const S_CAPACITY: usize = S_BUFFER + 4;
export const S_START: usize = S_CAPACITY + 4; //   offset of the line not parsed yet
export const S_SCANNED: usize = S_START + 4; //    up to here it holds no line feed
export const S_END: usize = S_SCANNED + 4; //      end of the bytes
export const S_SCRATCH: usize = S_END + 4; //      text without escapes
export const S_SCRATCH_BYTES: usize = S_SCRATCH + 4;
export const S_LINE: usize = S_SCRATCH_BYTES + 4; // number of the line at S_START, minus one
export const S_LINE_LIMIT: usize = S_LINE + 4;
export const S_BATCH_SIZE: usize = S_LINE_LIMIT + 4;
export const S_VERTICES: usize = S_BATCH_SIZE + 4; // lines accepted, the batch under construction included
export const S_EDGES: usize = S_VERTICES + 4;
export const S_EXPECTED_VERTICES: usize = S_EDGES + 4; // of the meta line, NONE when it does not say
export const S_EXPECTED_EDGES: usize = S_EXPECTED_VERTICES + 4;
export const S_BATCH_ORDINAL: usize = S_EXPECTED_EDGES + 4; // ordinal of the batch's first create
export const S_RUNS: usize = S_BATCH_ORDINAL + 4; // { u32 first ordinal, u32 first id }: ids are consecutive within a run
export const S_RUN_CAPACITY: usize = S_RUNS + 4;
export const S_RUN_COUNT: usize = S_RUN_CAPACITY + 4;
export const S_ENTRIES: usize = S_RUN_COUNT + 4; // property texts seen (predictions.ts)
export const S_ENTRY_COUNT: usize = S_ENTRIES + 4;
export const S_ENTRY_TEXT: usize = S_ENTRY_COUNT + 4;
export const S_FIRST_ENTRY: usize = S_ENTRY_TEXT + 4; // entry that began the last element without label: of vertices, of edges
export const S_SECONDS: usize = S_FIRST_ENTRY + 8;
export const S_COLUMN: usize = S_SECONDS + 4; // failure, kept from the parser's
export const S_ERROR: usize = S_COLUMN + 4;
export const S_TEXT: usize = S_ERROR + 4;
export const S_TEXT_BYTES: usize = S_TEXT + 4;
export const S_FIELD: usize = S_TEXT_BYTES + 4;
export const S_COMMAS: usize = S_FIELD + 4; //  numbers whose commas part something else than thousands (commas.ts)
export const S_COMMA_LINE: usize = S_COMMAS + 4; // number of the first one's line
export const S_COMMA_BYTES: usize = S_COMMA_LINE + 4; // of its text, which follows
export const S_COMMA_TEXT: usize = S_COMMA_BYTES + 4;
export const COMMA_TEXT_BYTES: u32 = 40;
export const S_MS: usize = (S_COMMA_TEXT + COMMA_TEXT_BYTES + 7) & ~7;

// A run: its first ordinal comes first.
export const RUN_FIRST_ID: usize = 4;
export const RUN_SHIFT: usize = 3;
export const SESSION_BYTES: usize = S_MS + 8;

export const STATE_READING: u32 = 0;
/** A batch is out; importResume goes on. */
export const STATE_BATCH: u32 = 1;
/** importEnd was called and the last line parsed. */
export const STATE_ENDING: u32 = 2;
/** The last batch is out. */
export const STATE_LAST_BATCH: u32 = 3;
export const STATE_DONE: u32 = 4;
export const STATE_FAILED: u32 = 5;
