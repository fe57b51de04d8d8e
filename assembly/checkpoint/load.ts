// Loading blocks into a graph that nobody else has seen yet: columns and rows. The edges' pairs come afterwards (link.ts). Whatever
// fails leaves a graph that must be dropped. A block's checksum has been verified, but nothing in it is believed that could
// lead outside the block, the ids or the types: a file can be made by anyone.

import {
  COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_CREATION, COLUMN_LABEL, COLUMN_MODIFICATION, COLUMN_ROW, columnWord, KIND_EDGE, KIND_NONE,
  KIND_VERTEX, kindAddress,
} from '../graph/elements';
import { intern } from '../graph/intern';
import { REGION_TABLE_BYTES } from '../graph/regions';
import { recordPurpose, rowAllocate, rowSlot } from '../graph/rows';
import { compareKeys, shapeDiscard, shapeOf, shapeRetain, shapeType } from '../graph/shapes';
import { graphState, MAX_IDS, PAGE_IDS, pageAddress, stateAddPage, stateHeap, stateNextId, stateSetNextId } from '../graph/state';
import { allocate } from '../memory/allocator';
import { scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { NONE, PURPOSE_STRINGS } from '../memory/layout';
import { BAD_TRANSACTION, NO_MEMORY, OK, TOO_MANY_IDS } from '../status';
import { RECORD_HEADER, RECORD_INFO, WIDE_SECOND } from '../values/record';
import { TYPE_COUNT, TYPE_NONE } from '../values/types';
import { utf16Info } from '../values/utf8';
import {
  BLOCK_BYTES, BLOCK_EDGES, BLOCK_FIRST_ID, BLOCK_HEADER_BYTES, BLOCK_ID_COUNT, BLOCK_NAME_COUNT, BLOCK_NAMES, BLOCK_TEMPLATE_COUNT,
  BLOCK_TEMPLATES, BLOCK_VERTICES, FORM_EIGHT, FORM_FOUR, FORM_NUMBER, FORM_SIXTEEN, FORM_STRING, formOf, unzigzag,
} from './format';

/** Bytes behind a block that may be read (never used): a number, a wide value or a word of text that begins inside. */
const OVERRUN_BYTES: usize = 64;

// Template: { u32 kind, u32 label, u32 edge type, u32 shape, u32 property count }
// A template here: u32 kind, then
const TEMPLATE_LABEL: usize = 4;
const TEMPLATE_TYPE: usize = 8;
const TEMPLATE_SHAPE: usize = 12;
const TEMPLATE_PROPERTIES: usize = 16;
const TEMPLATE_BYTES: usize = 20;

let at: usize = 0;
/** Where the part that is being read ends; reading may pass it by less than OVERRUN_BYTES before that is noticed. */
let end: usize = 0;
let names: usize = 0;
let nameCount: u32 = 0;
let templates: usize = 0;
let templateCount: u32 = 0;

/** [W] Makes room for ids below `nextId` in an empty graph. OK, NO_MEMORY, TOO_MANY_IDS; BAD_TRANSACTION when it is not empty. */
export function loadBegin(graph: usize, nextId: u32): i32 {
  const state = graphState(graph);
  if (stateNextId(state) != 0) return BAD_TRANSACTION;
  if (nextId > MAX_IDS) return TOO_MANY_IDS;
  for (let id: u32 = 0; id < nextId; id += PAGE_IDS) {
    if (!stateAddPage(state, id, REGION_TABLE_BYTES)) return NO_MEMORY;
    memory.fill(kindAddress(pageAddress(state, id), 0), <u8>KIND_NONE, PAGE_IDS);
  }
  stateSetNextId(state, nextId);
  return OK;
}

/** Address of the page of columns of that id. */
export function loadPage(graph: usize, id: u32): usize {
  return pageAddress(graphState(graph), id);
}

/** Bytes of columns at a page's address. */
export function loadPageBytes(): usize {
  return COLUMN_C + 4 * PAGE_IDS;
}

/** [W] Bytes that must be readable at a block's address. */
export function loadBlockRoom(bytes: usize): usize {
  return bytes + OVERRUN_BYTES;
}

/** [W] Adds the elements of the block of `bytes` bytes at `block`. OK, NO_MEMORY, or BAD_TRANSACTION for a block that is none. */
export function loadBlock(graph: usize, block: usize, bytes: u32): i32 {
  if (<usize>bytes < BLOCK_HEADER_BYTES || load<u32>(block, BLOCK_BYTES) != bytes) return BAD_TRANSACTION;
  const namesAt = load<u32>(block, BLOCK_NAMES);
  const templatesAt = load<u32>(block, BLOCK_TEMPLATES);
  if (<usize>namesAt < BLOCK_HEADER_BYTES || templatesAt < namesAt || bytes < templatesAt) return BAD_TRANSACTION;
  const mark = scratchMark();
  const state = graphState(graph);
  at = block + <usize>namesAt;
  end = block + <usize>templatesAt;
  let code = namesRead(load<u32>(block, BLOCK_NAME_COUNT));
  if (code == OK) {
    at = block + <usize>templatesAt;
    end = block + <usize>bytes;
    code = templatesRead(state, load<u32>(block, BLOCK_TEMPLATE_COUNT));
  }
  if (code == OK) {
    at = block + BLOCK_HEADER_BYTES;
    end = block + <usize>namesAt;
    code = elementsRead(state, block);
  }
  if (code == OK) templatesEnd(state);
  scratchRelease(mark);
  return code;
}

// --- Reading -------------------------------------------------------------------------------------------------------------

/** The number at `at`, which moves behind it. */
// @ts-ignore: decorator
@inline
function number(): u64 {
  const first = <u64>load<u8>(at);
  at++;
  return first < 0x80 ? first : numberLong(first);
}

function numberLong(first: u64): u64 {
  let value = first & 0x7f;
  let shift: u64 = 7;
  while (shift < 70) {
    const byte = <u64>load<u8>(at);
    at++;
    value |= (byte & 0x7f) << (shift & 63);
    if (byte < 0x80) break;
    shift += 7;
  }
  return value;
}

// @ts-ignore: decorator
@inline
function signed(): i64 {
  return unzigzag(number());
}

function namesRead(count: u32): i32 {
  if (<usize>count > end - at) return BAD_TRANSACTION;
  names = scratchAllocate(((<usize>count) << 2) + 8);
  if (names == 0) return NO_MEMORY;
  nameCount = count;
  for (let i: u32 = 0; i < count; i++) {
    const bytes = number();
    if (at > end || bytes > <u64>(end - at)) return BAD_TRANSACTION;
    const id = intern(at, <u32>bytes);
    if (id == NONE) return NO_MEMORY;
    store<u32>(names + ((<usize>i) << 2), id);
    at += <usize>bytes;
  }
  return OK;
}

/** The intern id of the name whose index stands at `at`; NONE when there is no such name. */
function nameRead(): u32 {
  const index = number();
  return at <= end && index < <u64>nameCount ? load<u32>(names + ((<usize>index) << 2)) : NONE;
}

function templatesRead(state: usize, count: u32): i32 {
  if (<usize>count > end - at) return BAD_TRANSACTION;
  templates = scratchAllocate(<usize>count * TEMPLATE_BYTES + 8);
  if (templates == 0) return NO_MEMORY;
  templateCount = 0;
  for (let i: u32 = 0; i < count; i++) {
    const template = templates + <usize>i * TEMPLATE_BYTES;
    const kind = number();
    if (at > end || (kind != KIND_VERTEX && kind != KIND_EDGE)) return BAD_TRANSACTION;
    const label = number();
    if (at > end || label > <u64>nameCount) return BAD_TRANSACTION;
    let type: u32 = 0;
    if (kind == KIND_EDGE) {
      type = nameRead();
      if (type == NONE) return BAD_TRANSACTION;
    }
    const properties = number();
    if (at > end || properties > <u64>(end - at)) return BAD_TRANSACTION;
    store<u32>(template, <u32>kind);
    store<u32>(template, label == 0 ? NONE : load<u32>(names + ((<usize>label - 1) << 2)), TEMPLATE_LABEL);
    store<u32>(template, type, TEMPLATE_TYPE);
    store<u32>(template, 0, TEMPLATE_SHAPE);
    store<u32>(template, <u32>properties, TEMPLATE_PROPERTIES);
    templateCount++;
    if (properties == 0) continue;
    const code = shapeRead(state, template, <u32>properties);
    if (code != OK) return code;
  }
  return OK;
}

function shapeRead(state: usize, template: usize, count: u32): i32 {
  const mark = scratchMark();
  const entries = scratchAllocate((<usize>count) << 3);
  if (entries == 0) return NO_MEMORY;
  let last: u32 = NONE;
  for (let i: u32 = 0; i < count; i++) {
    const key = nameRead();
    const type = number();
    if (at > end || key == NONE || type == TYPE_NONE || type >= TYPE_COUNT) return BAD_TRANSACTION;
    if (i != 0 && compareKeys(last, key) >= 0) return BAD_TRANSACTION;
    store<u64>(entries + ((<usize>i) << 3), <u64>key | (type << 32));
    last = key;
  }
  const shape = shapeOf(state, entries, count);
  scratchRelease(mark);
  if (shape == 0) return NO_MEMORY;
  shapeRetain(shape, 1);
  store<u32>(template, <u32>shape, TEMPLATE_SHAPE);
  return OK;
}

/** Lets go of the templates' shapes; those that no element took go again. */
function templatesEnd(state: usize): void {
  for (let i: u32 = 0; i < templateCount; i++) {
    const shape: usize = load<u32>(templates + <usize>i * TEMPLATE_BYTES, TEMPLATE_SHAPE);
    if (shape == 0) continue;
    shapeRetain(shape, 0xffffffff);
    shapeDiscard(state, shape);
  }
}

// --- Elements ------------------------------------------------------------------------------------------------------------

function elementsRead(state: usize, block: usize): i32 {
  const next = stateNextId(state);
  const first = load<u32>(block, BLOCK_FIRST_ID);
  const count = load<u32>(block, BLOCK_ID_COUNT);
  if (first > next || count > next - first) return BAD_TRANSACTION;
  const behind = first + count;
  let vertices = load<u32>(block, BLOCK_VERTICES);
  let edges = load<u32>(block, BLOCK_EDGES);
  let creation: u32 = 0;
  let source: u32 = 0;
  let id = first;
  // `at`, in a local: a global costs a tenth more.
  let place = at;
  while ((vertices | edges) != 0) {
    let head = <u64>load<u8>(place);
    place++;
    if (head == 0 || head >= 0x80) {
      at = place - 1;
      head = headRead(behind - id);
      id += passed;
      place = at;
    }
    const index = (head - 1) >> 1;
    if (place > end || id >= behind || index >= <u64>templateCount) return BAD_TRANSACTION;
    const template = templates + <usize>index * TEMPLATE_BYTES;
    const kind = load<u32>(template);
    const page = pageAddress(state, id);
    const words = columnWord(page, id);
    if (load<u8>(kindAddress(page, id)) != <u8>KIND_NONE) return BAD_TRANSACTION;
    let modification = creation;
    if ((head & 1) == 0) {
      at = place;
      creation = <u32>(<i64>creation + signed());
      modification = <u32>(<i64>creation + signed());
      place = at;
    }
    let target: u32 = 0;
    if (kind == KIND_EDGE) {
      let number = shortNumber(load<u32>(place));
      if (number == 0) number = longNumber(place);
      place += <usize>number & NUMBER_SIZE;
      const from = <i64>source + unzigzag(number >> NUMBER_SHIFT);
      number = shortNumber(load<u32>(place));
      if (number == 0) number = longNumber(place);
      place += <usize>number & NUMBER_SIZE;
      const to = from + unzigzag(number >> NUMBER_SHIFT);
      if (<u64>from >= <u64>next || <u64>to >= <u64>next || edges == 0) return BAD_TRANSACTION;
      source = <u32>from;
      target = <u32>to;
      edges--;
    } else {
      if (vertices == 0) return BAD_TRANSACTION;
      vertices--;
    }
    if (place > end) return BAD_TRANSACTION;
    store<u32>(words, 0, COLUMN_ROW);
    if (load<u32>(template, TEMPLATE_PROPERTIES) != 0) {
      at = place;
      const code = rowOfTemplate(state, template, words);
      if (code != OK) return code;
      place = at;
    }
    store<u32>(words, load<u32>(template, TEMPLATE_LABEL), COLUMN_LABEL);
    store<u32>(words, creation, COLUMN_CREATION);
    store<u32>(words, modification, COLUMN_MODIFICATION);
    store<u32>(words, kind == KIND_EDGE ? source : 0, COLUMN_A);
    store<u32>(words, target, COLUMN_B);
    store<u32>(words, load<u32>(template, TEMPLATE_TYPE), COLUMN_C);
    store<u8>(kindAddress(page, id), <u8>kind);
    id++;
  }
  return place == end ? OK : BAD_TRANSACTION;
}

/** Of `headRead`: ids without an element before the one whose head it read. */
let passed: u32 = 0;

/** The head at `at`, which is behind it then; `passed` ids before it have no element. 0, which is no head, if they are more than `most`. */
function headRead(most: u32): u64 {
  passed = 0;
  const head = number();
  if (head != 0) return head;
  const holes = number();
  if (at > end || holes > <u64>most) return 0;
  passed = <u32>holes;
  return number();
}

// A number and how many bytes it takes, in one word.
const NUMBER_SHIFT: u64 = 4;
const NUMBER_SIZE: usize = 15;

/** The number that begins with the four bytes `word`; 0 if it takes more of them. No branch: how many a target takes is hard to predict. */
// @ts-ignore: decorator
@inline
function shortNumber(word: u32): u64 {
  const ends = ~word & 0x80808080;
  if (ends == 0) return 0;
  const last = ctz(ends);
  const bits = word & (0xffffffff >> (31 - last));
  const value = (bits & 0x7f) | ((bits >> 1) & 0x3f80) | ((bits >> 2) & 0x1fc000) | ((bits >> 3) & 0xfe00000);
  return ((<u64>value) << NUMBER_SHIFT) | <u64>((last >> 3) + 1);
}

/** Any number at `place`; what does not fit is more than any step between ids all the same. */
function longNumber(place: usize): u64 {
  at = place;
  const value = number();
  return (min<u64>(value, 1 << 40) << NUMBER_SHIFT) | <u64>(at - place);
}

/** The element's row out of what stands at `at`. */
function rowOfTemplate(state: usize, template: usize, words: usize): i32 {
  const shape: usize = load<u32>(template, TEMPLATE_SHAPE);
  const properties = load<u32>(template, TEMPLATE_PROPERTIES);
  const row = rowAllocate(stateHeap(state), shape, properties);
  if (row == 0) return NO_MEMORY;
  const code = rowRead(stateHeap(state), row, shape, properties);
  if (code != OK) return code;
  shapeRetain(shape, 1);
  store<u32>(words, <u32>row, COLUMN_ROW);
  return OK;
}

function rowRead(heap: u32, row: usize, shape: usize, count: u32): i32 {
  for (let i: u32 = 0; i < count; i++) {
    const slot = rowSlot(row, i);
    const type = shapeType(shape, i);
    const form = formOf(type);
    if (form == FORM_NUMBER) {
      store<i64>(slot, signed());
    } else if (form == FORM_FOUR) {
      store<u64>(slot, <u64>load<u32>(at));
      at += 4;
    } else if (form == FORM_EIGHT) {
      store<u64>(slot, load<u64>(at));
      at += 8;
    } else {
      const record = form == FORM_SIXTEEN ? wideRead(heap, type) : variableRead(heap, type, form);
      if (record == 0) return at > end ? BAD_TRANSACTION : NO_MEMORY;
      store<u64>(slot, <u64>record);
    }
    if (at > end) return BAD_TRANSACTION;
  }
  return OK;
}

function wideRead(heap: u32, type: u32): usize {
  const record = allocate(heap, recordPurpose(type), 16);
  if (record == 0) return 0;
  store<u64>(record, load<u64>(at));
  store<u64>(record, load<u64>(at, WIDE_SECOND), WIDE_SECOND);
  at += 16;
  return record;
}

/** The record of a String or Single[]; 0 = no memory, or (then `at` is behind `end`) it does not end in the block. */
function variableRead(heap: u32, type: u32, form: u32): usize {
  const length = number();
  const left = at <= end ? <u64>(end - at) : 0;
  if (at > end || length > (form == FORM_STRING ? left : left >> 2)) {
    at = end + 1;
    return 0;
  }
  const bytes = <usize>(form == FORM_STRING ? length : length << 2);
  const record = allocate(heap, form == FORM_STRING ? PURPOSE_STRINGS : recordPurpose(type), RECORD_HEADER + ((bytes + 7) & ~7));
  if (record == 0) return 0;
  const data = record + RECORD_HEADER;
  if (bytes > 64) {
    const whole = bytes & ~7;
    memory.copy(data, at, whole);
    if (whole != bytes) store<u64>(data + whole, load<u64>(at + whole));
  } else {
    for (let i: usize = 0; i < bytes; i += 8) store<u64>(data + i, load<u64>(at + i));
  }
  // What was read beyond the text makes way for the zeros of the padding.
  const rest = <u64>(bytes & 7);
  if (rest != 0) {
    const lastWord = data + (bytes & ~7);
    store<u64>(lastWord, load<u64>(lastWord) & ((<u64>1 << (rest << 3)) - 1));
  }
  store<u32>(record, <u32>bytes);
  store<u32>(record, form == FORM_STRING ? utf16Info(data, <u32>bytes) : <u32>length, RECORD_INFO);
  at += bytes;
  return record;
}
