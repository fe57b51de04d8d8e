// The instructions of a WebAssembly module, as far as a test has to see them: for each function its opcodes with their first immediate,
// and where its loops begin and end. Throws on anything that an emitted fragment has no business with.

export interface Instruction {
  readonly opcode: number;
  /** The first immediate, where it is an index or an offset; 0 for the others. */
  readonly value: number;
}

export interface ModuleCode {
  /** Ids of the sections. */
  readonly sections: readonly number[];
  /** Imported functions come first in the index space. */
  readonly importedFunctions: number;
  readonly exports: ReadonlyMap<string, { readonly kind: number; readonly index: number }>;
  readonly functions: readonly (readonly Instruction[])[];
}

class Reader {
  private readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get ended(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    return this.bytes[this.at++] as number;
  }

  number(): number {
    let result = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      result += (byte & 127) * 2 ** shift;
      if (byte < 128) return result;
    }
  }

  text(): string {
    const length = this.number();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

export function readCode(bytes: Uint8Array): ModuleCode {
  const reader = new Reader(bytes);
  reader.at = 8;
  const sections: number[] = [];
  const exports = new Map<string, { kind: number; index: number }>();
  const functions: Instruction[][] = [];
  let importedFunctions = 0;
  while (!reader.ended) {
    const id = reader.byte();
    const end = reader.number() + reader.at;
    sections.push(id);
    if (id === 2) importedFunctions = countFunctions(reader);
    if (id === 7) {
      for (let count = reader.number(); count > 0; count--) {
        const name = reader.text();
        exports.set(name, { kind: reader.byte(), index: reader.number() });
      }
    }
    if (id === 10) for (let count = reader.number(); count > 0; count--) functions.push(readFunction(reader));
    reader.at = end;
  }
  return { sections, importedFunctions, exports, functions };
}

function countFunctions(reader: Reader): number {
  let functions = 0;
  for (let count = reader.number(); count > 0; count--) {
    reader.text();
    reader.text();
    const kind = reader.byte();
    if (kind === 0) {
      functions++;
      reader.number();
    } else if (kind === 2) {
      const flags = reader.byte();
      reader.number();
      if (flags & 1) reader.number();
    } else if (kind === 3) reader.at += 2;
    else throw new Error(`an import of kind ${kind}`);
  }
  return functions;
}

function readFunction(reader: Reader): Instruction[] {
  const end = reader.number() + reader.at;
  for (let count = reader.number(); count > 0; count--) {
    reader.number();
    reader.byte();
  }
  const code: Instruction[] = [];
  while (reader.at < end) code.push(readInstruction(reader));
  return code;
}

function readInstruction(reader: Reader): Instruction {
  const opcode = reader.byte();
  switch (opcode) {
    case 0x02:
    case 0x03:
    case 0x04:
    case 0x06:
      reader.byte();
      return { opcode, value: 0 };
    case 0x07:
    case 0x08:
    case 0x0c:
    case 0x0d:
    case 0x10:
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x24:
      return { opcode, value: reader.number() };
    case 0x41:
    case 0x42:
      while (reader.byte() >= 128);
      return { opcode, value: 0 };
    case 0x43:
      reader.at += 4;
      return { opcode, value: 0 };
    case 0x44:
      reader.at += 8;
      return { opcode, value: 0 };
    case 0xfd:
      return readVector(reader);
    default:
  }
  if (opcode >= 0x28 && opcode <= 0x3e) {
    reader.number();
    return { opcode, value: reader.number() };
  }
  const plain =
    opcode <= 0x01 || opcode === 0x05 || opcode === 0x0b || opcode === 0x0f || opcode === 0x1a || opcode === 0x1b;
  if (plain || (opcode >= 0x45 && opcode <= 0xc4)) return { opcode, value: 0 };
  throw new Error(`the instruction 0x${opcode.toString(16)}`);
}

/** Loads, one store, constants, lanes and arithmetic. */
function readVector(reader: Reader): Instruction {
  const code = reader.number();
  if (code === 0x00 || code === vectorStore) {
    reader.number();
    reader.number();
  } else if (code === 0x0c) reader.at += 16;
  else if (code >= 0x15 && code <= 0x22) reader.byte();
  else if (code < 0x0e || (code > 0x53 && code < 0x60))
    throw new Error(`the vector instruction 0x${code.toString(16)}`);
  return { opcode: 0xfd, value: code };
}

const vectorStore = 0x0b;

export const isStore = ({ opcode, value }: Instruction): boolean =>
  (opcode >= 0x36 && opcode <= 0x3e) || (opcode === 0xfd && value === vectorStore);

/**
 * Whether the store at `at` keeps a word for a collection: a local or a global, at a place of the frame. The frame is a local that is written
 * once, from the global that ends the stack; in the function that stores the module's globals it is what the caller hands over.
 */
export function keepsWord(code: readonly Instruction[], at: number): boolean {
  const [frame, word] = [code[at - 2], code[at - 1]];
  if (frame?.opcode !== 0x20 || (word?.opcode !== 0x20 && word?.opcode !== 0x23)) return false;
  const writes = code.flatMap(({ opcode, value }, i) =>
    (opcode === 0x21 || opcode === 0x22) && value === frame.value ? [i] : [],
  );
  if (word.opcode === 0x23) return frame.value === 0 && writes.length === 0;
  return writes.length === 1 && code[(writes[0] as number) - 1]?.opcode === 0x23;
}

/** The instructions of each loop, in order of their beginnings. */
export function loopsOf(code: readonly Instruction[]): Instruction[][] {
  const loops: Instruction[][] = [];
  for (const [at, { opcode }] of code.entries()) {
    if (opcode !== 0x03) continue;
    let depth = 1;
    let end = at + 1;
    for (; depth > 0; end++) {
      const inner = (code[end] as Instruction).opcode;
      if (inner === 0x02 || inner === 0x03 || inner === 0x04 || inner === 0x06) depth++;
      else if (inner === 0x0b) depth--;
    }
    loops.push(code.slice(at, end));
  }
  return loops;
}
