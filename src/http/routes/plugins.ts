// Plugins: registering, checking, listing, reading and deleting them, and calling functions (contract part 2, Stored queries and plugins; reference
// section 14). Order of checks of a registration: the gate, the body, name and source (400), what is there already (409), the compiler and the
// contract (400). Algorithms are called by the routes of what they are algorithms for.

import { z } from 'zod';
import { algorithmContracts } from '../../queries/plugins/contracts.ts';
import type { Plugin, PluginBody } from '../../queries/plugins/plugins.ts';
import { type Body, codeBodyBytes, json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { textInPath } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { nothing, type Route, route, shows } from '../route.ts';
import { atMost, notBlank, optionalText, record } from '../schemas.ts';
import { graphPage } from '../shapes.ts';
import { decodeSegment } from '../target.ts';
import { booleanProblems, committed, durable } from '../writes.ts';

const source = { name: notBlank, description: optionalText, sourceCode: notBlank };
const contractWord = notBlank.meta({ description: 'Path, SubGraph or Analytics.' });

const algorithmSource = record({ ...source, contract: contractWord }).meta({ id: 'AlgorithmPluginSpecification' });
const functionSource = record(source).meta({ id: 'FunctionPluginSpecification' });
const checkedSource = record({
  ...{ name: optionalText, contract: optionalText, description: optionalText, sourceCode: optionalText },
}).meta({ id: 'PluginValidationRequest' });
const verdict = z
  .object({ valid: z.boolean(), error: z.string().nullable() })
  .meta({ id: 'PluginValidation', description: 'Whether the source would be registered, were its name free.' });
const invocation = record({
  parameters: atMost(z.record(z.string(), z.string()).nullable()).default(null),
}).meta({ id: 'FunctionInvocation' });

const summaryMembers = {
  name: z.string(),
  category: z.enum(['Algorithm', 'Function', 'Index', 'Service']),
  contract: z.enum(['Path', 'SubGraph', 'Analytics', 'GraphFunction', 'Index', 'Service']),
  description: z.string().nullable(),
  createdAt: z.string(),
  compileState: z.enum(['Compiled', 'Failed', 'SourceOnly']),
};
const summary = z.object(summaryMembers).meta({ id: 'Plugin' });
const detail = z
  .object({ ...summaryMembers, sourceCode: z.string(), compileDiagnostics: z.string().nullable() })
  .meta({ id: 'PluginDetail' });

const base = { scope: 'namespace', tag: 'Plugins', path: '/plugins' } as const;
const one = { ...base, path: '/plugins/:name', params: { name: textInPath('Name of the plugin.') } } as const;
const gated = { ...base, method: 'POST', rateLimited: true } as const;

/** A body that is not looked at where registration is off. */
function behindGate<Value>(body: Body<Value>): Body<Value> {
  return {
    ...body,
    read: (exchange) => {
      if (!isRegistrationOpen(exchange)) throw new Problem('forbidden', 'The registration of plugins is disabled.');
      return (body.read as NonNullable<typeof body.read>)(exchange);
    },
  };
}

const registers = {
  answers: { 201: shows('Registered.', summary, { location: 'Its path.' }) },
  problems: ['forbidden', 'conflict', ...booleanProblems],
} as const;
const checks = {
  body: behindGate(json(checkedSource, { maxBytes: codeBodyBytes })),
  answers: { 200: shows('What the compiler, or the contract, has against it.', verdict) },
  problems: ['forbidden'],
} as const;

export const pluginRoutes: readonly Route[] = [
  route({
    ...{ ...gated, ...registers, path: '/plugins/algorithm', summary: 'Registers an algorithm.' },
    body: behindGate(json(algorithmSource, { maxBytes: codeBodyBytes })),
    serve: (exchange, { body }) => register(exchange, { ...body, contract: contractOf(body.contract) }),
  }),
  route({
    ...{ ...gated, ...checks, path: '/plugins/algorithm/validate', summary: 'Compiles an algorithm.' },
    serve: (exchange, { body }) => validate(exchange, body, contractOf(body.contract ?? '')),
  }),
  route({
    ...{ ...gated, ...registers, path: '/plugins/function', summary: 'Registers a function.' },
    body: behindGate(json(functionSource, { maxBytes: codeBodyBytes })),
    serve: (exchange, { body }) => register(exchange, { ...body, contract: 'GraphFunction' }),
  }),
  route({
    ...{ ...gated, ...checks, path: '/plugins/function/validate', summary: 'Compiles a function.' },
    serve: (exchange, { body }) => validate(exchange, body, 'GraphFunction'),
  }),
  route({
    ...{ ...one, method: 'POST', path: '/plugins/function/:name/invoke', summary: 'Calls a function.' },
    body: json(invocation, { mayBeEmpty: true }),
    answers: { 200: shows('The elements that it answers.', graphPage) },
    problems: ['notFound', 'conflict', 'requestTimeout', 'internal'],
    serve: (exchange, { name, body }) => invoke(exchange, name, body.parameters),
  }),
  route({
    ...{ ...base, method: 'GET', summary: 'All registered plugins.' },
    answers: { 200: shows('By name.', z.array(summary)) },
    serve: list,
  }),
  route({
    ...{ ...one, method: 'GET', summary: 'One plugin with its source.' },
    answers: { 200: shows('The plugin.', detail) },
    problems: ['notFound'],
    serve: (exchange, { name }) => read(exchange, name),
  }),
  route({
    ...{ ...one, method: 'DELETE', summary: 'Deletes a plugin.' },
    answers: { 204: nothing('It is gone.') },
    problems: ['notFound', ...booleanProblems],
    serve: (exchange, { name }) => remove(exchange, name),
  }),
];

/** The namespace's own switch, or the service's where it has none. */
export function isRegistrationOpen({ service: { settings, engine }, encodedNamespace }: Exchange): boolean {
  return (
    engine.find(decodeSegment(encodedNamespace))?.pluginRegistrationEnabled ??
    settings['Security:EnableDynamicPluginLoading']
  );
}

function contractOf(word: string): PluginBody['contract'] {
  const contract = algorithmContracts.find((known) => known === word);
  if (contract !== undefined) return contract;
  throw new Problem('badRequest', `Unknown contract '${word}'. There are ${algorithmContracts.join(', ')}.`);
}

async function register(exchange: Exchange, body: PluginBody): Promise<Response> {
  const { plugins } = exchange.service.queries;
  const registered = await plugins.register(exchange.graph, body, new Date(), exchange.caller);
  if (!registered.ok) {
    throw new Problem(registered.failure === 'conflict' ? 'conflict' : 'badRequest', registered.detail);
  }
  await durable(committed(registered.outcome));
  const { plugin } = registered;
  return exchange.value(summaryOf(plugin), 201, [['location', exchange.placeOf(`/plugins/${plugin.name}`)]]);
}

async function validate(
  exchange: Exchange,
  { name, sourceCode }: z.infer<typeof checkedSource>,
  contract: PluginBody['contract'],
): Promise<Response> {
  const body = { name: name ?? '', contract, description: null, sourceCode: sourceCode ?? '' };
  const error = await exchange.service.queries.plugins.flaw(exchange.graph, body, exchange.caller);
  return exchange.value({ valid: error === null, error });
}

async function list(exchange: Exchange): Promise<Response> {
  const plugins = await exchange.service.queries.plugins.list(exchange.graph, exchange.caller);
  return exchange.value(plugins.map(summaryOf));
}

async function read(exchange: Exchange, name: string): Promise<Response> {
  const plugin = await exchange.service.queries.plugins.find(exchange.graph, name, exchange.caller);
  if (plugin === null) throw unknownPlugin(name);
  const { sourceCode, compileDiagnostics } = plugin;
  return exchange.value({ ...summaryOf(plugin), sourceCode, compileDiagnostics });
}

async function remove(exchange: Exchange, name: string): Promise<Response> {
  const outcome = exchange.service.queries.plugins.remove(exchange.graph, name);
  if (outcome === false) throw unknownPlugin(name);
  await durable(committed(outcome));
  return exchange.empty(204);
}

async function invoke(
  exchange: Exchange,
  name: string,
  parameters: Readonly<Record<string, string>> | null,
): Promise<Response> {
  const { queries, platform } = exchange.service;
  const plugin = await queries.plugins.find(exchange.graph, name, exchange.caller);
  if (plugin === null) throw unknownPlugin(name);
  if (plugin.contract !== 'GraphFunction') throw new Problem('notFound', `The plugin '${name}' is no function.`);
  const { compiled, compileDiagnostics } = plugin;
  if (compiled === null) throw new Problem('conflict', `The plugin '${name}' does not compile.\n${compileDiagnostics}`);
  const input = { parameters: parameters ?? {} };
  const { callPlugin } = await import('../../queries/plugins/run-plugin.ts');
  exchange.hasWritten = true; // a function may
  const end = await callPlugin(exchange.graph, compiled, queries.pluginLimits, input, { caller: exchange.caller });
  if (end === 'deadline') throw new Problem('requestTimeout', `The function '${name}' took too long.`);
  switch (end.ended) {
    case 'value':
      return end.value.kind === 'json' ? exchange.json(end.value.json) : exchange.value({ vertices: [], edges: [] });
    case 'declined':
      throw new Problem('badRequest', `The function '${name}' answered false.`);
    case 'limit':
      throw new Problem('requestTimeout', `The function '${name}' spent all that ${end.limit} allows.`);
    case 'threw':
      platform.logger.warn(`${exchange.path}: the plugin threw ${end.exception}: ${end.message}`);
      throw new Problem('internal', `The function '${name}' failed.`, exchange.thrown(end.exception));
  }
}

function summaryOf({ name, contract, description, createdAt, state }: Plugin): object {
  const category = contract === 'GraphFunction' ? 'Function' : 'Algorithm';
  return { name, category, contract, description, createdAt, compileState: state };
}

function unknownPlugin(name: string): Problem {
  return new Problem('notFound', `There is no plugin '${name}'.`);
}
