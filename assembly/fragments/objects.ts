// The objects of compiled fragments: everything that a C# reference can name and that is neither a string nor part of the graph. They lie
// in SCRATCH, and so end with the call that made them; what `init` made lasts for the search. Nothing is ever freed one by one.
//
// An `object` is a word:   0             null
//                          bit 1 clear   a text (texts.ts): records are 8-aligned, bit 0 says interned
//                          bit 1 set     a reference: the address of one of the objects below, plus 2
// Arrays, lists, tuples, delegates, exceptions and boxes are references wherever they stand, and strings are texts, so seeing one
// as object changes nothing. Elements are ids by themselves and an ELEMENT object when they are seen as object.
//
// An object is 8-aligned and begins with two words; the emitter knows the places by `src/fragments/emit/objects/object-layout.ts`:
//   +0  bits 0..7 tag, 8..23 type number (the module's own, 0 = the tag says all), 24..30 code of the items, 31 KEPT: made by `init`
//   +4  count: items of an array or tuple, function of a delegate, number of an exception (core-functions.ts), id of an ELEMENT, of a
//       CELL or an OBJECT what the debug build may follow (REFERENCES_KNOWN)
//   +8  payload
//     box (tag 2..18, a property type)   the value, 8 bytes as in a slot (values/types.ts), or the 16 bytes of the wide types
//     ARRAY                              items packed by the size of their code; of more dimensions, the lengths behind them
//     TUPLE, PAIR, RECORD, TUPLE_CLASS   8 bytes: the codes of up to 8 items; then 16 bytes an item
//     DELEGATE                           what it took along: references to CELLs, 4 bytes each
//     CELL                               a variable: 16 bytes
//     TYPE                               nothing: the type's number is the count
//     ALONE                              nothing: the only one of its type number (cultures, formats of a culture)
//     BUILDER                            a StringBuilder (string-builder.ts)
//     OBJECT                             nothing: `new object()`; of a class of the source 16 bytes a field
//     PLACE                              box of an Index or a Range, 8 bytes
//     EXCEPTION                          text of the message (0: the usual one), inner exception, parameter's name, and 1 when only the
//                                        interpreter knows its message
//   Tags from 48 on belong to collections (List, Dictionary…).
//
// A *code* says how a value lies in an item and what equality, hash and order mean for it: a property type (8 bytes for those of 64 bits,
// 16 for the wide ones, 4 for all others, strings as texts), CODE_OBJECT (4 bytes, any object), CODE_ELEMENT (4, an id), CODE_EDGES
// (4, a word of the graph), or with CODE_NULLABLE a T? as the emitter has it (nullables.ts there): 8 bytes for a T of 4, 16 for a T of
// 8 or 16; bit 0 of the last word says that it is there. Structs that are objects here (tuples, pairs) are CODE_OBJECT, nullable or
// not, and never changed: who assigns to an item makes another one.
//
// A store goes through `objectPut…`, which traps outside of SCRATCH. What `init` made may not come to name what ends with the call:
// `objectPutReference` and `objectOutlives` say so, and the fragment then runs in the interpreter.

import { scratchHolds, scratchMark, scratchSince } from '../memory/arena';
import { NONE } from '../memory/layout';
import { compareValues, equalValues } from '../values/compare';
import { TICKS_MASK } from '../values/datetime';
import { hashWord } from '../values/hash';
import { RECORD_HEADER, RECORD_INFO } from '../values/record';
import {
  isWide, TYPE_CHAR, TYPE_DATETIME, TYPE_DECIMAL, TYPE_DOUBLE, TYPE_GUID, TYPE_INT64, TYPE_SINGLE, TYPE_SINGLE_ARRAY, TYPE_STRING,
  TYPE_TIMESPAN, TYPE_UINT32, TYPE_UINT64,
} from '../values/types';
import { decimalHash, decimalLoad } from './decimal';
import { fragmentFind, fragmentFoundType, fragmentKind } from './elements';
import { realHash, singleHash } from './numbers';
import { runAllocate, runEnd, runObject, runRelease } from './run-heap';
import { textCompare, textEquals, textHash } from './texts';

