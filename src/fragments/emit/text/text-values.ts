// Values as pieces of a text: how a value of a type that the compiler knows is handed to the builders of the core
// (assembly/fragments/value-text.ts). What a box holds is known too where the boxing stands in the tree; no box is made for it.

import type { Expression } from '../../tree.ts';
import { pushPlaceText } from '../arrays/index-calls.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { hasValue, unwrap } from '../objects/nullables.ts';
import { propertyIds } from '../objects/object-layout.ts';
import { formOf, isDelegate, isElement, isEnumType, isString, nameOf, representation } from '../representation.ts';
import { NotCompiled } from '../unsupported.ts';
import { i32, i64 } from '../wasm/opcodes.ts';
import { pushEnumText } from './enum-texts.ts';
import { addObject, pushObjectText, writesParts } from './object-texts.ts';
import { addWord, type Format, finishBuilder, type Held, newBuilder, pushFormat, pushWord } from './text-builders.ts';

/** A piece of a text: as it is written, or a value with its width (0: none) and format. */
export type Piece = string | { readonly value: Held; readonly width: number; readonly format: Format };

/** What a boxed value was, and what a cast to object or an interface was applied to. */
export function unboxed(node: Expression): Expression {
  let inner = node;
  while (inner.kind === 'convert' && (inner.conversion.kind === 'box' || inner.conversion.kind === 'identity')) {
    inner = inner.operand;
  }
  return inner;
}

/** Evaluates what is to be written into a local; null when it is nothing. */
export function hold(f: FunctionEmitter, node: Expression): Held {
  const inner = unboxed(node);
  return { type: inner.type, local: holdTyped(f, inner) };
}

function holdTyped(f: FunctionEmitter, node: Expression): number {
  const type = representation(node.type);
  f.expression(node);
  const local = f.code.local(type);
  f.code.set(local);
  return local;
}

/** The text of constants that are written the same everywhere; null for others. */
export function constantText(node: Expression): string | null {
  const inner = unboxed(node);
  if (inner.kind !== 'constant') return null;
  const { value, type } = inner;
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (type.kind !== 'primitive') return null;
  if (type.name === 'char') return String.fromCharCode(Number(value));
  if (type.name === 'float' || type.name === 'double' || type.name === 'decimal') return null;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : null;
}

/** Adds pieces to the builder in a local. */
export function addPieces(f: FunctionEmitter, builder: number, pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    if (typeof piece === 'string') addText(f, builder, piece);
    else addValue(f, builder, piece.value, piece.width, piece.format);
  }
}

function addText(f: FunctionEmitter, builder: number, text: string): void {
  if (text === '') return;
  f.code.get(builder);
  f.text(text);
  f.core('builderText');
}

/** Adds a value to the builder in a local. */
export function addValue(f: FunctionEmitter, builder: number, value: Held, width: number, format: Format): void {
  const { code } = f;
  const { type, local } = value;
  if (type.kind === 'nullable') {
    const form = representation(type);
    code.get(local);
    hasValue(f, form);
    code.if();
    const inner = code.local(representation(type.element));
    code.get(local);
    unwrap(f, type.element);
    code.set(inner);
    addValue(f, builder, { type: type.element, local: inner }, width, format);
    if (width !== 0) {
      code.else();
      addWord(f, builder, 'string', () => code.i64(0n), width, null);
    }
    code.end();
    return;
  }
  if (type.kind === 'null') {
    if (width !== 0) addWord(f, builder, 'string', () => code.i64(0n), width, null);
    return;
  }
  if (writesParts(type)) {
    inField(f, builder, width, (inner) => addObject(f, inner, type, local));
    return;
  }
  if (isElement(type)) {
    addElement(f, builder, local, width);
    return;
  }
  const name = type.kind === 'primitive' ? type.name : nameOf(type);
  if (isString(type) && width === 0) {
    code.get(builder);
    code.get(local);
    f.core('builderText');
    return;
  }
  if (propertyIds[name] !== undefined) {
    addWord(f, builder, name, () => pushWord(f, name, representation(type), local), width, format);
    return;
  }
  addTextOf(f, builder, value, width, format);
}

/** Adds what becomes a text first: enums, and objects that know what they are when it runs. */
function addTextOf(f: FunctionEmitter, builder: number, { type, local }: Held, width: number, format: Format): void {
  const { code } = f;
  const text = code.local('i32');
  if (isEnumType(type)) pushEnumText(f, type, local, () => pushFormat(f, format));
  else if (nameOf(type) === 'Index' || nameOf(type) === 'Range') pushPlaceText(f, type, local);
  else if (formOf(type) === 'type') {
    code.get(local);
    f.module.types.name(f, 'fullName');
  } else {
    const form = formOf(type);
    if ((form !== 'object' && form !== 'reference') || isDelegate(type))
      throw new NotCompiled(`the text of ${nameOf(type) === '' ? `a ${type.kind}` : nameOf(type)}`);
    code.get(local);
    pushFormat(f, format);
    pushObjectText(f);
  }
  code.set(text);
  addValue(f, builder, { type: { kind: 'primitive', name: 'string' }, local: text }, width, null);
}

/** A field of its own for what is written in parts. */
function inField(f: FunctionEmitter, builder: number, width: number, write: (builder: number) => void): void {
  if (width === 0) {
    write(builder);
    return;
  }
  const inner = newBuilder(f);
  write(inner);
  finishBuilder(f, inner);
  const text = f.code.local('i32');
  f.code.set(text);
  addValue(f, builder, { type: { kind: 'primitive', name: 'string' }, local: text }, width, null);
}

/** Elements write their id. */
function addElement(f: FunctionEmitter, builder: number, local: number, width: number): void {
  const { code } = f;
  code.get(local);
  code.i32(-1);
  code.op(i32.ne);
  code.if();
  addWord(
    f,
    builder,
    'int',
    () => {
      code.get(local);
      code.op(i64.extendI32S);
    },
    width,
    null,
  );
  if (width !== 0) {
    code.else();
    addWord(f, builder, 'string', () => code.i64(0n), width, null);
  }
  code.end();
}
