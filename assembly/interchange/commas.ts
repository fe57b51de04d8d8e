// Numbers in which a comma was probably meant for a point. The invariant culture reads "1,5" as 15 (contract part 1, Values), so an
// import takes it; what it took is counted, and the first such text is kept with its line.

import { TYPE_DECIMAL, TYPE_DOUBLE, TYPE_SINGLE } from '../values/types';
import { COMMA } from './json';
import { COMMA_TEXT_BYTES, S_COMMA_BYTES, S_COMMA_LINE, S_COMMA_TEXT, S_COMMAS, S_LINE } from './session';

/** Notes a value's text that was read as a number. Sixteen bytes behind it can be read. */
// @ts-ignore: decorator
@inline
export function noticeCommas(session: usize, type: u32, text: usize, bytes: u32): void {
  if (type != TYPE_DOUBLE && type != TYPE_SINGLE && type != TYPE_DECIMAL) return;
  const commas = i8x16.bitmask(i8x16.eq(v128.load(text), i8x16.splat(<i8>COMMA)));
  if (bytes <= 16 && (commas & ((1 << bytes) - 1)) == 0) return;
  if (!partThousands(text, text + bytes)) note(session, text, bytes);
}

/** Whether one to three digits stand before the first comma and three behind each. */
function partThousands(p: usize, end: usize): bool {
  let digits: u32 = 0;
  let any = false;
  while (p < end) {
    const byte = <u32>load<u8>(p);
    p += 1;
    if (byte - 48 < 10) {
      digits += 1;
    } else if (byte == COMMA) {
      if (any ? digits != 3 : digits - 1 > 2) return false;
      any = true;
      digits = 0;
    } else if (any || digits != 0) {
      break;
    }
  }
  return !any || digits == 3;
}

function note(session: usize, text: usize, bytes: u32): void {
  const count = load<u32>(session, S_COMMAS);
  store<u32>(session, count + 1, S_COMMAS);
  if (count != 0) return;
  const kept = min<u32>(bytes, COMMA_TEXT_BYTES);
  memory.copy(session + S_COMMA_TEXT, text, kept);
  store<u32>(session, kept, S_COMMA_BYTES);
  store<u32>(session, load<u32>(session, S_LINE) + 1, S_COMMA_LINE);
}