export const TAG_ELEMENT: u32 = 32;
export const TAG_ARRAY: u32 = 33;
export const TAG_TUPLE: u32 = 34;
export const TAG_PAIR: u32 = 35;
export const TAG_RECORD: u32 = 36;
export const TAG_TUPLE_CLASS: u32 = 37;
export const TAG_DELEGATE: u32 = 38;
export const TAG_CELL: u32 = 39;
export const TAG_EXCEPTION: u32 = 40;
export const TAG_TYPE: u32 = 41;
export const TAG_ALONE: u32 = 42;
export const TAG_BUILDER: u32 = 43;
export const TAG_PLACE: u32 = 44;
export const TAG_OBJECT: u32 = 45;

export const CODE_OBJECT: u32 = 20;
export const CODE_ELEMENT: u32 = 21;
export const CODE_EDGES: u32 = 22;
export const CODE_NULLABLE: u32 = 64;

/** In the count of a CELL or an OBJECT: what of it is a word of an object or a text is known, by a bit for each of the first 31 fields. */
export const REFERENCES_KNOWN: u32 = 0x80000000;

/** From a reference to the object it names. */
const REFERENCE: u32 = 2;
export const OBJECT_HEADER: usize = 8;
export const OBJECT_COUNT: usize = 4;
export const KEPT: u32 = 0x80000000;
export const TUPLE_ITEMS: usize = 16;
export const TUPLE_ITEM_BYTES: usize = 16;

/** Between the start of `init` and the first call: what is made now lasts. */
let keeping: bool = false;
let callMark: usize = 0;

/** Before `init`. */
export function fragmentKeep(): void {
  keeping = true;
}

/** Before a call; the answer is for `fragmentLeave`. */
export function fragmentEnter(): usize {
  keeping = false;
  runEnd();
  callMark = scratchMark();
  return callMark;
}

/** After a call: what it made is gone. */
export function fragmentLeave(mark: usize): void {
  runRelease(mark);
}

// @ts-ignore: decorator
@inline
export function objectAddress(reference: u32): usize {
  return <usize>(reference - REFERENCE);
}

// @ts-ignore: decorator
@inline
export function isReference(word: u32): bool {
  return (word & REFERENCE) != 0;
}

/** Tag of a reference. */
// @ts-ignore: decorator
@inline
export function objectTag(reference: u32): u32 {
  return load<u32>(objectAddress(reference)) & 0xff;
}

/** Whether an object was made by `init`. */
export function isKept(reference: u32): bool {
  return (load<u32>(objectAddress(reference)) & KEPT) != 0;
}

/** Whether what is made now will last. */
export function keptNow(): bool {
  return keeping;
}

/** Code of the items of an array. */
// @ts-ignore: decorator
@inline
export function objectCode(reference: u32): u32 {
  return (load<u32>(objectAddress(reference)) >> 24) & 0x7f;
}

/** Bytes of an item. */
export function codeBytes(code: u32): u32 {
  if (code & CODE_NULLABLE) return codeBytes(code & 63) >= 8 ? 16 : 8;
  if (isWide(code)) return 16;
  const eight = code == TYPE_INT64 || code == TYPE_UINT64 || code == TYPE_DOUBLE || code == TYPE_DATETIME || code == TYPE_TIMESPAN;
  return eight ? 8 : 4;
}

// --- Making --------------------------------------------------------------------------------------------------------------

/** Whether contents of an object with this first word may name others. */
function mayName(word: u32): bool {
  const tag = word & 0xff;
  if (tag == TAG_ARRAY) {
    const code = (word >> 24) & 63;
    return code == CODE_OBJECT || code == CODE_EDGES || code == TYPE_STRING || code == 0;
  }
  return tag == 0 || (tag > TAG_ELEMENT && tag != TAG_TYPE && tag != TAG_ALONE && tag != TAG_PLACE);
}

