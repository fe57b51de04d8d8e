// System.Convert: conversions between the primitive types that check ranges, round half to even and read text.

import type { Declarations } from './declarations.ts';

const INTEGERS: readonly (readonly [name: string, keyword: string])[] = [
  ['SByte', 'sbyte'], ['Byte', 'byte'], ['Int16', 'short'], ['UInt16', 'ushort'],
  ['Int32', 'int'], ['UInt32', 'uint'], ['Int64', 'long'], ['UInt64', 'ulong'],
]; // biome-ignore format: a table
const REALS: readonly (readonly [name: string, keyword: string])[] = [
  ['Single', 'float'],
  ['Double', 'double'],
  ['Decimal', 'decimal'],
];
const integerKeywords = INTEGERS.map(([, keyword]) => keyword);
const realKeywords = REALS.map(([, keyword]) => keyword);

function conversion(name: string, result: string, sources: readonly string[]): string {
  const plain = sources.map((source) => `  static ${result} To${name}(${source} value);`);
  const provided = ['object', 'string'].map(
    (source) => `  static ${result} To${name}(${source} value, IFormatProvider provider);`,
  );
  return [...plain, ...provided].join('\n');
}

const everyInteger = ['object', 'bool', 'char', ...integerKeywords, ...realKeywords, 'string'];
const everyReal = ['object', 'bool', ...integerKeywords, ...realKeywords, 'string'];
const everyText = ['object', 'bool', 'char', ...integerKeywords, ...realKeywords, 'DateTime', 'string'];

export const CONVERSIONS: Declarations = `
namespace System;

static class Convert {
${INTEGERS.map(([name, keyword]) => conversion(name, keyword, everyInteger)).join('\n')}
${REALS.map(([name, keyword]) => conversion(name, keyword, everyReal)).join('\n')}
${conversion('Boolean', 'bool', everyReal)}
${conversion('Char', 'char', ['object', 'char', ...integerKeywords, 'string'])}
${conversion('DateTime', 'DateTime', ['object', 'DateTime', 'string'])}
${everyText.map((source) => `  static string ToString(${source} value);\n  static string ToString(${source} value, IFormatProvider provider);`).join('\n')}
${INTEGERS.map(([name, keyword]) => `  static ${keyword} To${name}(string value, int fromBase);`).join('\n')}
${['byte', 'short', 'int', 'long'].map((source) => `  static string ToString(${source} value, int toBase);`).join('\n')}
  static string ToBase64String(byte[] inArray);
  static byte[] FromBase64String(string s);
  static string ToHexString(byte[] inArray);
  static byte[] FromHexString(string s);
}
`;
