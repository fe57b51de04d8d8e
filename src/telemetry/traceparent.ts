// The header `traceparent` (W3C Trace Context): which trace a request belongs to, as whoever sent it says. What is not exactly of the form
// counts as not there.

export interface TraceParent {
  /** 32 hexadecimal digits, not all 0. */
  readonly traceId: string;
  /** 16 hexadecimal digits, not all 0. */
  readonly spanId: string;
  readonly sampled: boolean;
}

const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const sampledFlag = 1;
/** Of a header of a later version, which may say more. */
const longestHeader = 512;

/** Null for a missing, broken or doubled header. */
export function parseTraceParent(header: string | null): TraceParent | null {
  if (header === null || header.length > longestHeader) return null;
  const found = form.exec(header.trim());
  if (found === null) return null;
  const [, version, traceId, spanId, flags, rest] = found as unknown as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ];
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & sampledFlag) !== 0 };
}
