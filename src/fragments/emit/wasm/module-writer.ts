// WebAssembly's binary format as far as fragments need it: one memory import, function and global imports, globals, functions, exports.
// Knows bytes and sections; nothing of C#.

import { step } from '../../steps.ts';
import { ByteWriter } from './byte-writer.ts';
import { bodyOf, type CodeWriter } from './code-writer.ts';
import { control, typeCodes, type ValueType, zeros } from './opcodes.ts';

const functionType = 0x60;
/** `\0asm`, and version 1. */
const preamble = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** Ids, in the order in which sections stand in a module; the tags stand before the globals. */
const sections = { types: 1, imports: 2, functions: 3, tags: 13, globals: 6, exports: 7, code: 10 };
/** What is imported or exported. */
const externals = { function: 0, memory: 2, global: 3 } as const;
const mutable = 1;
/** Pages: none at least; a shared memory says that it has no more than 65,536. */
const ownLimits = [0, 0];
const sharedLimits = [3, 0, 0x80, 0x80, 0x04];

/** A signature, as parameters and at most one result. */
export interface Signature {
  readonly parameters: readonly ValueType[];
  readonly result: ValueType | null;
}

const thrown: Signature = { parameters: ['i32'], result: null };

interface Import {
  readonly module: string;
  readonly name: string;
  readonly signature: Signature;
}

export class ModuleWriter {
  private readonly shared: boolean;
  /** Whether it has the one tag, of an i32, that its functions throw and catch. */
  throws = false;
  private readonly types: Signature[] = [];
  private readonly typeIndex = new Map<string, number>();
  private readonly imports: Import[] = [];
  private readonly importIndex = new Map<string, number>();
  private readonly globals: ValueType[] = [];
  private readonly functions: { readonly signature: Signature; code: CodeWriter | null; body: Uint8Array | null }[] =
    [];
  private readonly exports: { name: string; kind: 0 | 3; index: number; own: boolean }[] = [];

  /** `shared`: whether the memory it will run over is. */
  constructor(shared: boolean) {
    this.shared = shared;
  }

  /** Index of an imported function. */
  import(module: string, name: string, signature: Signature): number {
    const key = `${module}.${name}`;
    const known = this.importIndex.get(key);
    if (known !== undefined) return known;
    const index = this.imports.length;
    this.imports.push({ module, name, signature });
    this.importIndex.set(key, index);
    return index;
  }

  /** A mutable global; index 0 is the imported fuel. */
  addGlobal(type: ValueType, exportName?: string): number {
    this.globals.push(type);
    const index = this.globals.length;
    if (exportName !== undefined) this.exports.push({ name: exportName, kind: externals.global, index, own: false });
    return index;
  }

  /** Declares a function; the index is for `define` and `callOwn`. */
  declare(signature: Signature, exportName?: string): number {
    this.functions.push({ signature, code: null, body: null });
    const index = this.functions.length - 1;
    if (exportName !== undefined) this.exports.push({ name: exportName, kind: externals.function, index, own: true });
    return index;
  }

  /** Exports a function of the module. */
  export(name: string, index: number): void {
    this.exports.push({ name, kind: externals.function, index, own: true });
  }

  define(index: number, code: CodeWriter): void {
    step(20 + (code.out.length >> 2));
    (this.functions[index] as { code: CodeWriter | null }).code = code;
  }

  // --- For passes over what is finished ------------------------------------------------------------------------------------

  get importCount(): number {
    return this.imports.length;
  }

  allFunctions(): readonly { readonly signature: Signature; readonly code: CodeWriter }[] {
    return this.functions.map(({ signature, code }) => ({ signature, code: code as CodeWriter }));
  }

  /** Types of the globals, without the fuel. */
  globalTypes(): readonly ValueType[] {
    return [...this.globals];
  }

  /** Of a global as instructions number it. */
  globalType(index: number): ValueType {
    return index === 0 ? 'i32' : (this.globals[index - 1] as ValueType);
  }

