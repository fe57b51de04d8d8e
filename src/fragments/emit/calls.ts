// Calls of the library as WebAssembly, by the member's key (library/declarations.ts). What has no line here is left to the interpreter.

import { arrayCalls } from './arrays.ts';
import { byteCalls } from './byte-calls.ts';
import { argument, type Call, type CallEmitter } from './call-parts.ts';
import { characterCalls } from './character-calls.ts';
import { comparerCalls } from './collection-comparers.ts';
import { enumeratorCalls } from './collection-enumerators.ts';
import { interfaceCalls } from './collection-interfaces.ts';
import { listCalls } from './collection-lists.ts';
import { setCalls } from './collection-sets.ts';
import { sequenceMember } from './collection-steps.ts';
import { tableCalls } from './collection-tables.ts';
import { contextCalls } from './context-calls.ts';
import { convertCalls } from './convert-calls.ts';
import { cultureCalls } from './culture-calls.ts';
import { dateParseCalls } from './date-parse-calls.ts';
import { decimalCalls } from './decimal-calls.ts';
import { elementCalls } from './element-calls.ts';
import { enumCalls } from './enum-calls.ts';
import { emitNewException, exceptionCalls, isNewException } from './exceptions.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { gridCalls } from './grids.ts';
import { mathCalls } from './math-calls.ts';
import { numberCalls } from './number-calls.ts';
import { objectCalls } from './object-calls.ts';
import { parseCalls } from './parse-calls.ts';
import { propertyCalls } from './property-calls.ts';
import { emitSequenceCall, isSequenceCall } from './sequence-ends.ts';
import { spanMembers } from './span-members.ts';
import { spanTextCalls } from './span-texts.ts';
import { stringBuilderCalls } from './string-builder-calls.ts';
import { textBuildCalls } from './text-builds.ts';
import { textCalls } from './text-calls.ts';
import { formatCalls } from './text-formats.ts';
import { textMemberCalls } from './text-members.ts';
import { timeCalls } from './time-calls.ts';
import { NotCompiled } from './unsupported.ts';
import { vectorCalls } from './vector-calls.ts';

/** Made when it is first asked for: the modules that fill it know this one. */
let table: ReadonlyMap<string, CallEmitter> | null = null;

function emitters(): ReadonlyMap<string, CallEmitter> {
  table ??= new Map([
    ...arrayCalls,
    ...byteCalls,
    ...characterCalls,
    ...cultureCalls,
    ...contextCalls,
    ...exceptionCalls,
    ...elementCalls(),
    ...interfaceCalls(),
    ...comparerCalls(),
    ...enumeratorCalls(),
    ...enumCalls,
    ...convertCalls,
    ...dateParseCalls,
    ...decimalCalls,
    ...gridCalls,
    ...listCalls(),
    ...mathCalls,
    ...numberCalls,
    ...objectCalls,
    ...parseCalls,
    ...propertyCalls,
    ...spanMembers,
    ...spanTextCalls,
    ...stringBuilderCalls(),
    ...setCalls(),
    ...tableCalls,
    ...textBuildCalls,
    ...formatCalls,
    ...textCalls,
    ...textMemberCalls,
    ...timeCalls,
    ...vectorCalls,
  ]);
  return table;
}

export function emitCall(f: FunctionEmitter, call: Call): void {
  if (isSequenceCall(call)) {
    emitSequenceCall(f, call);
    return;
  }
  if (isNewException(call)) {
    emitNewException(f, call);
    return;
  }
  const emit = emitters().get(call.member.key);
  if (emit !== undefined) emit(f, call);
  else if (call.member.key.startsWith('Enumerable.AsEnumerable<')) emitUpcast(f, call);
  else if (sequenceMember(call.member.key) !== undefined) f.module.queries.emit(f, call);
  else throw new NotCompiled(call.member.key);
}

/** What AsEnumerable gives is what it got. */
function emitUpcast(f: FunctionEmitter, call: Call): void {
  f.expression({ kind: 'convert', type: call.type, conversion: { kind: 'identity' }, operand: argument(call, 0) });
}
