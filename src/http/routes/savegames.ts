// Save games: writing checkpoints, the registry, loads and restores.

import { z } from 'zod';
import type { SaveGame } from '../../engine/savegames/registry.ts';
import type { RestoreStart, SaveGames } from '../../engine/types.ts';
import { json } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { flagInQuery, textInPath, textInQuery, waitForCompletion } from '../parameters.ts';
import { Problem } from '../problems.ts';
import { nothing, type Route, route, shows } from '../route.ts';
import { integer, notBlank, optionalText, record } from '../schemas.ts';
import { count } from '../shapes.ts';
import { decodeSegment } from '../target.ts';

/** What a location may be is judged by the engine, which knows the storage directory. */
const saveSpecification = record({
  saveGameLocation: optionalText,
  savePartitions: integer(1, 2 ** 31 - 1)
    .nullable()
    .default(null),
}).meta({ id: 'SaveSpecification' });

/** Services are not started before there are any. */
const loadSpecification = record({ saveGameLocation: notBlank, startServices: z.boolean().default(true) }).meta({
  id: 'LoadSpecification',
});

/** Of an older entry more may be missing. */
const savedIndex = z
  .object({
    indexId: z.string(),
    pluginType: z.string(),
    embeddingName: z.null().optional(),
    model: z.null().optional(),
    capabilities: z.null().optional(),
    keys: z.null().optional(),
    values: z.null().optional(),
  })
  .meta({ id: 'SaveGameIndex' });

const kpis = z
  .object({
    vertexCount: count,
    edgeCount: count,
    usedMemoryBytes: count,
    indices: z.array(savedIndex),
    availableIndexPlugins: z.array(z.string()),
    availablePathPlugins: z.array(z.string()),
    availableServicePlugins: z.array(z.string()),
    subGraphs: z.array(z.string()),
  })
  .meta({ id: 'SaveGameKpis' });

const files = { fileCount: count, totalBytes: count };

const saveGame = z
  .object({
    id: z.string(),
    savedAt: z.string(),
    trigger: z.enum(['api', 'shutdown', 'imported']),
    location: z.string().nullable(),
    ...files,
    engineVersion: z.string(),
    kpis,
    namespaces: z
      .array(z.object({ name: z.string(), id: z.string(), location: z.string(), ...files, kpis }))
      .nullable(),
    skippedNamespaces: z.array(z.string()).optional(),
    activatedNamespaces: z.array(z.string()).optional(),
  })
  .meta({ id: 'SaveGame', description: 'A checkpoint as the registry knows it.' });

const registry = { scope: 'service', tag: 'SaveGames' } as const;
const entry = { ...registry, path: '/savegames/:id', params: { id: textInPath('Id of the save game.') } } as const;

export const saveGameRoutes: readonly Route[] = [
  route({
    method: 'PUT',
    path: '/save',
    scope: 'namespace',
    tag: 'Admin',
    summary: 'Writes a checkpoint of the namespace.',
    body: json(saveSpecification, { mayBeEmpty: true }),
    answers: { 200: shows('The checkpoint is written and registered.', saveGame) },
    problems: ['internal'],
    serve: saveNamespace,
  }),
  route({
    method: 'PUT',
    path: '/save/all',
    scope: 'service',
    tag: 'SaveGames',
    rateLimited: true,
    summary: 'Writes a checkpoint of every loaded namespace.',
    answers: { 200: shows('They are written and registered as one entry.', saveGame) },
    problems: ['saveIncomplete', 'internal'],
    serve: saveAll,
  }),
  route({
    method: 'PUT',
    path: '/load',
    scope: 'namespace',
    tag: 'Admin',
    summary: 'Replaces the graph by a checkpoint.',
    body: json(loadSpecification),
    answers: { 204: nothing('It is loaded, or there is none at that place.') },
    problems: ['internal'],
    serve: loadCheckpoint,
  }),
  route({
    ...registry,
    method: 'GET',
    path: '/savegames',
    summary: 'All registered save games.',
    answers: { 200: shows('Newest first.', z.array(saveGame)) },
    serve: listSaveGames,
  }),
  route({
    ...entry,
    method: 'GET',
    summary: 'One save game.',
    answers: { 200: shows('The save game.', saveGame), 204: nothing('There is no such save game.') },
    serve: readSaveGame,
  }),
  route({
    ...entry,
    method: 'DELETE',
    summary: 'Takes a save game out of the registry.',
    query: { deleteFiles: flagInQuery('Deletes its files as well.') },
    answers: { 204: nothing('It is gone.') },
    problems: ['notFound'],
    serve: removeSaveGame,
  }),
  route({
    ...entry,
    method: 'PUT',
    path: '/savegames/:id/load',
    summary: 'Restores the namespaces of a save game.',
    query: { waitForCompletion, namespace: textInQuery('Restores only this one.') },
    answers: { 200: shows('Waited for: restored.', saveGame), 202: nothing('Accepted.') },
    problems: [
      'notFound',
      'namespaceNotInSaveGame',
      'saveGameFilesMissing',
      'saveGameFilesUnreadable',
      'namespaceRestoreFailed',
      'restoreIncomplete',
    ],
    serve: restoreSaveGame,
  }),
];

