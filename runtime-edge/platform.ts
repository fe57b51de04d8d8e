// What an edge runtime gives to an object, as far as this home uses it. Declared here, so that no package of types is needed.

export type SqlValue = string | number | ArrayBuffer | Uint8Array | null;
export type SqlRow = Record<string, SqlValue>;

export interface Sql {
  /** Runs a statement; the rows must be taken before the next one runs, all at once or one by one. */
  exec(statement: string, ...values: SqlValue[]): Iterable<SqlRow> & { toArray(): SqlRow[] };
}

export interface ObjectStorage {
  readonly sql: Sql;
  /** All of it is kept or none of it. `run` may not wait for anything. */
  transactionSync<T>(run: () => T): T;
  /** Resolves when everything that was written is durable. */
  sync(): Promise<void>;
  deleteAll(): Promise<void>;
}

/** Names an object for good. */
export interface ObjectId {
  /** Missing where the id was made without one. */
  readonly name?: string;
  equals(other: ObjectId): boolean;
}

/** A socket that the runtime keeps while its object is not in memory. */
export interface KeptSocket {
  /** Throws when it is closed. */
  send(text: string): void;
  close(code: number, reason: string): void;
  /** What the object finds at the socket when it is in memory again. */
  serializeAttachment(value: unknown): void;
  deserializeAttachment(): unknown;
}

/** An object's own place. */
export interface ObjectState {
  readonly id: ObjectId;
  readonly storage: ObjectStorage;
  /** Keeps the object until this has settled. */
  waitUntil(promise: Promise<unknown>): void;
  /** The object's methods hear of the socket from here on, also after it was taken out of memory. */
  acceptWebSocket(socket: KeptSocket): void;
  getWebSockets(): KeptSocket[];
}

/** An object of a bucket, as R2 tells of it. */
export interface BucketObject {
  readonly key: string;
  readonly size: number;
  readonly uploaded: Date;
}

export interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string;
}

/** Nobody sees any of it before it is complete. */
export interface MultipartUpload {
  uploadPart(partNumber: number, value: Uint8Array): Promise<UploadedPart>;
  complete(parts: readonly UploadedPart[]): Promise<BucketObject>;
  abort(): Promise<void>;
}

/** A bucket of objects, as far as R2 has it and this home uses it. */
export interface Bucket {
  head(key: string): Promise<BucketObject | null>;
  get(
    key: string,
    options?: { readonly range: { readonly offset: number; readonly length: number } },
  ): Promise<(BucketObject & { arrayBuffer(): Promise<ArrayBuffer> }) | null>;
  put(key: string, value: Uint8Array): Promise<BucketObject | null>;
  /** No error when there is none. At most 1,000 at once. */
  delete(keys: string | string[]): Promise<void>;
  list(options: {
    readonly prefix: string;
    readonly cursor?: string;
  }): Promise<{ readonly objects: readonly BucketObject[]; readonly truncated: boolean; readonly cursor?: string }>;
  createMultipartUpload(key: string): Promise<MultipartUpload>;
}

interface ObjectStub {
  fetch(request: Request): Promise<Response>;
}

/** A binding to objects of one class. */
export interface ObjectNamespace {
  idFromName(name: string): ObjectId;
  get(id: ObjectId): ObjectStub;
}

/** The bindings of the configuration file. */
export interface Environment {
  readonly ARCWISE: ObjectNamespace;
  /** Settings of every object by their keys, as JSON text or as an object; missing: all have their defaults. */
  readonly ARCWISE_SETTINGS?: string | Readonly<Record<string, string | number | boolean>> | null;
  /** `service`: one object holds every namespace; missing: one object a namespace. */
  readonly ARCWISE_OBJECTS?: string | null;
  /** Bytes of log behind which a checkpoint is written; missing: 4 MiB. */
  readonly ARCWISE_CHECKPOINT_BYTES?: string | number | null;
  /** Where save games and exports go; missing: save games stay in the object's own database, and nothing is exported. */
  readonly ARCWISE_BUCKET?: Bucket | null;
}
