// The parser of fragments: what well-formed C# becomes, and that no text whatever makes it throw or lose its spans.

import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../src/fragments/diagnostics.ts';
import { MAX_FRAGMENT_CHARACTERS, tooLong } from '../../src/fragments/limits.ts';
import { parseFragment } from '../../src/fragments/parser/parser.ts';
import { LineMap } from '../../src/fragments/positions.ts';
import type { Expression, Fragment, Statement } from '../../src/fragments/syntax.ts';

function parse(text: string): { fragment: Fragment; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const fragment = parseFragment(text, { report: (diagnostic) => diagnostics.push(diagnostic) });
  return { fragment, diagnostics };
}

function parseWell(text: string): readonly Statement[] {
  const { fragment, diagnostics } = parse(text);
  expect(diagnostics, text).toEqual([]);
  return fragment.statements;
}

/** The shape of an expression in one line: operators with their operands, kinds of everything else. */
function shape(node: Expression): string {
  switch (node.kind) {
    case 'literal':
      return node.literal.type === 'integer' ? String(node.literal.value) : node.literal.type;
    case 'identifier':
      return node.name.text + (node.typeArguments === null ? '' : `<${node.typeArguments.length}>`);
    case 'member':
      return `${shape(node.receiver)}.${node.name.text}${node.typeArguments === null ? '' : `<${node.typeArguments.length}>`}`;
    case 'binding':
      return '';
    case 'conditionalAccess':
      return `${shape(node.receiver)}?${shape(node.access)}`;
    case 'call':
    case 'index':
      return `${shape(node.kind === 'call' ? node.callee : node.receiver)}${node.kind === 'call' ? '' : '@'}(${node.arguments.map((one) => shape(one.value)).join(', ')})`;
    case 'binary':
      return `(${shape(node.left)} ${node.operator} ${shape(node.right)})`;
    case 'assignment':
      return `(${shape(node.target)} ${node.operator} ${shape(node.value)})`;
    case 'unary':
      return `${node.operator}${shape(node.operand)}`;
    case 'postfix':
      return `${shape(node.operand)}${node.operator}`;
    case 'conditional':
      return `(${shape(node.condition)} ? ${shape(node.whenTrue)} : ${shape(node.whenFalse)})`;
    case 'cast':
      return `cast(${shape(node.operand)})`;
    case 'is':
      return `(${shape(node.operand)} is ${node.pattern.kind})`;
    case 'parenthesized':
      return `paren${shape(node.operand)}`;
    case 'lambda':
      return `(${node.parameters.map((one) => one.name.text).join(', ')}) => ${node.body.kind === 'block' ? '{}' : shape(node.body)}`;
    case 'tuple':
      return `tuple[${node.elements.map((one) => shape(one.value)).join(', ')}]`;
    case 'range':
      return `${node.from ? shape(node.from) : ''}..${node.to ? shape(node.to) : ''}`;
    default:
      return node.kind;
  }
}

function shapeOf(text: string): string {
  const [statement] = parseWell(`return ${text};`);
  if (statement?.kind !== 'return' || statement.value === null) throw new Error('no return value');
  return shape(statement.value);
}

describe('expressions', () => {
  it.each([
    ['a + b * c - d', '((a + (b * c)) - d)'],
    ['a || b && c | d ^ e & f', '(a || (b && (c | (d ^ (e & f)))))'],
    ['a ?? b ?? c', '(a ?? (b ?? c))'],
    ['a = b = c', '(a = (b = c))'],
    ['a >> 1 >>> 2 >= b', '(((a >> 1) >>> 2) >= b)'],
    ['a >>= b', '(a >>= b)'],
    ['a > > b', '(a > error)'],
    ['-a++ + !b', '(-a++ + !b)'],
    ['a ? b : c ? d : e', '(a ? b : (c ? d : e))'],
    ['a < b > (c)', 'a<1>(c)'],
    ['a < b > c', '((a < b) > c)'],
    ['f(a < b, c > d)', 'f((a < b), (c > d))'],
    ['f(a < b, c > (d))', 'f(a<2>(d))'],
    ['v.G<int>(3)', 'v.G<1>(3)'],
    ['(a)b', 'cast(b)'],
    ['(a) - b', '(parena - b)'],
    ['(int) - b', 'cast(-b)'],
    ['(a)(b)', 'cast(parenb)'],
    ['(a) => b', '(a) => b'],
    ['(a, b) => c', '(a, b) => c'],
    ['(a, b)', 'tuple[a, b]'],
    ['(int a, string b) => c', '(a, b) => c'],
    ['x => y => x + y', '(x) => (y) => (x + y)'],
    ['static (a, _) => { }', '(a, _) => {}'],
    ['int (int a = 3) => a', '(a) => a'],
    ['a?.b?[c].d', 'a?.b?@(c).d'],
    ['a ? .5 : b', '(a ? real : b)'],
    ['a ? [1] : [2]', '(a ? collection : collection)'],
    ['a is int ? b : c', '((a is typePattern) ? b : c)'],
    ['a is int? && c', '((a is typePattern) && c)'],
    ['a is not null and { Length: > 2 } && b', '((a is andPattern) && b)'],
    ['a is B.C', '(a is constantPattern)'],
    ['a is List<int> l', '(a is declarationPattern)'],
    ['a is [1, .., var b]', '(a is listPattern)'],
    ['a is < 3 or >= 5', '(a is orPattern)'],
    ['a[1..^2]', 'a@(1..^2)'],
    ['..', '..'],
    ['a!.b!', 'a!.b!'],
    ['a switch { 1 => b, _ => c }', 'switch'],
  ])('%s', (text, expected) => {
    if (expected.includes('error')) expect(parse(`return ${text};`).diagnostics[0]?.id).toBe('CS1525');
    else expect(shapeOf(text)).toBe(expected);
  });
});

