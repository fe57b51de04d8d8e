// The names of a store after half of its catalogue, or all of it, was found torn. A half is torn by a write that nobody was told of, or by
// a disk that lost what it had: the files' own heads tell which.
//
// Of a name's files the one of the highest generation counts whose content is whole. Files whose head is not newer than the half that is
// left were freed before it; names whose file has another head, or none, were taken away after it.

import type { Entry } from './catalogue.ts';
import { hasWholeContent, readHeader } from './file-header.ts';
import { type FileDirectory, StoreDamaged } from './sync-file.ts';

interface Known {
  readonly generation: number;
  readonly entries: ReadonlyMap<string, Entry>;
}

/** `fileNames`: of all pool files, each its number in decimal. Rejects with StoreDamaged when nothing says what a file was. */
export async function recoverEntries(
  directory: FileDirectory,
  left: Known | null,
  fileNames: readonly string[],
): Promise<{ readonly entries: Map<string, Entry>; readonly generation: number }> {
  const known = left ?? { generation: -1, entries: new Map<string, Entry>() };
  const named = new Map([...known.entries].map(([name, entry]) => [entry.file, name]));
  const found = new Map<string, Entry & { readonly generation: number }>();
  let generation = known.generation;
  for (const fileName of fileNames) {
    const file = await directory.open(fileName);
    try {
      const number = Number(fileName);
      const head = readHeader(file);
      if (head === 'blank') continue;
      if (head === 'torn') {
        // With half a catalogue, a file that it does not name is one that never got its name.
        if (left !== null && !named.has(number)) continue;
        const what = named.get(number) ?? `file ${fileName}`;
        throw new StoreDamaged(`The store ${directory.name} is damaged: the catalogue is torn, and so is ${what}.`);
      }
      generation = Math.max(generation, head.generation);
      const isKnown = named.get(number) === head.name;
      if (!isKnown && head.generation <= known.generation) continue;
      if (!isKnown && !hasWholeContent(file, head)) continue;
      const other = found.get(head.name);
      if (other !== undefined && other.generation >= head.generation) continue;
      found.set(head.name, {
        ...{ file: number, bytes: head.bytes, modifiedMs: head.modifiedMs, generation: head.generation },
      });
    } finally {
      file.close();
    }
  }
  const entries = new Map<string, Entry>();
  for (const [name, { file, bytes, modifiedMs }] of found) entries.set(name, { file, bytes, modifiedMs });
  return { entries, generation: Math.max(0, generation) };
}
