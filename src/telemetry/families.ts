// What a scrape shows, by family: the instruments under the names that Prometheus wants, with their series. A histogram's lines are made by
// whoever writes them: of thousands of namespaces there would be half a million at the same time.

import { collect, type NamespaceIdentity, type Tags } from './collect.ts';
import type { Instrument } from './instruments.ts';
import type { Meter, Series } from './telemetry.ts';

/** Those of a namespace share one object, whose text the writer keeps. */
export type Labels = Readonly<Record<string, string>>;

/** A number, or a histogram's series as it stands when it is written. */
export interface Point {
  readonly labels: Labels;
  readonly value: number | Series;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Of a histogram's buckets, the infinite one left out. */
  readonly bounds: readonly number[];
  readonly points: Point[];
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

/** Families without a point are left out. */
export async function familiesOf(
  meter: Meter,
  namespaces: readonly NamespaceIdentity[],
  pause: () => Promise<void>,
): Promise<Family[]> {
  const byInstrument = new Map<Instrument, Family>();
  let known: { readonly tags: Tags; readonly labels: Labels } = { tags: {}, labels: {} };
  const labelsOf = (tags: Tags): Labels => {
    if (tags !== known.tags) known = { tags, labels: renamed(tags) };
    return known.labels;
  };
  await collect(meter, namespaces, pause, (instrument, tags, value) => {
    let family = byInstrument.get(instrument);
    if (family === undefined) {
      family = emptyFamily(instrument);
      byInstrument.set(instrument, family);
    }
    family.points.push({ labels: labelsOf(tags), value });
  });
  return [...byInstrument.values()];
}

function renamed(tags: Tags): Labels {
  return Object.fromEntries(Object.entries(tags).map(([tag, text]) => [labelName(tag), text]));
}

function emptyFamily(instrument: Instrument): Family {
  const { description: help, kind: type, bounds } = instrument;
  return { name: scrapeName(instrument), help, type, bounds, points: [] };
}
