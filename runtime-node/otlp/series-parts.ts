// A collection of metrics in parts: there may be ten thousand namespaces, and copying all their series at once would hold requests up.

import type { Visit } from '../../src/telemetry/collect.ts';
import type { Instrument } from '../../src/telemetry/instruments.ts';
import type { InstrumentRecord, SeriesRecord } from './messages.ts';

const seriesPerPart = 1000;

interface Part {
  readonly first: boolean;
  readonly instruments: readonly InstrumentRecord[];
  readonly series: readonly SeriesRecord[];
  readonly last: boolean;
}

export class SeriesParts {
  private readonly post: (part: Part) => void;
  /** Its row among those of this collection. */
  private readonly rows = new Map<Instrument, number>();
  private instruments: InstrumentRecord[] = [];
  private series: SeriesRecord[] = [];
  private first = true;

  constructor(post: (part: Part) => void) {
    this.post = post;
  }

  readonly visit: Visit = (instrument, tags, value) => {
    let row = this.rows.get(instrument);
    if (row === undefined) {
      row = this.rows.size;
      this.rows.set(instrument, row);
      const { kind, name, unit, description, bounds } = instrument;
      this.instruments.push({ kind, name, unit, description, bounds });
    }
    const held =
      typeof value === 'number' ? value : { buckets: [...value.buckets], count: value.count, sum: value.sum };
    this.series.push({ instrument: row, tags, value: held });
    if (this.series.length >= seriesPerPart) this.send(false);
  };

  end(): void {
    this.send(true);
  }

  private send(last: boolean): void {
    this.post({ first: this.first, instruments: this.instruments, series: this.series, last });
    this.first = false;
    this.instruments = [];
    this.series = [];
  }
}
