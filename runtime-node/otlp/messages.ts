// What the service's thread hands to the one that exports, and what comes back. Plain values: they are copied.

import type { Kind, Unit } from '../../src/telemetry/instruments.ts';

export type AttributeValues = Record<string, string | number | boolean>;

/** Names and values by turns. */
export type AttributeList = (string | number | boolean)[];

/** Hexadecimal digits as another service wrote them; or a number, of which the thread that exports makes digits. */
export type Id = string | number;

/** Where in which trace something happens. */
export interface TraceContext {
  readonly traceId: Id;
  readonly spanId: Id;
  readonly sampled: boolean;
  /** `tracestate` as it came. */
  readonly state: string | null;
}

/** What all spans have. It is filled while the span is open, and not touched any more behind its end. */
interface Spanning extends TraceContext {
  /** Null: it begins its trace. */
  readonly parentSpanId: Id | null;
  /** The parent is another service's. */
  readonly isParentRemote: boolean;
  /** Milliseconds of the clock that never goes back. */
  readonly beganMs: number;
  /** 0: it is open. */
  endedMs: number;
  failed: boolean;
}

/** A span inside the service. */
export interface SpanRecord extends Spanning {
  readonly name: string;
  readonly attributes: AttributeList;
}

/** The span of a request. */
export interface RequestRecord extends Spanning {
  method: string;
  /** Its template. */
  route: string;
  status: number;
  namespaceName: string | null;
  /** Beside those that every request has; null: none. */
  attributes: AttributeList | null;
}

export interface LogRecord {
  readonly level: 'info' | 'warn' | 'error';
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Null: written outside of every trace. */
  readonly context: TraceContext | null;
  readonly attributes: AttributeValues;
}

/** One combination of tags of one instrument. */
export interface SeriesRecord {
  /** Its row among the instruments of this collection. */
  readonly instrument: number;
  readonly tags: Readonly<Record<string, string>>;
  /** What a histogram holds: how often a value fell into each bucket, the infinite one last. */
  readonly value: number | { readonly buckets: readonly number[]; readonly count: number; readonly sum: number };
}

export interface InstrumentRecord {
  readonly kind: Kind;
  readonly name: string;
  readonly unit: Unit;
  readonly description: string;
  readonly bounds: readonly number[];
}

/** What can be exported by itself. */
export type Signal = 'traces' | 'logs' | 'metrics';

export type ToExporter =
  /** `aheadMs`: by which the time since 1970 is ahead of the clock that spans are measured with. */
  | { readonly signal: 'traces'; readonly items: readonly (SpanRecord | RequestRecord)[]; readonly aheadMs: number }
  | { readonly signal: 'logs'; readonly items: readonly LogRecord[] }
  /** A part of a collection; instruments are those that appear in it for the first time. The last part exports it whole. */
  | {
      readonly signal: 'metrics';
      readonly first: boolean;
      readonly instruments: readonly InstrumentRecord[];
      readonly series: readonly SeriesRecord[];
      readonly last: boolean;
    };

export type FromExporter =
  /** Its packages are loaded. */
  | { readonly ready: true }
  /** One export of a signal has ended. */
  | { readonly signal: Signal; readonly failed: boolean };

/** What the thread is started with. */
export interface ExporterData {
  readonly niceness: number;
  /** Of the collector, without the path of a signal. */
  readonly base: string;
  readonly timeoutMs: number;
  /** Who exports. */
  readonly identity: Readonly<Record<string, string>>;
  /** What ids are made with. */
  readonly idKey: string;
  readonly version: string;
}
