// What the back ends rely on in a typed tree: no error types, operands of the type they say, members that the library declares,
// locals that belong to the function they are used in or are captured by it.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDeclarations } from '../../src/fragments/binder/reader.ts';
import { sameType, typeText } from '../../src/fragments/binder/typing.ts';
import { bindFragment } from '../../src/fragments/compile.ts';
import { LIBRARY } from '../../src/fragments/library/index.ts';
import type * as Tree from '../../src/fragments/tree.ts';
import type { Type } from '../../src/fragments/types.ts';

/** Members that the binder calls without a declaration: back ends know them by name. */
const INTRINSICS = ['Type.typeof<T>()', 'Array.slice<T>(T[],int,int)'];

function declaredKeys(): Set<string> {
  const keys = new Set(INTRINSICS);
  for (const type of readDeclarations(LIBRARY)) {
    const names = [...type.memberNames()].flatMap((name) => (name === 'operator' ? OPERATORS : [name]));
    for (const name of names) {
      for (const member of type.membersNamed(name)) {
        if (member.kind === 'property') {
          if (member.getKey) keys.add(member.getKey);
          if (member.setKey) keys.add(member.setKey);
        } else keys.add(member.key);
      }
    }
  }
  return keys;
}

const OPERATORS = [
  'Addition Subtraction Multiply Division Modulus BitwiseAnd BitwiseOr ExclusiveOr LeftShift RightShift Equality Inequality',
  'LessThan GreaterThan LessThanOrEqual GreaterThanOrEqual UnaryPlus UnaryNegation LogicalNot OnesComplement Increment',
  'Decrement Implicit Explicit',
]
  .join(' ')
  .split(' ')
  .map((name) => `op_${name}`);

const KEYS = declaredKeys();

/** Everything that is wrong with a tree. */
function problems(fragment: Tree.BoundFragment): string[] {
  const found: string[] = [];
  const known = new Set<Tree.Local>([fragment.context, ...fragment.locals]);
  walkFunction(fragment.body, known, found);
  return found;
}

function walkFunction(body: unknown, known: ReadonlySet<Tree.Local>, found: string[]): void {
  const pending: unknown[] = [body];
  while (pending.length) {
    const node = pending.pop();
    if (Array.isArray(node)) {
      pending.push(...node);
      continue;
    }
    if (node === null || typeof node !== 'object') continue;
    if ('type' in node) checkType(node as { type: Type; kind: string }, found);
    checkNode(node as Tree.Expression, known, found);
    const { kind } = node as { kind?: string };
    if (kind === 'lambda') enter((node as { code: Tree.FunctionCode }).code, known, found);
    else if (kind === 'localFunction') enter((node as { function: Tree.LocalFunction }).function.code, known, found);
    else if (kind === 'callLocal') pending.push((node as { arguments: unknown }).arguments);
    else if (kind !== 'delegateOfLocal' && kind !== 'constant') {
      for (const [name, value] of Object.entries(node)) if (!SKIPPED.has(name)) pending.push(value);
    }
  }
}

const SKIPPED = new Set([
  'type',
  'typeArguments',
  'member',
  'local',
  'item',
  'declares',
  'test',
  'conversion',
  'label',
  'setter',
]);

function enter(code: Tree.FunctionCode, outer: ReadonlySet<Tree.Local>, found: string[]): void {
  for (const local of code.captures) {
    if (!outer.has(local)) found.push(`captures ${local.name}, which the function around does not have`);
    if (!local.captured) found.push(`${local.name} is captured but not marked`);
  }
  walkFunction(code.body, new Set([...code.parameters, ...code.locals, ...code.captures]), found);
}

function checkType(node: { type: Type; kind: string }, found: string[]): void {
  const text = JSON.stringify(node.type);
  if (text?.includes('"error"')) found.push(`${node.kind} has an error type`);
  if (text?.includes('"parameter"')) found.push(`${node.kind} has an open type ${typeText(node.type)}`);
}