/** An object with `bytes` of payload, all zero. `word`: tag, type number and code. 0 = no room. */
export function objectCreate(word: u32, count: u32, bytes: u32): u32 {
  if (bytes > 0x40000000) return 0;
  const address = runAllocate(OBJECT_HEADER + <usize>bytes);
  if (address == 0) return 0;
  store<u32>(address, word | (keeping ? KEPT : 0));
  store<u32>(address, count, OBJECT_COUNT);
  memory.fill(address + OBJECT_HEADER, 0, <usize>bytes);
  runObject(address, mayName(word));
  return <u32>address + REFERENCE;
}

/** As `objectCreate` for what is written completely at once. */
function create(word: u32, count: u32, bytes: usize): usize {
  const address = runAllocate(OBJECT_HEADER + bytes);
  if (address == 0) return 0;
  runObject(address, mayName(word));
  store<u32>(address, word | (keeping ? KEPT : 0));
  store<u32>(address, count, OBJECT_COUNT);
  return address;
}

// @ts-ignore: decorator
@inline
function referenceTo(address: usize): u32 {
  return address ? <u32>address + REFERENCE : 0;
}

/** A box of a value of 32 bits, extended by its sign or zeros. `word`: property type, and the type number of an enum. 0 = no room. */
export function objectBox(word: u32, value: u32): u32 {
  const address = create(word, 0, 8);
  if (address) store<u64>(address, <u64>value, OBJECT_HEADER);
  return referenceTo(address);
}

export function objectBoxLong(word: u32, value: u64): u32 {
  const address = create(word, 0, 8);
  if (address) store<u64>(address, value, OBJECT_HEADER);
  return referenceTo(address);
}

export function objectBoxWide(word: u32, value: v128): u32 {
  const address = create(word, 0, 16);
  if (address) v128.store(address, value, OBJECT_HEADER);
  return referenceTo(address);
}

/** An element as object: null for NONE. NONE: no room. */
export function objectOfElement(id: u32): u32 {
  if (id == NONE) return 0;
  const address = create(TAG_ELEMENT, id, 0);
  return address ? referenceTo(address) : NONE;
}

/**
 * An array of `count` items, all zero (elements: null). `word`: tag, type number and code. 0: no room. Negative counts are the caller's to
 * refuse.
 */
export function objectArray(word: u32, count: u32): u32 {
  const code = (word >> 24) & 0x7f;
  const bytes = <u64>count * <u64>codeBytes(code);
  if (bytes > 0x40000000) return 0;
  const array = objectCreate(word, count, <u32>bytes);
  if (array && code == CODE_ELEMENT) memory.fill(objectAddress(array) + OBJECT_HEADER, 0xff, <usize>bytes);
  return array;
}

/**
 * An array of `rank` dimensions, two to four, all zero (elements: null): its items row by row, and behind them its lengths. 0: no room.
 * No length is negative.
 */
export function objectGrid(word: u32, rank: u32, a: u32, b: u32, c: u32, d: u32): u32 {
  const code = (word >> 24) & 0x7f;
  const size = <u64>codeBytes(code);
  const limit: u64 = 0x40000000;
  const third = rank > 2 ? c : 1;
  const fourth = rank > 3 ? d : 1;
  let count: u64 = a == 0 || b == 0 || third == 0 || fourth == 0 ? 0 : <u64>a * <u64>b;
  if (count > limit || count * <u64>third > limit) return 0;
  count *= <u64>third;
  if (count * <u64>fourth > limit || count * <u64>fourth * size > limit) return 0;
  count *= <u64>fourth;
  const bytes = <u32>(count * size);
  const array = objectCreate(word, <u32>count, bytes + 4 * rank);
  if (array == 0) return 0;
  const items = objectAddress(array) + OBJECT_HEADER;
  if (code == CODE_ELEMENT) memory.fill(items, 0xff, <usize>bytes);
  const lengths = items + <usize>bytes;
  store<u32>(lengths, a);
  store<u32>(lengths, b, 4);
  if (rank > 2) store<u32>(lengths, c, 8);
  if (rank > 3) store<u32>(lengths, d, 12);
  return array;
}

