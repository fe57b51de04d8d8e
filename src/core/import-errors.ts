// The words for what a bulk line can be refused for. Codes and fields are those of assembly/interchange/codes.ts; a line's number
// and column go into the same sentence, so that whoever reads the answer can put a finger on the place.

const fieldNames = [
  '',
  'type',
  'id',
  'label',
  'creationDate',
  'properties',
  'edgePropertyId',
  'source',
  'target',
  'format',
  'version',
  'vertexCount',
  'edgeCount',
  'exportedAtUtc',
  'value',
] as const;

/** A refused line as the core reports it. `text` is the name concerned, as it stands in the line; empty when there is none. */
export interface LineFailure {
  readonly code: number;
  /** 1-based. */
  readonly lineNumber: number;
  /** Byte of the line, from 1; 0 when the failure concerns no byte. */
  readonly column: number;
  readonly field: number;
  readonly text: string;
}

/** Codes the callers tell apart. */
export const lineTooLong = 5;
export const importNoMemory = 20;

type Wording = (field: string, text: string) => string;

const wordings: Readonly<Record<number, Wording>> = {
  1: () => 'is not well-formed JSON',
  2: () => 'carries something behind its JSON object (one object a line; curl keeps line breaks with --data-binary)',
  3: () => 'is not valid UTF-8',
  4: () => 'starts with a byte-order mark',
  5: () => 'is longer than BulkIO:MaxLineBytes allows',
  6: (_, text) => `has an unknown field ${text}`,
  7: (field, text) => `has the field ${text || field} twice`,
  8: (field, text) => (text === '' ? `lacks the field ${field}` : `lacks the field ${field} in the property ${text}`),
  9: (field, text) => `has no valid value in the field ${text || field}`,
  10: () => "has a type other than 'meta', 'vertex' and 'edge'",
  11: (_, text) => `has a property of the unknown type ${text}`,
  12: (_, text) => `has a property ${text} whose value is not a value of its type`,
  13: (_, text) => `has the property ${text} twice`,
  14: () => 'uses an id that an earlier line has used',
  15: (field) => `names a ${field} that no earlier vertex line has`,
  16: () => 'is a meta line, which only the first line may be',
  17: (_, text) => `names the format ${text || ''}, expected 'service-jsonl'`.replace('  ', ' '),
  18: () => 'has a format version outside 1 to 2',
  19: (field) => `ends a file whose ${field || 'counts'} the meta line gave otherwise`,
  20: () => 'does not fit into the memory limit',
  21: (_, text) => `has a property ${text} whose name behind the colon is not 1 to 64 of A-Z, a-z, 0-9, _ and -`,
  22: (_, text) => `has a property ${text} of another type than System.Single[], or System.String for a model`,
  23: (_, text) => `has a property ${text} that is not 1 to 4096 finite numbers`,
};

/** One sentence: which line, what is wrong with it, and at which byte. */
export function describeLineFailure(failure: LineFailure): string {
  const field = fieldNames[failure.field] ?? '';
  const text = failure.text === '' ? '' : `'${failure.text}'`;
  const wording = wordings[failure.code];
  const what =
    wording === undefined ? `is refused (code ${failure.code})` : wording(field === '' ? '' : `'${field}'`, text);
  const where = failure.column === 0 ? '' : ` (byte ${failure.column})`;
  return `Line ${failure.lineNumber} ${what}${where}.`;
}
