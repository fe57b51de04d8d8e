// The operand stack of a function while it is translated, and the words that come of it. An entry has a register of its own, by its height.
// Until something is written there it may stand for a local or a constant, so that reading either takes no operation: such an entry is
// settled before its local changes, and at every place that is reached in two ways. The last operation may still get another place for its
// result, or become a jump.

import { i32, type ValueType } from '../emit/wasm/opcodes.ts';
import { NotTranslated } from './module-reader.ts';
import {
  comparisons,
  jumpWhere,
  jumpWhereConstant,
  operations,
  opposites,
  registerBytes,
  withConstant,
} from './operations.ts';

interface Entry {
  readonly type: ValueType;
  readonly local?: number;
  readonly constant?: number;
}

/** Offsets have 16 bits. */
const mostRegisters = 4090;

export class Registers {
  readonly words: number[];
  readonly stack: Entry[] = [];
  private readonly localCount: number;
  private highest = 0;
  /** Where the last operation begins when nothing jumps to what is behind it; -1: there is none. */
  private last = -1;

  constructor(words: number[], localCount: number) {
    this.words = words;
    this.localCount = localCount;
  }

  /** Byte offset of what comes next. */
  get here(): number {
    return this.words.length * 4;
  }

  get frameBytes(): number {
    return this.register(this.localCount + this.highest + 1);
  }

  register(index: number): number {
    if (index > mostRegisters) throw new NotTranslated('so many variables');
    return index * registerBytes;
  }

  /** The register of an entry by its height. */
  own(height: number): number {
    this.highest = Math.max(this.highest, height + 1);
    return this.register(this.localCount + height);
  }

  /** Nothing before this is changed any more: it is jumped to. */
  label(): void {
    this.last = -1;
  }

  push(type: ValueType, known: { local?: number; constant?: number } = {}): number {
    this.stack.push({ type, ...known });
    return this.own(this.stack.length - 1);
  }

  /** Words of an operation without a result on the stack. */
  emit(operation: number, result: number, ...rest: readonly number[]): void {
    this.last = -1;
    this.words.push((operation | (result << 16)) >>> 0);
    for (const word of rest) this.words.push(word >>> 0);
  }

  /** An operation whose result becomes the topmost entry. */
  make(operation: number, type: ValueType, ...rest: readonly number[]): void {
    const result = this.push(type);
    const at = this.words.length;
    this.emit(operation, result, ...rest);
    this.last = at;
  }

  copy(to: number, from: number, type: ValueType): void {
    this.emit(type === 'v128' ? operations.copyWide : operations.copy, to, from);
  }

  /** Puts an entry into its own register. */
  settle(height: number): void {
    const { type, local, constant } = this.stack[height] as Entry;
    if (local === undefined && constant === undefined) return;
    const to = this.own(height);
    if (local !== undefined) this.copy(to, this.register(local), type);
    else this.emit(operations.constant, to, constant as number);
    this.stack[height] = { type };
  }

  settleFrom(height: number): void {
    for (let at = height; at < this.stack.length; at++) this.settle(at);
  }

  constantAt(height: number): number | undefined {
    return this.stack[height]?.constant;
  }

  /** Where the value of an entry can be read. */
  read(height: number): number {
    const { local } = this.stack[height] as Entry;
    if (local !== undefined) return this.register(local);
    this.settle(height);
    return this.own(height);
  }

  get top(): number {
    return this.stack.length - 1;
  }

  pop(): Entry {
    return this.stack.pop() as Entry;
  }

  /** Puts the topmost entry into a local; `keep`: it stays on the stack as well. */
  setLocal(local: number, keep: boolean): void {
    const height = this.top;
    const entry = this.stack[height] as Entry;
    if (entry.local !== local) {
      const to = this.register(local);
      const readers = [...this.stack.keys()].filter((at) => at < height && this.stack[at]?.local === local);
      const { constant } = entry;
      if (readers.length === 0 && this.madeTop) {
        this.words[this.last] = (((this.words[this.last] as number) & 0xffff) | (to << 16)) >>> 0;
        this.label();
      } else {
        for (const at of readers) this.settle(at);
        if (constant !== undefined) this.emit(operations.constant, to, constant);
        else this.copy(to, this.read(height), entry.type);
      }
    }
    this.pop();
    if (keep) this.push(entry.type, { local });
  }

  /** Takes the condition off the stack and jumps where it is zero, or is not. The answer is the word that says where to. */
  jumpOn(holds: boolean): number {
    const compared = this.madeTop ? this.comparison() : null;
    if (compared === null) {
      const isTurned = this.madeTop && ((this.words[this.last] as number) & 0xffff) === i32.eqz;
      const condition = isTurned ? (this.words[this.last + 1] as number) : this.read(this.top);
      if (isTurned) this.words.length = this.last;
      this.pop();
      this.emit(holds === isTurned ? operations.jumpUnless : operations.jumpIf, 0, condition, 0);
    } else {
      const { code, operands } = compared;
      const asked = holds ? code : (opposites[code] as number);
      this.words.length = this.last;
      this.pop();
      this.emit((operands.length > 1 ? jumpWhereConstant : jumpWhere) + asked, 0, ...operands, 0);
    }
    return this.words.length - 1;
  }

  /** Whether the last operation made the topmost entry. */
  private get madeTop(): boolean {
    const entry = this.stack[this.top];
    if (this.last < 0 || entry === undefined || entry.local !== undefined || entry.constant !== undefined) return false;
    return (this.words[this.last] as number) >>> 16 === this.own(this.top);
  }

  /** The last operation, when it compares words and its result is the topmost entry. */
  private comparison(): { readonly code: number; readonly operands: readonly number[] } | null {
    const operation = (this.words[this.last] as number) & 0xffff;
    const isConstant = operation >= withConstant + comparisons.first;
    const code = isConstant ? operation - withConstant : operation;
    if (code < comparisons.first || code > comparisons.last) return null;
    return { code, operands: this.words.slice(this.last + 1) };
  }
}