/** Fills an array of references with one: structs that are objects have a default that is none of zeros. */
export function objectFill(array: u32, value: u32): void {
  const address = objectAddress(array);
  const bytes = <usize>load<u32>(address, OBJECT_COUNT) << 2;
  if (!scratchHolds(address, OBJECT_HEADER + bytes)) unreachable();
  for (let i: usize = 0; i < bytes; i += 4) store<u32>(address + OBJECT_HEADER + i, value);
}

/** Items [from, from + count) of an array as another one, both within; 0 = no room. */
export function objectSlice(array: u32, from: u32, count: u32): u32 {
  const address = objectAddress(array);
  const size = codeBytes(objectCode(array));
  const copy = objectCreate(load<u32>(address) & ~KEPT, count, count * size);
  if (copy == 0) return 0;
  const start = address + OBJECT_HEADER + <usize>from * <usize>size;
  memory.copy(objectAddress(copy) + OBJECT_HEADER, start, <usize>count * <usize>size);
  return copy;
}

/** A copy of an array of `rank` dimensions, its lengths too; 0 = no room. */
export function objectTwin(array: u32, rank: u32): u32 {
  const address = objectAddress(array);
  const count = load<u32>(address, OBJECT_COUNT);
  const bytes = count * codeBytes(objectCode(array)) + 4 * rank;
  const copy = objectCreate(load<u32>(address) & ~KEPT, count, bytes);
  if (copy) memory.copy(objectAddress(copy) + OBJECT_HEADER, address + OBJECT_HEADER, <usize>bytes);
  return copy;
}

/** Copies items of one array over those of another with the same code, or of itself; both parts are within. */
export function objectMove(to: u32, at: u32, from: u32, start: u32, count: u32): void {
  const size = <usize>codeBytes(objectCode(from));
  const target = objectAddress(to) + OBJECT_HEADER + size * <usize>at;
  if (!scratchHolds(target, size * <usize>count)) unreachable();
  memory.copy(target, objectAddress(from) + OBJECT_HEADER + size * <usize>start, size * <usize>count);
}

/** A copy of a tuple, for another item to be put into; 0 = no room. */
export function objectCopy(tuple: u32): u32 {
  const address = objectAddress(tuple);
  const count = load<u32>(address, OBJECT_COUNT);
  const bytes = TUPLE_ITEMS - OBJECT_HEADER + TUPLE_ITEM_BYTES * <usize>count;
  const copy = create(load<u32>(address) & ~KEPT, count, bytes);
  if (copy) memory.copy(copy + OBJECT_HEADER, address + OBJECT_HEADER, bytes);
  return referenceTo(copy);
}

// --- Stores: `place` is an offset from the reference ------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function placeOf(reference: u32, place: u32, bytes: usize): usize {
  const address = <usize>reference + <usize>place;
  if (!scratchHolds(address, bytes)) unreachable();
  return address;
}

export function objectPut(reference: u32, place: u32, value: u32): void {
  store<u32>(placeOf(reference, place, sizeof<u32>()), value);
}

export function objectPutLong(reference: u32, place: u32, value: u64): void {
  store<u64>(placeOf(reference, place, sizeof<u64>()), value);
}

export function objectPutSingle(reference: u32, place: u32, value: f32): void {
  store<f32>(placeOf(reference, place, sizeof<u32>()), value);
}

export function objectPutDouble(reference: u32, place: u32, value: f64): void {
  store<f64>(placeOf(reference, place, sizeof<u64>()), value);
}

export function objectPutWide(reference: u32, place: u32, value: v128): void {
  v128.store(placeOf(reference, place, 16), value);
}

/** Puts a text or a reference; false, and nothing is put, when the object outlives it. */
export function objectPutReference(reference: u32, place: u32, value: u32): bool {
  const address = placeOf(reference, place, sizeof<u32>());
  if (load<u32>(objectAddress(reference)) & KEPT && !objectOutlives(value)) return false;
  store<u32>(address, value);
  return true;
}

