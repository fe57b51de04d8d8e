// The project's own files as the tidy checks see them: paths with forward slashes and text, and a syntax tree on request.
// A check is a function from such files to problems, so that its test can hand it files that must fail.

import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { at, listFiles } from '../../scripts/lib/freshness.mjs';

export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** One broken rule: `path:line sentence`. */
export type Problem = string;

/** A node of the syntax tree (ESTree with TypeScript's additions), as loosely as the checks need it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** All files below these folders with one of these endings. */
export function readFiles(folders: string[], endings: string[]): ProjectFile[] {
  return listFiles(folders, (path) => endings.some((ending) => path.endsWith(ending))).map(readProjectFile);
}

/** One file by its path in the project. */
export function readProjectFile(path: string): ProjectFile {
  return { path, text: readFileSync(at(path), 'utf8') };
}

const parsed = new WeakMap<ProjectFile, ReturnType<typeof parseSync>>();

/** Syntax tree and module record of a TypeScript, AssemblyScript or JavaScript file; throws when it does not parse. */
export function parse(file: ProjectFile) {
  const known = parsed.get(file);
  if (known) return known;
  const lang = /\.(tsx?)$/.exec(file.path)?.[1] ?? 'js';
  const result = parseSync(file.path, maskDecorators(file), { lang: lang as 'ts' | 'tsx' | 'js' });
  const error = result.errors[0];
  if (error) throw new Error(`${file.path}: ${error.message}\n${error.codeframe ?? ''}`);
  parsed.set(file, result);
  return result;
}

/** Calls `visit` for every node, parents first. */
export function walk(file: ProjectFile, visit: (node: SyntaxNode, parent: SyntaxNode | null) => void): void {
  const step = (node: SyntaxNode, parent: SyntaxNode | null): void => {
    visit(node, parent);
    for (const child of Object.values(node)) {
      for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) step(one, node);
    }
  };
  step(parse(file).program as unknown as SyntaxNode, null);
}

/** `path:line` of an offset in the file. */
export function place(file: ProjectFile, offset: number): string {
  return `${file.path}:${lineOf(file.text, offset)}`;
}

/** 1-based line of an offset. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** The files that the module's static and constant dynamic imports and re-exports name, with their offsets. */
export function importsOf(file: ProjectFile): { name: string; start: number }[] {
  const { module } = parse(file);
  const found: { name: string; start: number }[] = [];
  for (const { moduleRequest } of module.staticImports)
    found.push({ name: moduleRequest.value, start: moduleRequest.start });
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) {
      if (moduleRequest) found.push({ name: moduleRequest.value, start: moduleRequest.start });
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const constant = /^['"`]([^'"`$]+)['"`]$/.exec(file.text.slice(moduleRequest.start, moduleRequest.end));
    if (constant?.[1]) found.push({ name: constant[1], start: moduleRequest.start });
  }
  return found;
}

/** The project path that a relative import in `file` means; AssemblyScript leaves the ending out. */
export function resolveImport(file: ProjectFile, name: string): string {
  const path = new URL(name, `file:///${file.path}`).pathname.slice(1);
  return /\.(tsx?|mjs|js|json)$/.test(path) ? path : `${path}.ts`;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}

/** AssemblyScript has decorators on functions and variables, which TypeScript's grammar has not: blanks of equal length. */
function maskDecorators({ path, text }: ProjectFile): string {
  if (!path.startsWith('assembly/') && !path.startsWith('test/assembly/')) return text;
  return text.replace(/(^|\n)([ \t]*@[a-zA-Z.]+(\([^)\n]*\))?[ \t]*)+/g, (all) => all.replace(/[^\n]/g, ' '));
}
