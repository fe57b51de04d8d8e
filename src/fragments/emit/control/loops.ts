// The loops of a fragment: `while`, `do`, `for` and `foreach`.

import type { Expression, Statement } from '../../tree.ts';
import { emitForEachArray } from '../arrays/arrays.ts';
import { emitForEachSpan } from '../arrays/spans.ts';
import { goOver } from '../sequences/sequence.ts';
import { i32 } from '../wasm/opcodes.ts';
import type { FunctionEmitter } from './function-emitter.ts';

export function emitLoop(f: FunctionEmitter, node: Statement & { kind: 'loop' }): void {
  const { code } = f;
  const after = code.block();
  f.label(node.after, after);
  const top = code.loop();
  f.charge(2);
  if (node.testFirst && node.condition !== null) leaveUnless(f, node.condition, after);
  f.label(node.next, code.block());
  f.statement(node.body);
  code.end();
  for (const increment of node.increments) f.effect(increment);
  if (!node.testFirst && node.condition !== null) leaveUnless(f, node.condition, after);
  code.branch(top);
  code.end();
  code.end();
}

function leaveUnless(f: FunctionEmitter, condition: Expression, after: number): void {
  f.expression(condition);
  f.code.op(i32.eqz);
  f.code.branchIf(after);
}

export function emitForEach(f: FunctionEmitter, node: Statement & { kind: 'forEach' }): void {
  const { code } = f;
  if (node.over === 'array') {
    emitForEachArray(f, node);
    return;
  }
  if (node.over === 'span') {
    emitForEachSpan(f, node);
    return;
  }
  const sequence = f.sequence(node.sequence, 'NullReferenceException');
  const after = code.block();
  f.label(node.after, after);
  goOver(f, sequence, (item, type) => {
    // A round of its own, so that what the body does to its variable stays in the round.
    const own = code.local(type);
    code.get(item);
    code.set(own);
    f.bind(node.item, own);
    f.label(node.next, code.block());
    f.statement(node.body);
    code.end();
  });
  code.end();
}
