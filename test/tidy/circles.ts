// Imports go in circles only where recursion is the subject. Types do not count: they are gone when the code runs, and whoever is handed an
// object has to name its type.

import { type Problem, type ProjectFile, parse, place, resolveImport } from './project.ts';

/** Folders within which modules may call each other in circles, and what is recursive there. */
const RECURSION: Record<string, string> = {
  'src/fragments/parser': 'statements hold lambdas, which hold statements',
  'src/fragments/binder': 'an expression is bound by its parts, which are expressions',
  'src/fragments/interpreter': 'an expression is compiled by its parts, which are expressions',
  'src/fragments/emit/text': 'the text of an object is made of the texts of its parts',
};

/** Imports that lead back to where they stand; and folders that need no exception any more. */
export function circleProblems(files: ProjectFile[], recursion: Record<string, string> = RECURSION): Problem[] {
  const graph = new Map(files.map((file) => [file.path, valueImports(file)]));
  const circles = circlesOf(new Map([...graph].map(([path, imports]) => [path, imports.map(({ target }) => target)])));
  const used = new Set<string>();
  const problems: Problem[] = [];
  for (const file of files) {
    const circle = circles.get(file.path);
    if (circle === undefined) continue;
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
