// Names the ring refers to. The core's numbers of labels, edge types and keys mean something only in one memory; a load replaces
// the memory, so the feed keeps its own: equal text, equal number. Nothing here is ever asked of the core twice in a row, and
// the table is rewritten when it has outgrown the ring, so names nobody refers to any more do not pile up.

import { noName } from './events.ts';

/** The text of a name the core has interned. The same function as long as its numbers mean the same, another one afterwards. */
export type NameResolver = (internId: number) => string;

export class NameTable {
  #texts: string[] = [];
  #json: (string | undefined)[] = [];
  #numbers = new Map<string, number>();
  readonly #known = new Map<number, number>();
  #resolver: NameResolver | null = null;
  #generation = 0;

  /** Changes when numbers that were given out mean something else. */
  get generation(): number {
    return this.#generation;
  }

  get size(): number {
    return this.#texts.length;
  }

  /** The feed's number of a name of the core. */
  numberOf(internId: number, resolver: NameResolver): number {
    if (internId === noName) return noName;
    if (resolver !== this.#resolver) {
      this.#known.clear();
      this.#resolver = resolver;
    }
    const known = this.#known.get(internId);
    if (known !== undefined) return known;
    const number = this.#add(resolver(internId));
    this.#known.set(internId, number);
    return number;
  }

  /** Drops what is known of the core's numbers: the memory behind them may be another one from here on. */
  forget(): void {
    this.#known.clear();
    this.#resolver = null;
  }

  text(number: number): string {
    return this.#texts[number] as string;
  }

  /** The name as a JSON string. Lone surrogates are escaped, so the text encodes to UTF-8 without loss. */
  json(number: number): string {
    let json = this.#json[number];
    if (json === undefined) {
      json = JSON.stringify(this.text(number));
      this.#json[number] = json;
    }
    return json;
  }

  /** The names from number `first` on, in the order of their numbers. */
  from(first: number): string[] {
    return this.#texts.slice(first);
  }

  /** Starts over. Answers a function that carries an old number into the new table. */
  rewrite(): (number: number) => number {
    const texts = this.#texts;
    this.forget();
    this.#generation++;
    this.#texts = [];
    this.#json = [];
    this.#numbers = new Map();
    return (number) => (number === noName ? noName : this.#add(texts[number] as string));
  }

  #add(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }
}