describe('statements', () => {
  it.each([
    ['int a = 1, b;', 'localDeclaration'],
    ['a? b = c;', 'localDeclaration'],
    ['a ? b = c : d;', 'expression'],
    ['List<int> a;', 'localDeclaration'],
    ['(int a, var b) = c;', 'expression'],
    ['(int, int) a = c;', 'localDeclaration'],
    ['var (a, b) = c;', 'expression'],
    ['var(a, b);', 'expression'],
    ['int F<T>(T a) => 3;', 'localFunction'],
    ['int.Parse(a);', 'expression'],
    ['a < b > c;', 'localDeclaration'],
    ['foreach (var (k, w) in a) { }', 'foreach'],
    ['for (int i = 0, j = 1; i < 3; i++, j--) ;', 'for'],
    ['try { } catch (A b) when (c) { } finally { }', 'try'],
    ['switch (a) { case 1: case > 2 when b: break; default: goto case 1; }', 'switch'],
    ['checked { }', 'checked'],
  ])('%s', (text, kind) => {
    expect(parseWell(text)[0]?.kind).toBe(kind);
  });
});

describe('texts', () => {
  function value(text: string): unknown {
    const [statement] = parseWell(`return ${text};`);
    const node = statement?.kind === 'return' ? statement.value : null;
    if (node?.kind === 'literal' && 'value' in node.literal) return node.literal.value;
    if (node?.kind === 'interpolation') return node.parts.map((one) => (one.kind === 'text' ? one.value : one.format));
    throw new Error('no text');
  }
  it.each([
    ['"a\\t\\x41\\u0042\\U0001F4A5\\e"', 'a\tAB\u{1F4A5}\x1b'],
    ['@"a""b\\n\nc"', 'a"b\\n\nc'],
    ["'\\''", "'"],
    ['"""a"b"""', 'a"b'],
    ['"""\n    a\n      b\n\n    c\n    """', 'a\n  b\n\nc'],
    ['""""\r\n  """\r\n  """"', '"""'],
    ['$"{{a}}{b:N2}c{d,-3}"', ['{a}', 'N2', 'c', null]],
    ['$@"\\{a}""b"', ['\\', null, '"b']],
    ['$$"""{a}{{b}}}"""', ['{a}', null, '}']],
    ['$"""\n  x{a}\n    {b}\n  """', ['x', null, '\n  ', null]],
    ['0xFF_FFul', 65535n],
    ['0b1010', 10n],
    ['18446744073709551615', 18446744073709551615n],
  ])('%s', (text, expected) => {
    expect(value(text)).toEqual(expected);
  });
});

describe('any text', () => {
  it('refuses what is too long before it is parsed', () => {
    expect(tooLong('a'.repeat(MAX_FRAGMENT_CHARACTERS))).toBeNull();
    expect(tooLong('a'.repeat(MAX_FRAGMENT_CHARACTERS + 1))).toMatchObject({ id: 'F8LIMIT', start: 0, end: 0 });
  });

  const UNITS = ['(', '[', '{', 'f(', 'x => ', '$"{', 'if (a) ', 'a ? '];
  it.each(UNITS)('answers CS8078 for ten thousand nested %s', (unit) => {
    const { diagnostics } = parse(`return v => ${unit.repeat(10_000)}`);
    expect(diagnostics.map((one) => one.id)).toEqual(['CS8078']);
    expect(parse(unit.repeat(100)).diagnostics.some((one) => one.id === 'CS8078')).toBe(false);
  });

  const LINKS = [
    'a < ',
    '!',
    'a is (',
    'x is not ',
    'a + ',
    'a.',
    '(int)',
    'a ?? ',
    'a ? b : ',
    'if (a) b(); else ',
    'a.b(c)[d]!.',
  ];
  it.each(LINKS)('reads ten thousand times %s, which does not nest', (link) => {
    const { diagnostics } = parse(`return v => ${link.repeat(10_000)}`);
    expect(diagnostics.some((one) => one.id === 'CS8078')).toBe(false);
  });

  it('reads chains of a few hundred operators', () => {
    parseWell(`return v => ${Array.from({ length: 800 }, (_, index) => `v.Id == ${index}`).join(' || ')};`);
  });
});

describe('positions', () => {
  it('counts lines as C# does', () => {
    const map = new LineMap('a\r\nb\rc\nd\u2028e\u2029f\u0085g');
    const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((one) =>
      map.position('a\r\nb\rc\nd\u2028e\u2029f\u0085g'.indexOf(one)),
    );
    expect(lines).toEqual([1, 2, 3, 4, 5, 6, 7].map((line) => ({ line, column: 1 })));
    expect(map.span(-1, 99)).toEqual({ line: 1, column: 1, endLine: 7, endColumn: 2 });
  });
});
