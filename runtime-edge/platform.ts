// What an edge runtime gives to an object, as far as this home uses it. Declared here, so that no package of types is needed.

export type SqlValue = string | number | ArrayBuffer | Uint8Array | null;
export type SqlRow = Record<string, SqlValue>;

export interface Sql {
  /** Runs a statement; the rows must be taken before the next one runs. */
  exec(statement: string, ...values: SqlValue[]): { toArray(): SqlRow[] };
}

export interface ObjectStorage {
  readonly sql: Sql;
  /** All of it is kept or none of it. `run` may not wait for anything. */
  transactionSync<T>(run: () => T): T;
  /** Resolves when everything that was written is durable. */
  sync(): Promise<void>;
  deleteAll(): Promise<void>;
}

/** An object's own place. */
export interface ObjectState {
  readonly id: { readonly name?: string };
  readonly storage: ObjectStorage;
  /** Keeps the object until this has settled. */
  waitUntil(promise: Promise<unknown>): void;
}

interface ObjectStub {
  fetch(request: Request): Promise<Response>;
}

/** A binding to objects of one class. */
export interface ObjectNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): ObjectStub;
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
}
