// docs/fragments-members.md: what a fragment can name, read from the library's own declarations, and recipes and mistakes that the compiler has
// judged. A recipe with a diagnostic, a mistake without one or a member of the models without a word about it end the making.

import { compileDiagnostics } from '../../src/fragments/compile.ts';
import type { Declarations } from '../../src/fragments/library/declarations.ts';
import { LIBRARY } from '../../src/fragments/library/index.ts';
import { memberWords, mistakes, recipes } from './fragments-words.ts';

const head = `# Members, recipes and mistakes of fragments

<!-- Made from the library's declarations by a test; \`npx vitest run test/tidy/fragments-page.test.ts -u\` makes it again. -->

After this page you can look up what a fragment can name, copy one that does nearly what you want, and read a diagnostic. What a fragment is and what
stops it: [fragments.md](fragments.md).
`;

export interface Declared {
  readonly space: string;
  /** `sealed class VertexModel : AGraphElementModel` */
  readonly title: string;
  readonly members: readonly string[];
}

export function fragmentsPage(): string {
  return `${[head, recipeSection(), mistakeSection(), modelSection(), restSection()].join('\n')}`;
}

function recipeSection(): string {
  const parts = recipes.map(({ title, kind, text }) => {
    const flaws = compileDiagnostics(text, kind);
    if (flaws.length > 0) throw new Error(`The recipe '${title}' has diagnostics: ${JSON.stringify(flaws)}`);
    return `### ${title}\n\n\`${kind}\`\n\n\`\`\`csharp\n${text}\n\`\`\`\n`;
  });
  return `## Ten recipes\n\n${parts.join('\n')}`;
}

function mistakeSection(): string {
  const parts = mistakes.map(({ title, kind, text, instead }) => {
    const [first] = compileDiagnostics(text, kind);
    if (first === undefined) throw new Error(`The mistake '${title}' has no diagnostic.`);
    const better = compileDiagnostics(instead, kind);
    if (better.length > 0) throw new Error(`What is better than '${title}' has diagnostics: ${JSON.stringify(better)}`);
    const said = `${first.id} ${first.message}`;
    return `### ${title}\n\n\`\`\`csharp\n${text}\n\`\`\`\n\n\`\`\`text\n${said}\n\`\`\`\n\nBetter:\n\n\`\`\`csharp\n${instead}\n\`\`\`\n`;
  });
  return `## Ten mistakes\n\n\`POST /delegates/validate\` answers the diagnostics of C#, with their places; these are the first ones.\n\n${parts.join('\n')}`;
}

const modelSpaces = /^NoSQL\.GraphDB/;

function modelSection(): string {
  const parts = declared(LIBRARY)
    .filter(({ space }) => modelSpaces.test(space))
    .map(({ title, members }) => {
      const rows = members.filter((member) => !member.startsWith('[')).map((member) => rowOf(title, member));
      const refused = members.filter((member) => member.startsWith('[')).map(nameOf);
      const outside =
        refused.length === 0 ? '' : `\nKnown, and refused with CS0012: ${refused.map(code).join(', ')}.\n`;
      const table = rows.length === 0 ? '' : `\n${aligned([['Member', ''], ...rows])}\n`;
      return `### ${title.replace(/^.*(?:class|enum|delegate) /, '').replace(/ [:{].*$/, '')}\n\n${code(title)}\n${table}${outside}`;
    });
  return `## The graph\n\n${parts.join('\n')}`;
}

function rowOf(title: string, member: string): [string, string] {
  const word = memberWords[nameOf(member)];
  if (word === undefined) throw new Error(`No word about '${member}' of '${title}'.`);
  return [code(member.replace(/;$/, '').replaceAll('|', '\\|')), word];
}

/** A table as the formatter writes it. */
function aligned(rows: readonly [string, string][]): string {
  const width = (column: 0 | 1): number => Math.max(3, ...rows.map((row) => row[column].length));
  const [first, second] = [width(0), width(1)];
  const lines = rows.map(([a, b]) => `| ${a.padEnd(first)} | ${b.padEnd(second)} |`);
  return [lines[0], `| ${'-'.repeat(first)} | ${'-'.repeat(second)} |`, ...lines.slice(1)].join('\n');
}

/** Types of .NET: what they declare, a line a member. */
function restSection(): string {
  const types = declared(LIBRARY).filter(({ space, title }) => !modelSpaces.test(space) && !title.startsWith('['));
  return `## .NET\n\nOperators on numbers, texts and booleans are the language's own. Types that are not listed do not exist for a fragment.\n\n${bySpace(types)}`;
}

/** A chapter for each namespace, with what is there of its types. */
export function bySpace(types: readonly Declared[]): string {
  const spaces = new Map<string, Declared[]>();
  for (const type of types) spaces.set(type.space, [...(spaces.get(type.space) ?? []), type]);
  const parts = [...spaces].map(([space, ofSpace]) => {
    const blocks = ofSpace.map(({ title, members }) => {
      const there = members.filter((member) => !member.startsWith('['));
      return there.length === 0 ? title : `${title}\n${there.map((member) => `  ${member}`).join('\n')}`;
    });
    return `### ${space}\n\n\`\`\`csharp\n${blocks.join('\n\n')}\n\`\`\`\n`;
  });
  return parts.join('\n');
}

/** The types of a library in their order. A title or member that a fragment is refused begins with `[`. */
export function declared(library: readonly Declarations[]): Declared[] {
  const types: Declared[] = [];
  let space = '';
  let open: { space: string; title: string; members: string[] } | null = null;
  for (const line of library
    .join('\n')
    .split('\n')
    .map((one) => one.trim())) {
    const into = /^namespace ([\w.]+);$/.exec(line);
    if (into) space = into[1] as string;
    else if (line === '}') open = null;
    else if (line !== '' && open !== null) open.members.push(line);
    else if (line.endsWith('{')) {
      open = { space, title: line.slice(0, -1).trim(), members: [] };
      types.push(open);
    } else if (line !== '' && !line.startsWith('//')) types.push({ space, title: line, members: [] });
  }
  return types;
}

function nameOf(member: string): string {
  const named = /(operator [^\s(]+|\w+)(?:<[^>]*>)?\s*(?:\(|\{|=|;|\[)/.exec(member.replace(/^\[\w+\] /, ''));
  return named?.[1] ?? member;
}

const code = (text: string): string => `\`${text}\``;
