// What a bulk import can answer, and every way a line can be wrong. The host reads the same numbers and has the words for them.

/** The chunk is consumed; more may follow. */
export const IMPORT_MORE: i32 = 0;
/** A transaction is built: apply it, then call importResume. */
export const IMPORT_BATCH: i32 = 1;
/** The import is over; importError and its companions say why and where. */
export const IMPORT_FAILED: i32 = 2;
/** After importEnd: everything is built and applied. */
export const IMPORT_DONE: i32 = 3;

export const LINE_OK: i32 = 0;
export const MALFORMED_JSON: i32 = 1;
/** Something other than white space stands behind the line's object. */
export const TRAILING_CONTENT: i32 = 2;
export const INVALID_UTF8: i32 = 3;
export const BYTE_ORDER_MARK: i32 = 4;
export const LINE_TOO_LONG: i32 = 5;
/** A member that this kind of line, or a property, does not have. The text names it. */
export const UNKNOWN_FIELD: i32 = 6;
export const DUPLICATE_FIELD: i32 = 7;
/** `importErrorField` names the member; inside a property the text is its key. */
export const MISSING_FIELD: i32 = 8;
/** A member has the wrong JSON type, or a number outside its range, or is empty where it may not be. */
export const BAD_FIELD: i32 = 9;
/** `type` of the line is none of meta, vertex, edge. */
export const UNKNOWN_LINE_TYPE: i32 = 10;
/** `type` of a property is not on the list. The text is that name. */
export const UNKNOWN_TYPE: i32 = 11;
/** The value's text is not a value of its type. The text is the property's key. */
export const BAD_VALUE_TEXT: i32 = 12;
export const DUPLICATE_PROPERTY: i32 = 13;
export const DUPLICATE_ID: i32 = 14;
/** No earlier vertex has the id; `importErrorField` says which end. */
export const UNRESOLVED_ENDPOINT: i32 = 15;
export const META_NOT_FIRST: i32 = 16;
export const BAD_FORMAT_NAME: i32 = 17;
export const BAD_VERSION: i32 = 18;
/** The meta line promised another number of vertices or edges; reported at the last line. */
export const COUNT_MISMATCH: i32 = 19;
/** The memory limit does not allow it. */
export const IMPORT_NO_MEMORY: i32 = 20;
/** What a key of the engine's own names behind its colon is no name of an embedding. The text is the key, as with the next two. */
export const BAD_EMBEDDING_NAME: i32 = 21;
/** The property of such a key is of another type than the engine's. */
export const BAD_EMBEDDING_TYPE: i32 = 22;
/** An embedding has no component, more than there may be, or one that is no number. */
export const BAD_EMBEDDING: i32 = 23;

// Members of a line: bit numbers of the set of members seen, and the answers of importErrorField.
export const FIELD_NONE: u32 = 0;
export const FIELD_TYPE: u32 = 1;
export const FIELD_ID: u32 = 2;
export const FIELD_LABEL: u32 = 3;
export const FIELD_CREATION: u32 = 4;
export const FIELD_PROPERTIES: u32 = 5;
export const FIELD_EDGE_TYPE: u32 = 6;
export const FIELD_SOURCE: u32 = 7;
export const FIELD_TARGET: u32 = 8;
export const FIELD_FORMAT: u32 = 9;
export const FIELD_VERSION: u32 = 10;
export const FIELD_VERTEX_COUNT: u32 = 11;
export const FIELD_EDGE_COUNT: u32 = 12;
export const FIELD_EXPORTED: u32 = 13;
/** `value` of a property. */
export const FIELD_VALUE: u32 = 14;
export const FIELD_COUNT: u32 = 15;

/** Export: a String or Char value holds half a surrogate pair. */
export const EXPORT_BAD_VALUE: i32 = 100;
/** Export: the graph was erased or renumbered since exportBegin. */
export const EXPORT_CHANGED: i32 = 101;
