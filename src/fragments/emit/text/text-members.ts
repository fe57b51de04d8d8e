// String's members that are one call of the core: searches from a place on, cutting, padding, replacing, splitting, order. Each is a list
// of operands; what throws is found by the core (assembly/fragments/text-search.ts, text-edit.ts).

import type { Expression } from '../../tree.ts';
import {
  argument,
  type Call,
  type CallEmitter,
  checkedReceiver,
  checkedReference,
  constantOf,
} from '../control/call-parts.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { codeOf, headOf, places, tags } from '../objects/object-layout.ts';
import { itemOf } from '../sequences/sequence.ts';
import { NotCompiled } from '../unsupported.ts';
import type { CoreFunction } from '../wasm/core-functions.ts';
import { i32 } from '../wasm/opcodes.ts';
import { newArray, newText, orderOrFailure, orFailure } from './text-answers.ts';

/**
 * An operand: the receiver, an argument as it is, an argument as an option (`folded`: the StringComparison ignores case, `unit`: a unit as a
 * text of one), something computed (the length, the last index, `rest`: the length without an argument, `next`: an argument plus one), the
 * head of the array that is made, or a constant.
 */
type Operand =
  | 'text'
  | 'length'
  | 'last'
  | 'head'
  | { readonly argument: number }
  | { readonly folded: number }
  | { readonly unit: number }
  | { readonly rest: number }
  | { readonly next: number }
  | { readonly constant: number };

type Answer = 'text' | 'index' | 'truth' | 'order' | 'array';

const value = (index: number): Operand => ({ argument: index });
const folded = (index: number): Operand => ({ folded: index });
const unitText = (index: number): Operand => ({ unit: index });
const rest = (index: number): Operand => ({ rest: index });
const next = (index: number): Operand => ({ next: index });
const constant = (number: number): Operand => ({ constant: number });

interface Evaluated {
  readonly call: Call;
  /** Of the receiver; -1 without one. */
  readonly text: number;
  readonly held: readonly number[];
}

function push(f: FunctionEmitter, operand: Operand, { call, text, held }: Evaluated): void {
  const { code } = f;
  const local = (index: number): number => held[index] as number;
  const length = (): void => {
    code.get(text);
    f.core('textLength');
  };
  if (operand === 'text') code.get(text);
  else if (operand === 'length') length();
  else if (operand === 'last') {
    length();
    code.i32(1);
    code.op(i32.sub);
  } else if (operand === 'head') {
    code.i32(headOf(tags.array, f.module.types.numberOf(call.type), codeOf(itemOf(call.type))));
  } else if ('argument' in operand) code.get(local(operand.argument));
  else if ('constant' in operand) code.i32(operand.constant);
  else if ('folded' in operand) pushFolded(f, local(operand.folded));
  else if ('unit' in operand) {
    code.get(local(operand.unit));
    code.i32(1);
    f.core('textRepeat');
    newText(f);
  } else if ('rest' in operand) {
    length();
    code.get(local(operand.rest));
    code.op(i32.sub);
  } else {
    code.get(local(operand.next));
    code.i32(1);
    code.op(i32.add);
  }
}

/** StringComparison: the odd ones ignore case. */
function pushFolded(f: FunctionEmitter, local: number): void {
  const { code } = f;
  code.get(local);
  code.i32(5);
  code.op(i32.gtU);
  f.failIf('ArgumentException');
  code.get(local);
  code.i32(1);
  code.op(i32.and);
}

function answer(f: FunctionEmitter, kind: Answer): void {
  if (kind === 'text') newText(f);
  else if (kind === 'array') newArray(f);
  else if (kind === 'order') orderOrFailure(f);
  else orFailure(f, -1);
  if (kind === 'truth') {
    f.code.i32(0);
    f.code.op(i32.geS);
  }
}

/** A member of a string. */
function member(name: CoreFunction, kind: Answer, ...operands: readonly Operand[]): CallEmitter {
  return (f, call) => {
    const text = checkedReceiver(f, call);
    f.chargeText(text);
    emit(f, name, kind, operands, call, text);
  };
}

