// Sequences that leave the place where they are made: a LINQ query in a variable that is no description there (sequences.ts), handed to a
// function, returned, or one of several. Such a query is an object with the number of a function of the module and what its operands
// were when it was put together. Whoever goes over it gets an ENUMERATOR (assembly/fragments/sequences.ts), and the function makes one item
// after the other: it is the cursor of the description, whose locals are kept in an object between two items.

import type { CallArgument, Expression, FunctionCode, Local } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { checkAnswer } from '../collections/list-objects.ts';
import type { Call } from '../control/call-parts.ts';
import { lambdaOf, primitive, variable } from '../control/callbacks.ts';
import { Escapes, edgeObjects } from '../control/escapes.ts';
import type { FragmentModule } from '../control/fragment-module.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { headOf, load, places, tags } from '../objects/object-layout.ts';
import { create, put } from '../objects/objects.ts';
import { createTuple } from '../objects/tuples.ts';
import { isEdgeList, representation } from '../representation.ts';
import { CodeWriter } from '../wasm/code-writer.ts';
import type { CoreFunction } from '../wasm/core-functions.ts';
import { control, i32, type ValueType } from '../wasm/opcodes.ts';
import { bare, stays } from './deferred.ts';
import { sequenceMember } from './steps.ts';

/** Offsets from the reference of an enumerator. */
const at = { source: 6, saved: 18, item: 22 } as const;
/** Bytes between what a query took along, and between the locals of its function. */
const slotBytes = 16;
const objectType: Type = primitive('object');

const stores: Readonly<Record<ValueType, CoreFunction>> = {
  i32: 'objectPut',
  i64: 'objectPutLong',
  f32: 'objectPutSingle',
  f64: 'objectPutDouble',
  v128: 'objectPutWide',
};

export class Queries {
  private readonly module: FragmentModule;
  /** Functions that make items, by number less one. */
  private readonly functions: number[] = [];
  /** Functions that move an enumerator on, by the pair that its items are; '' for all other items. */
  private readonly advances = new Map<string, { readonly index: number; readonly pair: Type | null }>();

  constructor(module: FragmentModule) {
    this.module = module;
  }

  /** Pushes the object of a member that gives a sequence. */
  emit(f: FunctionEmitter, call: Call): void {
    if (isEdgeList(call.type) && !this.module.escaping.has(edgeObjects)) throw new Escapes(edgeObjects);
    const lifted = lift(f, call);
    const captures = new Set<Local>();
    for (const code of functionsIn(lifted, captures)) {
      if (!this.module.captures.mayBeKept(code)) throw new Escapes(code);
      for (const local of this.module.captures.of(code)) captures.add(local);
    }
    // What C# checks when the chain is put together.
    f.sequence(lifted, 'ArgumentNullException');
    this.functions.push(-1);
    const number = this.functions.length;
    const taken = [...captures];
    const index = this.module.writer.declare({ parameters: ['i32'], result: 'i32' });
    this.functions[number - 1] = index;
    this.module.closures.later(() => this.define(index, lifted, taken));
    f.charge(4);
    create(f, headOf(tags.query, this.module.types.numberOf(call.type)), number, slotBytes * taken.length);
    const made = f.code.local('i32');
    f.code.set(made);
    for (const [slot, local] of taken.entries()) {
      this.module.closures.pushCapture(f, local);
      const kind = this.module.closures.captureType(local);
      const value = f.code.borrow(kind);
      f.code.set(value);
      const stored = this.module.captures.needsCell(local) ? objectType : local.type;
      put(f, stored, made, places.payload + slotBytes * slot, value, true);
      f.code.release(kind, value);
    }
    f.code.get(made);
  }

  /** The function that makes the next item: 1 with the item in its place, 0 at the end. */
  private define(index: number, query: Expression, captures: readonly Local[]): void {
    const f = this.module.newFunction([null]);
    const { code } = f;
    const [source, saved] = [code.local('i32'), code.local('i32')];
    code.get(0);
    code.load(i32.load, at.source);
    code.set(source);
    for (const [slot, local] of captures.entries()) {
      const kind = this.module.closures.captureType(local);
      const own = code.local(kind);
      code.get(source);
      load(code, kind, places.payload + slotBytes * slot);
      code.set(own);
      f.bindCapture(local, own);
    }
    const constant = code.localCount;
    code.get(0);
    code.load(i32.load, at.saved);
    code.tee(saved);
    code.op(i32.eqz);
    code.if();
    const sequence = f.sequence(query, 'ArgumentNullException');
    const cursor = sequence.start(f);
    const make = code.out.length;
    code.else();
    const restore = code.out.length;
    code.end();
    code.watch();
    const end = code.block();
    const item = cursor(end);
    put(f, sequence.item, 0, at.item, item, false);
    const state = code.unwatch(constant);
    for (const [slot, local] of state.entries()) {
      code.get(saved);
      code.i32(places.payload + slotBytes * slot);
      code.get(local);
      f.core(stores[code.typeOf(local)]);
    }
    code.i32(1);
    code.op(control.return);
    code.end();
    code.i32(0);
    // What stands before: room for the locals at the first item, and their values at all others.
    const restored = new CodeWriter(1);
    for (const [slot, local] of state.entries()) {
      restored.get(saved);
      load(restored, code.typeOf(local), places.payload + slotBytes * slot);
      restored.set(local);
    }
    code.insert(restore, restored);
    code.insert(make, this.room(saved, slotBytes * state.length));
    this.module.writer.define(index, code);
  }