  importsThat(isOne: (module: string, name: string) => boolean): number[] {
    return this.imports.flatMap(({ module, name }, index) => (isOne(module, name) ? [index] : []));
  }

  importIs(target: number, isOne: (module: string, name: string) => boolean): boolean {
    const { module, name } = this.imports[target] as Import;
    return isOne(module, name);
  }

  /** Of a function as calls number it. */
  signatureOf(target: number): Signature {
    const own = this.functions[target - this.imports.length];
    return (target < this.imports.length ? this.imports[target] : own)?.signature as Signature;
  }

  /** Another body for a function; no import comes behind this. */
  replace(index: number, { code, locals }: { readonly code: Uint8Array; readonly locals: readonly ValueType[] }): void {
    step(20 + (code.length >> 2));
    (this.functions[index] as { body: Uint8Array | null }).body = bodyOf(code, locals);
  }

  write(): Uint8Array<ArrayBuffer> {
    if (this.throws) this.typeOf(thrown);
    for (const { signature } of [...this.imports, ...this.functions]) this.typeOf(signature);
    const out = new ByteWriter();
    out.bytes(preamble);
    section(out, sections.types, (body) => this.writeTypes(body));
    section(out, sections.imports, (body) => this.writeImports(body));
    section(out, sections.functions, (body) => {
      body.unsigned(this.functions.length);
      for (const { signature } of this.functions) body.unsigned(this.typeOf(signature));
    });
    if (this.throws) section(out, sections.tags, (body) => body.bytes([1, 0, this.typeOf(thrown)]));
    section(out, sections.globals, (body) => this.writeGlobals(body));
    section(out, sections.exports, (body) => {
      body.unsigned(this.exports.length);
      for (const { name, kind, index, own } of this.exports) {
        body.name(name);
        body.byte(kind);
        body.unsigned(own ? index + this.imports.length : index);
      }
    });
    section(out, sections.code, (body) => {
      body.unsigned(this.functions.length);
      for (const { code, body: replaced } of this.functions) {
        const bytes = replaced ?? (code as CodeWriter).finish(this.imports.length);
        body.unsigned(bytes.length);
        body.bytes(bytes);
      }
    });
    return out.take();
  }

  private writeTypes(body: ByteWriter): void {
    body.unsigned(this.types.length);
    for (const { parameters, result } of this.types) {
      body.byte(functionType);
      body.unsigned(parameters.length);
      for (const type of parameters) body.byte(typeCodes[type]);
      body.bytes(result === null ? [0] : [1, typeCodes[result]]);
    }
  }

  private writeImports(body: ByteWriter): void {
    body.unsigned(this.imports.length + 2);
    body.name('env');
    body.name('memory');
    body.byte(externals.memory);
    body.bytes(this.shared ? sharedLimits : ownLimits);
    body.name('env');
    body.name('fuel');
    body.bytes([externals.global, typeCodes.i32, mutable]);
    for (const { module, name, signature } of this.imports) {
      body.name(module);
      body.name(name);
      body.byte(externals.function);
      body.unsigned(this.typeOf(signature));
    }
  }

  private writeGlobals(body: ByteWriter): void {
    body.unsigned(this.globals.length);
    for (const type of this.globals) {
      body.bytes([typeCodes[type], mutable]);
      body.bytes(zeros[type]);
      body.byte(control.end);
    }
  }

  private typeOf(signature: Signature): number {
    const key = `${signature.parameters.join()}>${signature.result ?? ''}`;
    const known = this.typeIndex.get(key);
    if (known !== undefined) return known;
    this.typeIndex.set(key, this.types.length);
    this.types.push(signature);
    return this.types.length - 1;
  }
}

function section(out: ByteWriter, id: number, write: (body: ByteWriter) => void): void {
  const body = new ByteWriter();
  write(body);
  out.byte(id);
  out.unsigned(body.length);
  out.bytes(body.take());
}
