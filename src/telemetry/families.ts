// What a scrape shows, by family: the instruments under the names that Prometheus wants, and their series as samples. Namespaces are
// read a few at a time with a pause in between, because there may be thousands of them.

import { type Instrument, identityTags, instruments } from './instruments.ts';
import type { EngineMeter, Meter, Recorded, Series } from './telemetry.ts';

export interface Sample {
  /** Name of the family, for histograms with its ending. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: Sample[];
}

export interface NamespaceIdentity {
  readonly id: string;
  readonly name: string;
}

/** Namespaces between two pauses. */
const namespacesPerSlice = 64;

/** Dots become underscores, the unit is appended, counters end in `_total`. */
function scrapeName({ name, unit, kind }: Instrument): string {
  const plain = labelName(name);
  const ending = unit === 's' ? '_seconds' : unit === 'By' ? '_bytes' : '';
  const measured = plain.endsWith(ending) ? plain : plain + ending;
  return kind === 'counter' ? `${measured}_total` : measured;
}

function labelName(tag: string): string {
  return tag.replace(/[^A-Za-z0-9_]/g, '_');
}

/** Families without a sample are left out. */
export async function familiesOf(
  meter: Meter,
  namespaces: readonly NamespaceIdentity[],
  pause: () => Promise<void>,
): Promise<Family[]> {
  const families = new Families();
  families.addRecorded(meter.recorded, {});
  for (const [i, { id, name }] of namespaces.entries()) {
    if (i > 0 && i % namespacesPerSlice === 0) await pause();
    families.add(instruments.namespaceInfo, 1, { [idLabel]: id, [nameLabel]: name });
  }
  for (const [i, engine] of meter.openEngines().entries()) {
    if (i > 0 && i % namespacesPerSlice === 0) await pause();
    families.addEngine(engine);
  }
  return families.list();
}

const idLabel = labelName(identityTags.namespaceId);
const nameLabel = labelName(identityTags.namespaceName);

class Families {
  private readonly byInstrument = new Map<Instrument, Family>();

  list(): Family[] {
    return [...this.byInstrument.values()];
  }

  add(instrument: Instrument, value: number, labels: Readonly<Record<string, string>>): void {
    const family = this.familyOf(instrument);
    family.samples.push({ name: family.name, labels, value });
  }

  addEngine(engine: EngineMeter): void {
    const readings = engine.readings();
    if (readings === null) return;
    const labels = { [idLabel]: engine.namespaceId };
    for (const [gauge, value] of readings) this.add(gauge, value, labels);
    this.addRecorded(engine.recorded, labels);
  }

  addRecorded(recorded: Recorded, labels: Readonly<Record<string, string>>): void {
    for (const [instrument, ofInstrument] of recorded) {
      for (const series of ofInstrument.values()) this.addSeries(instrument, series, labels);
    }
  }

  private addSeries(instrument: Instrument, series: Series, labels: Readonly<Record<string, string>>): void {
    const all: Record<string, string> = { ...labels };
    instrument.tags.forEach((tag, i) => {
      all[labelName(tag)] = series.tags[i] ?? '';
    });
    if (instrument.kind !== 'histogram') {
      this.add(instrument, series.sum, all);
      return;
    }
    const { name, samples } = this.familyOf(instrument);
    let below = 0;
    series.buckets.forEach((count, i) => {
      below += count;
      const bound = instrument.bounds[i];
      const le = bound === undefined ? '+Inf' : String(bound);
      samples.push({ name: `${name}_bucket`, labels: { ...all, le }, value: below });
    });
    samples.push({ name: `${name}_sum`, labels: all, value: series.sum });
    samples.push({ name: `${name}_count`, labels: all, value: series.count });
  }

  private familyOf(instrument: Instrument): Family {
    let family = this.byInstrument.get(instrument);
    if (family === undefined) {
      const { description: help, kind: type } = instrument;
      family = { name: scrapeName(instrument), help, type, samples: [] };
      this.byInstrument.set(instrument, family);
    }
    return family;
  }
}
