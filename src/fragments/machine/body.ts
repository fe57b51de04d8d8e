// One function, instruction by instruction. Blocks are as in WebAssembly: a value that leaves one lies in the register of the height at which
// the block began. What is not reached is skipped.

import {
  control,
  f32,
  f64,
  i32,
  i64,
  parametric,
  type ValueType,
  variable,
  vectorPrefix,
} from '../emit/wasm/opcodes.ts';
import { type Body, ByteReader, type ImportedFunction, type ModuleParts, NotTranslated } from './module-reader.ts';
import { coreCall, functionHeadBytes, operations, takesRegisters } from './operations.ts';
import { StraightTranslator } from './straight.ts';
import { translateVector } from './vectors.ts';

/** Words that are known when everything is translated. */
export interface Joints {
  readonly coreCalls: { readonly word: number; readonly name: string }[];
  readonly ownCalls: { readonly word: number; readonly index: number }[];
}

interface Block {
  kind: 'block' | 'loop' | 'if' | 'try';
  readonly height: number;
  readonly result: ValueType | null;
  /** Of a loop: where it begins. */
  readonly start: number;
  /** Words to be told where the block ends. */
  readonly ends: number[];
  /** Of an `if`: the word that jumps over it. */
  unless: number;
  /** Of a `try`: words to be told where its `catch` begins. */
  readonly handlers: number[];
}

/** How a block without a result is written, as a signed number. */
const noResult = -64n;

export class BodyTranslator extends StraightTranslator {
  private readonly body: Body;
  private readonly words: number[];
  private readonly joints: Joints;
  private readonly blocks: Block[] = [];
  private isReached = true;
  /** Blocks that were opened where nothing is reached. */
  private skipped = 0;

  constructor(bytes: Uint8Array, parts: ModuleParts, body: Body, words: number[], joints: Joints) {
    super(new ByteReader(bytes, body.from), parts, body.signature.parameters, words);
    this.body = body;
    this.words = words;
    this.joints = joints;
  }

  translate(): void {
    const { registers, words, body } = this;
    const head = words.length;
    const parameters = body.signature.parameters.length;
    const ownBytes = registers.register(this.locals.length - parameters);
    words.push(0, (registers.register(parameters) | (ownBytes << 16)) >>> 0);
    if ((words.length - head) * 4 !== functionHeadBytes) throw new Error('The head of a function has another size.');
    this.blocks.push({ ...newBlock('block', 0, body.signature.result) });
    while (this.reader.at < body.to) {
      const code = this.reader.byte();
      if (this.isReached) this.instruction(code);
      else this.skip(code);
    }
    words[head] = registers.frameBytes;
  }

  private instruction(code: number): void {
    if (code < parametric.drop) this.control(code);
    else if (code <= variable.globalSet) this.move(code);
    else if (code < i32.eqz) this.memoryOrConstant(code);
    else if (code === vectorPrefix) translateVector(this.reader, this.registers);
    else this.compute(code);
  }

  // --- control --------------------------------------------------------------------------------------------------------------

  private control(code: number): void {
    const { reader } = this;
    if (code === control.block) this.open('block');
    else if (code === control.loop) this.open('loop');
    else if (code === control.try) this.open('try');
    else if (code === control.if) this.openIf();
    else if (code === control.else || code === control.catch) this.secondPart(code);
    else if (code === control.end) this.end();
    else if (code === control.br) this.branch(this.blockAt(reader.unsigned()));
    else if (code === control.brIf) this.branchIf(this.blockAt(reader.unsigned()));
    else if (code === control.call) this.call(reader.unsigned());
    else this.depart(code);
  }

  /** Instructions behind which nothing is reached. */
  private depart(code: number): void {
    const { registers } = this;
    if (code === control.throw) this.throw();
    else if (code === control.return) this.return();
    else if (code === control.unreachable) registers.emit(operations.unreachable, 0, 0);
    else throw new NotTranslated('an instruction');
    this.isReached = false;
  }

