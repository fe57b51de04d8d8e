// The bodies of capabilities that have nothing behind them yet, for the document: a client sees what it would send. They are not
// read, because the refusal comes first.

import { z } from 'zod';
import { notBlank, optionalText, record } from '../schemas.ts';

export const anyObject = z.looseObject({}).meta({ id: 'IntegrationRequest', description: 'Handed on as it is.' });

const named = { name: notBlank, description: optionalText, sourceCode: notBlank };
const contract = z.enum(['Path', 'SubGraph', 'Analytics']);

export const algorithmSource = record({ ...named, contract }).meta({ id: 'AlgorithmPluginSpecification' });
export const functionSource = record(named).meta({ id: 'FunctionPluginSpecification' });
export const invocation = record({
  parameters: z.record(z.string(), z.string()).nullable().default(null),
}).meta({ id: 'FunctionInvocation' });

export const pluginSummary = z
  .object({
    name: z.string(),
    category: z.enum(['Algorithm', 'Function', 'Index', 'Service']),
    contract: z.enum(['Path', 'SubGraph', 'Analytics', 'GraphFunction', 'Index', 'Service']),
    description: z.string().nullable(),
    createdAt: z.string(),
    compileState: z.enum(['Compiled', 'Failed', 'SourceOnly']),
  })
  .meta({ id: 'Plugin' });
