// Contents of an index as transactions of adds: what a checkpoint keeps of it, and what filling it from properties (backfill) applies. Both
// go from element to element, so a caller may let other work run between two calls: whatever changes in between has its own place in
// the order of transactions.

import { COLUMN_LABEL, COLUMN_ROW, columnWord, KIND_NONE, kindAddress } from '../graph/elements';
import { INTERN_HEADER, internAddress, internFind } from '../graph/intern';
import { hasRecord, recordCopy, rowShape, rowSlot, valueBytes } from '../graph/rows';
import { shapeCount, shapeKey, shapeSlot, shapeType } from '../graph/shapes';
import { graphState, pageAddress, stateNextId } from '../graph/state';
import { indexFind } from '../index/catalogue';
import { CONTENT_BYTES, CONTENT_ELEMENT, CONTENT_TYPE, CONTENT_VALUE, contentsBegin, contentsFirst } from '../index/contents';
import { kindContents, kindTakes } from '../index/kinds';
import { INDEX_DEFINITION, INDEX_KIND, INDEX_NAME, TEXT_HEADER } from '../index/layout';
import { scratchMark, scratchRelease } from '../memory/arena';
import { NONE } from '../memory/layout';
import { runItems, runItemsEnd, runNext } from '../memory/runs';
import { NO_MEMORY, NOT_FOUND, OK } from '../status';
import { equalBytes } from '../values/utf8';
import {
  buildAdvance, buildAt, buildBegin, buildEnd, builderBase, builderBytes, builderCreate, builderTrim, buildOperation, buildString,
  buildUsed,
} from './build';
import { OP_INDEX_ADD, OP_INDEX_CREATE, TX_FIRST_ID } from './format';

/** A transaction ends after about so many adds, or so many bytes. */
const MOST_ADDS: u32 = 4096;
const MOST_BYTES: u32 = 1 << 20;
/** Elements that one call of indexBackfill looks at. */
const MOST_ELEMENTS: u32 = 65536;

let builder: usize = 0;
let nameString: u32 = 0;
let adds: u32 = 0;
let next: u32 = 0;
let scanned: u32 = 0;
let skipped: u32 = 0;

/** After indexImage or indexBackfill: the element to go on from. */
export function imageNext(): u32 {
  return next;
}

/** Adds in the transaction, which is imageBytes at imageBase; without any there is nothing to apply. */
export function imageAdds(): u32 {
  return adds;
}

export function imageBase(): usize {
  return builderBase(builder);
}

export function imageBytes(): u32 {
  return builderBytes(builder);
}

/** After indexBackfill: live elements looked at. */
export function backfillScanned(): u32 {
  return scanned;
}

/** After indexBackfill: values that cannot be keys of the index. */
export function backfillSkipped(): u32 {
  return skipped;
}

/** [W] Gives back what the last transaction has left behind; it is not there any more then. */
export function imageTrim(): void {
  builderTrim(builder);
}

function begin(name: usize, nameBytes: u32, timeSeconds: u32, timeMs: f64): i32 {
  if (builder == 0) builder = builderCreate();
  if (builder == 0 || buildBegin(builder, timeSeconds, timeMs) != OK) return NO_MEMORY;
  nameString = buildString(builder, name, nameBytes);
  adds = 0;
  scanned = 0;
  skipped = 0;
  return nameString == NONE ? NO_MEMORY : OK;
}

/** Ends the transaction. It creates no element, so any first id will do for a redo, but one it needs. */
function finish(): i32 {
  const code = buildEnd(builder);
  if (code == OK) store<u32>(builderBase(builder), 0, TX_FIRST_ID);
  return code;
}

/** Adds one pair to the transaction. False = no memory. */
function imageAdd(element: u32, type: u32, value: usize): bool {
  const bytes = valueBytes(type, value);
  if (buildOperation(builder, OP_INDEX_ADD, element, nameString, type, <u64>bytes + 16) != OK) return false;
  recordCopy(buildAt(builder), value, bytes);
  buildAdvance(builder, <u32>bytes);
  adds++;
  return true;
}

/** The transaction that creates the index at `index` again. OK or NO_MEMORY. */
export function indexDefinition(index: usize): i32 {
  const name: usize = load<u32>(index, INDEX_NAME);
  const definition: usize = load<u32>(index, INDEX_DEFINITION);
  if (begin(name + TEXT_HEADER, load<u32>(name), 0, 0) != OK) return NO_MEMORY;
  let text = NONE;
  if (definition != 0) {
    text = buildString(builder, definition + TEXT_HEADER, load<u32>(definition));
    if (text == NONE) return NO_MEMORY;
  }
  if (buildOperation(builder, OP_INDEX_CREATE, load<u32>(index, INDEX_KIND), nameString, text, 0) != OK) return NO_MEMORY;
  return finish();
}

