// Offsets to lines and columns. Lines end as C# ends them: \r\n, \r, \n, U+0085, U+2028 and U+2029. Columns count UTF-16
// units. Both are 1-based.

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A span as it goes over the wire; the end is exclusive. */
export interface PositionSpan {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Whether a UTF-16 unit ends a line (`\r\n` ends one line, not two). */
export function isNewline(unit: number): boolean {
  return unit === 10 || unit === 13 || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}

/** Answers positions in one text; offsets outside the text are moved to its nearest end. */
export class LineMap {
  private readonly starts: number[] = [0];
  private readonly length: number;

  constructor(text: string) {
    this.length = text.length;
    for (let offset = 0; offset < text.length; offset++) {
      const unit = text.charCodeAt(offset);
      if (!isNewline(unit)) continue;
      if (unit === 13 && text.charCodeAt(offset + 1) === 10) offset++;
      this.starts.push(offset + 1);
    }
  }

  /** The position of an offset. */
  position(offset: number): Position {
    const place = Math.min(Math.max(offset, 0), this.length);
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: place - this.starts[low]! + 1 };
  }

  /** The positions of both ends of a span. */
  span(start: number, end: number): PositionSpan {
    const [from, to] = [this.position(start), this.position(end)];
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
  }
}
