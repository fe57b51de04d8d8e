// What a scrape shows, by family: the instruments under the names that Prometheus wants, and their series as samples.

import { collect, type NamespaceIdentity, type Tags } from './collect.ts';
import type { Instrument } from './instruments.ts';
import type { Meter, Series } from './telemetry.ts';

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
  await collect(meter, namespaces, pause, (instrument, tags, value) => families.add(instrument, tags, value));
  return families.list();
}

class Families {
  private readonly byInstrument = new Map<Instrument, Family>();

  list(): Family[] {
    return [...this.byInstrument.values()];
  }

  add(instrument: Instrument, tags: Tags, value: number | Series): void {
    const labels: Record<string, string> = {};
    for (const [tag, text] of Object.entries(tags)) labels[labelName(tag)] = text;
    const { name, samples } = this.familyOf(instrument);
    if (typeof value === 'number') {
      samples.push({ name, labels, value });
      return;
    }
    let below = 0;
    value.buckets.forEach((count, i) => {
      below += count;
      const bound = instrument.bounds[i];
      const le = bound === undefined ? '+Inf' : String(bound);
      samples.push({ name: `${name}_bucket`, labels: { ...labels, le }, value: below });
    });
    samples.push({ name: `${name}_sum`, labels, value: value.sum });
    samples.push({ name: `${name}_count`, labels, value: value.count });
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
