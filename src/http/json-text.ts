// A look at the bytes of a JSON text before anything is made of them: how deep it is nested, how many values it holds, and, where it
// is a list, between which bytes its items lie. It costs a nanosecond a byte and allocates nothing, so that a body which is not
// worth its memory is refused before it takes any, and a long list can be parsed a piece at a time.
//
// It judges no grammar: brackets are counted whatever their kind. Whatever is wrong with the text is still there when a piece of it
// is parsed, because a text is a list of values exactly when the pieces between some of its outer commas are.

export interface TextLimits {
  /** Brackets open at once. */
  readonly depth: number;
  /** Items and members of the whole text, those of nested lists and objects too. */
  readonly values: number;
  /** The same, of one item of a list, or of a text that is none. */
  readonly itemValues: number;
  /** Items of a list. */
  readonly items: number;
  /** Members of one object. */
  readonly members: number;
  /** Bytes of one text, as it stands there: between its quotes, escapes and all. */
  readonly text: number;
}

export type TextFlaw = keyof TextLimits | 'syntax' | 'digits';

/** Digits of a number, about: no number needs so many, and JSON.parse takes 10 ns for each. */
export const maxDigits = 4096;

/** Bytes of items that are parsed in one go, at least, unless the list ends. */
const defaultPieceBytes = 64 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const digit0 = 0x30;
const digit9 = 0x39;
/** Of the stack of open brackets: a list, whose items are counted elsewhere. */
const aList = -1;

/** 1 for every byte that means something outside of a text. */
const marks = new Uint8Array(256);
for (const byte of [quote, comma, openList, closeList, openObject, closeObject]) marks[byte] = 1;

export class JsonText {
  /** Where each piece of a list begins and ends, without brackets and commas around it. */
  readonly pieces: { readonly start: number; readonly end: number }[] = [];
  flaw: TextFlaw | null = null;
  private readonly bytes: Uint8Array;
  private readonly limits: TextLimits;
  private readonly asList: boolean;
  private readonly pieceBytes: number;
  private at: number;
  private pieceStart: number;
  private depth = 0;
  private inText = false;
  private textFrom = 0;
  private values = 0;
  private itemValues = 0;
  private items = 0;
  private done = false;
  /** For each open bracket the commas of its object, or `aList`. */
  private readonly brackets: number[] = [];

  /** `asList`: the text is to be a list whose items are counted and parted; one that does not begin as a list is a flaw of syntax. */
  constructor(bytes: Uint8Array, limits: TextLimits, asList: boolean, pieceBytes = defaultPieceBytes) {
    this.bytes = bytes;
    this.limits = limits;
    this.asList = asList;
    this.pieceBytes = pieceBytes;
    this.at = firstByte(bytes);
    this.pieceStart = this.at + 1;
  }

  /** Whether the text begins as a list does. */
  static startsList(bytes: Uint8Array): boolean {
    return bytes[firstByte(bytes)] === openList;
  }

  /** Looks at some more bytes; true when nothing is left to look at, or a flaw is found. */
  walk(maxBytes: number): boolean {
    const until = Math.min(this.bytes.length, this.at + maxBytes);
    while (this.at < until && !this.done && this.flaw === null) {
      if (this.inText) this.skipText(until);
      else this.skipToMark(until);
    }
    if (this.flaw === null && this.at >= this.bytes.length && this.asList && !this.done) this.flaw = 'syntax';
    return this.flaw !== null || this.done || this.at >= this.bytes.length;
  }

  private skipToMark(until: number): void {
    const { bytes } = this;
    let { at } = this;
    while (at < until && marks[bytes[at] as number] === 0) at++;
    if (at - this.at > maxDigits && this.hasNumber(this.at, at)) this.flaw = 'digits';
    this.at = at;
    if (at < until) this.step(bytes[this.at++] as number);
  }

  /** Whether so many digits stand in a row. */
  private hasNumber(from: number, to: number): boolean {
    let run = 0;
    for (let at = from; at < to && run <= maxDigits; at++) {
      const byte = this.bytes[at] as number;
      run = byte >= digit0 && byte <= digit9 ? run + 1 : 0;
    }
    return run > maxDigits;
  }

  private skipText(until: number): void {
    const { bytes } = this;
    let { at } = this;
    while (at < until) {
      const byte = bytes[at++];
      if (byte === backslash) at++;
      else if (byte === quote) {
        this.inText = false;
        break;
      }
    }
    this.at = at;
    if (at - (this.inText ? 0 : 1) - this.textFrom > this.limits.text) this.flaw = 'text';
  }

  private step(byte: number): void {
    switch (byte) {
      case quote:
        this.inText = true;
        this.textFrom = this.at;
        return;
      case comma:
        if (this.depth === 1 && this.asList) this.endItem();
        else this.count();
        this.endMember();
        return;
      case openList:
      case openObject:
        this.brackets.push(byte === openList ? aList : 0);
        if (++this.depth > this.limits.depth) this.flaw = 'depth';
        else if (this.depth > 1 || !this.asList) this.count();
        else if (++this.values > this.limits.values) this.flaw = 'values';
        return;
      case closeList:
      case closeObject:
        this.depth--;
        this.brackets.pop();
        if (this.depth === 0 && this.asList) this.endList(byte);
        return;
    }
  }

  private count(): void {
    if (++this.values > this.limits.values) this.flaw = 'values';
    else if (++this.itemValues > this.limits.itemValues) this.flaw = 'itemValues';
  }

  /** Behind a comma: where it is one of an object, another member begins. */
  private endMember(): void {
    const { brackets } = this;
    const commas = brackets[brackets.length - 1];
    if (commas === undefined || commas === aList) return;
    brackets[brackets.length - 1] = commas + 1;
    if (commas + 1 >= this.limits.members) this.flaw = 'members';
  }

  /** Behind a comma of the list. */
  private endItem(): void {
    this.itemValues = 0;
    if (++this.items >= this.limits.items) this.flaw = 'items';
    else if (++this.values > this.limits.values) this.flaw = 'values';
    if (this.at - this.pieceStart > this.pieceBytes) this.endPiece();
  }

  private endPiece(): void {
    this.pieces.push({ start: this.pieceStart, end: this.at - 1 });
    this.pieceStart = this.at;
  }

  private endList(bracket: number): void {
    this.endPiece();
    this.done = true;
    if (bracket !== closeList || firstVisible(this.bytes, this.at) < this.bytes.length) this.flaw = 'syntax';
  }
}

/** Behind a byte-order mark and white space. */
function firstByte(bytes: Uint8Array): number {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return firstVisible(bytes, hasMark ? 3 : 0);
}

function firstVisible(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at] as number)) at++;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
