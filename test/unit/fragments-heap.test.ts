// What the debug build looks at in a run's heap at each collection (assembly/fragments/object-check.ts): each kind of damage is found, and a heap
// without any is not complained of.

import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { at } from '../../scripts/lib/freshness.mjs';
import { Core } from '../../src/core/core.ts';
import { MemoryPool } from '../../src/core/memory-pool.ts';
import { headOf, knownReferences, tags } from '../../src/fragments/emit/objects/object-layout.ts';

const module = new WebAssembly.Module(readFileSync(at('dist/wasm/debug/core.shared.wasm')));
const [arrayOfObjects, arrayOfInts, list] = [headOf(tags.array, 0, 20), headOf(tags.array, 0, 7), 48];
const text = { kind: 'primitive', name: 'string' } as const;
const number = { kind: 'primitive', name: 'int' } as const;

/** What modules call (src/fragments/emit/wasm/core-functions.ts). */
interface HeapExports {
  runPrepare(): number;
  runBegin(control: number): void;
  fragmentEnter(): number;
  fragmentCollect(control: number, stackEnd: number): number;
  objectArray(head: number, count: number): number;
  objectCreate(head: number, count: number, bytes: number): number;
  listCreate(head: number, items: number, room: number): number;
}

/** A run in the middle of a call. What `live` names is on the stack when it is collected. */
class Heap {
  readonly core = new Core({ module, shared: true }, new MemoryPool({ shared: true }), 2 ** 28).instance;
  readonly exports = this.core.exports as unknown as HeapExports;
  readonly live: number[] = [];
  private readonly control: number;

  constructor() {
    const { exports } = this;
    this.control = exports.runPrepare();
    exports.fragmentEnter();
    exports.runBegin(this.control);
  }

  get words(): Uint32Array {
    return new Uint32Array(this.core.memory.buffer);
  }
  /** The word at an offset of the object that a reference names. */
  put(reference: number, offset: number, value: number): void {
    this.words[(reference - 2 + offset) >>> 2] = value;
  }
  array(count: number, word = arrayOfObjects): number {
    return this.exports.objectArray(word, count) >>> 0;
  }
  collect(): void {
    const stack = this.control + 136;
    for (const [index, word] of this.live.entries()) this.words[(stack >>> 2) + index] = word;
    if (this.exports.fragmentCollect(this.control, stack + 4 * this.live.length) === 0) throw new Error('full');
  }
}

let heap: Heap;
beforeEach(() => {
  heap = new Heap();
});

/** A heap with something of each kind, all of it live. */
function filled(): Record<'outer' | 'inner' | 'numbers' | 'list' | 'object', number> {
  const { exports } = heap;
  const [outer, inner, numbers] = [heap.array(4), heap.array(2), heap.array(9, arrayOfInts)];
  const made = exports.listCreate(list, arrayOfObjects, 8) >>> 0;
  const fields = knownReferences([number, text, { kind: 'primitive', name: 'object' }]);
  const object = exports.objectCreate(headOf(tags.object, 1), fields, 48) >>> 0;
  heap.put(outer, 8, inner);
  heap.put(outer, 12, numbers);
  heap.put(outer, 16, made);
  heap.put(object, 8 + 32, inner);
  heap.live.push(outer, object);
  return { outer, inner, numbers, list: made, object };
}

describe('a collection of the debug build', () => {
  it('takes what is whole, and gives back what nothing names', () => {
    const { inner } = filled();
    const lost = heap.array(1);
    heap.collect();
    heap.collect();
    expect(heap.words[(lost - 2) >>> 2]).toBe(0xcbcbcbcb);
    expect(heap.words[(inner - 2) >>> 2]).toBe(arrayOfObjects);
  });

  it.each<[string, number, (made: ReturnType<typeof filled>, lost: number) => void]>([
    ['a tag that there is not', 134, ({ outer }) => heap.put(outer, 0, headOf(99))],
    ['a tag that there is not, of what is named', 134, ({ numbers }) => heap.put(numbers, 0, headOf(99))],
    ['more items than there is room for', 135, ({ outer }) => heap.put(outer, 4, 400)],
    ['more items than there is room for, of what is named', 135, ({ numbers }) => heap.put(numbers, 4, 400)],
    ['a list with more items than its array', 135, ({ list }) => heap.put(list, 4, 9)],
    ['a list without an array', 136, ({ list }) => heap.put(list, 8, 0)],
    ['a reference to what was given back', 136, ({ outer }, lost) => heap.put(outer, 20, lost)],
    ['a reference into the middle of an object', 136, ({ outer, inner }) => heap.put(outer, 20, inner + 8)],
    ['a reference that is none', 136, ({ outer, inner }) => heap.put(outer, 20, inner + 4)],
    ['a reference to nowhere', 136, ({ outer }) => heap.put(outer, 20, 0x3ffffff2)],
    ['a field that names what was given back', 136, ({ object }, lost) => heap.put(object, 8 + 32, lost)],
    ['a text that was given back', 137, ({ object }, lost) => heap.put(object, 8 + 16, lost - 2)],
    [
      'a text longer than its block',
      137,
      ({ object }) => {
        const numbers = heap.array(9, arrayOfInts);
        heap.put(numbers, 0, 1000);
        heap.put(object, 8 + 16, numbers - 2);
      },
    ],
    ['a write to what was given back', 138, (_made, lost) => heap.put(lost, 12, 1)],
    ['a block that has no end', 133, ({ inner }) => heap.put(inner, -8, 3)],
  ])('finds %s', (_what, code, damage) => {
    const lost = heap.array(100);
    const made = filled();
    heap.collect();
    damage(made, lost);
    expect(() => heap.collect()).toThrow(new RegExp(`\\b${code}\\b`));
  });

  it('looks at no field of numbers', () => {
    const { object } = filled();
    const lost = heap.array(100);
    heap.collect();
    heap.put(object, 8, lost);
    heap.collect();
  });
});
