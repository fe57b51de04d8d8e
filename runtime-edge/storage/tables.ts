// Files in the database of an object: a table of names, a table of parts. Rows stay below the 2 MB that such databases take.
//
//   arcwise_files  id, name (null while a file is being written), bytes, modified (milliseconds since 1970)
//   arcwise_parts  file, position, content: the parts of a file never overlap; bytes that no part has are zero
//   arcwise_facts  name, value: `format` (1; a higher one is a newer version's) and what the object notes of itself
//
// Statements of one turn are kept together or not at all, so no method here waits in its middle.

import type { ObjectStorage, Sql, SqlRow } from '../platform.ts';

const format = 1;
/** A row of content has at most so many bytes. */
const partBytes = 2 ** 20;

/** What the object's database has cannot be used by this version. */
class StoreNewer extends Error {
  override readonly name = 'StoreNewer';
}

export interface FileFacts {
  readonly id: number;
  readonly bytes: number;
  readonly modifiedMs: number;
}

const tables = [
  'CREATE TABLE IF NOT EXISTS arcwise_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS arcwise_files (id INTEGER PRIMARY KEY, name TEXT UNIQUE, bytes INTEGER NOT NULL, modified INTEGER NOT NULL)',
  'CREATE TABLE IF NOT EXISTS arcwise_parts (file INTEGER NOT NULL, position INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (file, position)) WITHOUT ROWID',
] as const;

export class Tables {
  private readonly storage: ObjectStorage;
  private readonly sql: Sql;
  private readonly nowMs: () => number;

  /** Throws StoreNewer. Files that an earlier run was writing when it ended are removed. */
  constructor(storage: ObjectStorage, nowMs: () => number) {
    this.storage = storage;
    this.sql = storage.sql;
    this.nowMs = nowMs;
    for (const table of tables) this.sql.exec(table);
    const written = Number(this.fact('format') ?? format);
    if (written > format)
      throw new StoreNewer(`The store has format ${written}; this version reads formats up to ${format}.`);
    this.note('format', String(format));
    this.together(() => {
      this.sql.exec('DELETE FROM arcwise_parts WHERE file IN (SELECT id FROM arcwise_files WHERE name IS NULL)');
      this.sql.exec('DELETE FROM arcwise_files WHERE name IS NULL');
    });
  }

  fact(name: string): string | null {
    const [row] = this.rows('SELECT value FROM arcwise_facts WHERE name = ?', name);
    return row === undefined ? null : String(row.value);
  }

  note(name: string, value: string): void {
    this.sql.exec('INSERT OR REPLACE INTO arcwise_facts (name, value) VALUES (?, ?)', name, value);
  }

  /** No error when there is none. */
  forget(name: string): void {
    this.sql.exec('DELETE FROM arcwise_facts WHERE name = ?', name);
  }

  /** Resolves when everything so far is durable. */
  sync(): Promise<void> {
    return this.storage.sync();
  }

  together<T>(run: () => T): T {
    return this.storage.transactionSync(run);
  }

  find(name: string): FileFacts | null {
    const [row] = this.rows('SELECT id, bytes, modified FROM arcwise_files WHERE name = ?', name);
    if (row === undefined) return null;
    return { id: Number(row.id), bytes: Number(row.bytes), modifiedMs: Number(row.modified) };
  }

  names(prefix: string): string[] {
    const rows = this.rows('SELECT name FROM arcwise_files WHERE substr(name, 1, ?) = ?', prefix.length, prefix);
    return rows.map(({ name }) => String(name)).sort();
  }

  /** The number of a new file without a name. */
  begin(): number {
    const [row] = this.rows('INSERT INTO arcwise_files (name, bytes, modified) VALUES (NULL, 0, 0) RETURNING id');
    return Number(row?.id);
  }

  /** Gives a file its name, in place of another one that has it. */
  rename(file: number, name: string, bytes: number): void {
    this.together(() => {
      this.removeNamed(name);
      const modified = Math.floor(this.nowMs());
      this.sql.exec(
        'UPDATE arcwise_files SET name = ?, bytes = ?, modified = ? WHERE id = ?',
        name,
        bytes,
        modified,
        file,
      );
    });
  }

