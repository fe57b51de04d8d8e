// The any-property text scan: ids of elements one of whose property values, written as invariant text (FORM_SCAN), contains a
// term, case ignored ordinally; ascending, as u32 in OUTPUT. Reserved keys and Single[] never match. Cost: the text of every
// value of every candidate, so a call covers a range of ids and a long scan yields between calls.

import { candidateBits } from '../graph/candidates';
import { COLUMN_ROW } from '../graph/elements';
import { INTERN_INFO, INTERN_RESERVED, internAddress } from '../graph/intern';
import { rowShape, rowSlot } from '../graph/rows';
import { shapeCount, shapeKey, shapeType } from '../graph/shapes';
import { graphState, PAGE_ID_MASK, PAGE_IDS, pageAddress, stateNextId } from '../graph/state';
import { outBegin, outCommit, outReserve, scratchAllocate, scratchMark, scratchRelease } from '../memory/arena';
import { outputFailure } from '../read/output';
import { OK } from '../status';
import { formatValue, MAX_FIXED_TEXT } from '../values/format';
import { INFO_ASCII, RECORD_HEADER, RECORD_INFO } from '../values/record';
import { FORM_SCAN, isWide, TYPE_SINGLE_ARRAY, TYPE_STRING } from '../values/types';
import { setScanResult } from './property';
import { containsTerm, prepareTerm, termCanMatch } from './search';


let scanTerm: usize = 0;
let valueText: usize = 0;

/**
 * Ids in [fromId, toId) of elements of `kinds` (RESULT_VERTICES | RESULT_EDGES) and `label` (interned; NONE: any) with a matching
 * value. `term` is WTF-8; an empty one matches every value. `scanCount` and `scanNext` tell the outcome as for `scanProperty`.
 */
export function scanText(graph: usize, term: usize, termBytes: u32, label: u32, kinds: u32, fromId: u32, toId: u32, limit: u32): i32 {
  outBegin();
  setScanResult(0, max<u32>(fromId, toId));
  if (limit == 0) return OK;
  const mark = scratchMark();
  valueText = scratchAllocate(<usize>MAX_FIXED_TEXT);
  scanTerm = valueText ? prepareTerm(term, termBytes) : 0;
  const status = scanTerm ? walk(graph, label, kinds, fromId, toId, limit) : outputFailure();
  scratchRelease(mark);
  return status;
}

function walk(graph: usize, label: u32, kinds: u32, fromId: u32, toId: u32, limit: u32): i32 {
  const state = graphState(graph);
  const end = min<u32>(toId, stateNextId(state));
  let found: u32 = 0;
  let id = fromId;
  while (id < end) {
    const page = pageAddress(state, id);
    const base = id & ~PAGE_ID_MASK;
    const place = id & PAGE_ID_MASK;
    const placeEnd = min<u32>(end - base, PAGE_IDS);
    for (let group = place & ~15; group < placeEnd; group += 16) {
      let bits = candidateBits(page, group, place, placeEnd, kinds, label);
      while (bits != 0) {
        const at = group + ctz(bits);
        bits &= bits - 1;
        const row = <usize>atomic.load<u32>(page + COLUMN_ROW + 4 * <usize>at);
        if (!row || !rowMatches(row)) continue;
        const out = outReserve(4);
        if (!out) {
          setScanResult(found, base + at);
          return outputFailure();
        }
        store<u32>(out, base + at);
        outCommit(4);
        found++;
        if (found == limit) {
          setScanResult(found, base + at + 1);
          return OK;
        }
      }
    }
    id = base + placeEnd;
  }
  setScanResult(found, max<u32>(fromId, toId));
  return OK;
}

function rowMatches(row: usize): bool {
  const shape = rowShape(row);
  const count = shapeCount(shape);
  for (let i: u32 = 0; i < count; i++) {
    const type = shapeType(shape, i);
    if (type == TYPE_SINGLE_ARRAY) continue;
    if (load<u32>(internAddress(shapeKey(shape, i)), INTERN_INFO) & INTERN_RESERVED) continue;
    const slot = rowSlot(row, i);
    if (type == TYPE_STRING) {
      const record = <usize>load<u32>(slot);
      const bytes = load<u32>(record);
      const ascii = (load<u32>(record, RECORD_INFO) & INFO_ASCII) != 0;
      if (termCanMatch(scanTerm, bytes, ascii) && containsTerm(scanTerm, record + RECORD_HEADER, bytes)) return true;
    } else {
      const bytes = formatValue(type, isWide(type) ? <usize>load<u32>(slot) : slot, FORM_SCAN, valueText);
      if (containsTerm(scanTerm, valueText, bytes)) return true;
    }
  }
  return false;
}
