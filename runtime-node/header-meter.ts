// How long the headers of a form's parts are. The parser cuts one that is too long and tells nobody, so a name would be half of one.

import { FormFlaw } from '../src/http/platform.ts';

const headerEnd = '\r\n\r\n';
const lineEnd = '\r\n';

export class HeaderMeter {
  private readonly delimiter: Buffer;
  private readonly most: number;
  /** What may be the beginning of what is looked for. The first boundary has no line before it. */
  private rest: Buffer = Buffer.from(lineEnd);
  /** Of the header that is being read; null in a part. */
  private headerBytes: number | null = null;
  private isOver = false;

  constructor(boundary: string, most: number) {
    this.delimiter = Buffer.from(`${lineEnd}--${boundary}`, 'latin1');
    this.most = most;
  }

  /** Throws FormFlaw at the first header of more bytes, the line breaks around it not counted. */
  take(block: Uint8Array): void {
    if (this.isOver) return;
    const bytes = Buffer.concat([this.rest, block]);
    let at = 0;
    for (;;) {
      if (this.headerBytes === null) {
        const found = bytes.indexOf(this.delimiter, at);
        if (found === -1) {
          this.rest = bytes.subarray(Math.max(at, bytes.byteLength - this.delimiter.byteLength + 1));
          return;
        }
        at = found + this.delimiter.byteLength;
        this.headerBytes = 0;
      }
      if (this.headerBytes === 0 && bytes.toString('latin1', at, at + 2) === '--') {
        this.isOver = true;
        return;
      }
      const end = bytes.indexOf(headerEnd, at);
      const to = end === -1 ? Math.max(at, bytes.byteLength - headerEnd.length + 1) : end;
      this.headerBytes += to - at;
      if (this.headerBytes > this.most + lineEnd.length)
        throw new FormFlaw('invalid', `the header of a part has more than ${this.most} bytes`);
      if (end === -1) {
        this.rest = bytes.subarray(to);
        return;
      }
      // The second line break may be that of the next boundary.
      at = end + lineEnd.length;
      this.headerBytes = null;
    }
  }
}
