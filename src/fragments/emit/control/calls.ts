// Calls of the library as WebAssembly, by the member's key (library/declarations.ts). What has no line here is left to the interpreter.

import { arrayCalls } from '../arrays/arrays.ts';
import { byteCalls } from '../arrays/byte-calls.ts';
import { gridCalls } from '../arrays/grids.ts';
import { spanMembers } from '../arrays/span-members.ts';
import { spanTextCalls } from '../arrays/span-texts.ts';
import { comparerCalls } from '../collections/comparers.ts';
import { enumeratorCalls } from '../collections/enumerator-calls.ts';
import { interfaceCalls } from '../collections/interface-calls.ts';
import { listCalls } from '../collections/list-calls.ts';
import { setCalls } from '../collections/set-calls.ts';
import { tableCalls } from '../collections/table-calls.ts';
import { contextCalls } from '../elements/context-calls.ts';
import { elementCalls } from '../elements/element-calls.ts';
import { propertyCalls } from '../elements/property-calls.ts';
import { vectorCalls } from '../elements/vector-calls.ts';
import { contractCalls } from '../engine/contract-calls.ts';
import { graphCalls, slotCalls } from '../engine/graph-calls.ts';
import { heapCalls } from '../engine/heap-calls.ts';
import { logCalls } from '../engine/log-calls.ts';
import { stackCalls } from '../engine/stack-calls.ts';
import { stopwatchCalls } from '../engine/stopwatch-calls.ts';
import { bitCalls } from '../numbers/bit-calls.ts';
import { convertCalls } from '../numbers/convert-calls.ts';
import { decimalCalls } from '../numbers/decimal-calls.ts';
import { mathCalls } from '../numbers/math-calls.ts';
import { numberCalls } from '../numbers/number-calls.ts';
import { parseCalls } from '../numbers/parse-calls.ts';
import { enumCalls } from '../objects/enum-calls.ts';
import { objectCalls } from '../objects/object-calls.ts';
import { emitSequenceCall, isSequenceCall } from '../sequences/ends.ts';
import { sequenceMember } from '../sequences/steps.ts';
import { characterCalls } from '../text/character-calls.ts';
import { cultureCalls } from '../text/culture-calls.ts';
import { stringBuilderCalls } from '../text/string-builder-calls.ts';
import { textBuildCalls } from '../text/text-builds.ts';
import { textCalls } from '../text/text-calls.ts';
import { formatCalls } from '../text/text-formats.ts';
import { textMemberCalls } from '../text/text-members.ts';
import { dateParseCalls } from '../time/date-parse-calls.ts';
import { timeCalls } from '../time/time-calls.ts';
import { NotCompiled } from '../unsupported.ts';
import { argument, type Call, type CallEmitter } from './call-parts.ts';
import { emitNewException, exceptionCalls, isNewException } from './exceptions.ts';
import type { FunctionEmitter } from './function-emitter.ts';
import { inOrder } from './in-order.ts';

/** The members that are compiled, sequences and new exceptions apart. @testonly */
export const memberEmitters: readonly (readonly [key: string, CallEmitter])[] = [
  ...arrayCalls,
  ...bitCalls,
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
  ...contractCalls,
  ...graphCalls,
  ...logCalls,
  ...heapCalls,
  ...stackCalls,
  ...stopwatchCalls,
];

const emitters: ReadonlyMap<string, CallEmitter> = new Map([...memberEmitters, ...slotCalls]);

export function emitCall(f: FunctionEmitter, call: Call): void {
  if (isSequenceCall(call)) {
    emitSequenceCall(f, inOrder(f, call));
    return;
  }
  if (isNewException(call)) {
    emitNewException(f, call);
    return;
  }
  const emit = emitters.get(call.member.key);
  if (emit !== undefined) emit(f, inOrder(f, call));
  else if (call.member.key.startsWith('Enumerable.AsEnumerable<')) emitUpcast(f, call);
  else if (sequenceMember(call.member.key) !== undefined) f.module.queries.emit(f, call);
  else throw new NotCompiled(call.member.key);
}

/** What AsEnumerable gives is what it got. */
function emitUpcast(f: FunctionEmitter, call: Call): void {
  f.expression({ kind: 'convert', type: call.type, conversion: { kind: 'identity' }, operand: argument(call, 0) });
}
