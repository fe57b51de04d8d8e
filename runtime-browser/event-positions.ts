// Where streams of events that the service worker ended had got to. A listener connects again by itself, and a browser does not show the
// service worker the id of the last event that it sends along: so it is kept here, and the next stream begins behind it.

/** The id of the last event of a stream that has passed. */
export class EventPosition {
  last: string | null;
  private readonly decoder = new TextDecoder();
  private rest = '';

  /** `first`: what the stream began behind. */
  constructor(first: string | null) {
    this.last = first;
  }

  passed(block: Uint8Array): void {
    const text = this.rest + this.decoder.decode(block, { stream: true });
    // An event counts for its listener from the blank line behind it on.
    const whole = text.lastIndexOf('\n\n') + 2;
    if (whole === 1) {
      this.rest = text;
      return;
    }
    this.rest = text.slice(whole);
    const begins = text.lastIndexOf('\nid: ', whole - 2);
    const at = begins >= 0 ? begins + 5 : text.startsWith('id: ') ? 4 : -1;
    if (at >= 0) this.last = text.slice(at, text.indexOf('\n', at));
  }
}

/** Longer than any browser waits before it connects again. */
const keptMs = 60_000;

interface Ended {
  readonly position: string;
  readonly atMs: number;
}

/** Positions by listener: those of several of one page with the same address come back in the order in which their streams ended. */
export class EndedStreams {
  private readonly byListener = new Map<string, Ended[]>();

  put(listener: string, position: string | null): void {
    if (position === null) return;
    this.forgetOld();
    const own = this.byListener.get(listener) ?? [];
    own.push({ position, atMs: Date.now() });
    this.byListener.set(listener, own);
  }

  take(listener: string): string | null {
    this.forgetOld();
    const own = this.byListener.get(listener);
    const first = own?.shift();
    if (own?.length === 0) this.byListener.delete(listener);
    return first?.position ?? null;
  }

  private forgetOld(): void {
    const oldest = Date.now() - keptMs;
    for (const [listener, own] of this.byListener) {
      const kept = own.filter(({ atMs }) => atMs >= oldest);
      if (kept.length === 0) this.byListener.delete(listener);
      else this.byListener.set(listener, kept);
    }
  }
}
