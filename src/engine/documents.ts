// The documents of a namespace: small named texts that are kept with the graph and are not part of it, such as stored queries. Every
// change is a transaction, so it is in the log and comes back with it; checkpoints hold all of them in sections of the manifest, as they
// are at the anchor. Erasing or trimming the graph leaves them alone.
//
// Within a kind names are unique and compared as they are. A list has the order of creation: what replaces a text keeps its place.
//
// A section is one JSON text in the manifest, which is held in memory and is read as a string, so there is a bound on what all of them may
// have together. Replays and loads are above it: what was taken once stays.

import { joinedBytes } from '../core/joined.ts';
import type { WriteOperation } from '../core/requests.ts';
import type { Slices } from '../core/slices.ts';
import { type CheckpointSection, sectionKinds } from './checkpoint/types.ts';
import { firstOperation, plainOperations, stringOf } from './transactions.ts';
import type { WriteOutcome } from './types.ts';

const operationDocument = 13;

/** The kinds there are, in the order in which checkpoints hold them. */
const documentKinds = [sectionKinds.subgraphRecipes, sectionKinds.storedQueries, sectionKinds.pluginSources] as const;
export type DocumentKind = (typeof documentKinds)[number];

/**
 * Characters of names and texts that the documents of one namespace may have together. A character of JSON takes three bytes of a section at
 * most, so all of them fit into the manifest of a package (64 MiB).
 */
const mostDocumentCharacters = 20_000_000;

const sliceLength = { ms: 4, steps: 8 };
const encoder = new TextEncoder();

export interface Document {
  readonly name: string;
  readonly text: string;
}

/** The documents of a loaded graph; the same object as long as the namespace stays loaded, also over a restore. */
export interface DocumentSet {
  /** In order of creation. */
  list(kind: DocumentKind): readonly Document[];
  /** The text; null when there is none of that name. */
  get(kind: DocumentKind, name: string): string | null;
  /** Why there is no room for one more of this name and text, as a sentence; null where there is. `put` does not ask. */
  overflow(name: string, text: string): string | null;
  /** Makes it, or replaces its text. */
  put(kind: DocumentKind, name: string, text: string): WriteOutcome;
  /** False when there is none of that name. */
  remove(kind: DocumentKind, name: string): WriteOutcome | false;
}

/** A section of documents that says nothing one could understand. */
export class DocumentsUnreadable extends Error {
  override readonly name = 'DocumentsUnreadable';
}

/** Whether it changes documents; such a transaction holds nothing else. */
export function isDocumentTransaction(bytes: Uint8Array): boolean {
  return firstOperation(bytes) === operationDocument;
}

/** What the transactions applied so far have made of the documents: the state behind `DocumentSet`. */
export class Documents {
  /** Of all names and texts. */
  characters = 0;
  private readonly byKind = new Map<number, Map<string, string>>();

  /** Starts from the sections of a checkpoint. Throws DocumentsUnreadable. */
  constructor(sections: readonly CheckpointSection[] = []) {
    for (const { kind, required, bytes } of sections) {
      // Ours are required; a section that may be passed over is none of these.
      if (!required || !documentKinds.some((known) => known === kind)) continue;
      for (const [name, text] of readSection(bytes, kind)) this.set(kind, name, text);
    }
  }

  /** Carries out a transaction of documents, which the core has validated. */
  apply(bytes: Uint8Array): void {
    for (const [, kind, nameString, textString] of plainOperations(bytes)) {
      const name = stringOf(bytes, nameString) ?? '';
      const text = stringOf(bytes, textString);
      this.set(kind, name, text);
    }
  }

  list(kind: DocumentKind): Document[] {
    return Array.from(this.byKind.get(kind) ?? [], ([name, text]) => ({ name, text }));
  }

  get(kind: DocumentKind, name: string): string | null {
    return this.byKind.get(kind)?.get(name) ?? null;
  }

