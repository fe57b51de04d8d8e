// Save games: writing checkpoints, the registry, loads and restores.

import type { RestoreStart, SaveGames } from '../../engine/types.ts';
import { readJson } from '../bodies.ts';
import type { Exchange } from '../exchange.ts';
import { textParameter, textQuery } from '../parameters.ts';
import { Problem } from '../problems.ts';
import type { Route } from '../route.ts';
import { loadSpecification, saveSpecification } from '../schemas.ts';
import { decodeSegment } from '../target.ts';

export const saveGameRoutes: readonly Route[] = [
  { method: 'PUT', path: '/save', scope: 'namespace', serve: saveNamespace },
  { method: 'PUT', path: '/save/all', scope: 'service', rateLimited: true, serve: saveAll },
  { method: 'PUT', path: '/load', scope: 'namespace', serve: loadCheckpoint },
  { method: 'GET', path: '/savegames', scope: 'service', serve: listSaveGames },
  { method: 'GET', path: '/savegames/:id', scope: 'service', serve: readSaveGame },
  { method: 'DELETE', path: '/savegames/:id', scope: 'service', serve: removeSaveGame },
  { method: 'PUT', path: '/savegames/:id/load', scope: 'service', serve: restoreSaveGame },
];

/** Waits for the checkpoint whatever the query says. */
async function saveNamespace(exchange: Exchange): Promise<Response> {
  const { saveGameLocation, savePartitions } = await readJson(exchange, saveSpecification, { mayBeEmpty: true });
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

async function loadCheckpoint(exchange: Exchange): Promise<Response> {
  const { saveGameLocation } = await readJson(exchange, loadSpecification);
  const result = await saveGamesOf(exchange).load(decodeSegment(exchange.encodedNamespace), saveGameLocation);
  if (result.ok) return exchange.empty(204);
  if (result.failure === 'badLocation') throw badLocation(result.detail);
  throw new Problem('internal', `The checkpoint was not loaded, the graph is as it was: ${result.detail}`);
}

function badLocation(detail: string): Problem {
  return new Problem('validation', detail, { errors: { saveGameLocation: [detail] } });
}

async function listSaveGames(exchange: Exchange): Promise<Response> {
  return exchange.value((await exchange.service.engine.saveGames?.list()) ?? []);
}

async function readSaveGame(exchange: Exchange): Promise<Response> {
  const entry = await exchange.service.engine.saveGames?.find(textParameter(exchange, 'id'));
  return entry === undefined ? exchange.empty(204) : exchange.value(entry);
}

async function removeSaveGame(exchange: Exchange): Promise<Response> {
  const id = textParameter(exchange, 'id');
  const deleteFiles = exchange.queryFlag('deleteFiles');
  const removed = await exchange.service.engine.saveGames?.remove(id, deleteFiles).catch((error: unknown) => {
    throw new Problem(
      'internal',
      `The save game could not be deleted: ${error instanceof Error ? error.message : error}`,
    );
  });
  if (removed) return exchange.empty(204);
  throw new Problem('notFound', `There is no save game '${id}'.`);
}

async function restoreSaveGame(exchange: Exchange): Promise<Response> {
  const id = textParameter(exchange, 'id');
  const waited = exchange.queryFlag('waitForCompletion');
  const { saveGames } = exchange.service.engine;
  if (!saveGames) throw new Problem('notFound', `There is no save game '${id}'.`);
  const start = await saveGames.restore(id, textQuery(exchange, 'namespace'));
  if (!start.ok) throw refusalProblem(start);
  if (!waited) {
    start.done.catch(() => {}); // what fails is in the log
    return exchange.empty(202);
  }
  const end = await start.done;
  const { activatedNamespaces } = end;
  if (end.ok) return exchange.value({ ...end.entry, activatedNamespaces });
  const { failedNamespaces, detail } = end;
  throw new Problem('restoreIncomplete', detail, { failedNamespaces, activatedNamespaces });
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
