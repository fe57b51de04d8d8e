// One function of the module under construction: where its locals live, which blocks can be left, and its statements. Lambdas that are
// called where they stand (a filter handed to Any) become part of the function around them, so what they capture is just a local.
//
// Locals of the factory that the returned lambda uses are globals of the module: `init` sets them, once a request.

import type {
  Block,
  BoundFragment,
  Expression,
  FunctionCode,
  Label,
  Local,
  LocalFunction,
  Statement,
} from '../tree.ts';
import type { Type } from '../types.ts';
import { type CoreFunction, coreFunctions, type Failure, failures, hostFunctions } from './core-functions.ts';
import { emitThrow } from './exceptions.ts';
import { emitExpression } from './expressions.ts';
import { CodeWriter, type ModuleWriter, type ValueType } from './module-writer.ts';
import { isElement, isObjectStruct, representation } from './representation.ts';
import { bindSequence, emitForEach, type Sequence, standsForSequence } from './sequences.ts';
import { defaultStruct } from './tuples.ts';
import type { TypeTable } from './type-table.ts';
import { NotCompiled } from './unsupported.ts';

/** What all functions of a fragment share. */
export interface FragmentModule {
  readonly bound: BoundFragment;
  readonly writer: ModuleWriter;
  readonly kind: string;
  /** Globals with the intern id of a name, by name. */
  readonly names: Map<string, number>;
  /** Globals with a constant text, by text. */
  readonly texts: Map<string, number>;
  /** Globals of the factory's captured locals, by local. */
  readonly captured: Map<Local, number>;
  /** Functions made of local functions. */
  readonly functions: Map<LocalFunction, number>;
  /** The `context` parameter: nothing can be done with it but calling its members. */
  readonly context: Local;
  /** Global with the address of the directory of pages. */
  readonly pages: number;
  /** Globals that remember the shape met last at a place where a property is read. */
  readonly shapes: number[];
  usesScratch: boolean;
  /** The types of its objects. */
  readonly types: TypeTable;
  /** A function has changed a variable of the factory: what it answers depends on what it was asked before. */
  changesVariables: boolean;
}

/** Where `return` goes in a lambda that is part of another function. */
interface Inlined {
  readonly depth: number;
  /** The local that takes the result; -1 for none. */
  readonly result: number;
}

/** Lambdas within lambdas, at most: each is part of the code of the one around it. */
const deepestInlining = 24;
/** Bytes of one function at most. */
const largestFunction = 200_000;

export class FunctionEmitter {
  readonly module: FragmentModule;
  readonly code: CodeWriter;
  /** Variables that stand for a sequence that is gone over where it is used. */
  readonly sequences = new Map<Local, Sequence>();
  private readonly places = new Map<Local, number>();
  private readonly labels = new Map<number, number>();
  private readonly inlined: Inlined[] = [];

  /** A parameter without a variable of the fragment is null. */
  constructor(module: FragmentModule, parameters: readonly (Local | null)[]) {
    this.module = module;
    this.code = new CodeWriter(parameters.length);
    for (const [index, parameter] of parameters.entries()) {
      if (parameter !== null) this.places.set(parameter, index);
    }
  }

  // --- Calls out ---------------------------------------------------------------------------------------------------------

  /** Calls a function of the core; its arguments are on the stack. */
  core(name: CoreFunction): void {
    if (/^(object|text|builder)/.test(name) && name !== 'textEquals' && name !== 'textLength')
      this.module.usesScratch = true;
    this.code.call(this.module.writer.import('core', name, coreFunctions[name]));
  }

  /** Pushes the word of an element's column; the id lies in a local. */
  column(id: number, offset: number): void {
    const { code } = this;
    code.getGlobal(this.module.pages);
    code.get(id);
    code.i32(16);
    code.op(0x76);
    code.i32(3);
    code.op(0x74, 0x6a);
    code.load(0x28, 0);
    code.get(id);
    code.i32(0xffff);
    code.op(0x71);
    code.i32(2);
    code.op(0x74, 0x6a);
    code.load(0x28, offset);
  }

  /** Throws, always. */
  fail(failure: Failure): void {
    this.code.i32(failures.indexOf(failure));
    this.failNumber();
  }

  /** Throws the exception whose number is on the stack, always. */
  failNumber(): void {
    this.code.call(this.module.writer.import('env', 'fail', hostFunctions.fail));
    this.code.op(0x00);
  }

  /** Throws when the i32 on the stack is not 0. */
  failIf(failure: Failure): void {
    this.code.if();
    this.fail(failure);
    this.code.end();
  }

  /** Takes `amount` of the fuel; at every loop round and function entry. */
  charge(amount: number): void {
    const { code } = this;
    code.getGlobal(0);
    code.i32(amount);
    code.op(0x6b);
    code.setGlobal(0);
    this.checkFuel();
  }

  /** Takes as much fuel as a sixteenth of the bytes of the text in a local. */
  chargeText(local: number): void {
    const { code } = this;
    code.getGlobal(0);
    code.get(local);
    code.i32(-2);
    code.op(0x71);
    code.load(0x28, 0);
    code.i32(4);
    code.op(0x76, 0x6b);
    code.setGlobal(0);
    this.checkFuel();
  }

  private checkFuel(): void {
    const { code } = this;
    code.getGlobal(0);
    code.i32(0);
    code.op(0x48);
    code.if();
    code.call(this.module.writer.import('env', 'refuel', hostFunctions.refuel));
    code.end();
  }

  /** Pushes the intern id of a name; a name that no element uses has an id that equals none. */
  name(text: string): void {
    this.code.getGlobal(
      globalOf(this.module.names, text, () => this.module.writer.addGlobal('i32', `n${this.module.names.size}`)),
    );
  }

