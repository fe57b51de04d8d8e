// A function whose references a collection can see. WebAssembly's locals and operands are out of reach, so before each call behind which
// there may be a collection, and where one may begin, the words that are needed afterwards are stored to a stack in memory:
//
//   global sp            end of what the callers have stored; read once, at the function's start: its own frame begins there
//   before such a call   the live locals and the operands below the arguments go to the frame, sp becomes its end
//   at a loop's start    if a collection is wanted, the live locals go to the frame, and the collection is called with its end
//
// Nothing is undone afterwards: whoever calls says where the stack ends, so a throw needs no care. Nothing moves, so nothing is loaded again.
// Operands cannot be reached below others, so they go through locals of their own; what lies below a block does so before it begins.

import { ByteWriter } from './byte-writer.ts';
import { type Effect, effectOf, type Instruction, type Pushed, readInstructions } from './instructions.ts';
import { Liveness } from './liveness.ts';
import { control, i32, i64, parametric, type ValueType, v128, variable, vectorPrefix } from './opcodes.ts';
import type { SpillPlan } from './spill-plan.ts';

interface SpilledFunction {
  readonly parameters: readonly ValueType[];
  readonly result: ValueType | null;
  readonly locals: readonly ValueType[];
  readonly code: Uint8Array;
  /** Called from outside: the stack is empty then. */
  readonly isEntry: boolean;
  /** Makes the control block first. */
  readonly isFirst: boolean;
  /** Calls itself, by way of others perhaps: it may want a collection at its start. */
  readonly isRecursive: boolean;
}

/** Of the control block (assembly/fragments/run-heap.ts). */
const places = { wanted: 0, stackEnd: 4, stack: 136 } as const;
const bytesOf: Readonly<Record<ValueType, number>> = { i32: 4, i64: 8, f32: 0, f64: 0, v128: 16 };
const anyAlignment = 0;

interface Entry extends Pushed {
  /** The local that holds it as well; -1: none. */
  saved: number;
}

interface Open {
  readonly kind: number;
  readonly height: number;
  readonly result: ValueType | null;
}

const typesByCode: Readonly<Record<number, ValueType>> = {
  127: 'i32', 126: 'i64', 125: 'f32', 124: 'f64', 123: 'v128',
}; // biome-ignore format: a table

export class Spiller {
  private readonly plan: SpillPlan;
  private readonly made: SpilledFunction;
  private readonly code: readonly Instruction[];
  private readonly types: ValueType[];
  private readonly out = new ByteWriter();
  private readonly stack: Entry[] = [];
  private readonly opened: Open[] = [];
  private readonly spare: Record<ValueType, number[]> = { i32: [], i64: [], f32: [], f64: [], v128: [] };
  private readonly frame: number;
  /** The calls and loops where words are stored. */
  private readonly points = new Set<number>();
  private readonly pointsBefore: number[] = [];
  private live = new Map<number, number[]>();
  private frameBytes = 0;
  private reached = true;
  private skipped = 0;

  constructor(plan: SpillPlan, made: SpilledFunction) {
    this.plan = plan;
    this.made = made;
    this.code = readInstructions(made.code);
    this.types = [...made.parameters, ...made.locals];
    this.frame = this.newLocal('i32');
  }

  /** The body, but for its last `end`, and its locals. */
  spill(): { readonly code: Uint8Array<ArrayBuffer>; readonly locals: readonly ValueType[] } {
    const own = this.types.length;
    this.findPoints();
    this.live = new Liveness(this.code, own).at(this.points, own);
    for (const [at, instruction] of this.code.entries()) {
      if (this.reached) this.instruction(instruction, at);
      else this.skip(instruction);
    }
    const body = this.out.take();
    const head = new ByteWriter();
    this.writeStart(head);
    head.bytes(body);
    return { code: head.take(), locals: this.types.slice(this.made.parameters.length) };
  }

  private newLocal(type: ValueType): number {
    this.types.push(type);
    return this.types.length - 1;
  }

  private borrow(type: ValueType): number {
    return this.spare[type].pop() ?? this.newLocal(type);
  }

  private findPoints(): void {
    const { plan } = this;
    // Those around the instruction, the innermost last.
    const loops: number[] = [];
    for (const [at, { code, operand }] of this.code.entries()) {
      if (code === control.loop) loops.push(at);
      else if (code === control.end && operand === loops.at(-1)) loops.pop();
      else if (code === control.call) {
        if (plan.mayCollect(operand)) this.points.add(at);
        if (plan.allocates(operand)) for (const loop of loops) this.points.add(loop);
      }
    }
    let count = 0;
    for (let at = 0; at < this.code.length; at++) {
      this.pointsBefore.push(count);
      if (this.points.has(at)) count++;
    }
    this.pointsBefore.push(count);
  }