  /** A file of exactly this content, in place of another one of the name. */
  put(name: string, content: Uint8Array): number {
    return this.together(() => {
      const file = this.begin();
      this.write(file, 0, content);
      this.rename(file, name, content.length);
      return file;
    });
  }

  removeNamed(name: string): void {
    const found = this.find(name);
    if (found !== null) this.remove(found.id);
  }

  remove(file: number): void {
    this.together(() => {
      this.sql.exec('DELETE FROM arcwise_parts WHERE file = ?', file);
      this.sql.exec('DELETE FROM arcwise_files WHERE id = ?', file);
    });
  }

  resize(file: number, bytes: number): void {
    this.sql.exec('UPDATE arcwise_files SET bytes = ? WHERE id = ?', bytes, file);
  }

  /** Where the last part of a file ends. */
  end(file: number): number {
    const [row] = this.rows(
      'SELECT position + length(content) AS ends FROM arcwise_parts WHERE file = ? ORDER BY position DESC LIMIT 1',
      file,
    );
    return Number(row?.ends ?? 0);
  }

  /** Bytes in the parts of all files whose names begin so. */
  contentBytes(prefix: string): number {
    const [row] = this.rows(
      'SELECT sum(length(content)) AS bytes FROM arcwise_parts JOIN arcwise_files ON id = file WHERE substr(name, 1, ?) = ?',
      prefix.length,
      prefix,
    );
    return Number(row?.bytes ?? 0);
  }

  /** Puts bytes where no part is: a new file's, or behind `end`. */
  write(file: number, position: number, bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += partBytes) {
      const part = bytes.slice(from, from + partBytes);
      this.sql.exec(
        'INSERT INTO arcwise_parts (file, position, content) VALUES (?, ?, ?)',
        file,
        position + from,
        part,
      );
    }
  }

  /** Takes the bytes from `start` to before `end` out of the parts; what parts have beside that stays. */
  cut(file: number, start: number, end: number): void {
    this.sql.exec(
      'DELETE FROM arcwise_parts WHERE file = ? AND position >= ? AND position + length(content) <= ?',
      ...[file, start, end],
    );
    // Two at most: they reach beyond.
    const meeting = this.rows(
      `SELECT position, content FROM arcwise_parts WHERE file = ? AND position < ? AND position + length(content) > ?
       AND position >= ?`,
      ...[file, end, start, start - partBytes],
    );
    for (const row of meeting) {
      const position = Number(row.position);
      const content = bytesOf(row);
      this.sql.exec('DELETE FROM arcwise_parts WHERE file = ? AND position = ?', file, position);
      if (position < start) this.write(file, position, content.subarray(0, start - position));
      if (position + content.length > end) this.write(file, end, content.subarray(end - position));
    }
  }

  /** Fills `target` from `position` on; what no part has is zero. */
  read(file: number, position: number, target: Uint8Array): void {
    target.fill(0);
    const end = position + target.length;
    // One row at a time: all together may be more than the object's memory.
    for (let from = Math.max(0, position - partBytes); from < end; ) {
      const [row] = this.rows(
        'SELECT position, content FROM arcwise_parts WHERE file = ? AND position >= ? AND position < ? ORDER BY position LIMIT 1',
        ...[file, from, end],
      );
      if (row === undefined) return;
      const at = Number(row.position);
      const content = bytesOf(row);
      const start = Math.max(at, position);
      const part = content.subarray(start - at, end - at);
      if (start < at + content.length) target.set(part, start - position);
      from = at + 1;
    }
  }

  private rows(statement: string, ...values: (string | number)[]): SqlRow[] {
    return this.sql.exec(statement, ...values).toArray();
  }
}

function bytesOf({ content }: SqlRow): Uint8Array {
  return new Uint8Array(content as ArrayBuffer);
}
