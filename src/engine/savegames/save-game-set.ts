// The save games of a service as its callers see them: the book that keeps and makes them, and the restorer that brings them back.

import type { SaveGames } from '../types.ts';
import type { Restorer } from './restore.ts';
import type { SaveGameBook } from './save-games.ts';

export function saveGamesOf(book: SaveGameBook, restorer: () => Promise<Restorer>): SaveGames {
  return {
    list: () => book.list(),
    find: (id) => book.find(id),
    save: (namespace, request) => book.save(namespace, request),
    saveAll: () => book.saveAll(),
    saveBases: () => book.saveBases(),
    remove: (id, deleteFiles) => book.remove(id, deleteFiles),
    load: async (namespace, location) => (await restorer()).load(namespace, location),
    restore: async (id, namespace) => (await restorer()).restore(id, namespace),
  };
}
