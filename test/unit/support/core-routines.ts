// Routines of the core that take or answer 128 bits, which JavaScript cannot pass: a small module of ours loads and stores them.

import { readFileSync } from 'node:fs';
import { at } from '../../../scripts/lib/freshness.mjs';
import { Core } from '../../../src/core/core.ts';
import type { CoreInstance } from '../../../src/core/instance.ts';
import { MemoryPool } from '../../../src/core/memory-pool.ts';
import { CodeWriter } from '../../../src/fragments/emit/wasm/code-writer.ts';
import { coreFunctions } from '../../../src/fragments/emit/wasm/core-functions.ts';
import { failures } from '../../../src/fragments/emit/wasm/failures.ts';
import { ModuleWriter } from '../../../src/fragments/emit/wasm/module-writer.ts';
import { v128 } from '../../../src/fragments/emit/wasm/opcodes.ts';
import { DecimalValue } from '../../../src/fragments/interpreter/decimal.ts';

export type Routine = keyof typeof coreFunctions;
type Plain = number | bigint;

export class CoreRoutines {
  readonly instance: CoreInstance;
  private readonly address: number;
  private readonly view: DataView;
  private readonly made = new Map<Routine, (...values: readonly Plain[]) => Plain>();

  constructor(wasm: string, shared = true) {
    const module = new WebAssembly.Module(readFileSync(at(wasm)));
    const core = new Core({ module, shared }, new MemoryPool({ shared }), 2 ** 26);
    this.instance = core.instance;
    this.shared = shared;
    this.address = ((core.instance.input(256) as number) + 15) & ~15;
    this.view = new DataView(core.instance.memory.buffer);
  }

  private readonly shared: boolean;

  /** Calls with numbers as they are and 128 bits by their words; answers the result, 128 bits as two words. */
  call(name: Routine, ...values: readonly (Plain | readonly [bigint, bigint])[]): Plain | [low: bigint, high: bigint] {
    let at = this.address + 16;
    const plain = values.map((value) => {
      if (typeof value !== 'object') return value;
      this.view.setBigUint64(at, value[0], true);
      this.view.setBigUint64(at + 8, value[1], true);
      at += 16;
      return at - 16;
    });
    const result = this.wrapped(name)(...plain);
    if (coreFunctions[name].result !== 'v128') return result;
    return [this.view.getBigUint64(this.address, true), this.view.getBigUint64(this.address + 8, true)];
  }

  private wrapped(name: Routine): (...values: readonly Plain[]) => Plain {
    let found = this.made.get(name);
    if (found !== undefined) return found;
    const { parameters, result } = coreFunctions[name];
    const writer = new ModuleWriter(this.shared);
    const code = new CodeWriter(parameters.length);
    if (result === 'v128') code.i32(this.address);
    for (const [index, type] of parameters.entries()) {
      code.get(index);
      if (type === 'v128') code.load128(0);
    }
    code.call(writer.import('core', name, coreFunctions[name]));
    if (result === 'v128') {
      code.simd(v128.store, 0, 0);
      code.i32(0);
    }
    const index = writer.declare(
      {
        parameters: parameters.map((type) => (type === 'v128' ? 'i32' : type)),
        result: result === 'v128' ? 'i32' : result,
      },
      'call',
    );
    writer.define(index, code);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(writer.write()), {
      env: { memory: this.instance.memory, fuel: new WebAssembly.Global({ value: 'i32', mutable: true }, 0) },
      core: this.instance.exports as unknown as WebAssembly.ModuleImports,
    });
    found = exports.call as (...values: readonly Plain[]) => Plain;
    this.made.set(name, found);
    return found;
  }

  /** The text of a record that a routine made. */
  text(record: number): string {
    return this.instance.text(record + 8, this.instance.words[record >>> 2] as number);
  }

  /** Name of the exception that was left behind, '' for none. */
  fault(): string {
    return failures[this.call('fragmentFault') as number] as string;
  }
}

/** The words of a decimal. */
export function wordsOfDecimal({ digits, scale }: DecimalValue): [bigint, bigint] {
  const size = digits < 0n ? -digits : digits;
  return [size & (2n ** 64n - 1n), (size >> 64n) | (BigInt(scale) << 48n) | (digits < 0n ? 2n ** 63n : 0n)];
}

/** A decimal, or an exception, by its words. */
export function textOfWords([low, high]: readonly [bigint, bigint]): string {
  const fault = Number((high >> 32n) & 0xffffn);
  if (fault !== 0) return `!${failures[fault]}`;
  const digits = low | ((high & 0xffffffffn) << 64n);
  if (digits === 0n && high >> 63n !== 0n) return 'minus zero';
  return textOfDecimal(new DecimalValue(high >> 63n === 0n ? digits : -digits, Number((high >> 48n) & 0xffn)));
}

export const textOfDecimal = ({ digits, scale }: DecimalValue): string => `${digits}e-${scale}`;
