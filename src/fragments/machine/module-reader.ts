// The sections of a module as the emitter writes it (emit/wasm/module-writer.ts). Reads its own kind alone: what has something else is not translated.

import type { Signature } from '../emit/wasm/module-writer.ts';
import { f32, f64, typeCodes, type ValueType, vectorPrefix } from '../emit/wasm/opcodes.ts';

/** The module has something that programs have not: the fragment is interpreted. */
export class NotTranslated extends Error {
  override readonly name = 'NotTranslated';
}

export interface ImportedFunction {
  readonly module: string;
  readonly name: string;
  readonly signature: Signature;
}

/** Where the bytes of a function lie: its locals, then its instructions. */
export interface Body {
  readonly signature: Signature;
  readonly from: number;
  readonly to: number;
}

export interface ModuleParts {
  readonly imports: readonly ImportedFunction[];
  readonly bodies: readonly Body[];
  /** Without the imported fuel, which is number 0. */
  readonly globals: readonly ValueType[];
  /** Numbers by name; functions count from the first import. */
  readonly exportedFunctions: ReadonlyMap<string, number>;
  readonly exportedGlobals: ReadonlyMap<string, number>;
}

const names = new Map(Object.entries(typeCodes).map(([name, code]) => [code, name as ValueType]));

export class ByteReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++] as number;
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  /** The low 64 bits. */
  signed(): bigint {
    let value = 0n;
    for (let shift = 0n; ; ) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      shift += 7n;
      if (byte < 0x80) return BigInt.asIntN(64, byte & 0x40 ? value | (-1n << shift) : value);
    }
  }

  word(): number {
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }

  type(): ValueType {
    const name = names.get(this.byte());
    if (name === undefined) throw new NotTranslated('a type');
    return name;
  }

  text(): string {
    const length = this.unsigned();
    this.at += length;
    return String.fromCharCode(...this.bytes.subarray(this.at - length, this.at));
  }

  /** A vector of the format. */
  list<T>(read: () => T): T[] {
    return Array.from({ length: this.unsigned() }, read);
  }
}

const typeSection = 1;
const importSection = 2;
const functionSection = 3;
const globalSection = 6;
const exportSection = 7;
const codeSection = 10;
const tagSection = 13;

/** Throws NotTranslated. */
export function readModule(bytes: Uint8Array): ModuleParts {
  const reader = new ByteReader(bytes, 8);
  let types: Signature[] = [];
  let own: Signature[] = [];
  let imports: ImportedFunction[] = [];
  let globals: ValueType[] = [];
  const bodies: Body[] = [];
  const exported: readonly [Map<string, number>, Map<string, number>] = [new Map(), new Map()];
  const typeAt = (): Signature => types[reader.unsigned()] as Signature;
  const sections: Readonly<Record<number, () => void>> = {
    [typeSection]: () => {
      types = reader.list(() => readSignature(reader));
    },
    [importSection]: () => {
      imports = reader.list(() => readImport(reader, typeAt)).filter((one) => one !== null);
    },
    [functionSection]: () => {
      own = reader.list(typeAt);
    },
    [globalSection]: () => {
      globals = reader.list(() => readGlobal(reader));
    },
    [exportSection]: () => {
      reader.list(() => {
        const name = reader.text();
        const list = reader.byte() === 0 ? exported[0] : exported[1];
        list.set(name, reader.unsigned());
      });
    },
    [codeSection]: () => {
      for (const signature of own.slice(0, reader.unsigned())) {
        const length = reader.unsigned();
        bodies.push({ signature, from: reader.at, to: reader.at + length });
        reader.at += length;
      }
    },
    [tagSection]: () => {},
  };
  while (reader.at < bytes.length) {
    const read = sections[reader.byte()];
    const length = reader.unsigned();
    const end = reader.at + length;
    if (read === undefined) throw new NotTranslated('a section');
    read();
    reader.at = end;
  }
  return { imports, bodies, globals, exportedFunctions: exported[0], exportedGlobals: exported[1] };
}

function readSignature(reader: ByteReader): Signature {
  reader.byte();
  const parameters = reader.list(() => reader.type());
  const [result = null] = reader.list(() => reader.type());
  return { parameters, result };
}

/** Null: the memory, or the fuel. */
function readImport(reader: ByteReader, typeAt: () => Signature): ImportedFunction | null {
  const [module, name] = [reader.text(), reader.text()];
  const kind = reader.byte();
  if (kind === 0) return { module, name, signature: typeAt() };
  if (kind === 2) {
    if (reader.unsigned() & 1) reader.unsigned();
    reader.unsigned();
  } else reader.at += 2;
  return null;
}

/** All begin at zero. */
function readGlobal(reader: ByteReader): ValueType {
  const type = reader.type();
  reader.byte();
  const instruction = reader.byte();
  if (instruction === vectorPrefix) reader.at += 17;
  else if (instruction === f32.const) reader.at += 4;
  else if (instruction === f64.const) reader.at += 8;
  else reader.signed();
  reader.byte();
  return type;
}
