// The structs that are objects in JavaScript: immutable, so that sharing one is copying it. And what has an identity of its own.

import type { RuntimeType } from './runtime-types.ts';

// biome-ignore lint/suspicious/noExplicitAny: as in `values.ts`, the binder has checked the types
type Value = any;

/** Objects with an identity that is not the JavaScript object's: elements of the graph, types, cultures. */
export abstract class Identified {
  abstract readonly identity: string;
  abstract readonly hash: number;
}

export class KeyValue {
  readonly key: Value;
  readonly value: Value;

  constructor(key: Value, value: Value) {
    this.key = key;
    this.value = value;
  }
}

/** Ticks of 100 ns since year 1, and 0 unspecified, 1 UTC, 2 local. */
export class DateTimeValue {
  readonly ticks: bigint;
  readonly kind: number;

  constructor(ticks: bigint, kind: number) {
    this.ticks = ticks;
    this.kind = kind;
  }
}

/** A day: the ticks of its midnight. */
export class DateOnlyValue {
  readonly ticks: bigint;

  constructor(ticks: bigint) {
    this.ticks = ticks;
  }
}

/** A time of day: ticks since midnight. */
export class TimeOnlyValue {
  readonly ticks: bigint;

  constructor(ticks: bigint) {
    this.ticks = ticks;
  }
}

export class TimeSpanValue {
  readonly ticks: bigint;

  constructor(ticks: bigint) {
    this.ticks = ticks;
  }
}

/** Ticks of the clock at the offset. */
export class DateTimeOffsetValue {
  readonly ticks: bigint;
  readonly offsetMinutes: number;

  constructor(ticks: bigint, offsetMinutes: number) {
    this.ticks = ticks;
    this.offsetMinutes = offsetMinutes;
  }

  get utcTicks(): bigint {
    return this.ticks - BigInt(this.offsetMinutes) * 600_000_000n;
  }
}

/** 32 hexadecimal digits in groups, lower case. */
export class GuidValue {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export class IndexValue {
  readonly value: number;
  readonly fromEnd: boolean;

  constructor(value: number, fromEnd: boolean) {
    this.value = value;
    this.fromEnd = fromEnd;
  }

  toString(): string {
    return this.fromEnd ? `^${this.value}` : `${this.value}`;
  }
}

export class RangeValue {
  readonly start: IndexValue;
  readonly end: IndexValue;

  constructor(start: IndexValue, end: IndexValue) {
    this.start = start;
    this.end = end;
  }
}

/** A value tuple, immutable: assigning an item makes a new tuple. */
export class TupleValue {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

/** A struct of the source: a tuple that knows its name. */
export class StructValue extends TupleValue {
  readonly type: RuntimeType;

  constructor(type: RuntimeType, items: readonly unknown[]) {
    super(items);
    this.type = type;
  }
}
