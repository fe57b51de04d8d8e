// The bodies of capabilities that have nothing behind them yet, for the document: a client sees what it would send. They are not
// read, because the refusal comes first.

import { z } from 'zod';
import { integer, notBlank, number, optionalText, record } from '../schemas.ts';

const int32 = integer(-(2 ** 31), 2 ** 31 - 1);
const text = notBlank;
const link = record({ indexIds: z.array(z.string()), maxLinksPerChunk: int32.nullable().default(null) });

export const documentUpload = z
  .object({
    file: z.string().meta({ format: 'binary' }),
    name: z.string().optional(),
    embed: z.boolean().optional(),
    sourceUri: z.string().optional(),
    replaceDocumentId: z.int32().optional(),
    propertiesJson: z.string().optional(),
    linkJson: z.string().optional(),
  })
  .meta({ id: 'DocumentUpload' });

export const documentText = record({
  name: notBlank,
  text,
  format: z.enum(['markdown', 'plain']).default('markdown'),
  embed: z.boolean().default(true),
  properties: z.record(z.string(), z.string()).nullable().default(null),
  sourceUri: optionalText,
  replaceDocumentId: int32.nullable().default(null),
  link: link.nullable().default(null),
}).meta({ id: 'DocumentText' });

export const documentSearch = record({
  queryText: optionalText,
  queryVector: z.array(number).nullable().default(null),
  mode: z.enum(['fused', 'dense', 'lexical']).default('fused'),
  k: int32.default(10),
  window: int32.default(0),
  groupByDocument: z.boolean().default(false),
}).meta({ id: 'DocumentSearchSpecification' });

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
