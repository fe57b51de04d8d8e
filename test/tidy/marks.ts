// What never belongs into a file of the project: marks of unfinished work, and paths of one machine.

import type { Problem, ProjectFile } from './project.ts';

const RULES: readonly { pattern: RegExp; sentence: string }[] = [
  { pattern: /\b(TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/, sentence: 'has a mark of unfinished work' },
  { pattern: /(?<![\w.)}])\/(work|home|root|tmp|Users)\/[\w.-]/, sentence: 'names a path of one machine' },
  { pattern: /\b[A-Za-z]:\\Users\\/, sentence: 'names a path of one machine' },
  { pattern: /"resolved":\s*"/, sentence: 'pins a registry host' },
];

/** Lines that break one of these rules. */
export function markProblems(files: ProjectFile[]): Problem[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        RULES.filter(({ pattern }) => pattern.test(line)).map(({ sentence }) => `${path}:${index + 1} ${sentence}`),
      ),
  );
}