  // --- Writing ---------------------------------------------------------------------------------------------------------------

  private op(code: number, operand?: number): void {
    this.out.byte(code);
    if (operand !== undefined) this.out.unsigned(operand);
  }

  private writeStart(head: ByteWriter): void {
    const { plan, made } = this;
    const word = (value: number): void => {
      head.byte(i32.const);
      head.signed(BigInt(value));
    };
    const indexed = (code: number, index: number): void => {
      head.byte(code);
      head.unsigned(index);
    };
    if (made.isFirst) {
      indexed(control.call, plan.prepare);
      indexed(variable.globalSet, plan.control);
      indexed(variable.globalGet, plan.control);
      head.bytes([i32.eqz, control.if, 0x40]);
      indexed(control.call, plan.full);
      head.byte(control.end);
    }
    if (made.isEntry) {
      indexed(variable.globalGet, plan.control);
      word(places.stack);
      head.byte(i32.add);
      indexed(variable.globalSet, plan.sp);
    }
    indexed(variable.globalGet, plan.sp);
    indexed(variable.localTee, this.frame);
    word(this.frameBytes + plan.beyond + 4 * this.made.parameters.length * 4);
    head.byte(i32.add);
    indexed(variable.globalGet, plan.control);
    head.bytes([i32.load, anyAlignment, places.stackEnd, i32.gtU, control.if, 0x40]);
    indexed(control.call, plan.tooDeep);
    head.byte(control.end);
    if (made.isRecursive) {
      const before = this.out.length;
      this.collection(made.parameters.map((_type, at) => at));
      const piece = this.out.take().subarray(before);
      head.bytes(piece);
    }
  }

  /** Stores words to the frame and answers its bytes. */
  private store(locals: readonly number[]): number {
    let offset = 0;
    for (const local of locals) {
      const type = this.types[local] as ValueType;
      if (bytesOf[type] === 0) continue;
      this.op(variable.localGet, this.frame);
      this.op(variable.localGet, local);
      if (type === 'v128') this.out.bytes([vectorPrefix, v128.store, anyAlignment]);
      else this.out.bytes([type === 'i32' ? i32.store : i64.store, anyAlignment]);
      this.out.unsigned(offset);
      offset += bytesOf[type];
    }
    this.frameBytes = Math.max(this.frameBytes, offset);
    return offset;
  }

  private pushEnd(bytes: number): void {
    this.op(variable.localGet, this.frame);
    if (bytes === 0) return;
    this.op(i32.const);
    this.out.signed(BigInt(bytes));
    this.op(i32.add);
  }

  /** Collects, if that is wanted. */
  private collection(locals: readonly number[]): void {
    this.op(variable.globalGet, this.plan.control);
    this.out.bytes([i32.load, anyAlignment, places.wanted, control.if, 0x40]);
    this.pushEnd(this.store(locals));
    this.op(control.call, this.plan.collect);
    this.op(control.end);
  }

  private rootsAt(at: number, below: number): number[] {
    const saved = this.stack.slice(0, below).filter((entry) => entry.saved >= 0);
    return [...(this.live.get(at) ?? []), ...saved.map((entry) => entry.saved)];
  }

  /** Puts the operands below the uppermost ones into locals of their own, too. */
  private save(uppermost: number): void {
    const below = this.stack.length - uppermost;
    const floor = this.opened.at(-1)?.height ?? 0;
    let lowest = -1;
    for (let at = floor; at < below; at++) {
      const entry = this.stack[at] as Entry;
      if (!entry.plain && entry.saved < 0) {
        lowest = at;
        break;
      }
    }
    if (lowest < 0) return;
    const passing: { readonly type: ValueType; readonly local: number }[] = [];
    const held: number[] = [];
    for (let at = this.stack.length - 1; at >= lowest; at--) {
      const entry = this.stack[at] as Entry;
      if (entry.saved >= 0) {
        this.op(parametric.drop);
        held.push(entry.saved);
        continue;
      }
      const local = this.borrow(entry.type);
      this.op(variable.localSet, local);
      held.push(local);
      if (at < below && !entry.plain) entry.saved = local;
      else passing.push({ type: entry.type, local });
    }
    for (let local = held.pop(); local !== undefined; local = held.pop()) this.op(variable.localGet, local);
    for (const { type, local } of passing) this.spare[type].push(local);
  }

