// Compilation units: `using` directives, namespaces, types and their members. Bodies are read as those of fragments are.

import type { Diagnostic } from '../diagnostics.ts';
import { tokenize } from '../lexer.ts';
import type { Parameter, TypeSyntax } from '../syntax.ts';
import { END } from '../tokens.ts';
import type { MemberSyntax, TypeDeclaration, TypeKind, UnitSyntax } from '../unit-syntax.ts';
import { parseArguments } from './arguments.ts';
import { giveUp, kinds, parseModifiers, refuse, required, startsType, Unreadable } from './declaring.ts';
import { parseParameters } from './lambdas.ts';
import { parseEnumMembers, parseMember } from './members.ts';
import { NestingError, TokenStream } from './stream.ts';
import { parseType } from './types.ts';

/** The unit of a text; null: it nests too deep, or holds what cannot be read on from. */
export function parseUnit(text: string, report: (diagnostic: Diagnostic) => void): UnitSyntax | null {
  const diagnostics: Diagnostic[] = [];
  const tokens = tokenize(text, (id, message, start, end) => {
    diagnostics.push({ id, severity: id === 'CS0078' ? 'warning' : 'error', message, start, end });
  });
  const p = new TokenStream(tokens, diagnostics, true);
  let unit: UnitSyntax | null = null;
  try {
    unit = parseWhole(p);
  } catch (error) {
    if (!(error instanceof NestingError) && !(error instanceof Unreadable)) throw error;
    if (error instanceof NestingError) {
      p.report('CS8078', 'The source nests too deep to be compiled.', p.current.start, p.current.end);
    }
  }
  for (const diagnostic of diagnostics) report(diagnostic);
  return unit;
}

function parseWhole(p: TokenStream): UnitSyntax {
  const usings: UnitSyntax['usings'][number][] = [];
  const namespaces: string[] = [];
  const types: TypeDeclaration[] = [];
  const body = (namespace: string, closes: boolean): void => {
    for (;;) {
      if (p.is('using')) {
        if (types.length > 0)
          p.report('CS1529', 'Using directives stand before all types.', p.current.start, p.current.end);
        usings.push(parseUsing(p));
      } else if (p.is('namespace')) {
        p.next();
        const name = dottedName(p);
        const full = namespace === '' ? name : `${namespace}.${name}`;
        namespaces.push(full);
        if (p.accept(';')) {
          body(full, false);
          return;
        }
        required(p, '{');
        p.enter();
        body(full, true);
        p.leave();
        required(p, '}');
        p.accept(';');
      } else if (p.is(END) || (closes && p.is('}'))) return;
      else types.push(parseTypeDeclaration(p, namespace));
    }
  };
  body('', false);
  return { usings, namespaces, types };
}

function parseUsing(p: TokenStream): UnitSyntax['usings'][number] {
  const { start } = p.next();
  if (p.is('static') || p.peek(1).kind === '=') refuse(p, 'This form of a using directive');
  const from = p.current.start;
  p.skipGlobal();
  const name = dottedName(p);
  const end = p.lastEnd;
  required(p, ';');
  return { name, start: Math.max(start, from), end };
}

function dottedName(p: TokenStream): string {
  let name = p.identifier().text;
  while (p.accept('.')) name += `.${p.identifier().text}`;
  return name;
}

function parseTypeDeclaration(p: TokenStream, namespace: string): TypeDeclaration {
  p.enter();
  if (p.is('[')) refuse(p, 'An attribute');
  const { start } = p.current;
  const modifiers = parseModifiers(p);
  const declared = parseDeclared(p, namespace, modifiers, start);
  p.leave();
  return declared;
}

function parseDeclared(
  p: TokenStream,
  namespace: string,
  modifiers: ReadonlySet<string>,
  start: number,
): TypeDeclaration {
  if (p.is('delegate')) refuse(p, 'A delegate type of its own');
  if (!startsType(p)) {
    if (p.is('}')) giveUp(p, 'CS1022', 'A type, a namespace or the end of the file is expected.');
    giveUp(p, 'CS0116', 'A namespace holds types only.');
  }
  if (p.is('ref')) refuse(p, 'A ref struct');
  if (modifiers.has('partial')) refuse(p, 'A partial type');
  const isRecord = p.isWord('record');
  if (isRecord) p.next();
  const word = (kinds as readonly string[]).includes(p.current.kind) ? p.next().kind : 'class';
  const kind = word as TypeKind;
  const name = p.identifier();
  if (p.is('<')) refuse(p, 'A type with type parameters');
  const parameters: Parameter[] | null = isRecord && p.is('(') ? parseParameters(p, true) : null;
  const bases: TypeSyntax[] = [];
  let baseArguments: TypeDeclaration['baseArguments'] = [];
  if (p.accept(':')) {
    do {
      bases.push(parseType(p));
      if (isRecord && p.is('(')) baseArguments = parseArguments(p, ')');
    } while (p.accept(','));
  }
  if (p.isWord('where')) refuse(p, 'A constraint');
  const members: MemberSyntax[] = [];
  const types: TypeDeclaration[] = [];
  const implied = isRecord ? recordOperators(name.text) : [];
  const head = {
    kind,
    isRecord,
    modifiers,
    namespace,
    name,
    bases,
    parameters,
    baseArguments,
    members,
    implied,
    types,
  };
  if (isRecord && p.accept(';')) return { ...head, constants: [], start, end: p.lastEnd };
  required(p, '{');
  const constants = kind === 'enum' ? parseEnumMembers(p) : [];
  while (!p.is('}')) {
    if (p.is(END)) required(p, '}');
    if (p.is('[')) refuse(p, 'An attribute');
    const from = p.current.start;
    const own = parseModifiers(p);
    if (startsType(p) || (p.is('delegate') && p.peek(1).kind !== '{')) {
      p.enter();
      types.push(parseDeclared(p, namespace, own, from));
      p.leave();
    } else members.push(parseMember(p, name, own, from, kind));
  }
  p.next();
  p.accept(';');
  return { ...head, constants, start, end: p.lastEnd };
}

/** `==` and `!=` of a record ask for equal values. */
function recordOperators(text: string): readonly MemberSyntax[] {
  const operators = ['==', '!='].map((operator) => {
    const not = operator === '!=' ? '!' : '';
    return `public static bool operator ${operator}(${text} left, ${text} right) => ${not}object.Equals(left, right);`;
  });
  return parseUnit(`class ${text} { ${operators.join(' ')} }`, () => {})?.types[0]?.members ?? [];
}