  /** Pushes a constant text. */
  text(text: string): void {
    this.code.getGlobal(
      globalOf(this.module.texts, text, () => this.module.writer.addGlobal('i32', `t${this.module.texts.size}`)),
    );
  }

  // --- Locals ------------------------------------------------------------------------------------------------------------

  getLocal(local: Local): void {
    const place = this.module.captured.get(local);
    if (place !== undefined) this.code.getGlobal(place);
    else this.code.get(this.placeOf(local));
  }

  setLocal(local: Local): void {
    const place = this.module.captured.get(local);
    if (place !== undefined) {
      this.code.setGlobal(place);
      this.module.changesVariables = true;
    } else this.code.set(this.placeOf(local));
  }

  /** Binds a parameter of a lambda, or the item of a loop, to a local that holds its value already. */
  bind(local: Local, place: number): void {
    this.places.set(local, place);
  }

  private placeOf(local: Local): number {
    if (local === this.module.context) throw new NotCompiled('the context as a value');
    const known = this.places.get(local);
    if (known !== undefined) return known;
    const place = this.code.local(representation(local.type));
    this.places.set(local, place);
    return place;
  }

  private declare(block: Block): void {
    for (const local of block.declares) {
      // A variable of a loop's body begins anew each round.
      if (local.type.kind === 'named' && local.type.name.endsWith('Func'))
        throw new NotCompiled('a delegate in a variable');
      if (standsForSequence(this.module.bound, local)) continue;
      this.zeros(local.type);
      this.setLocal(local);
    }
  }

  /** Pushes the default of a type. */
  zero(type: Type): void {
    if (isObjectStruct(type)) defaultStruct(this, type);
    else this.zeros(type);
  }

  /** Pushes what a variable holds before it is assigned: the default, but for structs that are objects. */
  private zeros(type: Type): void {
    const value = representation(type);
    if (value === 'i32') this.code.i32(isElement(type) ? -1 : 0);
    else if (value === 'i64') this.code.i64(0n);
    else if (value === 'f32') this.code.f32(0);
    else if (value === 'f64') this.code.f64(0);
    else this.code.v128(0n, 0n);
  }

  // --- Expressions -------------------------------------------------------------------------------------------------------

  expression(node: Expression): void {
    if (this.code.out.length > largestFunction) throw new NotCompiled('a function of this size');
    emitExpression(this, node);
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
    const isVoid = code.returnType.kind === 'primitive' && code.returnType.name === 'void';
    const type = isVoid ? null : representation(code.returnType);
    const only = onlyReturn(code.body);
    if (only !== null && type !== null) {
      this.expression(only);
      if (discard) this.code.op(0x1a);
      return;
    }
    const result = type === null ? -1 : this.code.local(type);
    const depth = this.code.block();
    this.inlined.push({ depth, result });
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

  statement(node: Statement): void {
    const { code } = this;
    switch (node.kind) {
      case 'block':
        this.block(node);
        return;
      case 'evaluate':
        this.effect(node.value);
        return;
      case 'if':
        this.expression(node.condition);
        code.if();
        this.statement(node.whenTrue);
        if (node.whenFalse !== null) {
          code.else();
          this.statement(node.whenFalse);
        }
        code.end();
        return;
      case 'loop':
        this.loop(node);
        return;
      case 'forEach':
        emitForEach(this, node);
        return;
      case 'labeled':
        this.labels.set(node.after.id, code.block());
        this.statement(node.body);
        code.end();
        return;
      case 'leave':
        code.branch(this.labels.get(node.label.id) as number);
        return;
      case 'return':
        this.return(node.value);
        return;
      case 'throw':
        if (node.value === null) throw new NotCompiled('a rethrow');
        emitThrow(this, node.value);
        return;
      case 'try':
        throw new NotCompiled('try');
      case 'localFunction':
        return;
    }
  }

  /** Evaluates for its effects. */
  effect(node: Expression): void {
    if (node.kind === 'assign' && node.target.kind === 'local' && bindSequence(this, node.target.local, node.value))
      return;
    this.expression(node);
    if (!(node.type.kind === 'primitive' && node.type.name === 'void')) this.code.op(0x1a);
  }

  label(label: Label, depth: number): void {
    this.labels.set(label.id, depth);
  }

  private loop(node: Statement & { kind: 'loop' }): void {
    const { code } = this;
    this.label(node.after, code.block());
    const top = code.loop();
    this.charge(2);
    if (node.testFirst && node.condition !== null) this.leaveUnless(node.condition, node.after);
    this.label(node.next, code.block());
    this.statement(node.body);
    code.end();
    for (const increment of node.increments) this.effect(increment);
    if (!node.testFirst && node.condition !== null) this.leaveUnless(node.condition, node.after);
    code.branch(top);
    code.end();
    code.end();
  }

  private leaveUnless(condition: Expression, after: Label): void {
    this.expression(condition);
    this.code.op(0x45);
    this.code.branchIf(this.labels.get(after.id) as number);
  }

  private return(value: Expression | null): void {
    const place = this.inlined.at(-1);
    if (value !== null) this.expression(value);
    if (place === undefined) {
      this.code.op(0x0f);
      return;
    }
    if (value !== null) {
      if (place.result >= 0) this.code.set(place.result);
      else this.code.op(0x1a);
    }
    this.code.branch(place.depth);
  }
}

function globalOf(known: Map<string, number>, key: string, make: () => number): number {
  let index = known.get(key);
  if (index === undefined) {
    index = make();
    known.set(key, index);
  }
  return index;
}

/** The value of a body that is nothing but a return. */
function onlyReturn(body: Block): Expression | null {
  const [first] = body.statements;
  if (body.statements.length !== 1 || first?.kind !== 'return' || body.declares.length > 0) return null;
  return first.value;
}
