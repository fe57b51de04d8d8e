// Code that the emitter makes up around delegates: what a method group does, what calls a delegate in a variable, and the variables of
// its own for that.

import type { Block, CallArgument, Expression, FunctionCode, Local, Statement } from '../../tree.ts';
import type { Type } from '../../types.ts';
import { nameOf } from '../representation.ts';
import type { FunctionEmitter } from './function-emitter.ts';

const voidType: Type = { kind: 'primitive', name: 'void' };

export const isVoid = (type: Type): boolean => type.kind === 'primitive' && type.name === 'void';

let lastLocal = 0;

export function newLocal(type: Type): Local {
  return { id: -++lastLocal, name: '', type, captured: false, byReference: false };
}

export const readOf = (local: Local): Expression => ({ kind: 'local', type: local.type, local });

/** A function that does nothing but give a value. */
export function functionOf(parameters: readonly Local[], returnType: Type, value: Expression): FunctionCode {
  const statement: Statement = isVoid(returnType) ? { kind: 'evaluate', value } : { kind: 'return', value };
  const body: Block = { kind: 'block', declares: [], statements: [statement] };
  return { parameters, locals: [], body, returnType, captures: [] };
}

/** Parameters and result of a delegate type. */
function delegateSignature(type: Type): { readonly parameters: readonly Type[]; readonly result: Type } {
  const list = type.kind === 'named' ? type.arguments : [];
  switch (nameOf(type)) {
    case 'Action':
      return { parameters: list, result: voidType };
    case 'Predicate':
      return { parameters: list, result: { kind: 'primitive', name: 'bool' } };
    case 'Comparison':
      return { parameters: [list[0] as Type, list[0] as Type], result: { kind: 'primitive', name: 'int' } };
    case 'Func':
    case 'Converter':
      return { parameters: list.slice(0, -1), result: list.at(-1) as Type };
    default:
      return fragmentSignature(nameOf(type));
  }
}

/** The delegates that fragments are compiled for. */
function fragmentSignature(name: string): { readonly parameters: readonly Type[]; readonly result: Type } {
  const models: Readonly<Record<string, string>> = {
    VertexFilter: 'VertexModel',
    VertexCost: 'VertexModel',
    EdgeFilter: 'EdgeModel',
    EdgeCost: 'EdgeModel',
    GraphElementFilter: 'AGraphElementModel',
  };
  const model = models[name];
  const parameter: Type =
    model === undefined ? { kind: 'primitive', name: 'string' } : { kind: 'named', name: model, arguments: [] };
  return { parameters: [parameter], result: { kind: 'primitive', name: name.endsWith('Cost') ? 'double' : 'bool' } };
}

/** A function that calls the delegate in a variable with what it is given. */
export function codeCalling(delegate: Local): FunctionCode {
  const { parameters, result } = delegateSignature(delegate.type);
  const own = parameters.map(newLocal);
  const values = own.map((local): CallArgument => ({ mode: 'value', value: readOf(local) }));
  return functionOf(own, result, { kind: 'invoke', type: result, delegate: readOf(delegate), arguments: values });
}

export function memberCode(
  node: Expression & { kind: 'delegateOf' },
  receiver: Local | null,
  known: Map<object, FunctionCode>,
): FunctionCode {
  const { parameters, result } = delegateSignature(node.type);
  const own = parameters.map(newLocal);
  const code = functionOf(own, result, {
    kind: 'call',
    type: result,
    member: node.member,
    receiver: receiver === null ? null : readOf(receiver),
    arguments: own.map((local): CallArgument => ({ mode: 'value', value: readOf(local) })),
    typeArguments: node.typeArguments,
  });
  if (receiver === null) {
    const made = known.get(node) ?? code;
    known.set(node, made);
    return made;
  }
  return code;
}

/**
 * The code behind any expression of a delegate type, to be made part of a function (`inline`): a lambda's own, or a call of what the expression
 * gives when it is evaluated here and now.
 */
export function codeOfDelegate(f: FunctionEmitter, node: Expression): FunctionCode {
  if (node.kind === 'convert' && node.conversion.kind === 'identity') return codeOfDelegate(f, node.operand);
  if (node.kind === 'lambda') return node.code;
  const { parameters, result } = delegateSignature(node.type);
  const own = parameters.map(newLocal);
  const values = own.map((local): CallArgument => ({ mode: 'value', value: readOf(local) }));
  if (node.kind === 'delegateOfLocal') {
    return functionOf(own, result, { kind: 'callLocal', type: result, function: node.function, arguments: values });
  }
  if (node.kind === 'delegateOf' && (node.receiver === null || node.member.static)) {
    return memberCode(node, null, new Map());
  }
  const delegate = newLocal(node.type);
  f.expression(node);
  f.setLocal(delegate);
  return codeCalling(delegate);
}

/** The value of a body that is nothing but a return. */
export function onlyReturn(body: Block): Expression | null {
  const [first] = body.statements;
  if (body.statements.length !== 1 || first?.kind !== 'return' || body.declares.length > 0) return null;
  return first.value;
}
