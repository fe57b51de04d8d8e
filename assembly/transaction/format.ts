// The transaction buffer: what a write is on the queue, in the log and in a bug report. Written by build.ts, read by apply.ts.
// It carries every input, time included, so applying the same buffers in the same order gives the same graph everywhere.
//
//   header (64 bytes)
//     0 u32 magic "ATX1"        16 u32 template count      32 u32 commit time, unix seconds   48 f64 commit time, unix ms
//     4 u32 total bytes         20 u32 templates offset    36 u32 first id (set by apply)     56 u64 zero
//     8 u32 string count        24 u32 operation count     40 u32 create count
//    12 u32 strings offset      28 u32 operations offset   44 u32 flags
//   strings      count x { u32 offset, u32 bytes }, then the bytes, each string padded to 8
//   templates    count x u32 offset, padded to 8, then templates
//                  { u32 kind, u32 label string or NONE, u32 edge type string or NONE, u32 property count,
//                    count x { u32 key string, u32 type } }
//   operations   each { u32 operation, ... } padded to 8
//     create            template, creation, flags, [edge: source, target], values in template order
//     edges             template of an edge without properties, creation, count, then count x { u32 source, u32 target }, ids: as many
//                       creates one after the other
//     set property      element, key string, type, value
//     remove property   element, key string, 0
//     remove element    element, flags, 0
//     erase, trim       0, 0, 0; alone in their transaction
//     index create      kind (index/layout.ts), name string, definition string or NONE; alone in its transaction, as those below
//     index drop        0, name string, 0
//     index clear       0, name string, 0
//     index remove      element, name string, 0
//     index remove key  0, name string, type, value
//     index add         element, name string, type, value; any number of them, and nothing else
//     document          kind, name string, text string or NONE (removes it); any number of them, and nothing else. The core passes
//                       over them: what a namespace keeps beside its graph is the host's
//   value: fixed types 8 bytes; wide types 16; String and Single[] { u32 bytes, u32 info } and data padded to 8
//
// Offsets count from the start of the buffer; everything is a multiple of 8; all words are little-endian.

export const TX_MAGIC: u32 = 0x31585441;
export const TX_TOTAL_BYTES: usize = 4;
export const TX_STRING_COUNT: usize = 8;
export const TX_STRINGS: usize = 12;
export const TX_TEMPLATE_COUNT: usize = 16;
export const TX_TEMPLATES: usize = 20;
export const TX_OPERATION_COUNT: usize = 24;
export const TX_OPERATIONS: usize = 28;
export const TX_TIME_SECONDS: usize = 32;
export const TX_FIRST_ID: usize = 36;
export const TX_CREATE_COUNT: usize = 40;
export const TX_FLAGS: usize = 44;
export const TX_TIME_MS: usize = 48;
export const TX_ZERO: usize = 56;
export const TX_HEADER_BYTES: usize = 64;

export const TEMPLATE_KIND: usize = 0;
export const TEMPLATE_LABEL: usize = 4;
export const TEMPLATE_EDGE_TYPE: usize = 8;
export const TEMPLATE_PROPERTY_COUNT: usize = 12;
export const TEMPLATE_HEADER_BYTES: usize = 16;

export const OP_CREATE: u32 = 1;
export const OP_SET_PROPERTY: u32 = 2;
export const OP_REMOVE_PROPERTY: u32 = 3;
export const OP_REMOVE_ELEMENT: u32 = 4;
export const OP_ERASE: u32 = 5;
export const OP_TRIM: u32 = 6;
export const OP_INDEX_CREATE: u32 = 7;
export const OP_INDEX_DROP: u32 = 8;
export const OP_INDEX_ADD: u32 = 9;
export const OP_INDEX_REMOVE: u32 = 10;
export const OP_INDEX_REMOVE_KEY: u32 = 11;
export const OP_INDEX_CLEAR: u32 = 12;
export const OP_DOCUMENT: u32 = 13;
export const OP_EDGES: u32 = 14;

// Words of an operation. What stands at one place depends on the operation.
export const OPERATION_BYTES: usize = 16;
/** Of an operation on an element. */
export const OPERATION_ELEMENT: usize = 4;
/** Of an index's creation or a document. */
export const OPERATION_KIND: usize = 4;
/** String of a property's key, an index's name or a document's name. */
export const OPERATION_NAME: usize = 8;
export const OPERATION_TYPE: usize = 12;
/** String of an index's definition or a document. */
export const OPERATION_TEXT: usize = 12;
export const REMOVE_FLAGS: usize = 8;
export const CREATE_TEMPLATE: usize = 4;
export const CREATE_TIME: usize = 8;
export const CREATE_FLAGS: usize = 12;
export const CREATE_SOURCE: usize = OPERATION_BYTES;
export const CREATE_TARGET: usize = CREATE_SOURCE + 4;
export const CREATE_EDGE_BYTES: usize = OPERATION_BYTES + 8;
export const EDGES_COUNT: usize = 12;
/** Of the pairs of a run of edges: the source comes first. */
export const EDGE_TARGET: usize = 4;

/** Of an entry of a template or of the table of strings: the key or the offset comes first. */
export const ENTRY_TYPE: usize = 4;
export const STRING_LENGTH: usize = 4;

/** Create: the source (target) word counts this transaction's creates instead of naming an id. */
export const CREATE_SOURCE_RELATIVE: u32 = 1;
export const CREATE_TARGET_RELATIVE: u32 = 2;
/** Remove element: an id that was removed earlier is skipped; one never assigned is still NOT_FOUND. */
export const REMOVE_SKIPS_REMOVED: u32 = 1;
