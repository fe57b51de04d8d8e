// Objects of a compiled plugin in the memory of its core, as the host reads and makes them: results, bags of parameters, arrays of ids. Where
// things lie: assembly/fragments/objects.ts and collections.ts; classes: src/fragments/emit/engine/classes.ts.

import { readFragmentText, textInScratch } from '../../core/fragments.ts';
import type { CoreInstance } from '../../core/instance.ts';
import { TypeId } from '../../core/values.ts';
import { classNumber, fieldOffset } from '../../fragments/emit/engine/classes.ts';
import type { FoundPath, PathStep, PluginResult } from '../../fragments/engine-reader.ts';
import { CoreElements } from '../fragments/elements.ts';

const tags = { boolean: 2, object: 45, list: 48 } as const;
/** From a reference to the address of its object. */
const reference = 2;
const places = { count: 4, payload: 8, listItems: 8, listFirst: 16 } as const;
const table = { entries: 8, used: 20, form: 32, next: 4, key: 8, value: 24 } as const;
const removed = 0xffffffff;
/** Answers of the core below this are exceptions by number. */
const leastAddress = 256;

export class PluginMemory {
  private readonly core: CoreInstance;
  private readonly elements: CoreElements;

  constructor(core: CoreInstance) {
    this.core = core;
    this.elements = new CoreElements(core);
  }

  private word(address: number): number {
    return this.core.words[address >>> 2] as number;
  }

  private real(address: number): number {
    return new DataView(this.core.memory.buffer).getFloat64(address, true);
  }

  private tag(object: number): number {
    return this.word((object - reference) >>> 0) & 0xff;
  }

  /** Null for 0. */
  text(word: number): string | null {
    return word === 0 ? null : readFragmentText(this.core, word);
  }

  /** A value seen as object as what properties are scanned for; null for a type that only the interpreter knows how to write. */
  literal(object: number): { readonly type: TypeId; readonly text: string } | null {
    if (object === 0) return null;
    if ((object & reference) === 0) return { type: TypeId.string, text: this.text(object) ?? '' };
    const address = (object - reference + places.payload) >>> 0;
    const view = new DataView(this.core.memory.buffer);
    const type = this.tag(object) as TypeId;
    switch (type) {
      case TypeId.boolean:
        return { type, text: this.word(address) === 0 ? 'False' : 'True' };
      case TypeId.int32:
        return { type, text: String(view.getInt32(address, true)) };
      case TypeId.int64:
        return { type, text: String(view.getBigInt64(address, true)) };
      case TypeId.double: {
        const value = this.real(address);
        return Number.isFinite(value) ? { type, text: String(value) } : null;
      }
      default:
        return null;
    }
  }

  // --- Making: 0 where there is no room ----------------------------------------------------------------------------------

  ids(head: number, ids: readonly number[]): number {
    const array = this.core.exports.objectArray(head, ids.length) >>> 0;
    if (array !== 0) this.core.words.set(ids, (array - reference + places.payload) >>> 2);
    return array;
  }

