// Recording: call sites name an instrument of the table and the values of its tags. While nobody listens there is one object that does
// nothing and knows no clock, so recording costs a call. What was recorded is kept as numbers, one series for each combination of tags,
// and the figures that are only read (`watch`) are asked for when somebody looks.

import { type Counter, type Gauge, type Histogram, type Instrument, identityTags } from './instruments.ts';
import { type Span, type SpanName, silentSpan, type Tracer } from './spans.ts';

export type TagValues<Tags extends readonly string[]> = { readonly [I in keyof Tags]: string };

export interface Recorder {
  /** False: nothing is kept, so nothing need be measured. */
  readonly on: boolean;
  /** Milliseconds of a clock that never goes back; 0 while nothing is kept. */
  readonly monotonicMs: () => number;
  add<Tags extends readonly string[]>(counter: Counter<Tags>, by: number, ...tags: TagValues<Tags>): void;
  record<Tags extends readonly string[]>(histogram: Histogram<Tags>, value: number, ...tags: TagValues<Tags>): void;
  /** The series itself, for whoever records into it very often: it is never replaced. Only while `on`. */
  series(instrument: Instrument, tags: readonly string[]): Series;
  /** A span below the one that is current, which began at `beganMs` by that clock, or now; whoever opens it ends it. */
  span(name: SpanName, beganMs?: number): Span;
  /** Does `work` in a span of its own, which fails when `work` rejects. */
  traced<T>(name: SpanName, work: (span: Span) => Promise<T>): Promise<T>;
}

/** A gauge of an engine with what it stands at. */
export type Reading = readonly [gauge: Gauge<readonly []>, value: number];

/** The instruments of one namespace. They live as long as it is loaded. */
export interface EngineTelemetry extends Recorder {
  /** `read` is called when somebody looks. Until it is there the namespace counts as not loaded and shows nothing. */
  watch(read: () => readonly Reading[]): void;
  close(): void;
}

export interface Telemetry extends Recorder {
  /** Of the namespace with this id: the same object until it is closed. */
  engine(namespaceId: string): EngineTelemetry;
}

/** One combination of tags. Counters count in `sum`. All its numbers lie together: a request finds them in few lines of the cache. */
export class Series {
  readonly tags: readonly string[];
  /** Sum, number, how often a value fell into each bucket (the infinite one last), and the bounds between the buckets. */
  private readonly numbers: Float64Array;
  private readonly bounds: number;

  constructor(instrument: Instrument, tags: readonly string[]) {
    this.tags = tags;
    const bounds = instrument.kind === 'histogram' ? instrument.bounds : null;
    this.bounds = bounds?.length ?? 0;
    this.numbers = new Float64Array(2 + (bounds === null ? 0 : 2 * bounds.length + 1));
    if (bounds !== null) this.numbers.set(bounds, 3 + bounds.length);
  }

  get sum(): number {
    return this.numbers[0] as number;
  }

  get count(): number {
    return this.numbers[1] as number;
  }

  get buckets(): Float64Array {
    return this.numbers.subarray(2, 3 + this.bounds);
  }

  /** Of a counter. */
  add(by: number): void {
    this.numbers[0] = (this.numbers[0] as number) + by;
  }

  /** Of a histogram. */
  record(value: number): void {
    const { numbers, bounds } = this;
    numbers[0] = (numbers[0] as number) + value;
    numbers[1] = (numbers[1] as number) + 1;
    const bucket = bucketOf(numbers, bounds, value);
    numbers[2 + bucket] = (numbers[2 + bucket] as number) + 1;
  }

  /** Of a histogram: the first `count` of `values`. */
  recordAll(values: Float64Array, count: number): void {
    const { numbers, bounds } = this;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i] as number;
      sum += value;
      const bucket = bucketOf(numbers, bounds, value);
      numbers[2 + bucket] = (numbers[2 + bucket] as number) + 1;
    }
    numbers[0] = (numbers[0] as number) + sum;
    numbers[1] = (numbers[1] as number) + count;
  }
}

/** `numbers`: of a series with so many bounds. */
function bucketOf(numbers: Float64Array, bounds: number, value: number): number {
  let bucket = 0;
  while (bucket < bounds && value > (numbers[3 + bounds + bucket] as number)) bucket++;
  return bucket;
}

