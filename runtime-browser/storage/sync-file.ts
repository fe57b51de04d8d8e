// The few calls a store needs of the files below it: those of a page's synchronous access handles, so that tests can run the same store
// over files in memory that tear and fill up. A handle is exclusive: as long as one is open, nobody else opens the file.

/** As `FileSystemSyncAccessHandle`. */
export interface SyncFile {
  getSize(): number;
  read(target: Uint8Array, options: { readonly at: number }): number;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  truncate(sizeBytes: number): void;
  flush(): void;
  close(): void;
}

export interface FileDirectory {
  /** What people are told the store is called. */
  readonly name: string;
  /** Makes the file when there is none. Rejects while another handle has it. */
  open(name: string): Promise<SyncFile>;
  list(): Promise<string[]>;
}

/** The page's share of the disk is used up. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
  readonly code = 'ENOSPC';
}

/** Two tabs, or two engines of one, want the same store. */
export class StoreInUse extends Error {
  override readonly name = 'StoreInUse';
}

/** A newer version of the library has written what an older one would misread. */
export class StoreNewer extends Error {
  override readonly name = 'StoreNewer';
}

/** Bytes of the store are not what was written. */
export class StoreDamaged extends Error {
  override readonly name = 'StoreDamaged';
}

/** The browser gives the page no storage: a private window, or a policy. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}

/** Writes all of `bytes`. Throws StoreFull where there is no room for them. */
export function writeWhole(file: SyncFile, bytes: Uint8Array, offset: number): void {
  try {
    for (let done = 0; done < bytes.length; ) {
      const written = file.write(done === 0 ? bytes : bytes.subarray(done), { at: offset + done });
      if (written === 0) throw new StoreFull(`The browser took none of ${bytes.length - done} bytes.`);
      done += written;
    }
  } catch (error) {
    if ((error as Error).name !== 'QuotaExceededError') throw error;
    throw new StoreFull("The page's share of the disk is used up.", { cause: error });
  }
}

/** Answers the bytes read, fewer than asked only at the end of the file. */
export function readWhole(file: SyncFile, target: Uint8Array, offset: number): number {
  let done = 0;
  while (done < target.length) {
    const bytes = file.read(done === 0 ? target : target.subarray(done), { at: offset + done });
    if (bytes === 0) break;
    done += bytes;
  }
  return done;
}
