// Preprocessor directives. What they leave out becomes blanks, so that everything else stands where it stood.

import type { Diagnostic } from '../diagnostics.ts';
import { MAX_NESTING } from '../limits.ts';

type Say = (diagnostic: Diagnostic) => void;

interface Branch {
  /** Whether what stands here is read. */
  isOn: boolean;
  /** Whether one of the branches was. */
  wasOn: boolean;
  readonly isOuterOn: boolean;
  sawElse: boolean;
  readonly at: Span;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const DIRECTIVE = /^[ \t]*#[ \t]*(\w*)[ \t]*(.*)$/;

/** The source with nothing but code in it. */
export function preprocess(source: string, report: Say): string {
  if (!source.includes('#')) return source;
  const symbols = new Set<string>();
  const open: Branch[] = [];
  const regions: Span[] = [];
  let result = '';
  let sawCode = false;
  let at = 0;
  /** What ends the comment or the string that the text is inside of. */
  let closer: string | null = null;
  const add = (text: string): void => {
    result += text;
    closer = closerBehind(text, closer);
  };
  const isOn = (): boolean => open.at(-1)?.isOn ?? true;
  for (const line of source.split(/(?<=\n)/)) {
    const text = line.replace(/\r?\n$/, '');
    const span = { start: at, end: at + text.length };
    at += line.length;
    const found = closer !== null ? null : DIRECTIVE.exec(text);
    if (found === null) {
      add(isOn() ? line : blank(line));
      if (isOn() && text.trim() !== '' && !/^\s*\/\//.test(text)) sawCode = true;
      continue;
    }
    add(blank(line));
    const say = (id: string, message: string): void => report({ id, severity: 'error', message, ...span });
    directive(found[1] as string, withoutComment(found[2] as string), {
      symbols,
      open,
      regions,
      span,
      sawCode,
      isOn,
      say,
    });
  }
  for (const { at: span } of open)
    report({ id: 'CS1027', severity: 'error', message: 'An #endif is expected.', ...span });
  for (const span of regions)
    report({ id: 'CS1038', severity: 'error', message: 'An #endregion is expected.', ...span });
  return result;
}

interface State {
  readonly symbols: Set<string>;
  readonly open: Branch[];
  readonly regions: Span[];
  readonly span: Span;
  readonly sawCode: boolean;
  readonly isOn: () => boolean;
  readonly say: (id: string, message: string) => void;
}

function directive(word: string, rest: string, state: State): void {
  const { symbols, open, regions, span, isOn, say } = state;
  const last = open.at(-1);
  switch (word) {
    case 'if': {
      const holds = isOn() && evaluate(rest, symbols, say);
      open.push({ isOn: holds, wasOn: holds, isOuterOn: isOn(), sawElse: false, at: span });
      return;
    }
    case 'elif':
    case 'else':
      if (last === undefined || last.sawElse) {
        say('CS1028', 'This directive stands where none can.');
        return;
      }
      last.sawElse = word === 'else';
      last.isOn = last.isOuterOn && !last.wasOn && (word === 'else' || evaluate(rest, symbols, say));
      last.wasOn ||= last.isOn;
      return;
    case 'endif':
      if (open.pop() === undefined) say('CS1028', 'This directive stands where none can.');
      return;
    default:
      if (isOn()) plain(word, rest, { symbols, regions, span, sawCode: state.sawCode, say });
  }
}

function plain(word: string, rest: string, state: Omit<State, 'open' | 'isOn'>): void {
  const { symbols, regions, span, sawCode, say } = state;
  switch (word) {
    case 'define':
    case 'undef':
      if (sawCode) say('CS1032', 'Symbols are defined before anything else.');
      else if (!/^\w+$/.test(rest)) say('CS1001', 'An identifier is expected.');
      else if (word === 'define') symbols.add(rest);
      else symbols.delete(rest);
      return;
    case 'region':
      regions.push(span);
      return;
    case 'endregion':
      if (regions.pop() === undefined) say('CS1028', 'This directive stands where none can.');
      return;
    case 'error':
      say('CS1029', `#error: '${rest}'`);
      return;
    case 'warning':
    case 'pragma':
    case 'nullable':
    case 'line':
      return;
    default:
      say('CS1024', 'A directive of the preprocessor is expected.');
  }
}

/** What ends the comment or string of several lines that a text ends inside of, where a `#` begins nothing; `before`: the same of what it follows. */
function closerBehind(text: string, before: string | null): string | null {
  const opened = Math.max(text.lastIndexOf('/*'), text.lastIndexOf('@"'));
  if (opened < 0) return before !== null && text.includes(before) ? null : before;
  const closer = text.startsWith('/*', opened) ? '*/' : '"';
  return text.indexOf(closer, opened + 2) < 0 ? closer : null;
}

/** What a directive says, without blanks at its end. */
function withoutComment(text: string): string {
  const comment = text.indexOf('//');
  return (comment < 0 ? text : text.slice(0, comment)).trimEnd();
}

function blank(line: string): string {
  return line.replace(/[^\r\n]/g, ' ');
}

/** `A && !(B || true)`. */
function evaluate(text: string, symbols: ReadonlySet<string>, say: State['say']): boolean {
  const tokens = text.match(/\w+|&&|\|\||==|!=|[!()]|\S/g) ?? [];
  let at = 0;
  let depth = 0;
  const wrong = (id = 'CS1517', message = 'This expression of the preprocessor cannot be read.'): false => {
    at = tokens.length + 1;
    say(id, message);
    return false;
  };
  const primary = (): boolean => {
    if (depth === MAX_NESTING) return wrong('CS8078', 'The source nests too deep to be compiled.');
    depth++;
    const value = nested();
    depth--;
    return value;
  };
  const nested = (): boolean => {
    const token = tokens[at++];
    if (token === '!') return !primary();
    if (token === '(') {
      const inner = either();
      return tokens[at++] === ')' ? inner : at > tokens.length + 1 ? false : wrong();
    }
    if (token === undefined || !/^\w+$/.test(token)) return at > tokens.length + 1 ? false : wrong();
    return token === 'true' || (token !== 'false' && symbols.has(token));
  };
  const equal = (): boolean => {
    let left = primary();
    while (tokens[at] === '==' || tokens[at] === '!=') left = (tokens[at++] === '==') === (left === primary());
    return left;
  };
  const both = (): boolean => {
    let left = equal();
    while (tokens[at] === '&&') {
      at++;
      const right = equal();
      left = left && right;
    }
    return left;
  };
  const either = (): boolean => {
    let left = both();
    while (tokens[at] === '||') {
      at++;
      const right = both();
      left = left || right;
    }
    return left;
  };
  const result = either();
  if (at < tokens.length) return wrong();
  return result;
}