/** A static member or a constructor. */
function routine(name: CoreFunction, kind: Answer, ...operands: readonly Operand[]): CallEmitter {
  return (f, call) => emit(f, name, kind, operands, call, -1);
}

function emit(
  f: FunctionEmitter,
  name: CoreFunction,
  kind: Answer,
  operands: readonly Operand[],
  call: Call,
  text: number,
): void {
  const held = call.arguments.map((_, index) => f.toLocal(argument(call, index)));
  const evaluated = { call, text, held: held.map(({ local }) => local) };
  for (const operand of operands) push(f, operand, evaluated);
  f.core(name);
  answer(f, kind);
  for (const { type, local } of held) f.code.release(type, local);
}

/** IndexOf or LastIndexOf, as .NET has them, of a text (a unit that ignores case is one) or a unit. */
function searches(): [string, CallEmitter][] {
  const none = constant(0);
  return [
    ['String.IndexOf(char,int)', member('textIndexOfUnit', 'index', 'text', value(0), value(1), rest(1))],
    ['String.IndexOf(char,int,int)', member('textIndexOfUnit', 'index', 'text', value(0), value(1), value(2))],
    ['String.IndexOf(char,StringComparison)', member('textIndexOf', 'index', 'text', unitText(0), none, 'length', folded(1))],
    ['String.Contains(char,StringComparison)', member('textIndexOf', 'truth', 'text', unitText(0), none, 'length', folded(1))],
    ['String.IndexOf(string,int)', member('textIndexOf', 'index', 'text', value(0), value(1), rest(1), none)],
    ['String.IndexOf(string,int,int)', member('textIndexOf', 'index', 'text', value(0), value(1), value(2), none)],
    ['String.IndexOf(string,int,StringComparison)', member('textIndexOf', 'index', 'text', value(0), value(1), rest(1), folded(2))],
    ['String.IndexOf(string,int,int,StringComparison)', member('textIndexOf', 'index', 'text', value(0), value(1), value(2), folded(3))],
    ['String.LastIndexOf(char)', member('textLastIndexOfUnit', 'index', 'text', value(0), 'last', 'length')],
    ['String.LastIndexOf(char,int)', member('textLastIndexOfUnit', 'index', 'text', value(0), value(1), next(1))],
    ['String.LastIndexOf(char,int,int)', member('textLastIndexOfUnit', 'index', 'text', value(0), value(1), value(2))],
    ['String.LastIndexOf(string)', member('textLastIndexOf', 'index', 'text', value(0), 'last', 'length', none)],
    ['String.LastIndexOf(string,int)', member('textLastIndexOf', 'index', 'text', value(0), value(1), next(1), none)],
    ['String.LastIndexOf(string,int,int)', member('textLastIndexOf', 'index', 'text', value(0), value(1), value(2), none)],
    ['String.LastIndexOf(string,StringComparison)', member('textLastIndexOf', 'index', 'text', value(0), 'last', 'length', folded(1))],
    ['String.LastIndexOf(string,int,StringComparison)', member('textLastIndexOf', 'index', 'text', value(0), value(1), next(1), folded(2))],
    ['String.LastIndexOf(string,int,int,StringComparison)', member('textLastIndexOf', 'index', 'text', value(0), value(1), value(2), folded(3))],
    ['String.IndexOfAny(char[])', member('textIndexOfAny', 'index', 'text', value(0), none, 'length')],
    ['String.IndexOfAny(char[],int)', member('textIndexOfAny', 'index', 'text', value(0), value(1), rest(1))],
    ['String.IndexOfAny(char[],int,int)', member('textIndexOfAny', 'index', 'text', value(0), value(1), value(2))],
    ['String.LastIndexOfAny(char[])', member('textLastIndexOfAny', 'index', 'text', value(0), 'last', 'length')],
    ['String.LastIndexOfAny(char[],int)', member('textLastIndexOfAny', 'index', 'text', value(0), value(1), next(1))],
    ['String.LastIndexOfAny(char[],int,int)', member('textLastIndexOfAny', 'index', 'text', value(0), value(1), value(2))],
  ]; // biome-ignore format: a table
}