  private blockAt(depth: number): Block {
    return this.blocks[this.blocks.length - 1 - depth] as Block;
  }

  private resultType(): ValueType | null {
    const { reader } = this;
    const before = reader.at;
    if (reader.signed() === noResult) return null;
    reader.at = before;
    return reader.type();
  }

  private open(kind: 'block' | 'loop' | 'try'): void {
    const { registers } = this;
    registers.settleFrom(0);
    registers.label();
    this.blocks.push({ ...newBlock(kind, registers.stack.length, this.resultType()), start: registers.here });
  }

  private openIf(): void {
    const { registers } = this;
    const result = this.resultType();
    const below = registers.stack.slice(0, -1);
    // Settled on either way: the condition, which was computed before, stays where it is.
    if (below.some(({ local, constant }) => local !== undefined || constant !== undefined)) registers.settleFrom(0);
    const unless = registers.jumpOn(false);
    this.blocks.push({ ...newBlock('if', registers.stack.length, result), unless });
  }

  /** `else`, or `catch`. */
  private secondPart(code: number): void {
    const { registers, words } = this;
    const block = this.blockAt(0);
    if (this.isReached) {
      this.leave(block);
      this.jump(block);
    }
    registers.stack.length = block.height;
    registers.label();
    this.isReached = true;
    if (code === control.else) {
      words[block.unless] = registers.here;
      block.unless = 0;
    } else {
      this.reader.unsigned();
      for (const word of block.handlers) words[word] = registers.here;
      registers.make(operations.caught, 'i32', 0);
    }
    block.kind = 'block';
  }

  private end(): void {
    const { registers, words } = this;
    const block = this.blocks.pop() as Block;
    if (this.isReached) this.leave(block);
    if (block.unless > 0) words[block.unless] = registers.here;
    for (const word of block.ends) words[word] = registers.here;
    this.isReached ||= block.unless > 0 || block.ends.length > 0;
    registers.label();
    registers.stack.length = block.height;
    if (!this.isReached) return;
    if (block.result !== null) registers.push(block.result);
    if (this.blocks.length === 0) this.return();
  }

  /** Puts the value that leaves a block where it is expected. */
  private leave({ kind, height, result }: Block): void {
    const { registers } = this;
    if (kind === 'loop' || result === null) return;
    const from = registers.read(registers.top);
    const to = registers.own(height);
    if (from !== to) registers.copy(to, from, result);
  }

  private jump(block: Block): void {
    this.registers.emit(operations.jump, 0, 0);
    this.aim(block, this.words.length - 1);
  }

  /** A word becomes the place where a branch to a block goes on. */
  private aim(block: Block, word: number): void {
    if (block.kind === 'loop') this.words[word] = block.start;
    else block.ends.push(word);
  }

  private branch(block: Block): void {
    if (block === this.blocks[0]) this.return();
    else {
      this.leave(block);
      this.jump(block);
    }
    this.isReached = false;
  }

  private branchIf(block: Block): void {
    const { registers, words } = this;
    const isReturn = block === this.blocks[0];
    if (!isReturn && (block.kind === 'loop' || block.result === null)) {
      this.aim(block, registers.jumpOn(true));
      registers.label();
      return;
    }
    // Read on either way.
    if (block.result !== null) registers.settleFrom(registers.top - 1);
    const over = registers.jumpOn(false);
    if (isReturn) this.return();
    else {
      this.leave(block);
      this.jump(block);
    }
    words[over] = registers.here;
    registers.label();
  }

  private return(): void {
    const { registers } = this;
    const { result } = this.body.signature;
    if (result !== null) {
      const from = registers.read(registers.top);
      if (from !== 0) registers.copy(0, from, result);
    }
    registers.emit(operations.return, 0, 0);
  }

  private handlers(): number[] | null {
    return this.blocks.findLast(({ kind }) => kind === 'try')?.handlers ?? null;
  }

