// One function of the module under construction: where its locals live, which blocks can be left, and its statements. Lambdas that are
// called where they stand (a filter handed to Any) become part of the function around them, so what they capture is just a local.
//
// Locals of the factory that the returned lambda uses are globals of the module: `init` sets them, once a request.

import { step } from '../../steps.ts';
import type { Block, Expression, FunctionCode, Label, Local, Statement, Target } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { mayBeGroup, newView, spanItem, unpack, type View } from '../arrays/spans.ts';
import { load, places } from '../objects/object-layout.ts';
import { put } from '../objects/objects.ts';
import { defaultStruct } from '../objects/tuples.ts';
import { isElement, isObjectStruct, isSpan, mayEnd, representation } from '../representation.ts';
import type { Sequence, WhenNull } from '../sequences/sequence.ts';
import { bindSequence, pushBoundSequence, sequenceOf, standsForSequence } from '../sequences/sequences.ts';
import { NotCompiled } from '../unsupported.ts';
import { control, i32, parametric, type ValueType } from '../wasm/opcodes.ts';
import type { Call } from './call-parts.ts';
import { emitCall } from './calls.ts';
import { CallsOut } from './calls-out.ts';
import { newCell } from './closures.ts';
import { isVoid, onlyReturn } from './delegate-code.ts';
import { emitRethrow, emitThrow } from './exceptions.ts';
import { emitExpression } from './expressions.ts';
import type { FragmentModule } from './fragment-module.ts';
import { emitForEach, emitLoop } from './loops.ts';
import { placeOf } from './places.ts';
import { emitTry } from './try-statements.ts';

/** Where `return` goes in a lambda that is part of another function. */
interface Inlined {
  readonly depth: number;
  /** The local that takes the result; -1 for none. */
  readonly result: number;
  /** `finally` blocks around it. */
  readonly regions: number;
}

/** A `finally` around the code that is emitted: who leaves goes through it. */
export interface Region {
  /** The block that ends where the `finally` begins. */
  readonly depth: number;
  /** The local that says where to go afterwards: the number of an exit. */
  readonly chosen: number;
  /** Emits the way on, by number less one. */
  readonly exits: (() => void)[];
}

/** Lambdas within lambdas, at most: each is part of the code of the one around it. */
const deepestInlining = 24;
/** Expressions that are emitted inside each other, at most: each takes a few calls of the emitter's own. */
const deepestTree = 400;
/** Of one function, at most: bytes, and locals times blocks (an engine that makes it fast keeps each local for each block). */
const largestFunction = 200_000;
const mostLocalsInBlocks = 2_000_000;

export class FunctionEmitter extends CallsOut {
  /** Variables that stand for a sequence that is gone over where it is used. */
  readonly sequences = new Map<Local, Sequence>();
  private readonly places = new Map<Local, number>();
  /** Locals with the cells of variables that have one. */
  private readonly cells = new Map<Local, number>();
  /** Locals with the address and the count of what lies in a variable of a span: an index needs nothing else. */
  private readonly views = new Map<Local, View>();
  private readonly labels = new Map<number, number>();
  private readonly inlined: Inlined[] = [];
  readonly regions: Region[] = [];
  /** How many `finally` blocks are around the place that a label leads to. */
  private readonly labelRegions = new Map<number, number>();
  /** Expressions around the one that is emitted. */
  private depth = 0;
  /** Bytes that steps have been taken for. */
  private counted = 0;
  /** The local with the exception that the `catch` around has caught; -1 outside. */
  caught = -1;

  /** A parameter without a variable of the fragment is null. */
  constructor(module: FragmentModule, parameters: readonly (Local | null)[]) {
    super(module, parameters.length);
    for (const [index, parameter] of parameters.entries()) {
      if (parameter !== null) this.places.set(parameter, index);
    }
  }

  // --- Locals ------------------------------------------------------------------------------------------------------------

  getLocal(local: Local): void {
    if (pushBoundSequence(this, local)) return;
    const place = this.module.captured.get(local);
    const cell = this.cells.get(local);
    if (place !== undefined) this.code.getGlobal(place);
    else if (cell !== undefined) {
      this.code.get(cell);
      load(this.code, representation(local.type), places.payload);
    } else this.code.get(this.placeOf(local));
  }

  setLocal(local: Local): void {
    const place = this.module.captured.get(local);
    const cell = this.cells.get(local);
    if (place !== undefined) {
      // A plugin has one call, with which everything ends.
      if (mayEnd(local.type) && this.module.kind !== 'Plugin') this.requireOutlives();
      this.code.setGlobal(place);
      this.module.changesVariables = true;
    } else if (cell !== undefined) {
      const kind = representation(local.type);
      const value = this.code.borrow(kind);
      this.code.set(value);
      put(this, local.type, cell, places.payload, value, false);
      this.code.release(kind, value);
    } else {
      this.code.set(this.placeOf(local));
      this.unpack(local);
    }
  }