function checkNode(
  node: Tree.Expression | Tree.Statement | Tree.Target,
  known: ReadonlySet<Tree.Local>,
  found: string[],
): void {
  const same = (left: Type, right: Type, what: string) => {
    if (!sameType(left, right)) found.push(`${what}: ${typeText(left)} is not ${typeText(right)}`);
  };
  switch (node.kind) {
    case 'local':
      if (!known.has(node.local)) found.push(`local ${node.local.id} ${node.local.name} is not the function's`);
      break;
    case 'forEach':
      if (!known.has(node.item)) found.push('the item of a foreach is not a local of the function');
      break;
    case 'binary':
      same(node.left.type, { kind: 'primitive', name: node.operand }, `left of ${node.operator}`);
      if (['<<', '>>', '>>>'].includes(node.operator))
        same(node.right.type, { kind: 'primitive', name: 'int' }, 'shift count');
      else same(node.right.type, { kind: 'primitive', name: node.operand }, `right of ${node.operator}`);
      break;
    case 'assign':
      same(node.value.type, node.target.type, 'assignment');
      if (node.target.kind === 'member' && !KEYS.has(node.target.setter.key))
        found.push(`no ${node.target.setter.key}`);
      break;
    case 'conditional':
      same(node.whenTrue.type, node.type, 'conditional, true');
      same(node.whenFalse.type, node.type, 'conditional, false');
      break;
    case 'sequence':
      same(node.value.type, node.type, 'sequence');
      break;
    case 'call':
    case 'delegateOf':
      if (!KEYS.has(node.member.key)) found.push(`no member ${node.member.key}`);
      break;
    case 'tuple':
      for (const [at, element] of node.elements.entries()) {
        same(element.type, (node.type as Type & { kind: 'tuple' }).elements[at]!.type, 'tuple element');
      }
      break;
    case 'convert':
      if (node.conversion.kind === 'numeric')
        same(node.operand.type, { kind: 'primitive', name: node.conversion.from }, 'numeric');
      break;
    case 'unwrap':
    case 'hasValue':
      if (node.operand.type.kind !== 'nullable') found.push(`${node.kind} of ${typeText(node.operand.type)}`);
      break;
    case 'and':
    case 'or':
      same(node.left.type, { kind: 'primitive', name: 'bool' }, node.kind);
      same(node.right.type, { kind: 'primitive', name: 'bool' }, node.kind);
      break;
    default:
  }
}

const CORPUS: readonly (readonly [Tree.DelegateKind, string, readonly string[]])[] = JSON.parse(
  readFileSync(new URL('fragments-binder.corpus.json', import.meta.url), 'utf8'),
);
const NEWER = readFileSync(new URL('fragments-binder.newer.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');

describe('typed trees', () => {
  it('would notice a member that nobody declares', () => {
    const bound = bindFragment('return v => v.Label.Trim() == "a";', 'VertexFilter', { report: () => {} })!;
    const text = JSON.stringify(bound.body).replace('String.Trim()', 'String.Trimmed()');
    expect(problems({ ...bound, body: JSON.parse(text) })).toContain('no member String.Trimmed()');
  });

  const accepted = CORPUS.flatMap(([kind, text]) =>
    bindFragment(text, kind, { report: () => {} }) ? [[kind, text] as const] : [],
  );
  it.each(accepted)('%s %s', (kind, text) => {
    const bound = bindFragment(text, kind, { report: () => {} });
    expect(problems(bound!)).toEqual([]);
  });

  it.each(NEWER)('newer C#: %s', (text) => {
    const found: string[] = [];
    const bound = bindFragment(text, 'VertexFilter', {
      report: ({ id, severity }) => severity === 'error' && found.push(id),
    });
    expect(found).toEqual([]);
    expect(problems(bound!)).toEqual([]);
  });
});