  /** Of all kinds. */
  all(): (Document & { readonly kind: DocumentKind })[] {
    return documentKinds.flatMap((kind) => this.list(kind).map((one) => ({ kind, ...one })));
  }

  private set(kind: number, name: string, text: string | null): void {
    const texts = this.ofKind(kind);
    const before = texts.get(name);
    if (before !== undefined) this.characters -= name.length + before.length;
    if (text === null) {
      texts.delete(name);
      return;
    }
    texts.set(name, text);
    this.characters += name.length + text.length;
  }

  private ofKind(kind: number): Map<string, string> {
    let texts = this.byKind.get(kind);
    if (texts === undefined) {
      texts = new Map();
      this.byKind.set(kind, texts);
    }
    return texts;
  }
}

/**
 * The sections of documents that were listed at one time, one for each kind that has any. They are made in slices, one document after the
 * other: a megabyte of text takes milliseconds.
 */
export async function sectionsOf(
  documents: readonly (Document & { readonly kind: DocumentKind })[],
  slices: Slices,
  pause: () => Promise<void>,
): Promise<CheckpointSection[]> {
  const sections: CheckpointSection[] = [];
  let slice = slices(sliceLength);
  for (const kind of documentKinds) {
    const parts: Uint8Array[] = [];
    for (const { name, text } of documents.filter((one) => one.kind === kind)) {
      parts.push(encoder.encode(`${parts.length === 0 ? '[' : ','}${JSON.stringify([name, text])}`));
      if (!slice.isOver()) continue;
      await pause();
      slice = slices(sliceLength);
    }
    if (parts.length > 0) sections.push({ kind, required: true, bytes: joinedBytes([...parts, encoder.encode(']')]) });
  }
  return sections;
}

/** A list of pairs of name and text, as JSON. */
function readSection(bytes: Uint8Array, kind: number): Map<string, string> {
  const unreadable = (): DocumentsUnreadable => new DocumentsUnreadable(`its section ${kind} is no list of documents`);
  let pairs: unknown;
  try {
    pairs = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw unreadable();
  }
  const isPair = (pair: unknown): pair is [string, string] =>
    Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === 'string');
  if (!Array.isArray(pairs) || !pairs.every(isPair)) throw unreadable();
  return new Map(pairs);
}

/** The documents of a graph over whatever engine is behind it. */
export class GraphDocuments implements DocumentSet {
  private readonly documents: () => Documents;
  private readonly write: (operations: readonly WriteOperation[]) => WriteOutcome;

  constructor(documents: () => Documents, write: (operations: readonly WriteOperation[]) => WriteOutcome) {
    this.documents = documents;
    this.write = write;
  }

  list(kind: DocumentKind): Document[] {
    return this.documents().list(kind);
  }

  get(kind: DocumentKind, name: string): string | null {
    return this.documents().get(kind, name);
  }

  overflow(name: string, text: string): string | null {
    const characters = this.documents().characters + name.length + text.length;
    if (characters <= mostDocumentCharacters) return null;
    return `With it the subgraphs, stored queries and plugins of the namespace would have ${characters} characters; ${mostDocumentCharacters} is the most they may have together.`;
  }

  put(kind: DocumentKind, name: string, text: string): WriteOutcome {
    return this.write([{ kind: 'putDocument', documentKind: kind, name, text }]);
  }

  remove(kind: DocumentKind, name: string): WriteOutcome | false {
    if (this.get(kind, name) === null) return false;
    return this.write([{ kind: 'removeDocument', documentKind: kind, name }]);
  }
}

/** Names of the documents of a kind that a checkpoint holds; none where its section says nothing one could understand. */
export function namesOf(sections: readonly CheckpointSection[], kind: DocumentKind): string[] {
  try {
    return new Documents(sections.filter((section) => section.kind === kind)).list(kind).map(({ name }) => name);
  } catch (error) {
    if (error instanceof DocumentsUnreadable) return [];
    throw error;
  }
}
