// Why a request about documents is not served, by the entry of the table of problems that says it (reference 20.2 and 20.5).

export type RefusalKind =
  | 'badRequest'
  | 'notFound'
  | 'memoryLimit'
  | 'embeddingOff'
  | 'conversionUnavailable'
  | 'reservedKey'
  | 'replaceTargetMissing'
  | 'replaceTargetOther'
  | 'duplicateContent'
  | 'chunkCeiling'
  | 'linkCapInvalid'
  | 'linkIndexUnknown'
  | 'linkIndexOther'
  | 'layerNotBound'
  | 'queueFull'
  | 'indexShape'
  | 'noQuery'
  | 'noLexicalQuery'
  | 'denseUnavailable'
  | 'lexicalUnavailable'
  | 'noSide'
  | 'dimensionMismatch'
  | 'knnInvalid'
  | 'dimensionConflict'
  | 'modelConflict'
  | 'embeddingConflict';

export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused';
  readonly kind: RefusalKind;
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(kind: RefusalKind, detail: string, extensions: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.kind = kind;
    this.extensions = extensions;
  }
}
