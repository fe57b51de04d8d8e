// A stream of blocks cut into pieces of one size, each handed on as it is full.

/** A put of one piece holds up the log's puts for no longer than these bytes take, and a large graph has few of them. */
const pieceBytes = 16 * 1024 * 1024;

export class Pieces {
  count = 0;
  bytes = 0;
  private readonly put: (number: number, bytes: Uint8Array) => Promise<void>;
  private parts: Uint8Array[] = [];
  private gathered = 0;

  constructor(put: (number: number, bytes: Uint8Array) => Promise<void>) {
    this.put = put;
  }

  async add(block: Uint8Array): Promise<void> {
    for (let at = 0; at < block.length; ) {
      const part = block.subarray(at, at + pieceBytes - this.gathered);
      this.parts.push(part);
      this.gathered += part.length;
      at += part.length;
      if (this.gathered === pieceBytes) await this.flush();
    }
  }

  async end(): Promise<void> {
    if (this.gathered > 0) await this.flush();
  }

  private async flush(): Promise<void> {
    const whole = new Uint8Array(this.gathered);
    let at = 0;
    for (const part of this.parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.parts = [];
    this.gathered = 0;
    this.count++;
    this.bytes += whole.length;
    await this.put(this.count, whole);
  }
}
