// Lists in JSON that come in blocks of items, as the core writes them.

const encoder = new TextEncoder();
const comma = encoder.encode(',');

/** Joins blocks of comma-separated JSON items. */
export class ListWriter {
  private readonly parts: Uint8Array[];
  private first = true;

  constructor(opening: string) {
    this.parts = [encoder.encode(opening)];
  }

  add(items: Uint8Array): void {
    if (items.length === 0) return;
    if (!this.first) this.parts.push(comma);
    this.first = false;
    this.parts.push(items);
  }

  between(text: string): void {
    this.parts.push(encoder.encode(text));
    this.first = true;
  }

  end(text: string): Uint8Array[] {
    this.parts.push(encoder.encode(text));
    return this.parts;
  }
}
