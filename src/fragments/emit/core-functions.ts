// The functions of the core that a fragment may import (assembly/fragments): a closed list, with their signatures. Pure reads but for
// the texts and objects, which write to the instance's own scratch.

import type { Signature } from './module-writer.ts';
import { numberFunctions, signature } from './number-functions.ts';
import { textFunctions } from './text-functions.ts';

const i1 = signature('i32>i32');
const i2 = signature('i32,i32>i32');
const i3 = signature('i32,i32,i32>i32');

export const coreFunctions = {
  ...numberFunctions,
  contextHasQuery: signature('>i32'),
  contextScore: signature('i32>f32'),
  fragmentCreated: signature('i32>i64'),
  fragmentModified: signature('i32>i64'),
  fragmentCreationSeconds: i1,
  fragmentModificationSeconds: i1,
  fragmentDegree: i2,
  fragmentEdges: i2,
  fragmentEnd: i2,
  fragmentGroup: i2,
  fragmentGroupAt: i2,
  fragmentGroupCount: i1,
  fragmentGroupName: i1,
  fragmentGroups: i1,
  fragmentGroupType: i1,
  fragmentKind: i1,
  fragmentLabel: i1,
  fragmentLabelId: i1,
  fragmentListAt: i2,
  fragmentListCount: i1,
  fragmentListGet: i2,
  fragmentListPlaces: i1,
  fragmentName: i1,
  fragmentPropertyCount: i1,
  fragmentRow: i1,
  fragmentRowCount: i1,
  fragmentRowText: i2,
  fragmentSlot: i3,
  fragmentSlotOffset: i3,
  fragmentType: i1,
  fragmentTypeId: i1,
  fragmentEnter: signature('>i32'),
  fragmentKeep: signature('>'),
  fragmentLeave: signature('i32>'),
  itemsReverse: signature('i32,i32,i32>'),
  itemsSort: signature('i32,i32,i32,i32>i32'),
  listAdd: i1,
  listCreate: i3,
  listShift: i3,
  orderKey: i3,
  tableAdd: i1,
  tableClear: signature('i32>'),
  tableCreate: i3,
  tableEntry: i2,
  tableFind: i2,
  tableFindDouble: signature('i32,f64>i32'),
  tableFindLong: signature('i32,i64>i32'),
  tableFindSingle: signature('i32,f32>i32'),
  tableFindWide: signature('i32,v128>i32'),
  tableNext: i2,
  tableRemove: signature('i32,i32>'),
  tableTakes: i2,
  tableTouch: signature('i32>'),
  objectArray: i2,
  objectBox: i2,
  objectBoxLong: signature('i32,i64>i32'),
  objectBoxWide: signature('i32,v128>i32'),
  objectCompare: i2,
  objectCopy: i1,
  objectCreate: i3,
  objectEquals: i2,
  objectFill: signature('i32,i32>'),
  objectHash: i1,
  objectOfElement: i1,
  objectOfProperty: i2,
  objectOutlives: i1,
  objectPut: signature('i32,i32,i32>'),
  objectPutDouble: signature('i32,i32,f64>'),
  objectPutLong: signature('i32,i32,i64>'),
  objectPutReference: i3,
  objectPutSingle: signature('i32,i32,f32>'),
  objectPutWide: signature('i32,i32,v128>'),
  objectSame: i2,
  objectSlice: i3,
  objectType: i1,
  ...textFunctions,
} as const satisfies Record<string, Signature>;

export type CoreFunction = keyof typeof coreFunctions;

/** Functions of the host: the fuel ran out (it may come back), a C# exception, and one with a text as its message. */
export const hostFunctions = {
  refuel: signature('>'),
  fail: signature('i32>'),
  failWith: signature('i32,i32>'),
} as const;

/** Exceptions that compiled code throws by number. */
export const failures = [
  '',
  'NullReferenceException',
  'DivideByZeroException',
  'OverflowException',
  'IndexOutOfRangeException',
  'ArgumentOutOfRangeException',
  'KeyNotFoundException',
  'InvalidOperationException',
  'ArgumentNullException',
  'Exception',
  /** Scratch is full: no exception of C#. */
  'OutOfMemoryException',
  /** A text whose case only the host knows: the search starts again with the interpreter. */
  'NotCompiled',
  // Thrown by `throw` alone.
  'ApplicationException',
  'ArgumentException',
  'ArithmeticException',
  'ArrayTypeMismatchException',
  'FormatException',
  'InvalidCastException',
  'NotFiniteNumberException',
  'NotImplementedException',
  'NotSupportedException',
  'RankException',
  'SwitchExpressionException',
  'SystemException',
  'TimeoutException',
] as const;

export type Failure = Exclude<(typeof failures)[number], ''>;
