// Where bytes are kept. Two small interfaces: log files, which grow by durable positional writes, and blobs, which are replaced
// whole. Implementations know names and bytes; what the bytes mean is the engine's business.
//
// Names are relative, `/`-separated, without empty, `.` or `..` parts. Every failure rejects; nothing here retries. "Durable"
// means: still there after the power is cut right after the promise resolved.

/** One open log file. Callers never run two writes over the same bytes at once; `reserve` may run beside a `write`. */
export interface LogFile {
  /** Bytes from the start of the file to its end, reserved zeros included. */
  readonly sizeBytes: number;
  /** Fills `target` from `offset` on. Answers the bytes read, fewer than asked only at the end of the file. */
  read(offset: number, target: Uint8Array): Promise<number>;
  /** Writes all of `bytes` at `offset` (at most `sizeBytes`). Durable when it resolves; after a rejection any part may be there. */
  write(offset: number, bytes: Uint8Array): Promise<void>;
  /** Makes the file at least `sizeBytes` long with zeros, so that later writes inside change no metadata. */
  reserve(sizeBytes: number): Promise<void>;
  /** Cuts the file to `sizeBytes`. Durable when it resolves. */
  truncate(sizeBytes: number): Promise<void>;
  /** Makes everything that was read from this file durable, whoever wrote it. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface LogStore {
  /** Opens an existing log file for reading and writing; null when there is none. */
  open(name: string): Promise<LogFile | null>;
  /** Puts a file that holds exactly `content` under `name`, in place of any other, at once and durably, and opens it. */
  create(name: string, content: Uint8Array): Promise<LogFile>;
  /** Names that begin with `prefix`, in ordinal order. */
  list(prefix: string): Promise<string[]>;
  /** Removes a file; no error when there is none. Durable when it resolves. */
  delete(name: string): Promise<void>;
}

export interface BlobStore {
  /**
   * Puts `bytes` under `name`: afterwards, and after any crash, the name has the old bytes or the new ones, whole. `makesRoom`: it is
   * there for giving room back, so a store that keeps some for this may take it.
   */
  put(name: string, bytes: Uint8Array, makesRoom?: boolean): Promise<void>;
  /** Null when there is none; rejects when there is one that cannot be read. */
  get(name: string): Promise<Uint8Array | null>;
  /** Names that begin with `prefix`, in ordinal order. */
  list(prefix: string): Promise<string[]>;
  /** Removes a blob; no error when there is none. Durable when it resolves. */
  delete(name: string): Promise<void>;
}

/** Throws on a name that is not of the form above: a programmer's error, never an input's. */
export function checkStorageName(name: string): void {
  const parts = name.split('/');
  if (
    parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0') || part.includes('\\'))
  ) {
    throw new Error(`Not a storage name: ${JSON.stringify(name)}`);
  }
}

/** A file that is being written from its start to its end. One call at a time. */
export interface CheckpointWriter {
  append(bytes: Uint8Array): Promise<void>;
  /** Closes the file; everything appended and the file's name are durable when it resolves. */
  finish(): Promise<void>;
  /** Closes and removes a file that will not be finished. Never rejects: what stays is no more than space. */
  abandon(): Promise<void>;
}

/** A finished file. */
export interface CheckpointReader {
  readonly sizeBytes: number;
  /** As `LogFile.read`. */
  read(offset: number, target: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/** Files too large to be held in memory, each written once, and small ones (manifests) put whole. Neither is ever changed. */
export interface CheckpointStore {
  /**
   * A checkpoint is put only when the log has everything that is in it. True where others may take the log over: what never came into it is then no
   * part of the graph. Missing: a checkpoint is as good as the log.
   */
  readonly needsLog?: boolean;
  /** Starts a new file; rejects when there is one of that name. Until `finish` any part of it may be lost. */
  create(name: string): Promise<CheckpointWriter>;
  /** Null when there is none. */
  open(name: string): Promise<CheckpointReader | null>;
  /** As `BlobStore.put`. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Names that begin with `prefix`, in ordinal order. */
  list(prefix: string): Promise<string[]>;
  /** Removes a file; no error when there is none. Durable when it resolves. */
  delete(name: string): Promise<void>;
}
