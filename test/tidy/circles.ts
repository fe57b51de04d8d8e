// Imports go in circles only where recursion is the subject: in the folders below, and there only between modules whose own functions call
// each other in circles. Who merely uses a recursive function, or lends it something, has no part in a circle. Types do not count: they are
// gone when the code runs, and whoever is handed an object has to name its type.

import { type Problem, type ProjectFile, parse, place, resolveImport, type SyntaxNode } from './project.ts';

/** Folders within which modules may call each other in circles, and what is recursive there. */
const RECURSION: Record<string, string> = {
  'src/fragments/parser': 'recursive descent: statements hold lambdas, which hold statements',
  'src/fragments/binder': 'an expression is bound by its parts, which are expressions',
  'src/fragments/interpreter': 'an expression is compiled by its parts, which are expressions',
  'src/fragments/emit/text': 'the text of an object is made of the texts of its parts',
};

/** Imports that lead back to where they stand; and folders that need no exception any more. */
export function circleProblems(files: ProjectFile[], recursion: Record<string, string> = RECURSION): Problem[] {
  const graph = new Map(files.map((file) => [file.path, valueImports(file)]));
  const circles = circlesOf(new Map([...graph].map(([path, imports]) => [path, imports.map(({ target }) => target)])));
  const recursive = recursiveModules(files.filter(({ path }) => circles.has(path)));
  const used = new Set<string>();
  const problems: Problem[] = [];
  for (const file of files) {
    const circle = circles.get(file.path);
    if (circle === undefined) continue;
    if (recursion[folderOf(file.path)] !== undefined && !recursive.has(file.path))
      problems.push(`${file.path} is in a circle of imports and has no function that is called in one`);
    for (const { target, start } of graph.get(file.path) ?? []) {
      if (circles.get(target) !== circle) continue;
      const folder = folderOf(file.path);
      if (folder === folderOf(target) && recursion[folder] !== undefined) used.add(folder);
      else problems.push(`${place(file, start)} is part of a circle of imports (${target})`);
    }
  }
  for (const folder of Object.keys(recursion)) {
    if (!used.has(folder)) problems.push(`${folder} needs no exception any more`);
  }
  return problems;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

function valueImports(file: ProjectFile): { target: string; start: number }[] {
  const { module } = parse(file);
  const entries = [
    ...module.staticImports.map(({ moduleRequest, entries, start }) => ({
      name: moduleRequest.value,
      start,
      isType: entries.length > 0 && entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap(({ entries, start }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ name: moduleRequest.value, start, isType }] : [],
      ),
    ),
  ];
  return entries
    .filter(({ name, isType }) => name.startsWith('.') && !isType)
    .map(({ name, start }) => ({ target: resolveImport(file, name), start }));
}

/** The modules with a function that is called in a circle through another module. */
function recursiveModules(files: ProjectFile[]): Set<string> {
  const owners = new Map<string, Map<string, SyntaxNode>>(files.map((file) => [file.path, declarationsOf(file)]));
  const calls = new Map<string, string[]>();
  for (const file of files) {
    const own = owners.get(file.path) as Map<string, SyntaxNode>;
    const imported = new Map<string, string>();
    for (const { moduleRequest, entries } of parse(file).module.staticImports) {
      const target = moduleRequest.value.startsWith('.') ? resolveImport(file, moduleRequest.value) : '';
      for (const { isType, importName, localName } of entries) {
        if (!isType && owners.get(target)?.has(importName.name ?? ''))
          imported.set(localName.value, `${target}#${importName.name}`);
      }
    }
    for (const [name, declaration] of own) {
      const names = [...namesIn(declaration)].filter((used) => used !== name);
      const targets = names.map((used) => (own.has(used) ? `${file.path}#${used}` : imported.get(used)));
      calls.set(
        `${file.path}#${name}`,
        targets.filter((target) => target !== undefined),
      );
    }
  }
  const modules = new Map<number, Set<string>>();
  for (const [name, circle] of circlesOf(calls)) {
    const [path] = name.split('#') as [string];
    modules.set(circle, (modules.get(circle) ?? new Set()).add(path));
  }
  return new Set([...modules.values()].filter(({ size }) => size > 1).flatMap((paths) => [...paths]));
}

/** The functions, classes and constants at the top of a module. */
function declarationsOf(file: ProjectFile): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  for (const statement of parse(file).program.body as unknown as SyntaxNode[]) {
    const declaration = (statement.declaration ?? statement) as SyntaxNode;
    const declared = (declaration.declarations ?? [declaration]) as { id?: { name?: string } }[];
    for (const one of declared) if (one.id?.name !== undefined) found.set(one.id.name, one as unknown as SyntaxNode);
  }
  return found;
}

/** Names that a declaration mentions, those of members and types included: a circle too many shows, one too few does not. */
function namesIn(node: SyntaxNode, names: Set<string> = new Set()): Set<string> {
  if (node.type === 'Identifier') names.add(node.name as string);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') namesIn(child as SyntaxNode, names);
    }
  }
  return names;
}

/** For each module in a circle the circle's number (Tarjan's strongly connected components). */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const [order, low, circles] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const open: string[] = [];
  const visit = (path: string): void => {
    const own = order.size;
    order.set(path, own);
    low.set(path, own);
    open.push(path);
    for (const target of graph.get(path) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) visit(target);
      else if (!open.includes(target)) continue;
      low.set(path, Math.min(low.get(path) as number, low.get(target) as number));
    }
    if (low.get(path) !== own) return;
    const found = open.splice(open.indexOf(path));
    if (found.length > 1) for (const each of found) circles.set(each, own);
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return circles;
}