  /** Makes the object for so many bytes of locals. */
  private room(saved: number, bytes: number): CodeWriter {
    const made = this.module.newFunction([]);
    const { code } = made;
    code.i32(headOf(tags.cell));
    code.i32(0);
    code.i32(Math.max(bytes, slotBytes));
    made.core('objectCreate');
    code.set(saved);
    code.get(saved);
    code.op(i32.eqz);
    made.failIf('OutOfMemoryException');
    code.get(0);
    code.i32(at.saved);
    code.get(saved);
    made.core('objectPut');
    return code;
  }

  // --- Going over any object -----------------------------------------------------------------------------------------------

  /** Puts an enumerator over the object in a local into another one. */
  begin(f: FunctionEmitter, place: number): number {
    const { code } = f;
    const enumerator = code.local('i32');
    code.get(place);
    f.core('sequenceBegin');
    checkAnswer(f, false);
    code.set(enumerator);
    return enumerator;
  }

  /** Moves an enumerator on; leaves to `end` after the last item, otherwise the item goes into the local. */
  next(f: FunctionEmitter, enumerator: number, type: Type, item: number, end: number): void {
    const { code } = f;
    f.charge(3);
    code.get(enumerator);
    code.callOwn(this.advanceOf(type));
    code.op(i32.eqz);
    code.branchIf(end);
    code.get(enumerator);
    load(code, representation(type), at.item);
    code.set(item);
  }

  private advanceOf(type: Type): number {
    const isPair = type.kind === 'named' && type.name.endsWith('KeyValuePair');
    const key = isPair ? String(this.module.types.numberOf(type)) : '';
    let known = this.advances.get(key);
    if (known === undefined) {
      const index = this.module.writer.declare({ parameters: ['i32'], result: 'i32' });
      known = { index, pair: isPair ? type : null };
      this.advances.set(key, known);
    }
    return known.index;
  }

  /** Writes the functions that move enumerators on, when all queries are known. */
  defineAdvances(): void {
    for (const { index, pair } of this.advances.values()) this.defineAdvance(index, pair);
  }

  private defineAdvance(index: number, pair: Type | null): void {
    const f = this.module.newFunction([null]);
    const { code } = f;
    const answer = code.local('i32');
    code.get(0);
    f.core('sequenceNext');
    code.tee(answer);
    code.i32(2);
    code.op(i32.ltU);
    code.if();
    code.get(answer);
    code.op(control.return);
    code.end();
    code.get(answer);
    code.i32(3);
    code.op(i32.gtU);
    code.if();
    code.get(answer);
    f.failNumber();
    code.end();
    if (pair !== null) {
      code.get(answer);
      code.i32(3);
      code.op(i32.eq);
      code.if();
      this.makePair(f, pair);
      code.i32(1);
      code.op(control.return);
      code.end();
    }
    const number = code.local('i32');
    code.get(0);
    code.load(i32.load, at.source);
    code.load(i32.load, places.count);
    code.set(number);
    for (const [place, query] of this.functions.entries()) {
      code.get(number);
      code.i32(place + 1);
      code.op(i32.eq);
      code.if();
      code.get(0);
      code.callOwn(query);
      code.op(control.return);
      code.end();
    }
    code.op(control.unreachable);
    this.module.writer.define(index, code);
  }

  /** Puts the pair of the entry whose address lies in the item's place there. */
  private makePair(f: FunctionEmitter, type: Type): void {
    const { code } = f;
    const given = type.kind === 'named' ? type.arguments : [];
    const entry = code.local('i32');
    code.get(0);
    code.load(i32.load, at.item);
    code.set(entry);
    const parts = given.map((part, which): [Type, number] => {
      const value = code.local(representation(part));
      code.get(entry);
      load(code, representation(part), which === 0 ? 8 : 24);
      code.set(value);
      return [part, value];
    });
    createTuple(f, tags.pair, type, parts);
    const made = code.local('i32');
    code.set(made);
    put(f, type, 0, at.item, made, false);
  }
}

// --- Operands ------------------------------------------------------------------------------------------------------------

/** A query whose operands are variables: they are evaluated here, in their order. */
function lift(f: FunctionEmitter, node: Expression): Expression {
  const inner = bare(node);
  if (inner.kind === 'call' && sequenceMember(inner.member.key) !== undefined) {
    const receiver = inner.receiver === null ? null : evaluated(f, inner.receiver);
    const given = inner.arguments.map((each): CallArgument => {
      if (each.mode !== 'value' || stays(each.value)) return each;
      return { mode: 'value', value: lift(f, each.value) };
    });
    return { ...inner, receiver, arguments: given };
  }
  return evaluated(f, inner);
}

function evaluated(f: FunctionEmitter, node: Expression): Expression {
  if (node.kind === 'constant') return node;
  const kind = representation(node.type);
  const place = f.code.local(kind);
  f.expression(node);
  f.code.set(place);
  return variable(f, node.type, place);
}

/** The functions that a query calls; the variables that it reads itself go into `locals`. */
function functionsIn(node: Expression, locals: Set<Local>): FunctionCode[] {
  const inner = bare(node);
  const lambda = lambdaOf(inner);
  if (lambda !== null) return [lambda];
  if (inner.kind === 'delegateOfLocal') return [inner.function.code];
  if (inner.kind === 'local') locals.add(inner.local);
  if (inner.kind !== 'call') return [];
  const found = inner.receiver === null ? [] : functionsIn(inner.receiver, locals);
  return [
    ...found,
    ...inner.arguments.flatMap((each) => (each.mode === 'value' ? functionsIn(each.value, locals) : [])),
  ];
}
