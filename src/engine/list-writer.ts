// Lists in JSON that come in blocks of items, as the core writes them.

const encoder = new TextEncoder();
const comma = encoder.encode(',');

/** Joins blocks of comma-separated JSON items. */
export class ListWriter {
  readonly parts: Uint8Array[] = [];
  /** Of all parts. */
  bytes = 0;
  /** No item stands in the list yet. */
  isFirst: boolean;

  /** `isFirst` is false when the list goes on behind items that others have written. */
  constructor(opening: string, isFirst = true) {
    this.isFirst = isFirst;
    if (opening !== '') this.put(encoder.encode(opening));
  }

  add(items: Uint8Array): void {
    if (items.length === 0) return;
    if (!this.isFirst) this.put(comma.slice()); // a copy, because parts may move to another thread
    this.isFirst = false;
    this.put(items);
  }

  between(text: string): void {
    this.put(encoder.encode(text));
    this.isFirst = true;
  }

  end(text: string): Uint8Array[] {
    this.put(encoder.encode(text));
    return this.parts;
  }

  /** A part as it is. */
  put(part: Uint8Array): void {
    this.parts.push(part);
    this.bytes += part.length;
  }
}
