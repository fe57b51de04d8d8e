// A shared log, its owner and objects in a PostgreSQL database. Everything that must not happen twice or under an older term is one statement with
// its condition in it: the row of the owner is locked by whoever appends, so a take-over comes before an append or after it, never into it.
//
//   arcwise_owner    cluster, term, holder, lease_until, next and first frame
//   arcwise_log      cluster, number, count, term, bytes: the batches
//   arcwise_objects  cluster, name, tag, bytes: what is not log: catalogue, registry, checkpoints
//
// Leases are measured by the database's clock. An answer that does not come within its deadline is no answer: the outcome is `unknown`.

import { blobsIn } from '../../src/storage/object-files.ts';
import type { ObjectStore, PutOutcome, StoredObject } from '../../src/storage/objects.ts';
import {
  type AppendOutcome,
  type LogBatch,
  type LogOwner,
  type LogOwnership,
  LogTruncated,
  type SharedLog,
} from '../../src/storage/shared-log.ts';
import { type BlobStore, checkStorageName } from '../../src/storage/types.ts';

/** As much of the package `pg` as is used. */
interface Pool {
  query(query: {
    text: string;
    values: readonly unknown[];
    /** Of a statement that the server keeps prepared for its connection. */
    name?: string;
  }): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
  on(event: 'error', listener: (error: Error) => void): void;
  end(): Promise<void>;
}

const deadlineMs = 5_000;
const batchesAtOnce = 256;
/** Of batches in one answer, about: one that is larger takes the whole deadline where the machine is busy. */
const answerBytes = 4 * 1024 * 1024;

const schema = `
create table if not exists arcwise_owner (cluster text primary key, term bigint not null, holder text not null,
  lease_until timestamptz not null, next bigint not null, first bigint not null);
create table if not exists arcwise_log (cluster text not null, number bigint not null, count integer not null, term bigint not null,
  bytes bytea not null, primary key (cluster, number));
create table if not exists arcwise_objects (cluster text not null, name text not null, tag bigint not null, bytes bytea not null,
  primary key (cluster, name));
create sequence if not exists arcwise_tags;`;

const ownerRow = `insert into arcwise_owner values ($1, 0, '', now(), 1, 1) on conflict do nothing`;

const appending = `
with owner as (update arcwise_owner set next = next + $4 where cluster = $1 and term = $2 and next = $3 returning 1)
insert into arcwise_log select $1, $3, $4, $2, $5 from owner`;
/** The server has no such prepared statement, or has it already: neither statement was carried out. */
const notPrepared: ReadonlySet<string> = new Set(['26000', '42P05']);

export class PostgresCluster implements SharedLog, LogOwnership {
  private readonly pool: Pool;
  private readonly cluster: string;
  /** The log of a namespace has a row of its own in the table of owners, from its first query on. */
  private row: Promise<unknown> | null = null;
  private readonly isPart: boolean;
  /** The last one that this instance took. */
  private term = 0;
  private prepares = true;

  private constructor(pool: Pool, cluster: string, isPart = false) {
    this.pool = pool;
    this.cluster = cluster;
    this.isPart = isPart;
  }

  /** Makes the tables where they are missing. Rejects when the package `pg` is not installed, or the database does not answer. */
  static async open(url: string, cluster: string): Promise<PostgresCluster> {
    const name = 'pg';
    const { default: pg } = (await import(name).catch((error: unknown) => {
      throw new Error('Cluster:Url needs the package pg beside this one (npm install pg).', { cause: error });
    })) as { default: { Pool: new (options: object) => Pool } };
    const limits = {
      max: 8,
      connectionTimeoutMillis: deadlineMs,
      query_timeout: deadlineMs,
      statement_timeout: deadlineMs,
    };
    const pool = new pg.Pool({ connectionString: url, ...limits });
    pool.on('error', () => {}); // an idle connection was lost: the next query makes another one
    const one = new PostgresCluster(pool, cluster);
    try {
      // Of two that begin at once one may find a table half made: it is there a moment later.
      await one.query(schema).catch(() => one.query(schema));
      await one.query(ownerRow);
    } catch (error) {
      await pool.end();
      throw error;
    }
    return one;
  }

