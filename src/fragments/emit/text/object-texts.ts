// The texts of objects: tuples, pairs, anonymous objects and exceptions in their parts, boxes as the values in them, everything else by the
// name of its type. What an object is shows when it runs; one function of the module, written when all its types are known, knows them all.

import { runtimeType } from '../../interpreter/runtime-types.ts';
import type { Type } from '../../types.ts';
import { pushPlaceText } from '../arrays/index-calls.ts';
import { pushMessage } from '../control/exceptions.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { load, places, tags } from '../objects/object-layout.ts';
import { loadItem } from '../objects/tuples.ts';
import { isDelegate, isEdgePair, isEnumType, nameOf, representation } from '../representation.ts';
import { control, i32 } from '../wasm/opcodes.ts';
import { pushEnumText } from './enum-texts.ts';
import { newText } from './text-answers.ts';
import { finishBuilder, newBuilder } from './text-builders.ts';
import { addPieces, addValue } from './text-values.ts';

interface Part {
  /** What stands before it. */
  readonly before: string;
  readonly type: Type;
}

/** How the parts of an object are written; null for types without. */
function partsOf(type: Type): { readonly parts: readonly Part[]; readonly end: string } | null {
  const listed = (types: readonly Type[]) => ({
    parts: types.map((each, at) => ({ before: at === 0 ? '(' : ', ', type: each })),
    end: ')',
  });
  if (type.kind === 'tuple') return listed(type.elements.map((element) => element.type));
  if (type.kind === 'anonymous') {
    const parts = type.members.map((member, at) => ({
      before: `${at === 0 ? '{ ' : ', '}${member.name} = `,
      type: member.type,
    }));
    return { parts, end: parts.length === 0 ? '{ }' : ' }' };
  }
  if (type.kind !== 'named' || isEdgePair(type)) return null;
  if (nameOf(type) === 'Tuple') return listed(type.arguments);
  if (nameOf(type) !== 'KeyValuePair') return null;
  return { parts: type.arguments.map((each, at) => ({ before: at === 0 ? '[' : ', ', type: each })), end: ']' };
}

/** Whether objects of a type are written in their parts. */
export function writesParts(type: Type): boolean {
  return partsOf(type) !== null;
}

/** Adds an object that is written in its parts, null being nothing. */
export function addObject(f: FunctionEmitter, builder: number, type: Type, local: number): void {
  const { code } = f;
  const { parts, end } = partsOf(type) as NonNullable<ReturnType<typeof partsOf>>;
  code.get(local);
  code.if();
  for (const [at, part] of parts.entries()) {
    const item = code.local(representation(part.type));
    code.get(local);
    loadItem(f, at, part.type);
    code.set(item);
    addPieces(f, builder, [part.before, { value: { type: part.type, local: item }, width: 0, format: null }]);
  }
  addPieces(f, builder, [end]);
  code.end();
}

/** Pushes the text of the object under the format (0: none), both on the stack; 0 for null. */
export function pushObjectText(f: FunctionEmitter): void {
  f.module.usesScratch = true;
  f.module.types.ask(f, 'text', writeObjectText, 2);
}

/** The function of an object and a format. */
function writeObjectText(f: FunctionEmitter): void {
  const { code } = f;
  const id = code.local('i32');
  // Null, and what is a text.
  code.get(0);
  code.op(i32.eqz);
  code.get(0);
  code.i32(2);
  code.op(i32.and, i32.eqz, i32.or);
  code.if();
  code.get(0);
  code.op(control.return);
  code.end();
  f.charge(4);
  code.get(0);
  f.core('objectType');
  code.set(id);
  code.get(id);
  code.i32(tags.element);
  code.op(i32.ltU);
  code.if();
  code.get(0);
  code.get(1);
  f.core('textOfBox');
  newText(f);
  code.op(control.return);
  code.end();
  for (const [number, type] of f.module.types.all()) {
    if (number < tags.element) continue;
    code.get(id);
    code.i32(number);
    code.op(i32.eq);
    code.if();
    pushTextOf(f, type);
    code.op(control.return);
    code.end();
  }
  f.fail('NotCompiled');
  code.op(control.unreachable);
}

/** Pushes the text of the object in local 0, which is of exactly this type; the format is in local 1. */
function pushTextOf(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  const name = nameOf(type);
  const value = code.local(representation(type));
  const payload = (): void => {
    code.get(0);
    load(code, representation(type), places.payload);
    code.set(value);
  };
  if (writesParts(type)) {
    const builder = newBuilder(f);
    addObject(f, builder, type, 0);
    finishBuilder(f, builder);
  } else if (isEnumType(type)) {
    payload();
    pushEnumText(f, type, value, () => code.get(1));
  } else if (name === 'Index' || name === 'Range') {
    payload();
    pushPlaceText(f, type, value);
  } else if (name === 'Type' || name === 'VertexModel' || name === 'EdgeModel') {
    code.get(0);
    code.load(i32.load, places.count);
    if (name === 'Type') f.module.types.name(f, 'fullName');
    else {
      code.set(value);
      const builder = newBuilder(f);
      addValue(f, builder, { type: { kind: 'primitive', name: 'int' }, local: value }, 0, null);
      finishBuilder(f, builder);
    }
  } else if (name === 'CultureInfo') f.text('');
  else if (name === 'StringBuilder') {
    code.get(0);
    f.core('writerAll');
    newText(f);
  } else if (name.endsWith('Exception')) pushExceptionText(f, type);
  else if (isDelegate(type)) f.fail('NotCompiled');
  else f.text(runtimeType(type).fullName);
}

/** The type, the message and the exception inside, as they are before anything is thrown. */
function pushExceptionText(f: FunctionEmitter, type: Type): void {
  const { code } = f;
  const [message, inner] = [code.local('i32'), code.local('i32')];
  const builder = newBuilder(f);
  const text = (local: number) =>
    ({ value: { type: { kind: 'primitive', name: 'string' }, local }, width: 0, format: null }) as const;
  pushMessage(f, 0);
  code.set(message);
  addPieces(f, builder, [runtimeType(type).fullName]);
  code.get(message);
  f.core('textLength');
  code.if();
  addPieces(f, builder, [': ', text(message)]);
  code.end();
  code.get(0);
  code.load(i32.load, places.inner);
  code.if();
  code.get(0);
  code.load(i32.load, places.inner);
  code.i32(0);
  pushObjectText(f);
  code.set(inner);
  addPieces(f, builder, ['\n ---> ', text(inner), '\n   --- End of inner exception stack trace ---']);
  code.end();
  finishBuilder(f, builder);
}