  /** The two halves of a variable of a span, if it has them. */
  viewOf(local: Local): View | undefined {
    return this.views.get(local);
  }

  /** Keeps the halves of a variable of a span, which was set just now. */
  private unpack(local: Local): void {
    if (!isSpan(local.type) || mayBeGroup(local.type)) return;
    let view = this.views.get(local);
    if (view === undefined) {
      view = newView(this, spanItem(local.type));
      this.views.set(local, view);
    }
    this.code.get(this.placeOf(local));
    unpack(this, view);
  }

  /** What a variable of the factory holds is there for the next call: a text or object that ends with this one may not get there. */
  private requireOutlives(): void {
    const value = this.code.borrow('i32');
    this.code.tee(value);
    this.core('objectOutlives');
    this.code.op(i32.eqz);
    this.failIf('NotCompiled');
    this.code.get(value);
    this.code.release('i32', value);
  }

  /** Binds a parameter of a lambda, or the item of a loop, to a local that holds its value already. */
  bind(local: Local, place: number): void {
    if (this.module.captures.needsCell(local)) {
      this.code.get(place);
      this.cells.set(local, newCell(this, local.type));
    } else {
      this.places.set(local, place);
      this.unpack(local);
    }
  }

  /** Binds a variable of a function around this one to the local that its value or cell came in. */
  bindCapture(local: Local, place: number): void {
    if (this.module.captures.needsCell(local)) this.cells.set(local, place);
    else this.places.set(local, place);
  }

  /** Binds a parameter by reference to the local with its cell. */
  bindCell(local: Local, place: number): void {
    this.cells.set(local, place);
  }

  hasCell(local: Local): boolean {
    return this.cells.has(local);
  }

  /** The local with the cell of a variable. */
  cellOf(local: Local): number {
    const cell = this.cells.get(local);
    if (cell === undefined) throw new NotCompiled('a variable out of place');
    return cell;
  }

  private placeOf(local: Local): number {
    if (local === this.module.context) throw new NotCompiled('the context as a value');
    const known = this.places.get(local);
    if (known !== undefined) return known;
    if (this.module.captures.needsCell(local)) throw new NotCompiled('a variable out of place');
    const place = this.code.local(representation(local.type));
    this.places.set(local, place);
    return place;
  }

  private declare(block: Block): void {
    for (const local of block.declares) {
      // A variable of a loop's body begins anew each round.
      if (standsForSequence(this.module, local)) continue;
      this.zeros(local.type);
      if (this.module.captures.needsCell(local)) this.cells.set(local, newCell(this, local.type));
      else this.setLocal(local);
    }
  }

  /** Pushes the default of a type. */
  zero(type: Type): void {
    if (isObjectStruct(type)) defaultStruct(this, type);
    else this.zeros(type);
  }

