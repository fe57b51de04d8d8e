// The portable host names no global that only one runtime has. The compiler already hides Node's from src/; this also finds
// those it lets through (`globalThis.process`, what a library's types declare) and the browser's.

import { type Problem, type ProjectFile, place, type SyntaxNode, walk } from './project.ts';

const FOREIGN = new Set([
  ...['process', 'Buffer', '__dirname', '__filename', 'require', 'global', 'setImmediate', 'clearImmediate'],
  ...['window', 'document', 'localStorage', 'sessionStorage', 'importScripts', 'Deno', 'Bun'],
]);

/** Uses of such a global. A property or a key of that name is none. */
export function globalProblems(files: ProjectFile[]): Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    walk(file, (node, parent) => {
      if (node.type !== 'Identifier' || !FOREIGN.has(node.name as string) || isOnlyAName(node, parent)) return;
      problems.push(`${place(file, node.start)} uses ${node.name as string}, which not every runtime has`);
    });
  }
  return problems;
}

/** The one module of src/ that compiles WebAssembly at run time: edge runtimes refuse it. */
const compiler = 'src/core/compile-module.ts';
const compiling = new Set(['Module', 'compile', 'compileStreaming', 'instantiate', 'instantiateStreaming']);

/** Other places that compile a module. */
export function compilingProblems(files: ProjectFile[]): Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    if (file.path === compiler) continue;
    walk(file, (node) => {
      if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return;
      const { type, object, property } = node.callee as SyntaxNode;
      if (type !== 'MemberExpression' || (object as SyntaxNode).name !== 'WebAssembly') return;
      if (compiling.has((property as SyntaxNode).name as string))
        problems.push(`${place(file, node.start)} compiles a module beside ${compiler}`);
    });
  }
  return problems;
}

function isOnlyAName(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (parent?.type === 'MemberExpression' && parent.property === node && parent.computed !== true) {
    return (parent.object as SyntaxNode).name !== 'globalThis';
  }
  // Keys of object literals, classes and types; a shorthand property is a key and a use, and its value is visited as well.
  return parent !== null && parent.key === node && parent.value !== node && parent.computed !== true;
}
