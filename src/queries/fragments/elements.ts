// Elements as the interpreter asks for them (src/fragments/element-reader.ts), over one instance of the core: each question is a few core
// calls. Whoever uses it has called `fragmentBegin` for the graph and is announced.

import { embeddingKey, embeddingModelKey } from '../../core/embeddings.ts';
import { findName } from '../../core/fragments.ts';
import type { CoreInstance } from '../../core/instance.ts';
import { TypeId } from '../../core/values.ts';
import type { EdgeDirection, EdgeGroup, ElementReader, PropertyValue } from '../../fragments/element-reader.ts';
import type { RealFunctions } from '../../fragments/real-functions.ts';

/** The functions of mathematics of an instance. */
export function realFunctions({ exports }: CoreInstance): RealFunctions {
  return exports as unknown as RealFunctions;
}

const none = 0xffffffff;
const recordHeader = 8;

export class CoreElements implements ElementReader {
  private readonly core: CoreInstance;

  constructor(core: CoreInstance) {
    this.core = core;
  }

  isVertex(id: number): boolean {
    return this.core.exports.fragmentKind(id) === 1;
  }

  label(id: number): string | null {
    return this.name(this.core.exports.fragmentLabelId(id));
  }

  property(id: number, key: string): PropertyValue | null {
    const name = findName(this.core, key);
    if (name === null) return null;
    const slot = this.core.exports.fragmentFind(id, name) >>> 0;
    return slot === 0 ? null : this.value(slot, this.core.exports.fragmentFoundType());
  }

  propertyCount(id: number): number {
    return this.core.exports.fragmentPropertyCount(id) >>> 0;
  }

  *stringProperties(id: number): Iterable<string> {
    const { exports } = this.core;
    const row = exports.fragmentRow(id) >>> 0;
    const count = exports.fragmentRowCount(row) >>> 0;
    for (let i = 0; i < count; i++) {
      const record = exports.fragmentRowText(row, i) >>> 0;
      if (record !== 0) yield this.recordText(record);
    }
  }

  created(id: number): number {
    return this.core.exports.fragmentCreationSeconds(id) >>> 0;
  }

  modified(id: number): number {
    return this.core.exports.fragmentModificationSeconds(id) >>> 0;
  }

  embedding(id: number, name: string): Float32Array | null {
    const found = this.property(id, embeddingKey(name));
    return found?.type === 'Single[]' ? found.value : null;
  }

  embeddingStamp(id: number, name: string): string | null {
    const found = this.property(id, embeddingModelKey(name));
    return found?.type === 'String' ? found.value : null;
  }

  degree(vertex: number, direction: EdgeDirection): number {
    return this.core.exports.fragmentDegree(vertex, direction === 'out' ? 0 : 1) >>> 0;
  }

  edgeGroups(vertex: number, direction: EdgeDirection): readonly EdgeGroup[] | null {
    const { exports } = this.core;
    const map = exports.fragmentEdges(vertex, direction === 'out' ? 0 : 1) >>> 0;
    if (map === 0) return null;
    const groups: EdgeGroup[] = [];
    const count = exports.fragmentGroups(map) >>> 0;
    for (let i = 0; i < count; i++) {
      const group = exports.fragmentGroupAt(map, i) >>> 0;
      if (group === 0) continue;
      const edges: number[] = [];
      const places = exports.fragmentListPlaces(group) >>> 0;
      for (let place = 0; place < places; place++) {
        const edge = exports.fragmentListAt(group, place);
        if (edge !== -1) edges.push(edge);
      }
      groups.push({ edgeType: this.name(exports.fragmentGroupType(group)) ?? '', edges });
    }
    return groups;
  }

  edge(id: number): { source: number; target: number; edgeType: string } {
    const { exports } = this.core;
    return {
      source: exports.fragmentEnd(id, 0),
      target: exports.fragmentEnd(id, 1),
      edgeType: this.name(exports.fragmentTypeId(id)) ?? '',
    };
  }

  /** The text of an interned name; null for NONE. */
  name(id: number): string | null {
    if (id >>> 0 === none) return null;
    const { exports } = this.core;
    return this.core.text(exports.internText(id) >>> 0, exports.internTextBytes(id));
  }

  private recordText(record: number): string {
    return this.core.text(record + recordHeader, this.word(record));
  }

  private word(address: number): number {
    return this.core.words[address >>> 2] as number;
  }

  /** A value by its slot (forms: assembly/values/types.ts). */
  private value(slot: number, type: number): PropertyValue | null {
    const view = new DataView(this.core.memory.buffer);
    switch (type) {
      case TypeId.string:
        return { type: 'String', value: this.recordText(this.word(slot)) };
      case TypeId.boolean:
        return { type: 'Boolean', value: this.word(slot) !== 0 };
      case TypeId.int64:
        return { type: 'Int64', value: view.getBigInt64(slot, true) };
      case TypeId.uint64:
        return { type: 'UInt64', value: view.getBigUint64(slot, true) };
      case TypeId.single:
        return { type: 'Single', value: view.getFloat32(slot, true) };
      case TypeId.double:
        return { type: 'Double', value: view.getFloat64(slot, true) };
      case TypeId.char:
        return { type: 'Char', value: this.word(slot) };
      case TypeId.timeSpan:
        return { type: 'TimeSpan', value: view.getBigInt64(slot, true) };
      case TypeId.dateTime: {
        const bits = view.getBigUint64(slot, true);
        return { type: 'DateTime', value: { ticks: bits & (2n ** 62n - 1n), kind: Number(bits >> 62n) } };
      }
      default:
        return smallInteger(type, this.word(slot)) ?? this.wideValue(view, this.word(slot), type);
    }
  }

  private wideValue(view: DataView, record: number, type: number): PropertyValue | null {
    switch (type) {
      case TypeId.decimal:
        return { type: 'Decimal', value: decimalText(view, record) };
      case TypeId.guid:
        return { type: 'Guid', value: guidText(this.core.bytes.subarray(record, record + 16)) };
      case TypeId.dateTimeOffset: {
        const offsetMinutes = view.getInt32(record + 8, true);
        const ticks = view.getBigInt64(record, true) + BigInt(offsetMinutes) * 600_000_000n;
        return { type: 'DateTimeOffset', value: { ticks, offsetMinutes } };
      }
      case TypeId.singleArray: {
        const count = this.word(record + 4);
        return {
          type: 'Single[]',
          value: new Float32Array(this.core.memory.buffer, record + recordHeader, count).slice(),
        };
      }
      default:
        return null;
    }
  }
}

function smallInteger(type: number, word: number): PropertyValue | null {
  switch (type) {
    case TypeId.byte:
      return { type: 'Byte', value: word };
    case TypeId.sbyte:
      return { type: 'SByte', value: word | 0 };
    case TypeId.int16:
      return { type: 'Int16', value: word | 0 };
    case TypeId.uint16:
      return { type: 'UInt16', value: word };
    case TypeId.int32:
      return { type: 'Int32', value: word | 0 };
    case TypeId.uint32:
      return { type: 'UInt32', value: word };
    default:
      return null;
  }
}

/** Digits with the scale's trailing zeros. */
function decimalText(view: DataView, record: number): string {
  const digits = view.getBigUint64(record, true) | (BigInt(view.getUint32(record + 8, true)) << 64n);
  const flags = view.getUint32(record + 12, true);
  const scale = (flags >>> 16) & 0xff;
  const text = digits.toString().padStart(scale + 1, '0');
  const sign = flags >>> 31 === 1 ? '-' : '';
  return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

function guidText(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
