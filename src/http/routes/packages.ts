// Packages: a namespace as one file, out and in. Both bodies are streams.

import { z } from 'zod';
import { CheckpointFailed } from '../../engine/checkpoint/types.ts';
import type { PackageResult, PackageSet } from '../../engine/packages/types.ts';
import type { Engine } from '../../engine/types.ts';
import type { Body } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { flagInQuery } from '../parameters.ts';
import { Problem, type ProblemKind } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { count } from '../shapes.ts';
import { decodeSegment } from '../target.ts';
import { isRegistrationOpen } from './plugins.ts';

const packageMediaType = 'application/octet-stream';
const packageBytes = z.string().meta({ format: 'binary', description: 'A package, as GET /package writes it.' });
/** A stream, which is never held as a whole; its limit is a setting. */
const packageBody: Body<undefined> = {
  mediaType: packageMediaType,
  schema: packageBytes,
  maxBytes: null,
  required: true,
};

const opened = z
  .object({ vertexCount: count, edgeCount: count, durable: z.boolean() })
  .meta({ id: 'OpenedPackage', description: 'What the namespace holds now.' });

const base = { scope: 'namespace', tag: 'Bulk', path: '/package', rateLimited: true } as const;

export const packageRoutes: readonly Route[] = [
  route({
    ...base,
    method: 'GET',
    summary: 'The namespace as one file: its graph, indexes, subgraphs, stored queries and plugins.',
    query: { anchored: flagInQuery('Whether it says which commit it ends with, for a replica that goes on from it.') },
    answers: { 200: { description: 'A package.', schema: packageBytes, mediaTypes: [packageMediaType] } },
    problems: ['overloaded', 'internal'],
    serve: (exchange, { anchored }) => writePackage(exchange, anchored),
  }),
  route({
    ...base,
    method: 'POST',
    summary: 'Fills an empty namespace from such a file.',
    body: packageBody,
    answers: { 200: shows('It is there.', opened) },
    problems: ['packageInvalid', 'packageNeedsEmptyGraph', 'bodyTooLarge', 'forbidden', 'memoryLimit', 'internal'],
    serve: readPackage,
  }),
];

async function writePackage(exchange: Exchange, anchored: boolean): Promise<Response> {
  const name = decodeSegment(exchange.encodedNamespace);
  const { request, service } = exchange;
  const packages = packagesOf(service.engine);
  const written = anchored
    ? packages.snapshot(name, request.signal).then((made) => made?.body ?? null)
    : packages.write(name, request.signal);
  const body = await written.catch((error: unknown) => {
    if (!(error instanceof CheckpointFailed)) throw error;
    throw new Problem('internal', `The package could not be written: ${error.message}`);
  });
  if (body === null)
    throw new Problem('overloaded', 'As many packages as may be on their way at once are.', {}, [['retry-after', '1']]);
  return exchange.bytes(body, `${name}.arcwise`);
}

const packageType = /^\s*application\/octet-stream\s*(?:;|$)/i;

async function readPackage(exchange: Exchange): Promise<Response> {
  if (!packageType.test(exchange.header('content-type') ?? ''))
    throw new Problem('unsupportedMediaType', `The body must be ${packageMediaType}.`);
  const { engine, platform, settings } = exchange.service;
  const limits = {
    maxBytes: settings['BulkIO:MaxImportRequestBytes'],
    mayHavePlugins: isRegistrationOpen(exchange),
  };
  const name = decodeSegment(exchange.encodedNamespace);
  const result = await packagesOf(engine).read(name, platform.bodyBlocks(exchange.request), limits);
  if (!result.ok) throw new Problem(problems[result.failure], result.detail);
  const { vertexCount, edgeCount, durable } = result;
  return exchange.value({ vertexCount, edgeCount, durable });
}

function packagesOf({ packages }: Engine): PackageSet {
  if (packages) return packages;
  throw new Problem('internal', 'This service has no packages.');
}

const problems: Readonly<Record<(PackageResult & { ok: false })['failure'], ProblemKind>> = {
  notEmpty: 'packageNeedsEmptyGraph',
  unreadable: 'packageInvalid',
  tooLarge: 'bodyTooLarge',
  plugins: 'forbidden',
  noMemory: 'memoryLimit',
  failed: 'internal',
};