/** Whether items of a code are texts or references. */
// @ts-ignore: decorator
@inline
export function isReferenceCode(code: u32): bool {
  return code == TYPE_STRING || code == CODE_OBJECT;
}

/** Whether a text or reference may be put at the address of an item: what `init` made does not take what ends with the call. */
export function itemTakes(address: usize, value: u32): bool {
  return scratchSince(callMark, address) || objectOutlives(value);
}

/** As `objectPutReference` for the address of an item. */
export function objectPutItem(address: usize, value: u32): bool {
  if (!scratchHolds(address, 4)) unreachable();
  if (!itemTakes(address, value)) return false;
  store<u32>(address, value);
  return true;
}

/** Whether a text or reference may be kept beyond the call: null, of the graph, a constant, or made by `init`. */
export function objectOutlives(value: u32): bool {
  return keeping || !scratchSince(callMark, <usize>(value & ~3));
}

// --- Properties ----------------------------------------------------------------------------------------------------------

/** A property of any type as object; NONE: there is none; NONE - 1: no room. */
export function objectOfProperty(id: u32, key: u32): u32 {
  const slot = fragmentFind(id, key);
  if (slot == 0) return NONE;
  const found = objectOfSlot(slot, fragmentFoundType());
  return found ? found : NONE - 1;
}

/** The value of a slot as object; 0 = no room. */
export function objectOfSlot(slot: usize, type: u32): u32 {
  if (type == TYPE_STRING) return load<u32>(slot);
  if (type == TYPE_DECIMAL) return objectBoxWide(type, decimalLoad(<usize>load<u32>(slot)));
  if (isWide(type)) return objectBoxWide(type, v128.load(<usize>load<u32>(slot)));
  if (type == TYPE_SINGLE_ARRAY) return singles(load<u32>(slot));
  return objectBoxLong(type, load<u64>(slot));
}

/** A float[] of a stored record; its type number is that of float[] in every module. */
function singles(record: u32): u32 {
  const count = load<u32>(<usize>record, RECORD_INFO);
  const array = objectArray(SINGLES_WORD, count);
  if (array) memory.copy(objectAddress(array) + OBJECT_HEADER, <usize>record + RECORD_HEADER, 4 * <usize>count);
  return array;
}

/** Type number of float[]: the first of every module. */
const SINGLES_WORD: u32 = TAG_ARRAY | (1 << 8) | (TYPE_SINGLE << 24);

// --- Types ---------------------------------------------------------------------------------------------------------------

/** Vertices, edges and strings have numbers of their own where types are told apart. */
const OBJECT_VERTEX: u32 = 32;
const OBJECT_EDGE: u32 = 33;
const FIRST_NUMBER: u32 = 64;
const FIRST_EXCEPTION: u32 = 0x10000;

/**
 * What tells the types of objects apart: a property type, 32 and 33 for elements, 0x10000 + its number for an exception, or 64 + the
 * module's type number. Not for null.
 */
export function objectType(word: u32): u32 {
  if (!isReference(word)) return TYPE_STRING;
  const head = load<u32>(objectAddress(word));
  const number = (head >> 8) & 0xffff;
  if (number) return FIRST_NUMBER + number;
  const tag = head & 0xff;
  if (tag == TAG_EXCEPTION) return FIRST_EXCEPTION + load<u32>(objectAddress(word), OBJECT_COUNT);
  if (tag != TAG_ELEMENT) return tag;
  return fragmentKind(load<u32>(objectAddress(word), OBJECT_COUNT)) == 2 ? OBJECT_EDGE : OBJECT_VERTEX;
}

// --- Equality, hash, order -----------------------------------------------------------------------------------------------

