// Functions of other modules in an instance's table, by key: what a kernel of the core calls by `call_indirect`. A table belongs to one
// instance, hence to one thread, so every instance installs what it needs for itself; the compiled modules are shared. Places of
// keys that were not used for a while are taken over by others with as many functions.

/** Keys that stay installed at the same time. */
const mostKeys = 1024;

export class InstalledFunctions {
  private readonly table: WebAssembly.Table;
  private readonly places = new Map<string, { readonly index: number; readonly count: number }>();
  private readonly free = new Map<number, number[]>();

  constructor(table: WebAssembly.Table) {
    this.table = table;
  }

  /**
   * Index of the first of the key's functions, which `make` answers when the key is not installed: exported functions of a
   * WebAssembly instance, nothing else fits into a table. Indexes stay valid until 1,024 other keys were used.
   */
  install(key: string, make: () => readonly WebAssembly.ExportValue[]): number {
    const known = this.places.get(key);
    if (known !== undefined) {
      this.places.delete(key);
      this.places.set(key, known);
      return known.index;
    }
    const functions = make();
    const count = functions.length;
    if (this.places.size >= mostKeys) this.removeOldest();
    const index = this.free.get(count)?.pop() ?? this.table.grow(count);
    for (const [i, one] of functions.entries()) this.table.set(index + i, one);
    this.places.set(key, { index, count });
    return index;
  }

  private removeOldest(): void {
    const [key, place] = this.places.entries().next().value as [string, { index: number; count: number }];
    this.places.delete(key);
    for (let i = 0; i < place.count; i++) this.table.set(place.index + i, null);
    const list = this.free.get(place.count) ?? [];
    list.push(place.index);
    this.free.set(place.count, list);
  }
}
