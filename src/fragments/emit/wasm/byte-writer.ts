// Bytes under construction, with the numbers of WebAssembly's binary format.

export class ByteWriter {
  private buffer = new Uint8Array(256);
  private used = 0;

  get length(): number {
    return this.used;
  }

  byte(value: number): void {
    this.room(1);
    this.buffer[this.used++] = value;
  }

  bytes(values: Uint8Array | readonly number[]): void {
    this.copy(values, 0, values.length);
  }

  /** Those from one place to another. Most are an instruction or two, for which a loop is several times faster than `set`. */
  copy(values: Uint8Array | readonly number[], from: number, to: number): void {
    this.room(to - from);
    for (let at = from; at < to; at++) this.buffer[this.used++] = values[at] as number;
  }

  /** Puts bytes in before those from a place on. */
  insert(at: number, values: Uint8Array): void {
    this.room(values.length);
    this.buffer.copyWithin(at + values.length, at, this.used);
    this.buffer.set(values, at);
    this.used += values.length;
  }

  unsigned(value: number): void {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  signed(value: bigint): void {
    let rest = value;
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) {
        this.byte(low);
        return;
      }
      this.byte(low | 0x80);
    }
  }

  float32(value: number): void {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    this.bytes(bytes);
  }

  float64(value: number): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.bytes(bytes);
  }

  name(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.unsigned(bytes.length);
    this.bytes(bytes);
  }

  /** What was written, the caller's to keep. */
  take(): Uint8Array<ArrayBuffer> {
    return this.buffer.slice(0, this.used);
  }

  private room(bytes: number): void {
    if (this.used + bytes <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.used + bytes));
    larger.set(this.buffer.subarray(0, this.used));
    this.buffer = larger;
  }
}
