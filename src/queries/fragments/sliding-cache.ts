// A cache with a number of entries, a number of bytes (or another measure of size) and an age: what was not asked for within the age is gone, and so are the entries that
// were not asked for longest when there are too many.

export interface CacheLimits {
  readonly entries: number;
  /** Of all values together, as whoever sets them says; a larger value is not kept at all. */
  readonly bytes: number;
  readonly ageMs: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
  usedAt: number;
}

export class SlidingCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  private readonly limits: CacheLimits;
  private readonly now: () => number;
  private bytes = 0;

  /** `now` in milliseconds, monotonic. */
  constructor(limits: CacheLimits, now: () => number) {
    this.limits = limits;
    this.now = now;
  }

  get(key: string): Value | undefined {
    const entry = this.take(key);
    if (entry === undefined) return undefined;
    const now = this.now();
    if (now - entry.usedAt > this.limits.ageMs) return undefined;
    entry.usedAt = now;
    this.put(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, bytes: number): void {
    const now = this.now();
    this.take(key);
    this.put(key, { value, bytes, usedAt: now });
    const { entries, bytes: most, ageMs } = this.limits;
    // Entries stand in the order of their last use.
    for (const [oldest, { usedAt }] of this.entries) {
      if (this.entries.size <= entries && this.bytes <= most && now - usedAt <= ageMs) break;
      this.take(oldest);
    }
  }

  private put(key: string, entry: Entry<Value>): void {
    this.entries.set(key, entry);
    this.bytes += entry.bytes;
  }

  private take(key: string): Entry<Value> | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.bytes -= entry.bytes;
    return entry;
  }
}
