// Every error the service answers, as one closed table (contract part 1, Errors; reference 1.2). Clients match `title` and `status`;
// `detail` is for people. Only "Namespace not found" may carry the member `namespace` with status 404: clients take that as the
// sign that their namespace is gone.
//
// A new refusal is a line here, its members beside the usual ones in `problemMembers`, a `new Problem(kind, detail)` where it is found out, and
// the kind in `problems` of every route that may answer it: the document declares it then (`npm run generate` passes it on to the client),
// and the client of the contract tests fails on an answer that is not declared.

import { z } from 'zod';

export const problemTable = {
  badRequest: [400, 'Bad Request'],
  validation: [400, 'One or more validation errors occurred.'],
  unsupportedVersion: [400, 'Unsupported API version'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  notFound: [404, 'Not Found'],
  methodNotAllowed: [405, 'Method Not Allowed'],
  requestTimeout: [408, 'Request Timeout'],
  conflict: [409, 'Conflict'],
  bodyTooLarge: [413, 'Content Too Large'],
  unsupportedMediaType: [415, 'Unsupported Media Type'],
  tooManyRequests: [429, 'Too Many Requests'],
  internal: [500, 'Internal Server Error'],
  memoryLimit: [500, 'Memory limit reached'],
  overloaded: [503, 'Service overloaded'],
  notDurable: [500, 'Write not durable'],

  pathBudgetExhausted: [408, 'Path budget exhausted'],

  namespaceNotFound: [404, 'Namespace not found'],
  namespaceNotLoaded: [503, 'Namespace not loaded'],
  namespaceRequired: [400, 'Namespace required'],
  namespaceNameInvalid: [400, 'Invalid namespace name'],
  namespaceNameInUse: [409, 'Namespace name in use'],
  namespaceQuotaExceeded: [422, 'Namespace quota exceeded'],
  namespaceReserved: [409, 'Reserved namespace'],
  namespaceUpdateInvalid: [400, 'Invalid namespace update'],
  pluginRegistrationInvalid: [400, 'Invalid pluginRegistration'],
  loadOnStartupInvalid: [400, 'Invalid loadOnStartup'],
  namespaceHasUnregisteredCheckpoints: [409, 'Namespace has unregistered checkpoints'],
  namespaceActivationFailed: [500, 'Namespace activation failed'],
  namespaceStorageFailed: [500, 'Namespace storage failed'],

  saveIncomplete: [500, 'Save incomplete'],
  namespaceNotInSaveGame: [404, 'Namespace not in save game'],
  saveGameFilesMissing: [500, 'Save game files missing'],
  saveGameFilesUnreadable: [500, 'Save game files unreadable'],
  namespaceRestoreFailed: [500, 'Namespace restore failed'],
  restoreIncomplete: [500, 'Restore incomplete'],

  changeFeedFilterInvalid: [400, 'Invalid change feed filter'],
  sinceInvalid: [400, 'Invalid since position'],
  changeFeedDisabled: [503, 'Change feed disabled'],
  changeFeedUnavailable: [503, 'Change feed unavailable'],
  subscriberLimitReached: [503, 'Subscriber limit reached'],

  analyticsBudgetExhausted: [408, 'Analytics budget exhausted'],
  analyticsSlotsExhausted: [429, 'Analytics run slots exhausted'],
  analyticsWriteBackFailed: [500, 'Analytics write-back failed mid-way'],
  generationOvertaken: [409, 'Generation overtaken'],

  embeddingUnavailable: [503, 'Embedding provider unavailable'],
  embeddingOutputInvalid: [502, 'Embedding backend produced invalid output'],
  embeddingWriteMissed: [404, 'Embedding write rolled back'],
  embeddingWriteFailed: [500, 'Embedding write rolled back'],
  embeddingBatchMissed: [404, 'Embedding batch rolled back'],
  embeddingBatchFailed: [500, 'Embedding batch rolled back'],

  chatUnavailable: [503, 'Chat provider unavailable'],
  chatTimedOut: [504, 'Chat backend timed out'],
  chatOutputInvalid: [502, 'Chat backend produced no output'],

  uploadTooLarge: [413, 'Upload too large'],
  textTooLarge: [413, 'Text too large'],
  embeddingOff: [403, 'Embedding provider disabled'],
  conversionUnavailable: [503, 'Document conversion unavailable'],
  reservedKey: [400, 'Reserved property key'],
  replaceTargetMissing: [404, 'Replace target not found'],
  replaceTargetOther: [400, 'Replace target is not a Document'],
  duplicateContent: [409, 'Duplicate content'],
  chunkCeiling: [507, 'Chunk ceiling reached'],
  embeddingConflict: [409, 'Embedding contract conflict'],
  linkCapInvalid: [400, 'Invalid link cap'],
  linkIndexUnknown: [400, 'Unknown link index'],
  linkIndexOther: [400, 'Link index not equality-capable'],
  layerNotBound: [428, 'Semantic layer not bound'],
  queueFull: [503, 'Ingestion queue full'],
  indexShape: [409, 'Index shape conflict'],
  invalidK: [400, 'Invalid k'],
  invalidWindow: [400, 'Invalid window'],
  invalidMode: [400, 'Invalid mode'],
  noQuery: [400, 'No query'],
  noLexicalQuery: [400, 'No lexical query'],
  denseUnavailable: [400, 'Dense side unavailable'],
  lexicalUnavailable: [400, 'Lexical side unavailable'],
  noSide: [400, 'No side available'],
  dimensionMismatch: [400, 'Dimension mismatch'],
  knnInvalid: [400, 'Invalid kNN query'],
  dimensionConflict: [409, 'Dimension conflict'],
  modelConflict: [409, 'Model identity conflict'],

  settingsNotStored: [500, 'Settings not stored'],

  packageNeedsEmptyGraph: [409, 'Package requires an empty graph'],
  packageInvalid: [400, 'Invalid package'],

  notExportable: [422, 'Graph not exportable'],
  importNeedsEmptyGraph: [409, 'Import requires an empty graph'],
  importBodyTooLarge: [413, 'Import body too large'],
  importLineInvalid: [400, 'Invalid import line'],
  importLineTooLong: [400, 'Import line too long'],
  importBatchInvalid: [400, 'Import batch rolled back'],
  importBatchFailed: [500, 'Import batch rolled back'],
  importAborted: [400, 'Import aborted'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemKind = keyof typeof problemTable;

const counts = { verticesCommitted: z.int(), edgesCommitted: z.int(), durable: z.boolean() };
const atLine = z.object({ lineNumber: z.int().optional(), ...counts });
const namespaceState = z.object({ namespace: z.string(), namespaceState: z.literal('notLoaded') });
const loading = z
  .object({
    phase: z.enum(['checkpoint', 'log', 'edges']),
    bytesDone: z.int().nullable(),
    bytesTotal: z.int().nullable(),
  })
  .meta({ id: 'LoadState', description: 'How far the load is; null where the phase is not counted in bytes.' });
const names = z.array(z.string());
const thrown = z.object({
  exception: z.string().optional().meta({ description: 'What a fragment threw, unless Errors:HideDetails.' }),
});

/** The members that a problem has beside title, status and detail. */
export const problemMembers: { readonly [Kind in ProblemKind]?: z.ZodObject } = {
  validation: z.object({
    errors: z.record(z.string(), names).meta({ description: 'What is wrong, by place in the body.' }),
  }),
  badRequest: z.object({ elementId: z.int32().optional() }),
  internal: thrown,
  conflict: thrown,
  notDurable: z.object({ durable: z.literal(false) }),
  memoryLimit: z.object({ neededBytes: z.number().optional(), freeBytes: z.number().optional() }),
  namespaceNotFound: z.object({ namespace: z.string() }),
  namespaceNotLoaded: namespaceState.extend({ loading: loading.optional() }),
  namespaceQuotaExceeded: z.object({ maxNamespaces: z.int() }),
  namespaceHasUnregisteredCheckpoints: namespaceState,
  namespaceActivationFailed: namespaceState,
  queueFull: z.object({ documentId: z.int32() }),
  saveIncomplete: z.object({ failedNamespaces: names, skippedNamespaces: names }),
  namespaceRestoreFailed: z.object({ activatedNamespaces: names.optional() }),
  restoreIncomplete: z.object({ failedNamespaces: names, activatedNamespaces: names }),
  analyticsWriteBackFailed: z.object({ propertyKey: z.string(), verticesWritten: z.int(), chunks: z.int() }),
  notExportable: z.object({ elementId: z.int32(), propertyKey: z.string() }),
  importBodyTooLarge: atLine,
  importLineInvalid: atLine,
  importLineTooLong: atLine,
  importBatchInvalid: atLine,
  importBatchFailed: atLine,
  importAborted: atLine,
};

export type ProblemExtensions = Readonly<Record<string, unknown>>;

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Longest detail, in characters: it may repeat what the caller sent, of which the start tells enough. */
const maxDetail = 8192;

/** Ends a request with an entry of the table; caught by the handler, never logged. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemKind;
  readonly extensions: ProblemExtensions;
  /** Headers beside the usual ones, such as `allow`. */
  readonly headers: HeaderList;

  constructor(kind: ProblemKind, detail: string, extensions: ProblemExtensions = {}, headers: HeaderList = []) {
    super(detail.length > maxDetail ? `${detail.slice(0, maxDetail - 1)}…` : detail);
    this.kind = kind;
    this.extensions = extensions;
    this.headers = headers;
  }

  get status(): number {
    return problemTable[this.kind][0];
  }

  /** The document: title, status, detail, then the extension members. */
  toJson(): string {
    const [status, title] = problemTable[this.kind];
    return JSON.stringify({ title, status, detail: this.message, ...this.extensions });
  }
}
