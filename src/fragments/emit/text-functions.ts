// The functions of the core for texts (assembly/fragments/texts.ts, text-search.ts, text-edit.ts, builder.ts, value-text.ts, characters.ts), part of
// the closed list of core-functions.ts.

import { signature } from './number-functions.ts';

const i1 = signature('i32>i32');
const i2 = signature('i32,i32>i32');
const i3 = signature('i32,i32,i32>i32');
const i4 = signature('i32,i32,i32,i32>i32');
const i5 = signature('i32,i32,i32,i32,i32>i32');
const i6 = signature('i32,i32,i32,i32,i32,i32>i32');

export const textFunctions = {
  builderField: signature('i32,i32,i64,i32,i32>'),
  builderFinish: i1,
  builderNew: signature('>i32'),
  builderText: signature('i32,i32>'),
  builderValue: signature('i32,i32,i64,i32>'),
  builderWide: signature('v128>i32'),
  charAt: i2,
  charCase: i2,
  charIs: i2,
  charIsSpace: i1,
  charNumber: signature('i32>f64'),
  charPoint: i2,
  parsedWide: signature('>v128'),
  parsedWord: signature('>i64'),
  textBase: signature('i64,i32,i32>i32'),
  textCase: i2,
  textCompare: i2,
  textCompareFolded: i2,
  textCut: i2,
  textEnds: i3,
  textEquals: i2,
  textEqualsFolded: i2,
  textFind: i4,
  textFindUnit: i3,
  textIndexOf: i5,
  textIndexOfAny: i4,
  textIndexOfUnit: i4,
  textInsert: i3,
  textIsBlank: i1,
  textIsEmbeddingName: i1,
  textJoin: i2,
  textLastIndexOf: i5,
  textLastIndexOfAny: i4,
  textLastIndexOfUnit: i4,
  textLength: i1,
  textName: i1,
  textOfBox: i2,
  textOfPoint: i1,
  textOfUnits: i3,
  textOrder: i3,
  textOrderParts: i6,
  textPad: i4,
  textParse: i2,
  textParseBase: i5,
  textParseHexadecimal: i4,
  textRemove: i3,
  textRepeat: i2,
  textReplace: i4,
  textReplaceUnit: i3,
  textSlice: i3,
  textSplit: i6,
  textStarts: i3,
  textTrim: i2,
  textTrimAny: i3,
  textTrimUnit: i3,
  textUnit: i2,
  textUnits: i4,
} as const;