  // --- Reading ---------------------------------------------------------------------------------------------------------------

  private copy({ from, to }: Instruction): void {
    this.out.copy(this.made.code, from, to);
  }

  private pushWord(type: ValueType): void {
    this.push({ type, plain: bytesOf[type] === 0 });
  }

  private push(pushed: Pushed): void {
    this.stack.push({ type: pushed.type, plain: pushed.plain, saved: -1 });
  }

  private pop(count: number): void {
    const { stack } = this;
    const height = stack.length - count;
    for (let at = height; at < stack.length; at++) {
      const { type, saved } = stack[at] as Entry;
      if (saved >= 0) this.spare[type].push(saved);
    }
    stack.length = height;
  }

  private settle({ pops, pushes }: Effect): void {
    this.pop(pops);
    if (pushes !== null) this.push(pushes);
  }

  private instruction(instruction: Instruction, at: number): void {
    const { code, operand } = instruction;
    switch (code) {
      case control.block:
      case control.loop:
      case control.if:
      case control.try:
        this.open(instruction, at);
        return;
      case control.else:
      case control.catch:
        this.second(instruction);
        return;
      case control.end:
        this.close(instruction);
        return;
      case control.call:
        this.call(instruction, at);
        return;
      case control.br:
      case control.return:
      case control.unreachable:
      case control.throw:
        this.copy(instruction);
        this.reached = false;
        return;
      case control.brIf:
        this.copy(instruction);
        this.pop(1);
        return;
      case variable.localGet:
      case variable.globalGet:
        this.copy(instruction);
        this.pushWord(code === variable.localGet ? (this.types[operand] as ValueType) : this.plan.globalType(operand));
        return;
      case variable.localSet:
      case variable.globalSet:
        this.copy(instruction);
        this.pop(1);
        return;
      case variable.localTee:
        this.copy(instruction);
        return;
      case parametric.select: {
        this.copy(instruction);
        const [first, second] = this.stack.slice(-3) as [Entry, Entry];
        this.pop(3);
        this.push({ type: first.type, plain: first.plain && second.plain });
        return;
      }
      default:
        this.copy(instruction);
        this.settle(effectOf(code));
    }
  }

  private call(instruction: Instruction, at: number): void {
    const { plan } = this;
    const { operand } = instruction;
    const { parameters, result } = plan.signatureOf(operand);
    if (this.points.has(at)) {
      this.save(parameters.length);
      const bytes = this.store(this.rootsAt(at, this.stack.length - parameters.length));
      this.pushEnd(bytes);
      this.op(variable.globalSet, plan.sp);
    }
    this.copy(instruction);
    this.pop(parameters.length);
    if (result !== null) this.pushWord(result);
    if (operand !== plan.enter) return;
    this.op(variable.globalGet, plan.control);
    this.op(control.call, plan.begin);
  }

  private open(instruction: Instruction, at: number): void {
    const { code, operand, end } = instruction;
    const hasPoints = this.pointsBefore[end] !== this.pointsBefore[at];
    if (hasPoints) this.save(code === control.if ? 1 : 0);
    this.copy(instruction);
    if (code === control.if) this.pop(1);
    this.opened.push({ kind: code, height: this.stack.length, result: typesByCode[operand] ?? null });
    if (code === control.loop && this.points.has(at)) this.collection(this.rootsAt(at, this.stack.length));
  }

  private second(instruction: Instruction): void {
    const open = this.opened.at(-1) as Open;
    this.pop(this.stack.length - open.height);
    this.copy(instruction);
    // What was thrown.
    if (instruction.code === control.catch) this.push({ type: 'i32', plain: false });
    this.reached = true;
  }

  private close(instruction: Instruction): void {
    const { height, result } = this.opened.pop() as Open;
    this.pop(this.stack.length - height);
    this.copy(instruction);
    if (result !== null) this.pushWord(result);
    this.reached = true;
  }

  /** Code that is never reached is copied; what it does to the stack does not matter. */
  private skip(instruction: Instruction): void {
    const { code } = instruction;
    const opens = code === control.block || code === control.loop || code === control.if || code === control.try;
    if (opens) this.skipped++;
    else if (code === control.end && this.skipped > 0) {
      this.copy(instruction);
      this.skipped--;
      return;
    } else if (this.skipped === 0 && (code === control.end || code === control.else || code === control.catch)) {
      if (code === control.end) this.close(instruction);
      else this.second(instruction);
      return;
    }
    this.copy(instruction);
  }
}
