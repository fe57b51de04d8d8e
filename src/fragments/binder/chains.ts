// Long chains: operators, calls, members and casts one behind the other. What they hang on is bound first and in a loop, so that no stack is
// needed in proportion to a chain, and the tree of a chain is cut into pieces of bounded height: `a + b + c + …` becomes `t = a + b; t + c …`.

import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import type { Binder } from './binder.ts';
import type { Bound } from './bound.ts';
import { assignLocal, localTree, sequence, value } from './build.ts';

/** Links that may hang on each other before they are bound in a loop, and before their tree is cut. */
const LONGEST_PIECE = 64;

/**
 * The expression that one begins with, where that is bound first and by itself; null where there is none. Of binary operators it is the one that
 * the whole chain of them begins with.
 */
function beginning(syntax: Syntax.Expression): Syntax.Expression | null {
  switch (syntax.kind) {
    case 'member':
    case 'index':
    case 'conditionalAccess':
      return syntax.receiver;
    case 'call':
      return syntax.callee.kind === 'member' ? syntax.callee.receiver : syntax.callee;
    case 'unary':
      return syntax.operator === '++' || syntax.operator === '--' || syntax.operator === '^' ? null : syntax.operand;
    case 'postfix':
      return syntax.operator === '!' ? syntax.operand : null;
    case 'cast':
    case 'as':
    case 'is':
    case 'switch':
      return syntax.operand;
    case 'binary':
      return chainStart(syntax);
    default:
      return null;
  }
}

/** What a chain of the same kind of binary operators begins with; those that short-circuit are apart from each other and from the rest. */
function chainStart(syntax: Syntax.Expression & { kind: 'binary' }): Syntax.Expression {
  const family = familyOf(syntax.operator);
  if (family === '??') return syntax.left;
  let at: Syntax.Expression = syntax;
  while (at.kind === 'binary' && familyOf(at.operator) === family) at = at.left;
  return at;
}

function familyOf(operator: string): string {
  return operator === '&&' || operator === '||' || operator === '??' ? operator : 'plain';
}

/**
 * Binds what a long chain begins with, link by link, and leaves the last but one ready for whoever binds the whole. Does nothing for
 * chains that are not long.
 */
export function bindBeginnings(
  b: Binder,
  syntax: Syntax.Expression,
  bind: (b: Binder, link: Syntax.Expression) => Bound,
): void {
  let length = 0;
  for (let at = beginning(syntax); at !== null; at = beginning(at)) length++;
  if (length <= LONGEST_PIECE) return;
  const links: Syntax.Expression[] = [];
  for (let at = beginning(syntax); at !== null; at = beginning(at)) links.push(at);
  // What has no beginning of its own is bound where it stands.
  links.pop();
  const pieces = new Pieces(b);
  for (let at = links.length - 1; at >= 0; at--) {
    const bound = pieces.cut(bind(b, links[at]!), at === 0);
    b.ready = { syntax: links[at]!, bound };
  }
}

/** The tree of a chain in pieces: temporaries take what has been computed so far. */
export class Pieces {
  readonly #b: Binder;
  readonly #effects: Tree.Expression[] = [];
  #links = 0;

  constructor(b: Binder) {
    this.#b = b;
  }

  /** What the chain is after one more link; the last one holds everything before it. */
  cut(bound: Bound, isLast: boolean): Bound {
    if (isLast) return this.#effects.length > 0 ? after(this.#effects, bound) : bound;
    if (bound.kind !== 'value' || bound.constant !== undefined) return bound;
    if (++this.#links % LONGEST_PIECE !== 0) return bound;
    const local = this.#b.temporary(bound.type);
    this.#effects.push(assignLocal(local, bound.tree));
    return value(bound.syntax, bound.type, localTree(local));
  }
}

function after(effects: readonly Tree.Expression[], bound: Bound): Bound {
  if (bound.kind === 'value') return value(bound.syntax, bound.type, sequence(effects, bound.tree));
  // Of the rest only a switch without a type of its own has a tree.
  if (bound.kind !== 'switch') return bound;
  return { ...bound, build: (arms, type) => sequence(effects, bound.build(arms, type)) };
}

/** A chain of `and` or `or`, in its order, as high as it must be. */
export function levelled(tree: Tree.Expression): Tree.Expression {
  const { kind } = tree;
  if (kind !== 'and' && kind !== 'or') return tree;
  const parts: Tree.Expression[] = [];
  let at: Tree.Expression = tree;
  for (; at.kind === kind; at = at.left) parts.push(at.right);
  parts.push(at);
  if (parts.length <= LONGEST_PIECE) return tree;
  return joinedTree(parts.reverse(), (left, right) => ({ kind, type: tree.type, left, right }));
}

/** One tree of many that `join` puts together in their order, whichever two of them first: as high as it must be. */
function joinedTree(
  trees: readonly Tree.Expression[],
  join: (left: Tree.Expression, right: Tree.Expression) => Tree.Expression,
): Tree.Expression {
  if (trees.length === 1) return trees[0]!;
  const middle = trees.length >> 1;
  return join(joinedTree(trees.slice(0, middle), join), joinedTree(trees.slice(middle), join));
}
