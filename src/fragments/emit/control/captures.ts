// Which variables of a fragment need a cell. Lambdas that are handed straight to a member of the library become part of the function around
// them and see its variables as they are. Other lambdas and local functions are functions of their own and take along what they use of the
// functions around them: the value of a variable that is set only once, and otherwise a cell that all of them share.

import { analyze, type FragmentFacts } from '../../interpreter/analysis.ts';
import { step } from '../../steps.ts';
import type { BoundFragment, Expression, FunctionCode, Local, Target } from '../../tree.ts';

export class Captures {
  private readonly bound: BoundFragment;
  /** What lies in globals of the module: every function sees it. */
  private readonly isGlobal: (local: Local) => boolean;
  private facts: FragmentFacts | null = null;
  private celled: Set<Local> | null = null;
  private kept: ReadonlySet<FunctionCode> = new Set();

  /** Functions that a query takes along, though they stand where a member calls them. */
  private readonly escaping: ReadonlySet<unknown>;

  constructor(bound: BoundFragment, isGlobal: (local: Local) => boolean, escaping: ReadonlySet<unknown>) {
    this.bound = bound;
    this.isGlobal = isGlobal;
    this.escaping = escaping;
  }

  /** The variables around a function of the fragment that it, or what it calls, uses. */
  of(code: FunctionCode): readonly Local[] {
    this.facts ??= analyze(this.bound);
    const free = this.facts.functions.get(code)?.free ?? code.captures;
    return free.filter((local) => local !== this.bound.context && !this.isGlobal(local));
  }

  needsCell(local: Local): boolean {
    if (!local.captured || this.isGlobal(local)) return false;
    this.celled ??= this.findCelled();
    return this.celled.has(local);
  }

  /** Whether a lambda may become a delegate: what it uses is in cells where it has to be. */
  mayBeKept(code: FunctionCode): boolean {
    if (this.of(code).length === 0) return true;
    this.celled ??= this.findCelled();
    return this.kept.has(code);
  }

  private findCelled(): Set<Local> {
    const walk = new Walk(this.escaping);
    walk.visit(this.bound.body);
    this.kept = walk.functions;
    const celled = new Set<Local>();
    for (const code of walk.functions) {
      for (const local of this.of(code)) {
        if ((walk.assigned.get(local) ?? 0) > (walk.declared.has(local) ? 1 : 0)) celled.add(local);
      }
    }
    return celled;
  }
}

/** Goes over a whole fragment: functions that are not inlined, how often each variable is assigned, and which a block declares. */
class Walk {
  readonly functions = new Set<FunctionCode>();
  readonly assigned = new Map<Local, number>();
  readonly declared = new Set<Local>();
  private readonly rest: unknown[] = [];
  private readonly escaping: ReadonlySet<unknown>;

  constructor(escaping: ReadonlySet<unknown>) {
    this.escaping = escaping;
  }

  /** Everything below a node, in a loop: what is still to be seen waits in a list. */
  visit(root: unknown): void {
    const before = this.rest.length;
    this.rest.push(root);
    while (this.rest.length > before) this.node(this.rest.pop());
  }

  private node(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    step();
    if (Array.isArray(node)) {
      for (const part of node) this.rest.push(part);
      return;
    }
    const part = node as { readonly kind?: string };
    switch (part.kind) {
      case 'block':
        for (const local of (node as { declares: readonly Local[] }).declares) this.declared.add(local);
        this.rest.push((node as { statements: unknown }).statements);
        return;
      case 'localFunction':
        this.function((node as { function: { code: FunctionCode } }).function.code, true);
        return;
      case 'lambda':
        this.function((node as { code: FunctionCode }).code, true);
        return;
      case 'call':
        this.call(node as Expression & { kind: 'call' });
        return;
      case 'callLocal':
        this.arguments((node as Expression & { kind: 'callLocal' }).arguments);
        return;
      case 'delegateOfLocal':
      case 'constant':
      case 'local':
        return;
      case 'assign':
        this.target((node as { target: Target }).target);
        this.rest.push((node as { value: unknown }).value);
        return;
      case 'invoke':
        this.rest.push((node as { delegate: unknown }).delegate);
        this.arguments((node as Expression & { kind: 'invoke' }).arguments);
        return;
      default:
        for (const [name, value] of Object.entries(node)) {
          if (name !== 'type' && name !== 'member' && name !== 'item' && name !== 'local') this.rest.push(value);
        }
    }
  }

  private call(node: Expression & { kind: 'call' }): void {
    this.rest.push(node.receiver);
    for (const given of node.arguments) {
      if (given.mode === 'value' && given.value.kind === 'lambda') this.function(given.value.code, false);
      else this.arguments([given]);
    }
  }

  private arguments(list: (Expression & { kind: 'callLocal' })['arguments']): void {
    for (const given of list) {
      if (given.mode === 'value') this.rest.push(given.value);
      else this.target(given.target);
    }
  }

  private function(code: FunctionCode, isOwn: boolean): void {
    if (isOwn || this.escaping.has(code)) this.functions.add(code);
    this.rest.push(code.body);
  }

  private target(target: Target): void {
    if (target.kind === 'local') this.assigned.set(target.local, (this.assigned.get(target.local) ?? 0) + 1);
    else if (target.kind === 'tupleElement') {
      // A variable is changed beyond its one value.
      this.target(target.tuple);
      this.target(target.tuple);
    } else this.rest.push({ ...target, kind: 'target' });
  }
}
