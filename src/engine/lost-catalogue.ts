// A catalogue that is not there: normal for a service that never had a named namespace, a loss where save games or directories tell of
// some. A start that went on then would hide them, and the next one that is made would write the loss down.

import type { LogStore } from '../storage/types.ts';
import { catalogueName } from './catalogue.ts';
import { defaultNamespace, isNamespaceId, namespacesPrefix } from './names.ts';
import { membersOf, type SaveGame } from './savegames/registry.ts';

/** Namespaces that the message names. */
const mostNamed = 5;

/** @testonly: nobody else tells it from other failures of a start. */
export class CatalogueMissing extends Error {
  override readonly name = 'CatalogueMissing';

  constructor(traces: readonly string[]) {
    const more = traces.length > mostNamed ? ` and ${traces.length - mostNamed} more` : '';
    super(
      `The namespace catalogue ${catalogueName} is missing from the metadata directory, and there are namespaces: ` +
        `${traces.slice(0, mostNamed).join(', ')}${more}. Bring it back. To start without them put ` +
        '{"schemaVersion":1,"namespaces":[]} in its place: their files stay, and a restore of a save game makes them again.',
    );
  }
}

/** Throws CatalogueMissing when the registry or a directory tells of a named namespace. */
export async function checkNothingIsLost(saveGames: readonly SaveGame[], logs: LogStore | null): Promise<void> {
  const traces = new Map<string, string>();
  for (const entry of saveGames) {
    for (const { id, name } of membersOf(entry)) {
      if (id !== defaultNamespace && !traces.has(id)) traces.set(id, `"${name}" (save game ${entry.id})`);
    }
  }
  for (const file of (await logs?.list(namespacesPrefix)) ?? []) {
    const id = file.slice(namespacesPrefix.length).split('/')[0] as string;
    if (isNamespaceId(id) && !traces.has(id)) traces.set(id, `${id} (files in ${namespacesPrefix}${id})`);
  }
  if (traces.size > 0) throw new CatalogueMissing([...traces.values()]);
}