/** ReferenceEquals. Strings are the same when they are equal: whether two places hold one string is nobody's business. */
export function objectSame(a: u32, b: u32): bool {
  if (a == b) return true;
  if (a == 0 || b == 0 || isReference(a) != isReference(b)) return false;
  if (!isReference(a)) return textEquals(a, b);
  const left = objectAddress(a);
  const right = objectAddress(b);
  if (((load<u32>(left) ^ load<u32>(right)) & ~KEPT) != 0) return false;
  const tag = objectTag(a);
  if (tag != TAG_ELEMENT && tag != TAG_TYPE && tag != TAG_ALONE) return false;
  return load<u32>(left, OBJECT_COUNT) == load<u32>(right, OBJECT_COUNT);
}

function isTuple(tag: u32): bool {
  return tag >= TAG_TUPLE && tag <= TAG_TUPLE_CLASS;
}

/** Object.Equals. */
export function objectEquals(a: u32, b: u32): bool {
  if (objectSame(a, b)) return true;
  if (a == 0 || b == 0 || !isReference(a) || !isReference(b)) return false;
  const left = objectAddress(a);
  const right = objectAddress(b);
  if (((load<u32>(left) ^ load<u32>(right)) & ~KEPT) != 0) return false;
  const tag = objectTag(a);
  if (tag < TYPE_SINGLE_ARRAY) return valueEquals(tag, left + OBJECT_HEADER, right + OBJECT_HEADER);
  if (tag == TAG_PLACE) return load<u64>(left, OBJECT_HEADER) == load<u64>(right, OBJECT_HEADER);
  if (!isTuple(tag)) return false;
  const count = load<u32>(left, OBJECT_COUNT);
  if (count != load<u32>(right, OBJECT_COUNT)) return false;
  for (let i: u32 = 0; i < count; i++) {
    const code = <u32>load<u8>(left + OBJECT_HEADER + <usize>i);
    if (code != <u32>load<u8>(right + OBJECT_HEADER + <usize>i)) return false;
    if (!valueEquals(code, itemOf(left, i), itemOf(right, i))) return false;
  }
  return true;
}

// @ts-ignore: decorator
@inline
function itemOf(tuple: usize, index: u32): usize {
  return tuple + TUPLE_ITEMS + TUPLE_ITEM_BYTES * <usize>index;
}

/** Whether an item of a nullable code holds a value. */
function isPresent(code: u32, p: usize): bool {
  return (load<u32>(p + <usize>codeBytes(code) - 4) & 1) != 0;
}

/** EqualityComparer<T>.Default on two items of a code: NaN equals NaN. */
export function valueEquals(code: u32, p: usize, q: usize): bool {
  if (code & CODE_NULLABLE) {
    const present = isPresent(code, p);
    if (present != isPresent(code, q)) return false;
    return !present || valueEquals(code & 63, p, q);
  }
  if (code == TYPE_STRING) return textEquals(load<u32>(p), load<u32>(q));
  if (code == CODE_OBJECT) return objectEquals(load<u32>(p), load<u32>(q));
  if (code == TYPE_SINGLE || codeBytes(code) > 4) return equalValues(code, p, q);
  return load<u32>(p) == load<u32>(q);
}

/** Object.GetHashCode; 0 for null. */
export function objectHash(word: u32): u32 {
  if (word == 0) return 0;
  if (!isReference(word)) return textHash(word);
  const address = objectAddress(word);
  const tag = objectTag(word);
  if (tag < TYPE_SINGLE_ARRAY) return valueHash(tag, address + OBJECT_HEADER);
  if (tag == TAG_ELEMENT || tag == TAG_TYPE) return load<u32>(address, OBJECT_COUNT);
  if (tag == TAG_PLACE) return load<u32>(address, OBJECT_HEADER) ^ load<u32>(address, OBJECT_HEADER + 4);
  if (tag == TAG_ALONE) return load<u32>(address) & ~KEPT;
  if (!isTuple(tag)) return hashWord(<u64>address);
  let hash: u32 = tag;
  const count = load<u32>(address, OBJECT_COUNT);
  for (let i: u32 = 0; i < count; i++) {
    const code = <u32>load<u8>(address + OBJECT_HEADER + <usize>i);
    hash = hashWord((<u64>hash << 32) | <u64>valueHash(code, itemOf(address, i)));
  }
  return hash;
}

