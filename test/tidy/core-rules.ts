// Rules of the AssemblyScript sources that the compiler does not hold: it turns a `for` without a condition and
// `atomic.fence` into wrong code without a word, and a check used as a value would not vanish from release builds.

import { type Problem, type ProjectFile, place, type SyntaxNode, walk } from './project.ts';

const LINE_WIDTH = 140;

/** Broken rules in files of assembly/ and test/assembly/. */
export function coreRuleProblems(files: ProjectFile[]): Problem[] {
  const problems: Problem[] = [];
  for (const file of files) {
    walk(file, (node, parent) => {
      const problem = nodeProblem(node, parent);
      if (problem) problems.push(`${place(file, node.start)} ${problem}`);
    });
    for (const [index, line] of file.text.split('\n').entries()) {
      const problem = lineProblem(line);
      if (problem) problems.push(`${file.path}:${index + 1} ${problem}`);
    }
  }
  return problems;
}

function nodeProblem(node: SyntaxNode, parent: SyntaxNode | null): string | null {
  if (node.type === 'ForStatement' && node.test === null) return 'has a for without a condition: it is miscompiled';
  if (node.type === 'MemberExpression') {
    const [object, property] = [node.object as SyntaxNode, node.property as SyntaxNode];
    if (object.name === 'atomic' && property.name === 'fence') return 'uses atomic.fence: it is miscompiled';
  }
  if (node.type === 'CallExpression' && (node.callee as SyntaxNode).name === 'check') {
    if (parent?.type !== 'ExpressionStatement')
      return 'uses check as a value: only the statement is removed from release builds';
  }
  return null;
}

function lineProblem(line: string): string | null {
  if (/[ \t]$/.test(line)) return 'ends in blanks';
  if (/^ *\t/.test(line)) return 'is indented by a tab';
  return line.length > LINE_WIDTH ? `is ${line.length} characters wide, the limit is ${LINE_WIDTH}` : null;
}