  private throw(): void {
    const { registers } = this;
    this.reader.unsigned();
    const from = registers.read(registers.top);
    const handlers = this.handlers();
    registers.emit(handlers === null ? operations.throw : operations.throwHere, 0, from, 0);
    handlers?.push(this.words.length - 1);
    registers.pop();
  }

  private call(index: number): void {
    const { imports, bodies } = this.parts;
    const imported = imports[index];
    if (imported?.module === 'core') this.callCore(imported);
    else if (imported !== undefined) this.callHost(imported);
    else this.callOwn(index - imports.length, bodies[index - imports.length] as Body);
  }

  /** Two operands are read where they are; more lie one behind the other. */
  private callCore({ name, signature }: ImportedFunction): void {
    const { registers } = this;
    const { parameters, result } = signature;
    const operation = coreCall(`${parameters.join(',')}>${result ?? ''}`);
    if (operation === null) throw new NotTranslated('a function');
    const first = registers.stack.length - parameters.length;
    let operands = 0;
    if (takesRegisters(parameters)) {
      if (parameters.length > 0) operands = registers.read(first);
      if (parameters.length > 1) operands |= registers.read(first + 1) << 16;
    } else {
      registers.settleFrom(first);
      operands = registers.own(first);
    }
    registers.stack.length = first;
    if (result === null) registers.emit(operation, 0, operands, 0);
    else registers.make(operation, result, operands, 0);
    this.joints.coreCalls.push({ word: this.words.length - 1, name });
  }

  private callHost({ name, signature }: ImportedFunction): void {
    const { registers } = this;
    const first = registers.stack.length - signature.parameters.length;
    if (name === 'refuel') registers.emit(operations.refuel, 0, 0);
    else if (name === 'fail') registers.emit(operations.fail, 0, registers.read(first));
    else if (name === 'failWith')
      registers.emit(operations.failWith, 0, registers.read(first) | (registers.read(first + 1) << 16));
    else throw new NotTranslated('a function');
    registers.stack.length = first;
  }

  /** Its frame begins where its arguments lie; its result takes the place of the first. */
  private callOwn(index: number, { signature }: Body): void {
    const { registers, words } = this;
    const first = registers.stack.length - signature.parameters.length;
    registers.settleFrom(first);
    registers.stack.length = first;
    registers.emit(operations.call, registers.own(first), 0, 0);
    this.joints.ownCalls.push({ word: words.length - 2, index });
    this.handlers()?.push(words.length - 1);
    if (signature.result !== null) registers.push(signature.result);
  }

  // --- what is not reached ----------------------------------------------------------------------------------------------------

  private skip(code: number): void {
    const { reader } = this;
    const opens = code === control.block || code === control.loop || code === control.if || code === control.try;
    const isPart = code === control.else || code === control.catch;
    if (opens) {
      reader.signed();
      this.skipped++;
    } else if (code === control.end && this.skipped > 0) this.skipped--;
    else if (code === control.end || (isPart && this.skipped === 0)) this.control(code);
    else skipImmediates(reader, code);
  }
}

function newBlock(kind: Block['kind'], height: number, result: ValueType | null): Block {
  return { kind, height, result, start: 0, ends: [], unless: 0, handlers: [] };
}

function skipImmediates(reader: ByteReader, code: number): void {
  const isIndexed = code >= variable.localGet && code <= variable.globalSet;
  if (isIndexed || code === control.br || code === control.brIf || code === control.call) reader.unsigned();
  else if (code === control.throw || code === control.catch) reader.unsigned();
  else if (code >= i32.load && code < i32.const) {
    reader.unsigned();
    reader.unsigned();
  } else if (code === i32.const || code === i64.const) reader.signed();
  else if (code === f32.const) reader.at += 4;
  else if (code === f64.const) reader.at += 8;
  else if (code === vectorPrefix) skipVector(reader);
}

function skipVector(reader: ByteReader): void {
  translateVector(reader, null);
}