/** The hash of .NET, but for strings, which it makes anew for each process: of a character both halves, of most integers the number. */
export function valueHash(code: u32, p: usize): u32 {
  if (code & CODE_NULLABLE) return isPresent(code, p) ? valueHash(code & 63, p) : 0;
  if (code == TYPE_STRING) return load<u32>(p) ? textHash(load<u32>(p)) : 0;
  if (code == CODE_OBJECT) return objectHash(load<u32>(p));
  if (code == TYPE_SINGLE) return <u32>singleHash(load<f32>(p));
  if (code == TYPE_DOUBLE) return <u32>realHash(load<f64>(p));
  if (code == TYPE_DECIMAL) return <u32>decimalHash(v128.load(p));
  if (code == TYPE_GUID) {
    // The first number and the two after it lie the other way round than their digits.
    const halves = bswap<u32>(load<u32>(p, 4));
    return bswap<u32>(load<u32>(p)) ^ ((halves >> 16) | (halves << 16)) ^ load<u32>(p, 8) ^ load<u32>(p, 12);
  }
  if (code == TYPE_CHAR) return load<u32>(p) * 0x10001;
  if (codeBytes(code) <= 4) return load<u32>(p);
  // A number of 64 bits: the ticks of a date, whatever its kind or offset.
  let word = load<u64>(p);
  if (code == TYPE_DATETIME) word &= TICKS_MASK;
  return <u32>word ^ <u32>(word >> 32);
}

/** What `valueCompare` and `objectCompare` answer for what has no order: ArgumentException. */
export const NO_ORDER: i32 = 0x40000000;

/** Comparer<object>.Default: what has no order is still equal to itself. */
export function objectCompare(a: u32, b: u32): i32 {
  if (a == b || (isReference(a) && objectSame(a, b))) return 0;
  if (a == 0) return -1;
  if (b == 0) return 1;
  if (isReference(a) != isReference(b)) return NO_ORDER;
  if (!isReference(a)) return textCompare(a, b);
  const left = objectAddress(a);
  const right = objectAddress(b);
  const tag = objectTag(a);
  // Enums of two kinds have one tag.
  if (((load<u32>(left) ^ load<u32>(right)) & 0xffffff) != 0) return NO_ORDER;
  if (tag < TYPE_SINGLE_ARRAY) return valueCompare(tag, left + OBJECT_HEADER, right + OBJECT_HEADER);
  if (tag != TAG_TUPLE && tag != TAG_TUPLE_CLASS) return NO_ORDER;
  const count = load<u32>(left, OBJECT_COUNT);
  for (let i: u32 = 0; i < count; i++) {
    const order = valueCompare(<u32>load<u8>(left + OBJECT_HEADER + <usize>i), itemOf(left, i), itemOf(right, i));
    if (order != 0) return order;
  }
  return 0;
}

/** Comparer<T>.Default on two items of a code, -1, 0 or 1: null and NaN come first. */
export function valueCompare(code: u32, p: usize, q: usize): i32 {
  if (code & CODE_NULLABLE) {
    const present = isPresent(code, p);
    if (present != isPresent(code, q)) return present ? 1 : -1;
    return present ? valueCompare(code & 63, p, q) : 0;
  }
  if (code == TYPE_STRING) return textCompare(load<u32>(p), load<u32>(q));
  if (code == CODE_OBJECT) return objectCompare(load<u32>(p), load<u32>(q));
  if (code == CODE_ELEMENT || code == CODE_EDGES) return load<u32>(p) == load<u32>(q) ? 0 : NO_ORDER;
  if (code == TYPE_SINGLE || codeBytes(code) > 4) return compareValues(code, p, q);
  if (code == TYPE_UINT32) return i32(load<u32>(p) > load<u32>(q)) - i32(load<u32>(p) < load<u32>(q));
  return i32(load<i32>(p) > load<i32>(q)) - i32(load<i32>(p) < load<i32>(q));
}
