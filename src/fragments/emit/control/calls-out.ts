// What the code of a fragment's functions reaches outside: functions of the core and of the host, columns of the graph, fuel, failures, and
// the constants that the host sets.

import { step } from '../../steps.ts';
import type { Type } from '../../types.ts';
import { formOf } from '../representation.ts';
import { CodeWriter } from '../wasm/code-writer.ts';
import { type CoreFunction, coreFunctions, hostFunctions } from '../wasm/core-functions.ts';
import { type Failure, failures } from '../wasm/failures.ts';
import { control, i32 } from '../wasm/opcodes.ts';
import type { FragmentModule } from './fragment-module.ts';

/** Functions on texts and objects that make nothing. */
const withoutScratch = new Set<CoreFunction>([
  'objectOutlives',
  'textEquals',
  'textLength',
  'viewCount',
  'viewEdge',
  'viewEdgeAt',
  'viewMatch',
  'viewPlaces',
  'viewScore',
  'viewTrim',
]);

/** Functions that change an object. */
const changes =
  /^(objectPut|objectMove|objectFill|list(Add|Shift)|items|sortApply|table(Add|Clear|Copy|Remove|Touch)|writer)/;

/** Whether a variable of this type names an object that can change. */
function mayChange(type: Type): boolean {
  const form = formOf(type);
  return form === 'reference' || form === 'object';
}

/** What is no exception of C#: it ends the search whatever the fragment catches. */
function isUncaught(failure: Failure): boolean {
  return failure === 'OutOfMemoryException' || failure === 'NotCompiled';
}

export class CallsOut {
  readonly module: FragmentModule;
  readonly code: CodeWriter;

  constructor(module: FragmentModule, parameters: number) {
    this.module = module;
    this.code = new CodeWriter(parameters);
  }

  /** Calls a function of the core; its arguments are on the stack. */
  core(name: CoreFunction): void {
    if (
      /^(object|text|builder|writer|bytes|guid|decimalBits|composite|date|list|table|items|view|order|sort|sequence)/.test(
        name,
      ) &&
      !withoutScratch.has(name)
    )
      this.module.usesScratch = true;
    // An object that a variable of the factory names may be what changes.
    const { module } = this;
    if (!module.changesVariables && changes.test(name)) {
      step(module.captured.size >> 3);
      module.changesVariables = [...module.captured.keys()].some(({ type }) => mayChange(type));
    }
    this.code.call(this.module.writer.import('core', name, coreFunctions[name]));
  }

  /** Pushes the word of an element's column; the id lies in a local. */
  column(id: number, offset: number): void {
    const { code } = this;
    code.getGlobal(this.module.pages);
    code.get(id);
    code.i32(16);
    code.op(i32.shrU);
    code.i32(3);
    code.op(i32.shl, i32.add);
    code.load(i32.load, 0);
    code.get(id);
    code.i32(0xffff);
    code.op(i32.and);
    code.i32(2);
    code.op(i32.shl, i32.add);
    code.load(i32.load, offset);
  }

  /** Throws, always. */
  fail(failure: Failure): void {
    this.code.i32(failures.indexOf(failure));
    if (this.module.catches && !isUncaught(failure)) this.code.throw();
    else this.failHost();
  }

  /** Throws the exception whose number is on the stack, always. */
  failNumber(): void {
    if (!this.module.catches) {
      this.failHost();
      return;
    }
    const { code } = this;
    const number = code.borrow('i32');
    code.set(number);
    code.get(number);
    code.i32(failures.indexOf('OutOfMemoryException'));
    code.op(i32.eq);
    code.get(number);
    code.i32(failures.indexOf('NotCompiled'));
    code.op(i32.eq, i32.or);
    code.if();
    code.get(number);
    this.failHost();
    code.end();
    code.get(number);
    code.throw();
    code.release('i32', number);
  }

  /** Ends the search with the exception whose number is on the stack. */
  failHost(): void {
    this.code.call(this.module.writer.import('env', 'fail', hostFunctions.fail));
    this.code.op(control.unreachable);
  }

  /** Throws when the i32 on the stack is not 0. */
  failIf(failure: Failure): void {
    this.code.if();
    this.fail(failure);
    this.code.end();
  }

  /** Takes `amount` of the fuel; at every loop round and function entry. */
  charge(amount: number): void {
    const { code } = this;
    code.getGlobal(0);
    code.i32(amount);
    code.op(i32.sub);
    code.setGlobal(0);
    this.checkFuel();
  }

  /** Takes as much fuel as the i32 on the stack says, of a size that is no number below 0. */
  chargeAmount(): void {
    const { code } = this;
    const amount = code.borrow('i32');
    code.set(amount);
    code.getGlobal(0);
    code.get(amount);
    code.op(i32.sub);
    code.setGlobal(0);
    this.checkFuel();
    code.release('i32', amount);
  }

  /** Takes as much fuel as a sixteenth of the bytes of the text in a local. */
  chargeText(local: number): void {
    const { code } = this;
    code.getGlobal(0);
    code.get(local);
    code.i32(-2);
    code.op(i32.and);
    code.load(i32.load, 0);
    code.i32(4);
    code.op(i32.shrU, i32.sub);
    code.setGlobal(0);
    this.checkFuel();
  }

  private checkFuel(): void {
    const { code } = this;
    code.getGlobal(0);
    code.i32(0);
    code.op(i32.ltS);
    code.if();
    code.call(this.module.writer.import('env', 'refuel', hostFunctions.refuel));
    code.end();
  }

  /** Pushes the intern id of a name; a name that no element uses has an id that equals none. */
  name(text: string): void {
    this.code.getGlobal(
      globalOf(this.module.names, text, () => this.module.writer.addGlobal('i32', `n${this.module.names.size}`)),
    );
  }

  /** Pushes a constant text. */
  text(text: string): void {
    this.code.getGlobal(
      globalOf(this.module.texts, text, () => this.module.writer.addGlobal('i32', `t${this.module.texts.size}`)),
    );
  }
}

function globalOf(known: Map<string, number>, key: string, make: () => number): number {
  let index = known.get(key);
  if (index === undefined) {
    index = make();
    known.set(key, index);
  }
  return index;
}
