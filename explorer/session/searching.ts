// The search over all values of properties: as one types, the newest text alone.

import { guessCaptions, nameKeysOf } from '../model/captions.ts';
import type { Session } from './session.ts';
import { emptySearch } from './state.ts';

let searching = new AbortController();

export async function search(session: Session, text: string): Promise<void> {
  searching.abort();
  const own = new AbortController();
  searching = own;
  if (text.trim() === '') return session.put({ search: null });
  session.put({ search: { ...(session.state.search ?? emptySearch), text, isRunning: true } });
  await session.asking(null, async () => {
    const keys = nameKeysOf(session.state.counts?.keys.map(({ name }) => name) ?? [], session.state.captions);
    const { hits, total } = await session.source.search(text.trim(), keys, own.signal).catch((error: unknown) => {
      if (searching === own) session.put({ search: null }); // what is told of the failure is not covered
      throw error;
    });
    const captions = new Map([...guessCaptions(hits), ...session.state.captions]);
    if (!own.signal.aborted) session.put({ captions, search: { text, hits, total, isRunning: false } });
  });
}

export function endSearch(session: Session): void {
  searching.abort();
  session.put({ search: null });
}
