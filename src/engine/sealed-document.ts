// JSON documents with a seal: the metadata files that say what a start loads (catalogue, registry). Their text is meant to be read and
// repaired by people and other tools, so the seal is one more member beside those of the contract:
//
//   { …the document's members…, "checksum": "9bd366ae" }
//
//   checksum   eight hexadecimal digits: CRC-32 of the UTF-8 text that JSON.stringify gives, without white space, for the object without
//              this member. Layout is not covered, values, names and their order are: what is read is what is checked.
//
// A flipped bit in a text of digits is a different, valid document; nothing but the seal can tell. A document without the member was made
// by hand or by another program and is taken as it stands, but only when all its members are known ones: otherwise a bit that
// falls in the word `checksum` itself would open the document. Whoever edits a sealed one takes the line away.

import { crc32With } from './log/crc32.ts';

const member = 'checksum';
const crc32 = crc32With(undefined);

type OpenedDocument =
  | { readonly ok: true; readonly content: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string; readonly cause?: unknown };

/** The text of a document, sealed. `content` has no member `checksum`. */
export function sealDocument(content: Readonly<Record<string, unknown>>): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ ...content, [member]: checksumOf(content) }, null, 2)}\n`);
}

/**
 * The members of a document without its seal, or what is wrong with it, as the end of a sentence. `known`: the names that a document
 * without a seal may have.
 */
export function openDocument(bytes: Uint8Array, known: readonly string[]): OpenedDocument {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    return { ok: false, problem: 'it is not JSON', cause };
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return { ok: false, problem: 'it is not a JSON object' };
  }
  const { [member]: checksum, ...members } = content as Record<string, unknown>;
  if (checksum === undefined) {
    const unknown = Object.keys(members).find((name) => !known.includes(name));
    if (unknown === undefined) return { ok: true, content: members };
    return { ok: false, problem: `it has no checksum and a member ${JSON.stringify(unknown)} that is not known` };
  }
  if (checksum === checksumOf(members)) return { ok: true, content: members };
  return { ok: false, problem: `its checksum does not hold (whoever has edited it takes the line "${member}" out)` };
}

function checksumOf(content: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  return crc32(bytes, 0, bytes.length, 0).toString(16).padStart(8, '0');
}