/** Waits for the checkpoint whatever the query says. */
async function saveNamespace(
  exchange: Exchange,
  { body: { saveGameLocation, savePartitions } }: { body: z.infer<typeof saveSpecification> },
): Promise<Response> {
  const request = { location: saveGameLocation, partitions: savePartitions };
  const result = await saveGamesOf(exchange).save(decodeSegment(exchange.encodedNamespace), request);
  if (result.ok) return exchange.value(result.entry);
  if (result.failure === 'badLocation') throw badLocation(result.detail);
  throw new Problem('internal', `The namespace could not be saved: ${result.detail}`);
}

async function saveAll(exchange: Exchange): Promise<Response> {
  const { entry, failedNamespaces, skippedNamespaces } = await saveGamesOf(exchange).saveAll();
  if (entry !== null && failedNamespaces.length === 0) return exchange.value({ ...entry, skippedNamespaces });
  const saved = entry === null ? 'Nothing was saved' : `The other namespaces are saved as ${entry.id}`;
  const detail = `${failedNamespaces.length} namespaces could not be saved; the log says why. ${saved}.`;
  throw new Problem('saveIncomplete', detail, { failedNamespaces, skippedNamespaces });
}

async function loadCheckpoint(
  exchange: Exchange,
  { body: { saveGameLocation } }: { body: z.infer<typeof loadSpecification> },
): Promise<Response> {
  const result = await saveGamesOf(exchange).load(decodeSegment(exchange.encodedNamespace), saveGameLocation);
  if (result.ok) {
    const message = 'No save game lies there; the graph is as it was.';
    if (!result.loaded) exchange.warnings.add('nothingLoaded', 'saveGameLocation', message);
    return exchange.empty(204);
  }
  if (result.failure === 'badLocation') throw badLocation(result.detail);
  throw new Problem('internal', `The checkpoint was not loaded, the graph is as it was: ${result.detail}`);
}

function badLocation(detail: string): Problem {
  return new Problem('validation', detail, { errors: { saveGameLocation: [detail] } });
}

async function listSaveGames(exchange: Exchange): Promise<Response> {
  return exchange.value((await exchange.service.engine.saveGames?.list()) ?? []);
}

async function readSaveGame(exchange: Exchange, { id }: { id: string }): Promise<Response> {
  const found = await exchange.service.engine.saveGames?.find(id);
  return found === undefined ? exchange.empty(204) : exchange.value(found);
}

async function removeSaveGame(
  exchange: Exchange,
  { id, deleteFiles }: { id: string; deleteFiles: boolean },
): Promise<Response> {
  const removed = await exchange.service.engine.saveGames?.remove(id, deleteFiles).catch((error: unknown) => {
    throw new Problem(
      'internal',
      `The save game could not be deleted: ${error instanceof Error ? error.message : error}`,
    );
  });
  if (removed) return exchange.empty(204);
  throw new Problem('notFound', `There is no save game '${id}'.`);
}

async function restoreSaveGame(
  exchange: Exchange,
  { id, namespace, waitForCompletion }: { id: string; namespace: string | null; waitForCompletion: boolean },
): Promise<Response> {
  const { saveGames } = exchange.service.engine;
  if (!saveGames) throw new Problem('notFound', `There is no save game '${id}'.`);
  const start = await saveGames.restore(id, namespace);
  if (!start.ok) throw refusalProblem(start);
  if (!waitForCompletion) {
    start.done.catch(() => {}); // what fails is in the log
    return exchange.empty(202);
  }
  const end = await start.done;
  const { activatedNamespaces } = end;
  if (end.ok) {
    noticeReplay(exchange, end.entry);
    return exchange.value({ ...end.entry, activatedNamespaces });
  }
  const { failedNamespaces, detail } = end;
  throw new Problem('restoreIncomplete', detail, { failedNamespaces, activatedNamespaces });
}

/** Warns where the log behind the save game was replayed, so that the graph is newer than the save game. */
function noticeReplay({ warnings, service }: Exchange, { namespaces }: SaveGame): void {
  for (const { name } of namespaces ?? []) {
    const entries = service.engine.find(name)?.graph?.durability.lastRecoveryReplayedEntries ?? 0;
    if (entries === 0) continue;
    const what = `${entries} transactions behind the save game were replayed from the log of '${name}'.`;
    warnings.add('logReplayed', 'id', `${what} Save again and load this one once more for exactly its state.`);
  }
}

function refusalProblem({ failure, detail, activatedNamespaces }: RestoreStart & { ok: false }): Problem {
  switch (failure) {
    case 'unknownEntry':
      return new Problem('notFound', detail);
    case 'unknownMember':
      return new Problem('namespaceNotInSaveGame', detail);
    case 'filesMissing':
      return new Problem('saveGameFilesMissing', detail);
    case 'filesUnreadable':
      return new Problem('saveGameFilesUnreadable', detail);
    case 'notRecreated':
      return new Problem('namespaceRestoreFailed', detail);
    case 'notActivated':
      return new Problem('namespaceRestoreFailed', detail, { activatedNamespaces });
  }
}

function saveGamesOf(exchange: Exchange): SaveGames {
  const { saveGames } = exchange.service.engine;
  if (saveGames) return saveGames;
  throw new Problem('internal', 'This service keeps nothing: it runs with Durability:Volatile.');
}
