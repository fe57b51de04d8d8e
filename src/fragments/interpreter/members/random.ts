// Random with a seed: Knuth's subtractive generator, as .NET documents it for every version, so that a seed gives the same numbers everywhere.

import type { ArrayObject } from '../array-objects.ts';
import { argumentNull, outOfRange } from '../exceptions.ts';
import { allocate, charge } from '../machine.ts';
import { runtimeType } from '../runtime-types.ts';
import type { MemberTable } from './native.ts';

const largest = 0x7fffffff;
const golden = 161803398;
const size = 56;

class RandomObject {
  readonly type = runtimeType({ kind: 'named', name: 'Random', arguments: [] });
  private readonly numbers = new Int32Array(size);
  private next = 0;
  private behind = 21;

  constructor(seed: number) {
    const { numbers } = this;
    let last = golden - (seed === -largest - 1 ? largest : Math.abs(seed));
    numbers[size - 1] = last;
    let number = 1;
    for (let at = 1, place = 0; at < size - 1; at++) {
      place = (place + 21) % 55;
      numbers[place] = number;
      number = (last - number) | 0;
      if (number < 0) number += largest;
      last = numbers[place] as number;
    }
    for (let round = 1; round < 5; round++) {
      for (let at = 1; at < size; at++) {
        const other = 1 + ((at + 30) % 55);
        let changed = ((numbers[at] as number) - (numbers[other] as number)) | 0;
        if (changed < 0) changed += largest;
        numbers[at] = changed;
      }
    }
  }

  /** 0 to the largest int, which does not occur. */
  whole(): number {
    charge(1);
    const { numbers } = this;
    this.next = this.next >= size - 1 ? 1 : this.next + 1;
    this.behind = this.behind >= size - 1 ? 1 : this.behind + 1;
    let number = ((numbers[this.next] as number) - (numbers[this.behind] as number)) | 0;
    if (number === largest) number--;
    if (number < 0) number += largest;
    numbers[this.next] = number;
    return number;
  }

  part(): number {
    return this.whole() * (1 / largest);
  }

  between(least: number, end: number): number {
    if (least > end) outOfRange('minValue');
    const range = end - least;
    if (range <= largest) return Math.trunc(this.part() * range) + least;
    const number = this.whole();
    const signed = this.whole() % 2 === 0 ? -number : number;
    return Math.trunc(((signed + largest - 1) / (2 * largest - 1)) * range) + least;
  }
}

export const RANDOM_MEMBERS: MemberTable = {
  'Random.new(int)': (seed: number) => {
    allocate(256);
    charge(size * 5);
    return new RandomObject(seed);
  },
  'Random.Next()': (random: RandomObject) => random.whole(),
  'Random.Next(int)': (random: RandomObject, end: number) =>
    end < 0 ? outOfRange('maxValue') : Math.trunc(random.part() * end),
  'Random.Next(int,int)': (random: RandomObject, least: number, end: number) => random.between(least, end),
  'Random.NextDouble()': (random: RandomObject) => random.part(),
  'Random.NextBytes(byte[])': (random: RandomObject, bytes: ArrayObject | null) => {
    const { items } = bytes ?? argumentNull('buffer');
    for (let at = 0; at < items.length; at++) items[at] = random.whole() & 255;
  },
};
