// Functions of the fragment that are functions of the module: local functions, and the lambdas and method groups that live in variables.
//
// A local function takes what it uses of the variables around it (captures.ts) as parameters in front of its own. A delegate is an object with
// the number of its function and what it took along; its function gets the object as first parameter. Calling a delegate goes through
// one function of the module for each signature, which tells them apart by number: there is no table.

import type { CallArgument, Expression, FunctionCode, Local, LocalFunction } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { headOf, knownReferences, load, places, tags } from '../objects/object-layout.ts';
import { create, put } from '../objects/objects.ts';
import { representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import type { Signature } from '../wasm/module-writer.ts';
import { control, i32, type ValueType } from '../wasm/opcodes.ts';
import { functionOf, isVoid, memberCode, newLocal, readOf } from './delegate-code.ts';
import { Escapes } from './escapes.ts';
import type { FragmentModule } from './fragment-module.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { placeOf } from './places.ts';

/** Bytes between the variables that a delegate took along. */
const captureBytes = 16;
const objectType: Type = { kind: 'primitive', name: 'object' };

const resultOf = (type: Type): ValueType | null => (isVoid(type) ? null : representation(type));

interface DelegateFunction {
  readonly number: number;
  readonly index: number;
  /** Of the call, without the object in front. */
  readonly signature: string;
}

export class Closures {
  private readonly module: FragmentModule;
  private readonly localFunctions = new Map<LocalFunction, number>();
  private readonly delegates = new Map<FunctionCode, DelegateFunction>();
  private readonly invokers = new Map<string, { readonly index: number; readonly signature: Signature }>();
  /** Code of a delegate made of a local function or a method group, by node. */
  private readonly wrappers = new Map<object, FunctionCode>();
  private readonly pending: (() => void)[] = [];

  constructor(module: FragmentModule) {
    this.module = module;
  }

  /** Writes a function with the others. */
  later(work: () => void): void {
    this.pending.push(work);
  }

  /** Writes every function that was asked for, and those that they ask for. */
  define(): void {
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) next();
  }

  /** Writes the functions that call delegates, when all of these are known. */
  defineInvokers(): void {
    for (const [key, { index, signature }] of this.invokers) this.defineInvoker(key, index, signature);
  }

  // --- Local functions -----------------------------------------------------------------------------------------------------

  call(f: FunctionEmitter, node: Expression & { kind: 'callLocal' }): void {
    const { code } = node.function;
    const index = this.functionOf(node.function);
    for (const local of this.module.captures.of(code)) this.pushCapture(f, local);
    const back = pushArguments(f, code.parameters, node.arguments);
    f.code.callOwn(index);
    copyBack(f, back, resultOf(node.type));
  }

  private functionOf(local: LocalFunction): number {
    let index = this.localFunctions.get(local);
    if (index === undefined) {
      const { code } = local;
      const captures = this.module.captures.of(code);
      const parameters = [
        ...captures.map((capture) => this.captureType(capture)),
        ...code.parameters.map((parameter) => (parameter.byReference ? 'i32' : representation(parameter.type))),
      ];
      const made = this.module.writer.declare({ parameters, result: resultOf(code.returnType) });
      index = made;
      this.localFunctions.set(local, made);
      this.pending.push(() => {
        const f = this.module.newFunction(parameters.map(() => null));
        for (const [at, capture] of captures.entries()) f.bindCapture(capture, at);
        this.body(f, code, captures.length);
        this.module.writer.define(made, f.code);
      });
    }
    return index;
  }

  /** A function's parameters, from the one given on, and its statements. */
  private body(f: FunctionEmitter, code: FunctionCode, first: number): void {
    if (code.yields) throw new NotCompiled('an iterator');
    for (const [at, parameter] of code.parameters.entries()) {
      if (parameter.byReference) f.bindCell(parameter, first + at);
      else f.bind(parameter, first + at);
    }
    f.charge(4);
    f.block(code.body);
    if (!isVoid(code.returnType)) f.code.op(control.unreachable);
  }

  captureType(local: Local): ValueType {
    return this.module.captures.needsCell(local) ? 'i32' : representation(local.type);
  }

  pushCapture(f: FunctionEmitter, local: Local): void {
    if (this.module.captures.needsCell(local)) f.code.get(f.cellOf(local));
    else f.getLocal(local);
  }

  // --- Delegates ---------------------------------------------------------------------------------------------------------------

  /** A lambda as a delegate. */
  lambda(f: FunctionEmitter, code: FunctionCode, type: Type): void {
    if (!this.module.captures.mayBeKept(code)) throw new Escapes(code);
    this.create(f, code, type, this.module.captures.of(code));
  }

  /** A local function as a delegate. */
  ofLocal(f: FunctionEmitter, node: Expression & { kind: 'delegateOfLocal' }): void {
    let code = this.wrappers.get(node.function);
    if (code === undefined) {
      const { parameters, returnType } = node.function.code;
      if (parameters.some((parameter) => parameter.byReference)) throw new NotCompiled('a delegate with references');
      const own = parameters.map((parameter) => newLocal(parameter.type));
      code = functionOf(own, returnType, {
        kind: 'callLocal',
        type: returnType,
        function: node.function,
        arguments: own.map((local): CallArgument => ({ mode: 'value', value: readOf(local) })),
      });
      this.wrappers.set(node.function, code);
    }
    this.create(f, code, node.type, this.module.captures.of(node.function.code));
  }

  /** A member of the library as a delegate: the receiver is evaluated now. */
  ofMember(f: FunctionEmitter, node: Expression & { kind: 'delegateOf' }): void {
    const { receiver } = node;
    if (receiver === null || node.member.static) {
      this.create(f, memberCode(node, null, this.wrappers), node.type, []);
      return;
    }
    const held = newLocal(receiver.type);
    f.expression(receiver);
    f.setLocal(held);
    this.create(f, memberCode(node, held, this.wrappers), node.type, [held]);
  }

  private create(f: FunctionEmitter, code: FunctionCode, type: Type, captures: readonly Local[]): void {
    const { number } = this.delegateOf(code, captures);
    f.charge(4);
    create(f, headOf(tags.delegate, this.module.types.numberOf(type)), number, captureBytes * captures.length);
    const made = f.code.local('i32');
    f.code.set(made);
    for (const [at, capture] of captures.entries()) {
      this.pushCapture(f, capture);
      const kind = this.captureType(capture);
      const value = f.code.borrow(kind);
      f.code.set(value);
      const stored = this.module.captures.needsCell(capture) ? objectType : capture.type;
      put(f, stored, made, places.payload + captureBytes * at, value, true);
      f.code.release(kind, value);
    }
    f.code.get(made);
  }

  private delegateOf(code: FunctionCode, captures: readonly Local[]): DelegateFunction {
    let known = this.delegates.get(code);
    if (known === undefined) {
      const parameters = code.parameters.map((parameter) => {
        if (parameter.byReference) throw new NotCompiled('a delegate with references');
        return representation(parameter.type);
      });
      const result = resultOf(code.returnType);
      const index = this.module.writer.declare({ parameters: ['i32', ...parameters], result });
      known = { number: this.delegates.size + 1, index, signature: keyOf({ parameters, result }) };
      this.delegates.set(code, known);
      this.pending.push(() => {
        const f = this.module.newFunction([null, ...parameters.map(() => null)]);
        for (const [at, capture] of captures.entries()) {
          const kind = this.captureType(capture);
          const own = f.code.local(kind);
          f.code.get(0);
          load(f.code, kind, places.payload + captureBytes * at);
          f.code.set(own);
          f.bindCapture(capture, own);
        }
        this.body(f, code, 1);
        this.module.writer.define(index, f.code);
      });
    }
    return known;
  }

  /** Calls a delegate; null throws. */
  invoke(f: FunctionEmitter, node: Expression & { kind: 'invoke' }): void {
    f.expression(node.delegate);
    const parameters = node.arguments.map((given) => {
      if (given.mode !== 'value') throw new NotCompiled('a delegate with references');
      f.expression(given.value);
      return representation(given.value.type);
    });
    const signature: Signature = { parameters: ['i32', ...parameters], result: resultOf(node.type) };
    const key = keyOf({ parameters, result: signature.result });
    let invoker = this.invokers.get(key);
    if (invoker === undefined) {
      invoker = { index: this.module.writer.declare(signature), signature };
      this.invokers.set(key, invoker);
    }
    f.code.callOwn(invoker.index);
  }

  private defineInvoker(key: string, index: number, { parameters }: Signature): void {
    const f = this.module.newFunction(parameters.map(() => null));
    const { code } = f;
    const number = code.local('i32');
    code.get(0);
    code.op(i32.eqz);
    f.failIf('NullReferenceException');
    code.get(0);
    code.load(i32.load, places.count);
    code.set(number);
    for (const delegate of this.delegates.values()) {
      if (delegate.signature !== key) continue;
      code.get(number);
      code.i32(delegate.number);
      code.op(i32.eq);
      code.if();
      for (const at of parameters.keys()) code.get(at);
      code.callOwn(delegate.index);
      code.op(control.return);
      code.end();
    }
    code.op(control.unreachable);
    this.module.writer.define(index, code);
  }
}

