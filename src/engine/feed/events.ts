// What a change event is: the numbers the core gives its kinds, the contract's words for them, and the record both the core and
// the ring use (contract part 1, Change event). A record is eight little-endian words:
//
//   0  kind | element << 8      1  element id (ring, resync: number of the reason)     2  label      3  edge type or key
//   4  source                   5  target                                              6, 7  spare (ring: commit time, f64 ms)
//
// Label, edge type and key are numbers of names, `noName` when there is none: the core's in its records, the feed's own in the ring.

export const recordWords = 8;
export const noName = 0xffff_ffff;

/** Index = the core's number of the kind; `resync` is the feed's own. */
export const kindNames = [
  '',
  'vertexCreated',
  'vertexRemoved',
  'edgeCreated',
  'edgeRemoved',
  'propertySet',
  'propertyRemoved',
  'resync',
] as const;
export const edgeCreated = 3;
export const propertySet = 5;
export const propertyRemoved = 6;
export const resync = 7;

/** Index = the core's number of the element's kind. */
export const elementNames = ['', 'vertex', 'edge'] as const;

/** Reasons of a resync that takes a number in the sequence and stays in the ring. */
export const storedReasons = ['trim', 'tabulaRasa', 'load', 'delegateWrite'] as const;
export type StoredReason = (typeof storedReasons)[number];
/** Those that a transaction brings about. */
export type WriteReason = Exclude<StoredReason, 'load'>;

/** Reasons of a resync that one subscriber gets and that takes no number. */
export type PersonalReason = 'overflow' | 'seekOutOfRange';
