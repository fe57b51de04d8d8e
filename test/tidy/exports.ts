// An export that nobody imports is not a part of anything. Tests do not count as users, unless the comment before the
// declaration says `@testonly`, which it may say only then. A type may be exported for readers when its own module uses it in a signature.

import { type Problem, type ProjectFile, parse, place, resolveImport, type SyntaxNode } from './project.ts';

/** Modules whose exports are for the world. */
const ENTRIES = [
  ...['src/index.ts', 'src/client/index.ts', 'runtime-node/index.ts', 'runtime-node/main.ts'],
  ...['runtime-browser/index.ts', 'runtime-browser/worker.ts', 'runtime-edge/index.ts'],
  ...['explorer/main.tsx', 'explorer/layout/worker.ts'],
];
const ALL = '*';

/** Unused exports of `modules`, given everything that may use them. */
export function unusedExportProblems(modules: ProjectFile[], users: ProjectFile[], tests: ProjectFile[]): Problem[] {
  const used = usesOf([...modules, ...users]);
  const usedByTests = usesOf(tests);
  const problems: Problem[] = [];
  for (const file of modules) {
    if (ENTRIES.includes(file.path)) continue;
    for (const { name, start, isReExport } of exportsOf(file)) {
      const forTests = isTestOnly(file, start);
      if (isUsed(used, file, name)) {
        if (forTests) problems.push(`${place(file, start)} marks ${name} as @testonly, which modules import`);
        continue;
      }
      if (!isReExport && isSignatureType(file, name)) continue;
      if (forTests && isUsed(usedByTests, file, name)) continue;
      problems.push(
        `${place(file, start)} exports ${name}, which ${forTests ? 'not even a test' : 'no module'} imports`,
      );
    }
  }
  return problems;
}

function isUsed(uses: Map<string, Set<string>>, { path }: ProjectFile, name: string): boolean {
  const names = uses.get(path);
  return names !== undefined && (names.has(ALL) || names.has(name));
}

/** Names imported, by the path of the module they come from. */
function usesOf(files: ProjectFile[]): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>();
  const add = (file: ProjectFile, request: string, name: string): void => {
    if (!request.startsWith('.')) return;
    const path = resolveImport(file, request);
    uses.set(path, (uses.get(path) ?? new Set()).add(name));
  };
  for (const file of files) {
    const { module } = parse(file);
    for (const { moduleRequest, entries } of module.staticImports) {
      for (const { importName } of entries) add(file, moduleRequest.value, nameOf(importName));
    }
    for (const { entries } of module.staticExports) {
      for (const { moduleRequest, importName } of entries) {
        if (moduleRequest) add(file, moduleRequest.value, nameOf(importName));
      }
    }
    for (const { moduleRequest } of module.dynamicImports) {
      const text = file.text.slice(moduleRequest.start + 1, moduleRequest.end - 1);
      if (!/[`'"$ ]/.test(text)) add(file, text, ALL);
    }
  }
  return uses;
}

function nameOf({ kind, name }: { kind: string; name: string | null }): string {
  if (kind === 'Default') return 'default';
  return kind === 'Name' && name !== null ? name : ALL;
}

function exportsOf(file: ProjectFile): { name: string; start: number; isReExport: boolean }[] {
  return parse(file).module.staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ exportName, moduleRequest }) => {
      const name = exportName.kind === 'Default' ? 'default' : exportName.name;
      return name ? [{ name, start, isReExport: moduleRequest !== null }] : [];
    }),
  );
}

function isSignatureType(file: ProjectFile, name: string): boolean {
  const isType = (parse(file).program.body as unknown as SyntaxNode[]).some((statement) => {
    const declaration = statement.declaration as SyntaxNode | null | undefined;
    if (declaration?.type !== 'TSInterfaceDeclaration' && declaration?.type !== 'TSTypeAliasDeclaration') return false;
    return (declaration.id as SyntaxNode).name === name;
  });
  return isType && [...file.text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
}

function isTestOnly({ text }: ProjectFile, start: number): boolean {
  const comment = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/|(?:\/\/[^\n]*\n\s*)+)\s*$/.exec(text.slice(0, start));
  return comment?.[0].includes('@testonly') ?? false;
}