  /** Of the whole cluster, with its parts. */
  close(): Promise<void> {
    return this.pool.end();
  }

  part(id: string): PostgresCluster {
    return new PostgresCluster(this.pool, `${this.cluster}/${id}`, true);
  }

  async append({ bytes, firstSequence, frameCount, term }: LogBatch): Promise<AppendOutcome> {
    const appended = await this.appended([term, firstSequence, frameCount, bytes]).catch(() => null);
    if (appended === null) return 'unknown';
    if (appended.count === 1) return 'ok';
    const owner = await this.owner().catch(() => null);
    if (owner === null) return 'unknown';
    return owner.term === term ? 'conflict' : 'fenced';
  }

  async read(from: number, limitBytes: number): Promise<LogBatch[]> {
    const { rows } = await this.query(
      `select number, count, term, bytes from (
         select *, sum(length(bytes)) over (order by number) - length(bytes) as before from arcwise_log
         where cluster = $1 and number + count > $2
           and number >= coalesce((select max(number) from arcwise_log where cluster = $1 and number <= $2), $2)
         order by number limit ${batchesAtOnce}) batches
       where before < $3 order by number`,
      [from, Math.min(limitBytes, answerBytes)],
    );
    // Asked behind the batches: what has been let go of meanwhile is below it.
    if (from < (await this.first())) throw new LogTruncated(`The log begins behind frame ${from}.`);
    return rows.map(({ bytes, count, number, term }) => ({
      ...{ term: Number(term), firstSequence: Number(number), frameCount: Number(count) },
      bytes: new Uint8Array(bytes as Uint8Array),
    }));
  }

  async first(): Promise<number> {
    const { rows } = await this.query('select first from arcwise_owner where cluster = $1');
    return Number(rows[0]?.first ?? 1);
  }

  async truncate(sequence: number): Promise<void> {
    // Readers are told before batches go. Who was replaced lets go of nothing: what the successor reads stays there.
    const { count } = await this.query(
      `update arcwise_owner set first = greatest(first,
         coalesce((select min(number) from arcwise_log where cluster = $1 and number + count > $2), least($2, next)))
       where cluster = $1 and term = $3`,
      [sequence, this.term],
    );
    if (count === 0) return;
    await this.query(
      'delete from arcwise_log where cluster = $1 and number < (select first from arcwise_owner where cluster = $1)',
    );
  }

  async owner(): Promise<LogOwner> {
    const { rows } = await this.query(
      `select term, holder, extract(epoch from lease_until - clock_timestamp()) * 1000 as left, extract(epoch from lease_until)::text as beat
       from arcwise_owner where cluster = $1`,
    );
    const { beat = '', holder = '', left = 0, term = 0 } = rows[0] ?? {};
    return { term: Number(term), holder: String(holder), leftMs: Number(left), beat: String(beat) };
  }

  async take(term: number, holder: string, leaseMs: number, beat?: string): Promise<boolean> {
    const { count } = await this.query(
      `update arcwise_owner set term = term + 1, holder = $3, lease_until = clock_timestamp() + $4 * interval '1 ms'
       where cluster = $1 and term = $2 and ($5::text is null or extract(epoch from lease_until)::text = $5)`,
      [term, holder, leaseMs, beat ?? null],
    );
    if (count === 1) this.term = term + 1;
    return count === 1;
  }

  async renew(term: number, leaseMs: number): Promise<boolean> {
    const { count } = await this.query(
      `update arcwise_owner set lease_until = clock_timestamp() + $3 * interval '1 ms' where cluster = $1 and term = $2`,
      [term, leaseMs],
    );
    return count === 1;
  }

  blobs(term: number): BlobStore {
    return blobsIn(this.objects(term), '');
  }

  reading(): Pick<BlobStore, 'get'> {
    return blobsIn(this.common(), '');
  }

