// The promises of every built module, checked on its bytes. Every instance over one shared memory would write a data
// segment again and run a start function again, so neither may exist; imports are a closed list; binaryen validates the
// code under exactly the features the oldest supported runtime has. Command line: node scripts/check-wasm.mjs <file>...

import { readFileSync } from 'node:fs';
import { isStarted } from './lib/freshness.mjs';

const SECTION_CUSTOM = 0;
const SECTION_IMPORT = 2;
const SECTION_MEMORY = 5;
const SECTION_START = 8;
const SECTION_ELEMENT = 9;
const SECTION_DATA = 11;
const SECTION_DATA_COUNT = 12;

const KIND_NAMES = ['function', 'table', 'memory', 'global', 'tag'];
const MAX_PAGES = 65536;
/** What a compiled fragment imports beside the memory, and the end of too deep calls. */
const MACHINE_FUNCTIONS = ['env.refuel', 'env.fail', 'env.failWith', 'env.overflow'];

/**
 * Reads the section table and the imports of a module: `{ sections: [{ id, name, bytes }], imports: [{ module, name, kind,
 * shared, minimum, maximum }] }` (limits for memories only, `maximum` null when open). Throws on anything cut short.
 */
export function inspectModule(bytes) {
  const reader = new Reader(bytes);
  if (reader.u32le() !== 0x6d736100 || reader.u32le() !== 1) throw new Error('not a WebAssembly 1 module');
  const sections = [];
  const imports = [];
  while (reader.offset < bytes.length) {
    const id = reader.byte();
    const size = reader.leb();
    const end = reader.offset + size;
    if (end > bytes.length) throw new Error(`section ${id} is cut short`);
    const section = { id, name: '', bytes: size };
    if (id === SECTION_CUSTOM) section.name = reader.name();
    if (id === SECTION_IMPORT) {
      for (let count = reader.leb(); count > 0; count--) imports.push(readImport(reader));
    }
    sections.push(section);
    reader.offset = end;
  }
  return { sections, imports };
}

/**
 * What is wrong with a module, as sentences; an empty list when it keeps every promise.
 * `variant`: 'shared' or 'plain', the memory it must import, or 'machine', which imports a plain one and what fragments do;
 * `debug`: whether it may import the abort hook.
 */
export async function problemsOf(bytes, { variant, debug }) {
  let module;
  try {
    module = inspectModule(bytes);
  } catch (error) {
    return [error.message];
  }
  const problems = [];
  const forbidden = new Map([
    [SECTION_MEMORY, 'a memory of its own (section 5)'],
    [SECTION_START, 'a start function (section 8): a top-level initialiser is not a constant'],
    [SECTION_DATA, 'a data section (section 11): a string, an array literal or a message of the compiler'],
    [SECTION_DATA_COUNT, 'a data count section (section 12)'],
    [SECTION_ELEMENT, 'an element section (section 9): a function is used as a value'],
  ]);
  for (const { id } of module.sections) {
    if (forbidden.has(id)) problems.push(`it has ${forbidden.get(id)}`);
  }
  for (const entry of module.imports) problems.push(...importProblems(entry, variant, debug));
  problems.push(...(await validationProblems(bytes)));
  return problems;
}

function importProblems({ module, name, kind, shared, minimum, maximum }, variant, debug) {
  const full = `${module}.${name}`;
  if (full === 'env.table' && kind === 'table') return [];
  if (full === 'env.pulse' && kind === 'function') return [];
  if (variant === 'machine' && kind === (full === 'env.fuel' ? 'global' : 'function')) {
    if (full === 'env.fuel' || MACHINE_FUNCTIONS.includes(full)) return [];
  }
  if (full === 'env.abort' && kind === 'function') {
    return debug ? [] : ['it imports env.abort, which only a debug build may: a check has not been removed'];
  }
  if (full !== 'env.memory' || kind !== 'memory') return [`it imports ${full} (${kind}), which is not on the list`];
  if (shared !== (variant === 'shared'))
    return [`its memory is ${shared ? 'shared' : 'not shared'} in the ${variant} variant`];
  // The host may create the memory with any size: a shared one always at the full 65,536 pages.
  if (minimum > 1) return [`its memory asks for ${minimum} pages at least`];
  if (shared ? maximum !== MAX_PAGES : maximum !== null) return [`its memory is limited to ${maximum} pages`];
  return [];
}

async function validationProblems(bytes) {
  const { default: binaryen } = await import('binaryen');
  const known = binaryen.Features;
  const numeric = known.SignExt | known.NontrappingFPToInt | known.SIMD128;
  const features =
    known.MVP |
    known.Atomics |
    known.MutableGlobals |
    known.BulkMemory |
    known.BulkMemoryOpt |
    known.Multivalue |
    numeric;
  let module;
  try {
    module = binaryen.readBinary(bytes);
    module.setFeatures(features);
    return module.validate() ? [] : ['binaryen finds it invalid (see above)'];
  } catch (error) {
    return [`binaryen cannot read it: ${error?.message ?? error}`];
  } finally {
    module?.dispose();
  }
}

function readImport(reader) {
  const module = reader.name();
  const name = reader.name();
  const kind = KIND_NAMES[reader.byte()] ?? 'unknown';
  if (kind === 'function') {
    reader.leb();
    return { module, name, kind };
  }
  if (kind === 'table') {
    reader.byte();
    return { module, name, kind, ...readLimits(reader) };
  }
  if (kind === 'memory') return { module, name, kind, ...readLimits(reader) };
  if (kind === 'global') {
    reader.byte();
    reader.byte();
    return { module, name, kind };
  }
  throw new Error(`import ${module}.${name} has an unknown kind`);
}

function readLimits(reader) {
  const flags = reader.byte();
  const minimum = reader.leb();
  const maximum = flags & 1 ? reader.leb() : null;
  return { shared: (flags & 2) !== 0, minimum, maximum };
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.offset = 0;
  }

  byte() {
    if (this.offset >= this.bytes.length) throw new Error('the module is cut short');
    return this.bytes[this.offset++];
  }

  u32le() {
    return (this.byte() | (this.byte() << 8) | (this.byte() << 16) | (this.byte() << 24)) >>> 0;
  }

  leb() {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if ((byte & 0x80) === 0) return value;
    }
    throw new Error('a number is too long');
  }

  name() {
    const length = this.leb();
    const start = this.offset;
    this.offset += length;
    return new TextDecoder().decode(this.bytes.subarray(start, this.offset));
  }
}

async function main(files) {
  for (const file of files) {
    const bytes = readFileSync(file);
    const problems = await problemsOf(bytes, {
      variant: file.includes('plain') ? 'plain' : 'shared',
      debug: file.includes('debug'),
    });
    console.log(`${file}: ${bytes.length} bytes${problems.length === 0 ? ', good' : ''}`);
    for (const problem of problems) console.log(`  ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

if (isStarted(import.meta.url)) await main(process.argv.slice(2));
