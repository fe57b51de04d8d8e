// Files in the database of an object: a table of names, a table of parts. Rows stay below the 2 MB that such databases take.
//
//   arcwise_files    id, name (null while a file is being written), bytes, modified (milliseconds since 1970)
//   arcwise_content  place, content: the parts of a file never overlap; bytes that no part has are zero
//   arcwise_facts    name, value: `format` (2; a higher one is a newer version's) and what the object notes of itself
//
//   place  63 .. 36    35 .. 0
//          file        position in the file
//
// The place is the number of the row. A key of two columns would be a key of an index that has the content too (format 1), and SQLite reads
// the whole content of each row that a search in an index compares. Measured (processor profile of openings from a checkpoint of 39 MB, 2
// cores of an AMD EPYC, 25cee4ed): reading rows took 6.3 → 0.7 times as long as the checksum of the same bytes, which is 48 ms.
//
// Statements of one turn are kept together or not at all, so no method here waits in its middle.

import type { ObjectStorage, Sql, SqlRow } from '../platform.ts';

const format = 2;
/** Bits of a place that tell the position. An object has 10 GB. */
const positionBits = 36;
/** Behind every position of a file. */
const fileEnd = 2 ** positionBits;
/** In statements: the place of the position `?` in the file `?`. Numbers come as floating point, which a shift makes whole. */
const placeOf = `((? << ${positionBits}) + CAST(? AS INTEGER))`;
/** In statements: the position that a place tells. */
const positionOf = `(place & ${fileEnd - 1})`;
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
  'CREATE TABLE IF NOT EXISTS arcwise_content (place INTEGER PRIMARY KEY, content BLOB NOT NULL)',
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
    this.together(() => {
      if (written === 1) {
        this.sql.exec(
          `INSERT INTO arcwise_content SELECT (file << ${positionBits}) + position, content FROM arcwise_parts`,
        );
        this.sql.exec('DROP TABLE arcwise_parts');
      }
      this.note('format', String(format));
      for (const { id } of this.rows('SELECT id FROM arcwise_files WHERE name IS NULL')) this.remove(Number(id));
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
      this.sql.exec(
        `DELETE FROM arcwise_content WHERE place >= ${placeOf} AND place < ${placeOf}`,
        file,
        0,
        file + 1,
        0,
      );
      this.sql.exec('DELETE FROM arcwise_files WHERE id = ?', file);
    });
  }

  resize(file: number, bytes: number): void {
    this.sql.exec('UPDATE arcwise_files SET bytes = ? WHERE id = ?', bytes, file);
  }

  /** Where the last part of a file ends. */
  end(file: number): number {
    const [row] = this.rows(
      `SELECT ${positionOf} AS position, length(content) AS bytes FROM arcwise_content
       WHERE place >= ${placeOf} AND place < ${placeOf} ORDER BY place DESC LIMIT 1`,
      ...[file, 0, file + 1, 0],
    );
    return row === undefined ? 0 : Number(row.position) + Number(row.bytes);
  }

  /** Bytes in the parts of all files whose names begin so. */
  contentBytes(prefix: string): number {
    const [row] = this.rows(
      `SELECT sum(length(content)) AS bytes FROM arcwise_files JOIN arcwise_content
       ON place >= id << ${positionBits} AND place < (id + 1) << ${positionBits} WHERE substr(name, 1, ?) = ?`,
      prefix.length,
      prefix,
    );
    return Number(row?.bytes ?? 0);
  }

  /** Puts bytes where no part is: a new file's, or behind `end`. */
  write(file: number, position: number, bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += partBytes) {
      const part = bytes.slice(from, from + partBytes);
      this.sql.exec(`INSERT INTO arcwise_content (place, content) VALUES (${placeOf}, ?)`, file, position + from, part);
    }
  }

  /** Takes the bytes from `start` to before `end` out of the parts; what parts have beside that stays. */
  cut(file: number, start: number, end: number): void {
    const to = Math.min(end, fileEnd);
    this.sql.exec(
      `DELETE FROM arcwise_content WHERE place >= ${placeOf} AND place + length(content) <= ${placeOf} AND place < ${placeOf}`,
      ...[file, start, file, to, file, to],
    );
    // Two at most: they reach beyond.
    const meeting = this.rows(
      `SELECT ${positionOf} AS position, content FROM arcwise_content
       WHERE place >= ${placeOf} AND place < ${placeOf} AND place + length(content) > ${placeOf}`,
      ...[file, this.partAt(file, start), file, to, file, start],
    );
    for (const row of meeting) {
      const at = Number(row.position);
      const content = bytesOf(row);
      this.sql.exec(`DELETE FROM arcwise_content WHERE place = ${placeOf}`, file, at);
      if (at < start) this.write(file, at, content.subarray(0, start - at));
      if (at + content.length > to) this.write(file, to, content.subarray(to - at));
    }
  }

  /** Fills `target` from `position` on; what no part has is zero. */
  read(file: number, position: number, target: Uint8Array): void {
    const end = position + target.length;
    // Rows come one at a time: all together may be more than the object's memory.
    const rows = this.sql.exec(
      `SELECT ${positionOf} AS position, content FROM arcwise_content WHERE place >= ${placeOf} AND place < ${placeOf} ORDER BY place`,
      ...[file, this.partAt(file, position), file, end],
    );
    let filled = 0;
    for (const row of rows) {
      const content = bytesOf(row);
      const from = Number(row.position) - position;
      const part = content.subarray(Math.max(0, -from), target.length - from);
      const to = Math.max(0, from);
      target.fill(0, filled, to);
      target.set(part, to);
      filled = to + part.length;
    }
    target.fill(0, filled);
  }

  /** Where the last part begins that begins at `position` or before; `position` without one. */
  private partAt(file: number, position: number): number {
    const [row] = this.rows(
      `SELECT ${positionOf} AS position FROM arcwise_content WHERE place >= ${placeOf} AND place <= ${placeOf} ORDER BY place DESC LIMIT 1`,
      ...[file, 0, file, position],
    );
    return Number(row?.position ?? position);
  }

  private rows(statement: string, ...values: (string | number)[]): SqlRow[] {
    return this.sql.exec(statement, ...values).toArray();
  }
}

function bytesOf({ content }: SqlRow): Uint8Array {
  return new Uint8Array(content as ArrayBuffer);
}
