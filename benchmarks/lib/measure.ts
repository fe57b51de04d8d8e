// How every benchmark here measures: contestants run in turn, round by round, so that drift of the machine meets them all alike;
// what is quoted is the median of each and the ratio of medians. The first round warms up and does not count.

import { arch, cpus, totalmem } from 'node:os';

export interface Contestant {
  readonly name: string;
  /** One round; answers the milliseconds it took, measured inside so that preparation stays out. */
  round(): number | Promise<number>;
}

export interface Result {
  readonly name: string;
  readonly medianMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  readonly rounds: number;
  /** Of the rounds that count, in their order. */
  readonly times: readonly number[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The value below which a share of the sorted samples lies, nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

export async function compete(contestants: readonly Contestant[], rounds: number): Promise<Result[]> {
  const times = contestants.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    const order = [...contestants.entries()];
    // There and back, so that nobody always follows the same one, whose data fills the caches.
    for (const [index, contestant] of round % 2 === 0 ? order : order.reverse()) {
      const ms = await contestant.round();
      if (round > 0 || rounds === 1) times[index]?.push(ms);
    }
  }
  return contestants.map(({ name }, index) => {
    const own = times[index] ?? [];
    return {
      name,
      medianMs: median(own),
      minMs: Math.min(...own),
      maxMs: Math.max(...own),
      rounds: own.length,
      times: own,
    };
  });
}

/** Milliseconds that `work` takes. */
export function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

export async function timedAsync(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** One line about where the figures were taken; goes before every table. */
export function machineLine(): string {
  const processors = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `Node ${process.version}, ${processors.length} × ${processors[0]?.model.trim() ?? arch()}, ${memory} GiB`;
}

/** Lines of equal columns; the first row is the head. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const text = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell)));
  const widths = (text[0] ?? []).map((_, column) => Math.max(...text.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return text.map(line).join('\n');
}

/** Three significant digits, with separators for thousands. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

/** The verdict on one target of the project, printed so that a reader sees both sides. */
export function target(what: string, measured: number, relation: '<=' | '>=', wanted: number, unit: string): string {
  const met = relation === '<=' ? measured <= wanted : measured >= wanted;
  const sign = relation === '<=' ? 'at most' : 'at least';
  return `${met ? 'met   ' : 'MISSED'}  ${what}: ${figure(measured)} ${unit} (${sign} ${figure(wanted)})`;
}

/** A whole-number setting from the command line: `--rounds 7`. */
export function setting(name: string, standard: number): number {
  const index = process.argv.indexOf(`--${name}`);
  const value = index < 0 ? standard : Number(process.argv[index + 1]);
  if (!Number.isFinite(value)) throw new Error(`--${name} takes a number`);
  return value;
}
