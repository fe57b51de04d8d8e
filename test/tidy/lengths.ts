// Files have one subject and functions fit a screen. The limits are generous by a few lines over what the style asks for.

import { lineOf, type Problem, type ProjectFile, place, walk } from './project.ts';

export interface LengthException {
  readonly path: string;
  readonly lines: number;
  readonly why: string;
}

/** Files that may be longer than the limit, up to `lines`. An entry that is no longer needed is a problem itself. */
export const LENGTH_EXCEPTIONS: readonly LengthException[] = [
  { path: 'src/client/api.ts', lines: 8000, why: 'made by a generator from the OpenAPI document, and read by nobody' },
];

export const FUNCTION_LINES = 75;

const FUNCTION_NODES = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Lines a file may have, by where it lies. */
export function fileLimit(path: string): number {
  return path.startsWith('assembly/') || path.startsWith('test/') ? 700 : 400;
}

/** Files over their limit, and exceptions that nothing needs. */
export function fileLengthProblems(files: ProjectFile[], exceptions = LENGTH_EXCEPTIONS): Problem[] {
  const problems: Problem[] = [];
  for (const { path, text } of files) {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    const exception = exceptions.find((one) => one.path === path);
    if (exception && lines <= fileLimit(path)) problems.push(`${path}:1 needs no exception any more`);
    const limit = exception?.lines ?? fileLimit(path);
    if (lines > limit) problems.push(`${path}:1 has ${lines} lines, the limit is ${limit}`);
  }
  for (const { path } of exceptions) {
    if (!files.some((file) => file.path === path)) problems.push(`${path}:1 has an exception but does not exist`);
  }
  return problems;
}

/** Functions over the limit, from their first line to their last. */
export function functionLengthProblems(files: ProjectFile[]): Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    walk(file, (node) => {
      if (!FUNCTION_NODES.has(node.type)) return;
      const lines = lineOf(file.text, node.end) - lineOf(file.text, node.start) + 1;
      if (lines > FUNCTION_LINES) {
        problems.push(`${place(file, node.start)} is a function of ${lines} lines, the limit is ${FUNCTION_LINES}`);
      }
    });
  }
  return problems;
}