function trims(name: string, ends: number): [string, CallEmitter][] {
  return [
    [`String.${name}(char)`, member('textTrimUnit', 'text', 'text', value(0), constant(ends))],
    [`String.${name}(char[])`, member('textTrimAny', 'text', 'text', value(0), constant(ends))],
  ];
}

/** How textSplit is told what its separators are. */
const separators = { char: 0, 'char[]': 1, string: 2, 'string[]': 3 } as const;

function splits(): [string, CallEmitter][] {
  const [all, none] = [constant(0x7fffffff), constant(0)];
  const splitBy = (type: keyof typeof separators, count: Operand, options: Operand) =>
    member('textSplit', 'array', 'text', constant(separators[type]), value(0), count, options, 'head');
  const types = Object.keys(separators) as (keyof typeof separators)[];
  const withOptions = types.flatMap((type): [string, CallEmitter][] => {
    const split = (count: Operand, options: Operand) => splitBy(type, count, options);
    return [
      [`String.Split(${type},StringSplitOptions)`, split(all, value(1))],
      [`String.Split(${type},int,StringSplitOptions)`, split(value(1), value(2))],
    ];
  });
  return [
    ...withOptions,
    // For the other separators the options are optional.
    ['String.Split(char[])', splitBy('char[]', all, none)],
    ['String.Split(char[],int)', splitBy('char[]', value(1), none)],
  ];
}

// --- Order ---------------------------------------------------------------------------------------------------------------

/** Compare with a bool that says whether case counts. */
function compareIgnoring(f: FunctionEmitter, call: Call): void {
  routine('textOrder', 'order', value(0), value(1), value(2))(f, { ...call, arguments: call.arguments.slice(0, 3) });
}

function orders(): [string, CallEmitter][] {
  const none = constant(0);
  return [
    ['String.CompareOrdinal(string,string)', routine('textOrder', 'order', value(0), value(1), none)],
    ['String.Compare(string,string)', routine('textOrder', 'order', value(0), value(1), none)],
    ['String.Compare(string,string,bool)', compareIgnoring],
    ['String.Compare(string,string,bool,CultureInfo)', compareIgnoring],
    ['String.Compare(string,string,StringComparison)', routine('textOrder', 'order', value(0), value(1), folded(2))],
    ['String.CompareTo(string)', member('textOrder', 'order', 'text', value(0), none)],
    ['String.CompareOrdinal(string,int,string,int,int)', routine('textOrderParts', 'order', value(0), value(1), value(2), value(3), value(4), none)],
    ['String.Compare(string,int,string,int,int)', routine('textOrderParts', 'order', value(0), value(1), value(2), value(3), value(4), none)],
    ['String.Compare(string,int,string,int,int,StringComparison)', routine('textOrderParts', 'order', value(0), value(1), value(2), value(3), value(4), folded(5))],
  ]; // biome-ignore format: a table
}

/** StringComparer's members on one of its own comparers: whether that ignores case. */
function comparerFolds({ receiver }: Call): boolean {
  let node: Expression | null = receiver;
  while (node?.kind === 'convert' && node.conversion.kind === 'identity') node = node.operand;
  if (node?.kind !== 'call') throw new NotCompiled('a comparer in a variable');
  const { key } = node.member;
  if (key === 'StringComparer.FromComparison(StringComparison)') return Number(constantOf(argument(node, 0))) % 2 === 1;
  if (!key.startsWith('StringComparer.get_')) throw new NotCompiled('a comparer of this kind');
  return key.includes('IgnoreCase');
}