export type Recorded = ReadonlyMap<Instrument, ReadonlyMap<string, Series>>;

class KeepingRecorder implements Recorder {
  readonly on = true;
  readonly monotonicMs: () => number;
  readonly recorded = new Map<Instrument, Map<string, Series>>();
  protected readonly tracer: Tracer | null;
  /** Tagged on every span; null for the service's own. */
  private readonly scope: string | null;

  constructor(monotonicMs: () => number, tracer: Tracer | null, scope: string | null) {
    this.monotonicMs = monotonicMs;
    this.tracer = tracer;
    this.scope = scope;
  }

  span(name: SpanName, beganMs?: number): Span {
    if (this.tracer === null) return silentSpan;
    const span = this.tracer.open(name, beganMs);
    if (this.scope !== null && span.isRecorded) span.set(identityTags.namespaceId, this.scope);
    return span;
  }

  async traced<T>(name: SpanName, work: (span: Span) => Promise<T>): Promise<T> {
    if (this.tracer === null) return work(silentSpan);
    const span = this.span(name);
    try {
      return await this.tracer.within(span, () => work(span));
    } catch (error) {
      span.fail();
      throw error;
    } finally {
      span.end();
    }
  }

  add<Tags extends readonly string[]>(counter: Counter<Tags>, by: number, ...tags: TagValues<Tags>): void {
    this.series(counter, tags).add(by);
  }

  record<Tags extends readonly string[]>(histogram: Histogram<Tags>, value: number, ...tags: TagValues<Tags>): void {
    this.series(histogram, tags).record(value);
  }

  series(instrument: Instrument, tags: readonly string[]): Series {
    let ofInstrument = this.recorded.get(instrument);
    if (ofInstrument === undefined) {
      ofInstrument = new Map();
      this.recorded.set(instrument, ofInstrument);
    }
    const key = tags.length === 1 ? (tags[0] as string) : tags.join('\u0000');
    let series = ofInstrument.get(key);
    if (series === undefined) {
      series = new Series(instrument, tags);
      ofInstrument.set(key, series);
    }
    return series;
  }
}

/** What a loaded namespace shows. */
class EngineMeter extends KeepingRecorder implements EngineTelemetry {
  readonly namespaceId: string;
  private read: (() => readonly Reading[]) | null = null;
  private readonly onClose: () => void;

  constructor(namespaceId: string, monotonicMs: () => number, tracer: Tracer | null, onClose: () => void) {
    super(monotonicMs, tracer, namespaceId);
    this.namespaceId = namespaceId;
    this.onClose = onClose;
  }

  watch(read: () => readonly Reading[]): void {
    this.read = read;
  }

  /** Null: the namespace is not loaded. */
  readings(): readonly Reading[] | null {
    return this.read?.() ?? null;
  }

  close(): void {
    this.read = null;
    this.onClose();
  }
}

/** Keeps what is recorded, for whoever looks. */
export class Meter extends KeepingRecorder implements Telemetry {
  private readonly engines = new Map<string, EngineMeter>();

  constructor(monotonicMs: () => number, tracer: Tracer | null = null) {
    super(monotonicMs, tracer, null);
  }

  engine(namespaceId: string): EngineTelemetry {
    let engine = this.engines.get(namespaceId);
    if (engine === undefined) {
      const made = new EngineMeter(namespaceId, this.monotonicMs, this.tracer, () => {
        if (this.engines.get(namespaceId) === made) this.engines.delete(namespaceId);
      });
      this.engines.set(namespaceId, made);
      engine = made;
    }
    return engine;
  }

  /** Those there are now, in the order of their ids. */
  openEngines(): EngineMeter[] {
    return [...this.engines.values()].sort((a, b) => (a.namespaceId < b.namespaceId ? -1 : 1));
  }
}

const nothing = (): void => {};
const silentRecorder = {
  ...{ on: false, monotonicMs: () => 0, add: nothing, record: nothing, span: () => silentSpan },
  series: (instrument: Instrument, tags: readonly string[]) => new Series(instrument, tags),
  traced: <T>(_: SpanName, work: (span: Span) => Promise<T>) => work(silentSpan),
} as const;
export const silentEngine: EngineTelemetry = { ...silentRecorder, watch: nothing, close: nothing };
/** While nobody listens. */
export const silent: Telemetry = { ...silentRecorder, engine: () => silentEngine };
