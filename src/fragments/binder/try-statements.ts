// try, catch and finally.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Type } from '../types.ts';
import { type Binder, UNREACHABLE } from './binder.ts';
import { bindCondition } from './conditions.ts';
import { hasImplicit } from './conversions.ts';
import { bindBlockStatements } from './statements.ts';
import { bindType } from './type-names.ts';
import { named, typeText } from './typing.ts';

export function bindTry(b: Binder, syntax: Syntax.Statement & { kind: 'try' }): Tree.Statement {
  const start = b.state;
  const isGuarded = syntax.catches.length > 0;
  if (isGuarded) b.guardedDepth++;
  const body = bindBlockStatements(b, syntax.body);
  if (isGuarded) b.guardedDepth--;
  let end = b.state;
  const caught: Type[] = [];
  const catches = syntax.catches.map((clause) => {
    b.setState(start);
    const bound = bindCatch(b, syntax, clause, caught);
    end &= b.state;
    return bound;
  });
  let ending: Tree.Block | null = null;
  b.setState(end);
  if (syntax.finally) {
    b.setState(start);
    b.finallyDepth++;
    const { catchDepth } = b;
    b.catchDepth = 0;
    ending = bindBlockStatements(b, syntax.finally);
    b.catchDepth = catchDepth;
    b.finallyDepth--;
    b.setState(b.state === UNREACHABLE ? UNREACHABLE : end | b.state);
  }
  return { kind: 'try', body, catches, finally: ending };
}

function bindCatch(
  b: Binder,
  syntax: Syntax.Statement & { kind: 'try' },
  clause: Syntax.CatchClause,
  caught: Type[],
): Tree.Catch {
  return b.inScope([clause], (scope) => {
    const type = clause.type ? bindType(b, clause.type) : null;
    const exception = named('Exception');
    if (type && type.kind !== 'error') {
      if (!hasImplicit(b, type, exception)) b.report('CS0155', clause.type!);
      else if (caught.some((earlier) => hasImplicit(b, type, earlier)))
        b.report('CS0160', clause.type!, typeText(type));
    }
    let local: Tree.Local | null = null;
    if (clause.name) {
      const symbol = b.declare(clause.name, type ?? exception);
      symbol.assigned = false;
      if (b.state !== UNREACHABLE) b.state |= symbol.bit;
      local = symbol.local;
    }
    const filter = clause.filter ? bindCondition(b, clause.filter) : null;
    if (filter?.constant === true) b.warn('CS7095', clause.filter!);
    if (filter?.constant === false)
      b.warn(syntax.catches.length === 1 && !syntax.finally ? 'CS8360' : 'CS8359', clause.filter!);
    if (filter) b.setState(b.whenTrue);
    else if (type) caught.push(type);
    else caught.push(exception);
    b.catchDepth++;
    const body = bindBlockStatements(b, clause.body);
    b.catchDepth--;
    const block: Tree.Block = { kind: 'block', declares: scope.declares, statements: [body] };
    return { type: type?.kind === 'error' ? null : type, local, filter: filter?.tree ?? null, body: block };
  });
}