function comparers(): [string, CallEmitter][] {
  return [
    [
      'StringComparer.Compare(string,string)',
      (f, call) => routine('textOrder', 'order', value(0), value(1), constant(comparerFolds(call) ? 1 : 0))(f, call),
    ],
    [
      'StringComparer.Equals(string,string)',
      (f, call) => {
        const folds = comparerFolds(call);
        f.expression(argument(call, 0));
        f.expression(argument(call, 1));
        f.core(folds ? 'textEqualsFolded' : 'textEquals');
        if (!folds) return;
        const same = f.code.borrow('i32');
        f.code.tee(same);
        f.code.i32(0);
        f.code.op(i32.ltS);
        f.failIf('OutOfMemoryException');
        f.code.get(same);
        f.code.release('i32', same);
      },
    ],
    [
      'StringComparer.GetHashCode(string)',
      (f, call) => {
        const folds = comparerFolds(call);
        const text = checkedReference(f, argument(call, 0), 'ArgumentNullException');
        hash(f, text, () => f.code.i32(folds ? 1 : 0));
      },
    ],
    ['String.GetHashCode(StringComparison)', hashBy],
  ];
}

/** Replace with a bool that says whether case counts; the culture counts for nothing. */
function replaceIgnoring(f: FunctionEmitter, call: Call): void {
  const few = { ...call, arguments: call.arguments.slice(0, 3) };
  member('textReplace', 'text', 'text', value(0), value(1), value(2))(f, few);
}

/** The hash of a text, in upper case when `folded` pushes 1. */
function hash(f: FunctionEmitter, text: number, folded: () => void): void {
  const { code } = f;
  f.chargeText(text);
  folded();
  code.if('i32');
  code.get(text);
  code.i32(1);
  f.core('textCase');
  newText(f);
  code.else();
  code.get(text);
  code.end();
  f.core('objectHash');
}

function hashBy(f: FunctionEmitter, call: Call): void {
  const text = checkedReceiver(f, call);
  const comparison = f.toLocal(argument(call, 0));
  hash(f, text, () => pushFolded(f, comparison.local));
  f.code.release(comparison.type, comparison.local);
}

const space = constant(32);

export const textMemberCalls: readonly [string, CallEmitter][] = [
  ...searches(),
  ...trims('Trim', 3),
  ...trims('TrimStart', 1),
  ...trims('TrimEnd', 2),
  ...splits(),
  ...orders(),
  ...comparers(),
  ['String.Remove(int)', member('textCut', 'text', 'text', value(0))],
  ['String.Remove(int,int)', member('textRemove', 'text', 'text', value(0), value(1))],
  ['String.Insert(int,string)', member('textInsert', 'text', 'text', value(0), value(1))],
  ['String.PadLeft(int)', member('textPad', 'text', 'text', value(0), space, constant(1))],
  ['String.PadLeft(int,char)', member('textPad', 'text', 'text', value(0), value(1), constant(1))],
  ['String.PadRight(int)', member('textPad', 'text', 'text', value(0), space, constant(0))],
  ['String.PadRight(int,char)', member('textPad', 'text', 'text', value(0), value(1), constant(0))],
  ['String.Replace(char,char)', member('textReplaceUnit', 'text', 'text', value(0), value(1))],
  ['String.Replace(string,string)', member('textReplace', 'text', 'text', value(0), value(1), constant(0))],
  ['String.Replace(string,string,bool,CultureInfo)', replaceIgnoring],
  ['String.Replace(string,string,StringComparison)', member('textReplace', 'text', 'text', value(0), value(1), folded(2))],
  ['String.new(char,int)', routine('textRepeat', 'text', value(0), value(1))],
  ['String.new(char[],int,int)', routine('textOfUnits', 'text', value(0), value(1), value(2))],
  ['String.new(char[])', ofUnits],
  ['String.ToCharArray()', member('textUnits', 'array', 'text', constant(0), 'length', 'head')],
  ['String.ToCharArray(int,int)', member('textUnits', 'array', 'text', value(0), value(1), 'head')],
]; // biome-ignore format: a table

/** `new string(char[])`: null makes an empty one. */
function ofUnits(f: FunctionEmitter, call: Call): void {
  const { code } = f;
  const units = f.toLocal(argument(call, 0));
  code.get(units.local);
  code.if('i32');
  code.get(units.local);
  code.i32(0);
  code.get(units.local);
  code.load(i32.load, places.count);
  f.core('textOfUnits');
  newText(f);
  code.else();
  f.text('');
  code.end();
  code.release(units.type, units.local);
}