  files(term: number): BlobStore {
    return blobsIn(this.objects(term), 'files/');
  }

  async clear(term: number): Promise<void> {
    const isOurs = 'exists (select 1 from arcwise_owner where cluster = $1 and term = $2 for share)';
    for (const table of ['arcwise_log', 'arcwise_objects'])
      await this.query(`delete from ${table} where cluster = $1 and ${isOurs}`, [term]);
  }

  common(): ObjectStore {
    return this.objectsWhere('true', null);
  }

  /** Objects that only the holder of the term can change. */
  objects(term: number): ObjectStore {
    return this.objectsWhere(
      `exists (select 1 from arcwise_owner where cluster = $1 and term = ${term} for share)`,
      term,
    );
  }

  private objectsWhere(fence: string, term: number | null): ObjectStore {
    const put = async (text: string, values: readonly unknown[]): Promise<PutOutcome> => {
      checkStorageName(String(values[0]));
      const { rows } = await this.query(text, values);
      const tag = rows[0]?.tag;
      if (tag === undefined && term !== null && (await this.owner()).term !== term)
        throw new Error('The cluster has another writer.');
      return tag === undefined ? { taken: false } : { taken: true, tag: String(tag) };
    };
    const values = `select $1, $2, nextval('arcwise_tags'), $3 where ${fence}`;
    return {
      get: async (name): Promise<StoredObject | null> => {
        checkStorageName(name);
        const { rows } = await this.query('select tag, bytes from arcwise_objects where cluster = $1 and name = $2', [
          name,
        ]);
        const [row] = rows;
        return row === undefined ? null : { tag: String(row.tag), bytes: new Uint8Array(row.bytes as Uint8Array) };
      },
      put: async (name, bytes) => {
        const replaced =
          'on conflict (cluster, name) do update set tag = excluded.tag, bytes = excluded.bytes returning tag';
        await put(`insert into arcwise_objects ${values} ${replaced}`, [name, bytes]);
      },
      putIfAbsent: (name, bytes) =>
        put(`insert into arcwise_objects ${values} on conflict do nothing returning tag`, [name, bytes]),
      putIfMatch: (name, bytes, tag) =>
        put(
          `update arcwise_objects set tag = nextval('arcwise_tags'), bytes = $3 where cluster = $1 and name = $2 and tag = $4 and ${fence} returning tag`,
          [name, bytes, tag],
        ),
      list: async (prefix) => {
        const { rows } = await this.query(
          `select name from arcwise_objects where cluster = $1 and starts_with(name, $2)`,
          [prefix],
        );
        return rows.map(({ name }) => String(name)).sort();
      },
      delete: async (name) => {
        await this.query(`delete from arcwise_objects where cluster = $1 and name = $2 and ${fence}`, [name]);
      },
    };
  }

  /** Prepared, so that the server parses it once for a connection; a pool of connections between the two may know no prepared ones. */
  private async appended(values: readonly unknown[]): Promise<{ count: number }> {
    try {
      return await this.query(appending, values, this.prepares ? 'arcwise_append' : undefined);
    } catch (error) {
      if (!this.prepares || !notPrepared.has(String((error as { code?: unknown }).code))) throw error;
      this.prepares = false;
      return this.query(appending, values);
    }
  }

  private ownRow(): Promise<unknown> {
    this.row ??= this.pool.query({ text: ownerRow, values: [this.cluster] }).catch((error: unknown) => {
      this.row = null;
      throw error;
    });
    return this.row;
  }

  /** The first parameter of every statement is the cluster, but for those without any. */
  private async query(
    text: string,
    values: readonly unknown[] = [],
    name?: string,
  ): Promise<{ rows: Record<string, unknown>[]; count: number }> {
    const given = text.includes('$1') ? [this.cluster, ...values] : [];
    if (this.isPart) await this.ownRow();
    const { rowCount, rows } = await this.pool.query({ text, values: given, ...(name === undefined ? {} : { name }) });
    return { rows, count: rowCount ?? 0 };
  }
}
