// A cache with a number of entries and an age: what was not asked for within the age is gone, and so is the entry that was not asked for
// longest when there are too many.

export class SlidingCache<Value> {
  private readonly entries = new Map<string, { readonly value: Value; usedAt: number }>();
  private readonly size: number;
  private readonly ageMs: number;
  private readonly now: () => number;

  /** `now` in milliseconds, monotonic. */
  constructor(size: number, ageMs: number, now: () => number) {
    this.size = size;
    this.ageMs = ageMs;
    this.now = now;
  }

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    const now = this.now();
    if (now - entry.usedAt > this.ageMs) return undefined;
    entry.usedAt = now;
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value): void {
    const now = this.now();
    this.entries.delete(key);
    this.entries.set(key, { value, usedAt: now });
    // Entries stand in the order of their last use.
    for (const [oldest, { usedAt }] of this.entries) {
      if (this.entries.size <= this.size && now - usedAt <= this.ageMs) break;
      this.entries.delete(oldest);
    }
  }
}