/** Contents of the index for elements from `element` on below `end`, as many as make one transaction. OK or NO_MEMORY. */
export function indexImage(index: usize, element: u32, end: u32): i32 {
  const name: usize = load<u32>(index, INDEX_NAME);
  if (begin(name + TEXT_HEADER, load<u32>(name), 0, 0) != OK) return NO_MEMORY;
  next = element;
  do {
    const seen = adds;
    const mark = scratchMark();
    contentsBegin();
    next = kindContents(index, next, end, 64);
    const good = next != NONE && contentsWrite();
    scratchRelease(mark);
    if (!good) return NO_MEMORY;
    if (adds == seen) break;
  } while (next < end && adds < MOST_ADDS && buildUsed(builder) < MOST_BYTES);
  return finish();
}

/** Adds what is listed. False = no memory. */
function contentsWrite(): bool {
  for (let run = contentsFirst(); run != 0; run = runNext(run)) {
    const end = runItemsEnd(run);
    for (let at = runItems(run); at < end; at += CONTENT_BYTES) {
      if (!imageAdd(load<u32>(at, CONTENT_ELEMENT), load<u32>(at, CONTENT_TYPE), <usize>load<u32>(at, CONTENT_VALUE))) return false;
    }
  }
  return true;
}

/**
 * Adds for every live element from `element` on below `end` with the label (labelBytes NONE: any) that carries a property with that key, or
 * (`prefix`) properties whose keys begin with it, as many as make one transaction. OK, NOT_FOUND without such an index, NO_MEMORY.
 */
export function indexBackfill(
  graph: usize,
  name: usize,
  nameBytes: u32,
  property: usize,
  propertyBytes: u32,
  prefix: bool,
  labelText: usize,
  labelBytes: u32,
  element: u32,
  end: u32,
  timeSeconds: u32,
  timeMs: f64,
): i32 {
  const state = graphState(graph);
  const index = indexFind(state, name, nameBytes);
  if (index == 0) return NOT_FOUND;
  if (begin(name, nameBytes, timeSeconds, timeMs) != OK) return NO_MEMORY;
  const key: u32 = prefix ? NONE : internFind(property, propertyBytes);
  const label: u32 = labelBytes == NONE ? NONE : internFind(labelText, labelBytes);
  next = end;
  if (labelBytes != NONE && label == NONE) return finish();
  const last = min<u32>(min<u32>(end, stateNextId(state)), element + MOST_ELEMENTS);
  let id = element;
  for (; id < last && adds < MOST_ADDS && buildUsed(builder) < MOST_BYTES; id++) {
    const page = pageAddress(state, id);
    if (load<u8>(kindAddress(page, id)) == <u8>KIND_NONE) continue;
    const words = columnWord(page, id);
    if (label != NONE && load<u32>(words, COLUMN_LABEL) != label) continue;
    scanned++;
    const row: usize = load<u32>(words, COLUMN_ROW);
    if (row == 0) continue;
    const good = prefix ? rowFamily(index, id, row, property, propertyBytes) : rowKey(index, id, row, key);
    if (!good) return NO_MEMORY;
  }
  next = id < min<u32>(end, stateNextId(state)) ? id : end;
  return finish();
}

function rowKey(index: usize, id: u32, row: usize, key: u32): bool {
  const slot = key == NONE ? -1 : shapeSlot(rowShape(row), key);
  return slot < 0 || offer(index, id, row, <u32>slot);
}

function rowFamily(index: usize, id: u32, row: usize, prefix: usize, prefixBytes: u32): bool {
  const shape = rowShape(row);
  const count = shapeCount(shape);
  for (let slot: u32 = 0; slot < count; slot++) {
    const text = internAddress(shapeKey(shape, slot));
    if (load<u32>(text) < prefixBytes || !equalBytes(text + INTERN_HEADER, prefix, prefixBytes)) continue;
    if (!offer(index, id, row, slot)) return false;
  }
  return true;
}

/** Adds one property's value, unless it cannot be a key. False = no memory. */
function offer(index: usize, id: u32, row: usize, slot: u32): bool {
  const type = shapeType(rowShape(row), slot);
  if (!kindTakes(index, type)) {
    skipped++;
    return true;
  }
  const at = rowSlot(row, slot);
  return imageAdd(id, type, hasRecord(type) ? <usize>load<u32>(at) : at);
}