  /** Pushes what a variable holds before it is assigned: the default, but for structs that are objects. */
  private zeros(type: Type): void {
    if (isElement(type)) this.code.i32(-1);
    else this.code.zero(representation(type));
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  expression(node: Expression): void {
    this.count();
    if (++this.depth > deepestTree) throw new NotCompiled('a tree too deep for the emitter');
    emitExpression(this, node);
    this.depth--;
  }

  /** Takes steps for one node and for what was written since the last one. */
  count(): void {
    const { length } = this.code.out;
    const spread = this.code.localCount * this.code.blockCount;
    if (length > largestFunction || spread > mostLocalsInBlocks) throw new NotCompiled('a large function');
    step(5 + (Math.max(0, length - this.counted) >> 3));
    this.counted = length;
  }

  /** A call of a member of the library, or of one of the runtime's. */
  call(node: Call): void {
    emitCall(this, node);
  }

  /** Stores the value on the stack. */
  store(target: Target): void {
    placeOf(this, target).store();
  }

  /** What an expression is a sequence of; throws NotCompiled where that is not known while it is compiled. */
  sequence(node: Expression, whenNull: WhenNull): Sequence {
    return sequenceOf(this, node, whenNull);
  }

  /** Evaluates into a fresh local; release it with its type. */
  toLocal(node: Expression): { readonly local: number; readonly type: ValueType } {
    const type = representation(node.type);
    this.expression(node);
    const local = this.code.borrow(type);
    this.code.set(local);
    return { local, type };
  }

  /** Makes a lambda part of this function: its parameters are the locals given; pushes its result, if it has one. */
  inline(code: FunctionCode, parameters: readonly number[], discard = false): void {
    if (this.inlined.length >= deepestInlining) throw new NotCompiled('lambdas this deep in each other');
    for (const [index, parameter] of code.parameters.entries()) {
      if (parameter.byReference) throw new NotCompiled('a lambda with parameters by reference');
      const place = parameters[index] as number;
      this.bind(parameter, place);
    }
    const type = isVoid(code.returnType) ? null : representation(code.returnType);
    const only = onlyReturn(code.body);
    if (only !== null && type !== null) {
      this.expression(only);
      if (discard) this.code.op(parametric.drop);
      return;
    }
    const result = type === null ? -1 : this.code.local(type);
    const depth = this.code.block();
    this.inlined.push({ depth, result, regions: this.regions.length });
    this.block(code.body);
    this.inlined.pop();
    this.code.end();
    if (result >= 0 && !discard) this.code.get(result);
  }

  // --- Statements --------------------------------------------------------------------------------------------------------

  block(block: Block): void {
    this.declare(block);
    for (const statement of block.statements) this.statement(statement);
  }

  /** A statement with all that hangs on it, however long a chain of `else if` is. */
  statement(node: Statement): void {
    const { code } = this;
    const rest: (Statement | 'else' | 'end')[] = [node];
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      if (next === 'else') code.else();
      else if (next === 'end') code.end();
      else if (next.kind === 'block') {
        this.declare(next);
        for (let at = next.statements.length - 1; at >= 0; at--) rest.push(next.statements[at] as Statement);
      } else if (next.kind === 'if') {
        this.expression(next.condition);
        code.if();
        rest.push('end');
        if (next.whenFalse !== null) rest.push(next.whenFalse, 'else');
        rest.push(next.whenTrue);
      } else this.simpleStatement(next);
    }
  }

  private simpleStatement(node: Exclude<Statement, { kind: 'block' | 'if' }>): void {
    const { code } = this;
    this.count();
    switch (node.kind) {
      case 'evaluate':
        this.effect(node.value);
        return;
      case 'loop':
        emitLoop(this, node);
        return;
      case 'forEach':
        emitForEach(this, node);
        return;
      case 'labeled':
        this.label(node.after, code.block());
        this.statement(node.body);
        code.end();
        return;
      case 'leave':
        this.leave(node.label);
        return;
      case 'return':
        if (node.value !== null) this.expression(node.value);
        this.return(node.value === null ? null : representation(node.value.type));
        return;
      case 'throw':
        if (node.value === null) emitRethrow(this);
        else emitThrow(this, node.value);
        return;
      case 'try':
        emitTry(this, node);
        return;
      case 'yield':
        throw new NotCompiled('an iterator');
      case 'localFunction':
        return;
    }
  }

  /** Evaluates for its effects. */
  effect(node: Expression): void {
    if (node.kind === 'assign' && node.target.kind === 'local' && bindSequence(this, node.target.local, node.value))
      return;
    this.expression(node);
    if (!isVoid(node.type)) this.code.op(parametric.drop);
  }

  label(label: Label, depth: number): void {
    this.labels.set(label.id, depth);
    this.labelRegions.set(label.id, this.regions.length);
  }

  private leave(label: Label): void {
    const region = this.regions.at(-1);
    if (region !== undefined && (this.labelRegions.get(label.id) as number) < this.regions.length) {
      this.exit(region, () => this.leave(label));
      return;
    }
    this.code.branch(this.labels.get(label.id) as number);
  }

  /** Goes to the `finally` of a region, and on from there. */
  private exit(region: Region, goOn: () => void): void {
    region.exits.push(goOn);
    this.code.i32(region.exits.length);
    this.code.set(region.chosen);
    this.code.branch(region.depth);
  }

  /** Returns what is on the stack, of this type; null: nothing. */
  private return(type: ValueType | null): void {
    const place = this.inlined.at(-1);
    const region = this.regions.at(-1);
    if (region !== undefined && this.regions.length > (place?.regions ?? 0)) {
      const kept = type === null ? -1 : this.code.local(type);
      if (type !== null) this.code.set(kept);
      this.exit(region, () => {
        if (type !== null) this.code.get(kept);
        this.return(type);
      });
      return;
    }
    if (place === undefined) {
      this.code.op(control.return);
      return;
    }
    if (type !== null) {
      if (place.result >= 0) this.code.set(place.result);
      else this.code.op(parametric.drop);
    }
    this.code.branch(place.depth);
  }
}
