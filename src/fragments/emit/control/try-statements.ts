// `try` with its catches and its `finally`. Only what C# throws is caught: the host's own ends (fuel, a full scratch, a search that is over)
// pass through every catch and finally.

import type { Catch, Statement } from '../../tree.ts';
import { control, i32, i64, parametric } from '../wasm/opcodes.ts';
import { numbersOf } from './exception-table.ts';
import type { FunctionEmitter, Region } from './function-emitter.ts';

type Try = Statement & { kind: 'try' };

/** Thrown when a fragment turns out to catch: the module is written anew for that. */
export class Catches extends Error {}

let supported: boolean | null = null;

/** Whether this WebAssembly has exceptions: a module with a tag and a function that throws and catches it. */
export function canCatch(): boolean {
  supported ??= WebAssembly.validate(
    new Uint8Array([
      // Two types, one function, one tag, and the function's body.
      0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 2, 0x60, 1, 0x7f, 0, 0x60, 0, 0, 3, 2, 1, 1, 13, 3, 1, 0, 0, 10, 14, 1, 12, 0,
      control.try, 0x40, i32.const, 1, control.throw, 0, control.catch, 0, parametric.drop, control.end, control.end,
    ]),
  ); // biome-ignore format: bytes
  return supported;
}

export function emitTry(f: FunctionEmitter, node: Try): void {
  if (!f.module.catches) throw new Catches();
  if (node.finally === null) emitCatches(f, node);
  else emitFinally(f, node);
}

/** Code whose exceptions `otherwise` gets in a local; it has to throw another one. */
export function catching(f: FunctionEmitter, work: () => void, otherwise: (thrown: number) => void): void {
  if (!f.module.catches) throw new Catches();
  const { code } = f;
  const thrown = code.local('i32');
  const after = code.block();
  code.try();
  work();
  code.branch(after);
  code.catch();
  code.set(thrown);
  code.end();
  otherwise(thrown);
  code.op(control.unreachable);
  code.end();
}

function emitFinally(f: FunctionEmitter, node: Try): void {
  const { code } = f;
  const chosen = code.local('i32');
  const thrown = code.local('i32');
  code.i32(0);
  code.set(chosen);
  const region: Region = { depth: code.block(), chosen, exits: [] };
  f.regions.push(region);
  code.try();
  emitCatches(f, node);
  code.catch();
  code.set(thrown);
  code.i32(-1);
  code.set(chosen);
  code.end();
  f.regions.pop();
  code.end();
  f.block(node.finally as NonNullable<Try['finally']>);
  code.get(chosen);
  code.i32(-1);
  code.op(i32.eq);
  code.if();
  code.get(thrown);
  code.throw();
  code.end();
  for (const [at, goOn] of region.exits.entries()) {
    f.count();
    code.get(chosen);
    code.i32(at + 1);
    code.op(i32.eq);
    code.if();
    goOn();
    code.end();
  }
}

function emitCatches(f: FunctionEmitter, node: Try): void {
  const { code } = f;
  if (node.catches.length === 0) {
    f.block(node.body);
    return;
  }
  const thrown = code.local('i32');
  const after = code.block();
  code.try();
  f.block(node.body);
  code.branch(after);
  code.catch();
  code.set(thrown);
  code.end();
  f.charge(8);
  for (const clause of node.catches) {
    const next = code.block();
    emitAccepts(f, clause, thrown, next);
    const outer = f.caught;
    f.caught = thrown;
    // The variable has its value already when the block is entered.
    f.block({ ...clause.body, declares: clause.body.declares.filter((each) => each !== clause.local) });
    f.caught = outer;
    code.branch(after);
    code.end();
  }
  code.get(thrown);
  code.throw();
  code.end();
}

/** Goes on when a clause takes the exception, otherwise leaves to `next`. */
function emitAccepts(f: FunctionEmitter, clause: Catch, thrown: number, next: number): void {
  const { code } = f;
  if (clause.type !== null) {
    const mask = numbersOf(clause.type).reduce((bits, number) => bits | (1n << BigInt(number)), 0n);
    code.i64(mask);
    code.get(thrown);
    f.module.exceptions.number(f);
    code.op(i64.extendI32U, i64.shrU, i32.wrapI64);
    code.i32(1);
    code.op(i32.and, i32.eqz);
    code.branchIf(next);
  }
  if (clause.local !== null) {
    code.get(thrown);
    f.module.exceptions.object(f);
    code.set(thrown);
    f.bind(clause.local, thrown);
  }
  if (clause.filter === null) return;
  const outer = f.caught;
  f.caught = thrown;
  // A filter that throws has not accepted.
  code.try('i32');
  f.expression(clause.filter);
  code.catch();
  code.op(parametric.drop);
  code.i32(0);
  code.end();
  f.caught = outer;
  code.op(i32.eqz);
  code.branchIf(next);
}
