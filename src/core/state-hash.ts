// The hash of a graph's state at the core's boundary (assembly/checkpoint/state-hash.ts): begun, taken in steps, read. Nothing may change the
// graph from the first step to the last.

import type { Core } from './core.ts';
import { CoreMemoryExhausted } from './memory-exhausted.ts';

export class StateHash {
  private readonly core: Core;

  constructor(core: Core, graph: number) {
    this.core = core;
    core.instance.exports.stateHashBegin(graph);
  }

  /** True: that was the last one. Throws CoreMemoryExhausted. */
  step(): boolean {
    const end = this.core.instance.lending(() => this.core.instance.exports.stateHashStep());
    if (end < 0) throw new CoreMemoryExhausted('No memory is left to hash what an index holds.');
    return end === 0;
  }

  /** Adds something that is kept with the graph and is not part of it. */
  add(kind: number, text: string): void {
    const { instance } = this.core;
    const bytes = new TextEncoder().encode(text);
    const address = instance.input(bytes.length + 8);
    if (address === null) throw new CoreMemoryExhausted('No memory is left to hash a document.');
    instance.bytes.set(bytes, address);
    instance.exports.stateHashAdd(kind, address, bytes.length);
  }

  /** 32 hexadecimal digits. */
  get hex(): string {
    const { exports } = this.core.instance;
    return [3, 2, 1, 0].map((word) => (exports.stateHashWord(word) >>> 0).toString(16).padStart(8, '0')).join('');
  }
}