const keyOf = ({ parameters, result }: Signature): string => `${parameters.join()}>${result ?? ''}`;

// --- Arguments -----------------------------------------------------------------------------------------------------------------

/** What a call by reference leaves in a cell, to be brought back to its place. */
interface Returned {
  readonly cell: number;
  readonly type: Type;
  readonly store: () => void;
}

function pushArguments(f: FunctionEmitter, parameters: readonly Local[], given: readonly CallArgument[]): Returned[] {
  const back: Returned[] = [];
  for (const [at, argument] of given.entries()) {
    const parameter = parameters[at] as Local;
    if (argument.mode === 'value') f.expression(argument.value);
    else if (!parameter.byReference) placeOf(f, argument.target).load();
    else if (argument.target.kind === 'local' && f.hasCell(argument.target.local)) {
      f.code.get(f.cellOf(argument.target.local));
    } else {
      const place = placeOf(f, argument.target);
      if (argument.mode === 'out') f.zero(argument.target.type);
      else place.load();
      const cell = newCell(f, argument.target.type);
      back.push({ cell, type: argument.target.type, store: () => place.store() });
      f.code.get(cell);
    }
  }
  return back;
}

/** After the call: what lies in the cells goes to where it belongs. The result of the call is on the stack. */
function copyBack(f: FunctionEmitter, back: readonly Returned[], result: ValueType | null): void {
  if (back.length === 0) return;
  const { code } = f;
  const kept = result === null ? -1 : code.local(result);
  if (result !== null) code.set(kept);
  for (const { cell, type, store } of back) {
    code.get(cell);
    load(code, representation(type), places.payload);
    store();
  }
  if (result !== null) code.get(kept);
}

/** A new cell with the value on the stack; a local with its reference. */
export function newCell(f: FunctionEmitter, type: Type): number {
  const { code } = f;
  const kind = representation(type);
  const value = code.borrow(kind);
  code.set(value);
  create(f, headOf(tags.cell), knownReferences([type]), captureBytes);
  const cell = code.local('i32');
  code.set(cell);
  put(f, type, cell, places.payload, value, true);
  code.release(kind, value);
  return cell;
}
