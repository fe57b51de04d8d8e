// Hash tables in compiled code: dictionaries, sets and lookups. Where things lie: assembly/fragments/collections.ts.

import type { Expression } from '../../tree.ts';
import type { Type } from '../../types.ts';
import type { FunctionEmitter } from '../control/function-emitter.ts';
import { codeOf, headOf, load } from '../objects/object-layout.ts';
import { isNull, put } from '../objects/objects.ts';
import { isString, mayEnd, nameOf, representation } from '../representation.ts';
import type { Sequence } from '../sequences/sequence.ts';
import { NotCompiled } from '../unsupported.ts';
import type { CoreFunction } from '../wasm/core-functions.ts';
import { i32, type ValueType } from '../wasm/opcodes.ts';
import { type CollectionName, checkAnswer, collectionTags, pushCount } from './list-objects.ts';

/** Offsets from a reference, and from the address of an entry. */
const at = { tableVersion: 14, used: 18, key: 8, value: 24 } as const;

export interface Table {
  readonly place: number;
  readonly key: Type;
  /** Null for sets. */
  readonly value: Type | null;
}

/** Comparers of strings that a fragment can name. */
const comparers: Readonly<Record<string, boolean>> = {
  Ordinal: false,
  InvariantCulture: false,
  CurrentCulture: false,
  OrdinalIgnoreCase: true,
  InvariantCultureIgnoreCase: true,
  CurrentCultureIgnoreCase: true,
};

/** Whether a comparer ignores case; one that is not known here is left to the interpreter. */
export function foldsCase(node: Expression | null): boolean {
  if (node === null || isNull(node) || node.kind === 'default') return false;
  if (node.kind === 'convert' && (node.conversion.kind === 'identity' || node.conversion.kind === 'reference')) {
    return foldsCase(node.operand);
  }
  if (node.kind !== 'call') throw new NotCompiled('a comparer that is not named');
  const { key } = node.member;
  if (key.endsWith('Comparer<T>.get_Default()')) return false;
  const folds = comparers[/^StringComparer\.(?:get_)?(\w+)/.exec(key)?.[1] ?? ''];
  if (folds === undefined) throw new NotCompiled('a comparer of this kind');
  return folds;
}

/** A new table in a local of its own. */
export function newTable(f: FunctionEmitter, type: Type, key: Type, value: Type | null, folded: boolean): Table {
  const { code } = f;
  if (folded && !isString(key)) throw new NotCompiled('a comparer of strings as objects');
  const place = code.local('i32');
  f.charge(8);
  code.i32(headOf(collectionTags[nameOf(type) as CollectionName], f.module.types.numberOf(type)));
  code.i32(codeOf(key) | (folded ? 256 : 0));
  code.i32(value === null ? 0 : 1);
  f.core('tableCreate');
  checkAnswer(f, false);
  code.set(place);
  return { place, key, value };
}

const finds: Readonly<Record<ValueType, CoreFunction>> = {
  i32: 'tableFind',
  i64: 'tableFindLong',
  f32: 'tableFindSingle',
  f64: 'tableFindDouble',
  v128: 'tableFindWide',
};

/** Puts the address of the entry of a key, 0 without one, into a local. */
export function findEntry(f: FunctionEmitter, { place, key }: Table, value: number): number {
  const { code } = f;
  const entry = code.local('i32');
  f.charge(4);
  code.get(place);
  code.get(value);
  f.core(finds[representation(key)]);
  checkAnswer(f, true);
  code.set(entry);
  return entry;
}

/** Makes an entry of the key that was looked for last and not found; its address goes into the local. */
export function addEntry(f: FunctionEmitter, { place }: Table, entry: number): void {
  f.charge(4);
  f.code.get(place);
  f.core('tableAdd');
  checkAnswer(f, false);
  f.code.set(entry);
}

export function putEntryValue(f: FunctionEmitter, { place, value: type }: Table, entry: number, value: number): void {
  const { code } = f;
  if (type === null) return;
  if (mayEnd(type)) {
    code.get(place);
    code.get(value);
    f.core('tableTakes');
    code.op(i32.eqz);
    f.failIf('NotCompiled');
  }
  put(f, type, entry, at.value, value, true);
}

export function loadEntryKey(f: FunctionEmitter, { key }: Table, entry: number): void {
  f.code.get(entry);
  load(f.code, representation(key), at.key);
}

export function loadEntryValue(f: FunctionEmitter, { value }: Table, entry: number): void {
  f.code.get(entry);
  load(f.code, representation(value as Type), at.value);
}

/** The entries of a table, in their order, as what `push` makes of each. `versioned`: one that is changed meanwhile throws. */
export function tableSequence(
  table: Table,
  item: Type,
  versioned: boolean,
  push: (f: FunctionEmitter, entry: number) => void,
): Sequence {
  const { place } = table;
  return {
    item,
    count: (f) => pushCount(f, place),
    start: (f) => {
      const { code } = f;
      const [index, version, entry] = [code.local('i32'), code.local('i32'), code.local('i32')];
      const found = code.local(representation(item));
      code.i32(0);
      code.set(index);
      code.get(place);
      code.load(i32.load, at.tableVersion);
      code.set(version);
      return (end) => {
        f.charge(3);
        if (versioned) {
          code.get(place);
          code.load(i32.load, at.tableVersion);
          code.get(version);
          code.op(i32.ne);
          f.failIf('InvalidOperationException');
        }
        code.get(place);
        code.get(index);
        f.core('tableNext');
        code.tee(index);
        code.get(place);
        code.load(i32.load, at.used);
        code.op(i32.geU);
        code.branchIf(end);
        code.get(place);
        code.get(index);
        f.core('tableEntry');
        code.set(entry);
        code.get(index);
        code.i32(1);
        code.op(i32.add);
        code.set(index);
        push(f, entry);
        code.set(found);
        return found;
      };
    },
  };
}

/** Another version of a table. */
export function touchTable(f: FunctionEmitter, { place }: Table): void {
  f.code.get(place);
  f.core('tableTouch');
}
