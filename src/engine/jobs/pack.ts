// Making data ready for another thread: structured clone copies the whole buffer behind a view, however small the view, so views of a
// part get a buffer of their own first; whole buffers are moved.

/** How deep bytes are looked for: an object or list in the result. */
const deepest = 3;
const longList = 64;

export function packed(data: unknown): { readonly value: unknown; readonly transfer: readonly ArrayBuffer[] } {
  const transfer = new Set<ArrayBuffer>();
  const value = pack(data, transfer, deepest);
  return { value, transfer: [...transfer] };
}

function pack(value: unknown, transfer: Set<ArrayBuffer>, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return packView(value, transfer);
  if (depth === 0) return value;
  if (Array.isArray(value)) return isPlainList(value) ? value : value.map((item) => pack(item, transfer, depth - 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item, transfer, depth - 1)]));
}

/** Long lists are of one kind: numbers and texts need no look at each. */
function isPlainList(list: readonly unknown[]): boolean {
  return list.length > longList && typeof list[0] !== 'object';
}

function packView(view: ArrayBufferView, transfer: Set<ArrayBuffer>): ArrayBufferView {
  const own = view.buffer instanceof ArrayBuffer && view.byteLength === view.buffer.byteLength;
  const whole = own || !('slice' in view) ? view : (view as Uint8Array).slice();
  if (whole.buffer instanceof ArrayBuffer) transfer.add(whole.buffer);
  return whole;
}