  /** A box of 16 bytes, given as hexadecimal digits. */
  guid(text: string): number {
    const box = this.core.exports.objectCreate(TypeId.guid, 0, 16) >>> 0;
    if (box === 0) return 0;
    const digits = text.replaceAll('-', '');
    const at = box - reference + places.payload;
    for (let i = 0; i < 16; i++) this.core.bytes[at + i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
    return box;
  }

  newText(text: string): number {
    return textInScratch(this.core, text) ?? 0;
  }

  /** Texts and numbers by their names. */
  bag(head: number, entries: readonly (readonly [string, string | number])[]): number {
    const { exports } = this.core;
    const made = exports.tableCreate(head, TypeId.string, 1) >>> 0;
    if (made < leastAddress) return 0;
    for (const [key, given] of entries) {
      const name = this.newText(key);
      const value = typeof given === 'string' ? this.newText(given) : this.box(given);
      if (name === 0 || value === 0) return 0;
      const found = exports.tableFind(made, name) >>> 0;
      const entry = found === 0 ? exports.tableAdd(made) >>> 0 : found;
      if (entry < leastAddress) return 0;
      this.core.words[(entry + table.value) >>> 2] = value;
    }
    return made;
  }

  private box(value: number): number {
    const bits = new BigInt64Array(new Float64Array([value]).buffer)[0] as bigint;
    return this.core.exports.objectBoxLong(TypeId.double, bits) >>> 0;
  }

  // --- Results -----------------------------------------------------------------------------------------------------------

  /** What the lowered class answered. */
  result(answer: number, asksName: boolean): PluginResult {
    if (asksName) return { kind: 'name', name: (answer & reference) === 0 ? (this.text(answer) ?? '') : '' };
    if ((answer & reference) === 0) return { kind: 'nothing' };
    const address = (answer - reference) >>> 0;
    switch (this.tag(answer)) {
      case tags.boolean:
        return { kind: 'declined' };
      case tags.list:
        return { kind: 'paths', paths: this.list(answer).flatMap((path) => (path === 0 ? [] : [this.path(path)])) };
      case tags.object:
        return this.instance(address, this.word(address + places.count));
      default:
        return { kind: 'nothing' };
    }
  }

  private instance(address: number, number: number): PluginResult {
    if (number === classNumber('GraphFunctionResult')) {
      const ids = (field: 'Vertices' | 'Edges'): number[] =>
        this.list(this.word(address + fieldOffset('GraphFunctionResult', field))).filter((id) => id !== removed);
      return { kind: 'elements', vertices: ids('Vertices'), edges: ids('Edges') };
    }
    return number === classNumber('GraphAnalyticsResult') ? this.values(address) : { kind: 'nothing' };
  }

  /** Words of the items of a list. */
  private list(object: number): number[] {
    const address = (object - reference) >>> 0;
    const count = this.word(address + places.count);
    const items = this.word(address + places.listItems) - reference + places.payload;
    const from = (items >>> 2) + this.word(address + places.listFirst);
    return Array.from(this.core.words.subarray(from, from + count));
  }

  private path(object: number): FoundPath {
    const address = (object - reference) >>> 0;
    const steps = this.list(this.word(address + fieldOffset('Path', 'Elements'))).map((element) =>
      this.step((element - reference) >>> 0),
    );
    return { steps, weight: this.real(address + fieldOffset('Path', 'Weight')) };
  }

  private step(address: number): PathStep {
    const edge = this.word(address + fieldOffset('PathElement', 'Edge'));
    const direction = this.word(address + fieldOffset('PathElement', 'Direction'));
    const known = this.elements.edge(edge);
    const [source, target] = direction === 0 ? [known.target, known.source] : [known.source, known.target];
    const edgeType = this.text(this.word(address + fieldOffset('PathElement', 'EdgePropertyId'))) ?? known.edgeType;
    return {
      source,
      target,
      edge,
      edgeType,
      direction,
      weight: this.real(address + fieldOffset('PathElement', 'Weight')),
    };
  }

  /** Addresses of the live entries of a table, in their order. */
  private *entries(object: number): Generator<number> {
    if (object === 0) return;
    const address = (object - reference) >>> 0;
    const stride = this.word(address + table.form) >>> 16;
    const first = this.word(address + table.entries);
    for (let at = 0; at < this.word(address + table.used); at++) {
      const entry = first + stride * at;
      if (this.word(entry + table.next) !== removed) yield entry;
    }
  }

  private values(address: number): PluginResult {
    const field = (name: Parameters<typeof fieldOffset<'GraphAnalyticsResult'>>[1]): number =>
      this.word(address + fieldOffset('GraphAnalyticsResult', name));
    const isPartition = field('IsPartition') !== 0;
    const ids: number[] = [];
    const values: number[] = [];
    for (const entry of this.entries(field(isPartition ? 'VertexPartitions' : 'VertexScores'))) {
      ids.push(this.word(entry + table.key) | 0);
      values.push(isPartition ? this.word(entry + table.value) | 0 : this.real(entry + table.value));
    }
    const statistics: Record<string, number> = {};
    for (const entry of this.entries(field('Statistics'))) {
      const value = this.number(this.word(entry + table.value));
      if (value !== null) statistics[this.text(this.word(entry + table.key)) ?? ''] = value;
    }
    return {
      ...{ kind: 'values', isPartition, ids, values, statistics },
      ...{ converged: field('Converged') !== 0, iterations: field('IterationsRun') | 0 },
      budgetExhausted: field('BudgetExhausted') !== 0,
    };
  }

  /** The number in a box; null for other objects. */
  private number(object: number): number | null {
    if ((object & reference) === 0) return null;
    const at = (object - reference + places.payload) >>> 0;
    const view = new DataView(this.core.memory.buffer);
    switch (this.tag(object)) {
      case TypeId.byte:
      case TypeId.uint16:
      case TypeId.uint32:
        return this.word(at);
      case TypeId.sbyte:
      case TypeId.int16:
      case TypeId.int32:
        return this.word(at) | 0;
      case TypeId.int64:
        return Number(view.getBigInt64(at, true));
      case TypeId.uint64:
        return Number(view.getBigUint64(at, true));
      case TypeId.single:
        return view.getFloat32(at, true);
      case TypeId.double:
        return view.getFloat64(at, true);
      default:
        return null;
    }
  }
}
