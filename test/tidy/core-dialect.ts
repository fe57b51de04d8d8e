// One way to write the core, where its compiler leaves a choice and no formatter reads decorators: a local that is never assigned again is
// `const`; a decorator has a line of its own, behind the mark that quiets TypeScript; imports are sorted as in src/, named once, and used.

import { type Problem, type ProjectFile, parse, place, type SyntaxNode, walk } from './project.ts';

const MARK = '// @ts-ignore: decorator';

/** Places in files of assembly/ and test/assembly/ that are written in another way. */
export function coreDialectProblems(files: ProjectFile[]): Problem[] {
  return files.flatMap((file) => [...letProblems(file), ...decoratorProblems(file), ...importProblems(file)]);
}

type Scope = { readonly names: Map<string, Binding>; readonly outer: Scope | null };
interface Binding {
  readonly start: number;
  readonly name: string;
  /** A local `let` with a value; others are never reported. */
  readonly couldStay: boolean;
  isAssigned: boolean;
}

function letProblems(file: ProjectFile): Problem[] {
  const bindings: Binding[] = [];
  const assignments: [name: string, scope: Scope][] = [];
  const visit = (node: SyntaxNode, outer: Scope | null): void => {
    const scope = outer === null || opensScope(node) ? { names: new Map<string, Binding>(), outer } : outer;
    for (const name of parametersOf(node))
      scope.names.set(name, { start: 0, name, couldStay: false, isAssigned: false });
    if (node.type === 'VariableDeclaration') declare(node, scope, bindings);
    const target = (
      node.type === 'AssignmentExpression' ? node.left : node.type === 'UpdateExpression' ? node.argument : null
    ) as {
      type: string;
      name: string;
    } | null;
    if (target?.type === 'Identifier') assignments.push([target.name, scope]);
    for (const child of childrenOf(node)) visit(child, scope);
  };
  visit(parse(file).program as unknown as SyntaxNode, null);
  for (const [name, scope] of assignments) {
    for (let at: Scope | null = scope; at !== null; at = at.outer) {
      const binding = at.names.get(name);
      if (binding === undefined) continue;
      binding.isAssigned = true;
      break;
    }
  }
  return bindings
    .filter(({ couldStay, isAssigned }) => couldStay && !isAssigned)
    .map(({ start, name }) => `${place(file, start)} declares ${name} with let and never assigns to it again`);
}

/** The names of one declaration stay or change together: it is one word for all of them. */
function declare(node: SyntaxNode, scope: Scope, bindings: Binding[]): void {
  const declarations = node.declarations as { id: { name: string }; init: SyntaxNode | null }[];
  const couldStay =
    node.kind === 'let' && scope.outer !== null && declarations.length === 1 && declarations[0]?.init != null;
  for (const { id } of declarations) {
    const binding = { start: node.start, name: id.name, couldStay, isAssigned: false };
    scope.names.set(id.name, binding);
    bindings.push(binding);
  }
}

function opensScope({ type }: SyntaxNode): boolean {
  return type.includes('Function') || ['BlockStatement', 'ForStatement', 'SwitchStatement'].includes(type);
}

function parametersOf(node: SyntaxNode): string[] {
  if (!node.type.includes('Function') || !Array.isArray(node.params)) return [];
  return (node.params as { name?: string }[]).flatMap(({ name }) => (name === undefined ? [] : [name]));
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'parent') return [];
    return (Array.isArray(value) ? value : [value]).filter((child) => typeof child?.type === 'string') as SyntaxNode[];
  });
}

function decoratorProblems({ path, text }: ProjectFile): Problem[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    if (!/^\s*@\w/.test(line)) return [];
    if (!/^\s*@\w+(\([^)]*\))?$/.test(line)) return [`${path}:${i + 1} has a decorator beside something else`];
    const before = (lines[i - 1] ?? '').trim();
    return before === MARK || before.startsWith('@')
      ? []
      : [`${path}:${i + 1} has a decorator without the mark before it`];
  });
}

const byName = (a: string, b: string): number => compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b);
const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

function importProblems(file: ProjectFile): Problem[] {
  const problems: Problem[] = [];
  const seen: string[] = [];
  const used = namesIn(file);
  walk(file, (node) => {
    if (node.type !== 'ImportDeclaration') return;
    const from = (node.source as unknown as { value: string }).value;
    const names = (node.specifiers as { local: { name: string } }[]).map(({ local }) => local.name);
    const at = place(file, node.start);
    const last = seen.at(-1);
    if (last !== undefined && isBehind(last, from)) problems.push(`${at} imports ${from} behind ${last}`);
    seen.push(from);
    if (names.join() !== [...names].sort(byName).join()) problems.push(`${at} names what it imports in no order`);
    for (const name of names) if (!used.has(name)) problems.push(`${at} imports ${name} and does not use it`);
  });
  return problems;
}

/** Farther away comes first, then by name; a module stands once. */
function isBehind(before: string, next: string): boolean {
  const depth = (path: string): number => path.split('../').length;
  if (depth(before) !== depth(next)) return depth(before) < depth(next);
  return byName(before, next) >= 0;
}

/** All names in the code, without comments and imports. */
function namesIn({ text }: ProjectFile): Set<string> {
  const code = text.replace(/^import[^;]*;/gm, '').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
  return new Set(code.match(/(?<![\w.])[A-Za-z_]\w*/g));
}
