// Everything that was recorded, one series at a time, for whoever exports it. Namespaces are read a few at a time with a pause in between,
// because there may be thousands of them.

import { type Instrument, identityTags, instruments } from './instruments.ts';
import type { Meter, Recorded, Series } from './telemetry.ts';

export interface NamespaceIdentity {
  readonly id: string;
  readonly name: string;
}

/** Names of tags as the table of instruments has them, with their values. */
export type Tags = Readonly<Record<string, string>>;

/** Takes one series: a number for counters and gauges, the series itself for histograms. */
export type Visit = (instrument: Instrument, tags: Tags, value: number | Series) => void;

/** Namespaces between two pauses. */
const namespacesPerSlice = 8;

/** Visits the series of the service, `namespace.info` of each namespace, then the series of each loaded one. */
export async function collect(
  meter: Meter,
  namespaces: readonly NamespaceIdentity[],
  pause: () => Promise<void>,
  visit: Visit,
): Promise<void> {
  visitRecorded(meter.recorded, {}, visit);
  for (const [i, { id, name }] of namespaces.entries()) {
    if (i > 0 && i % namespacesPerSlice === 0) await pause();
    visit(instruments.namespaceInfo, { [identityTags.namespaceId]: id, [identityTags.namespaceName]: name }, 1);
  }
  for (const [i, engine] of meter.openEngines().entries()) {
    if (i > 0 && i % namespacesPerSlice === 0) await pause();
    const readings = engine.readings();
    if (readings === null) continue;
    const tags = { [identityTags.namespaceId]: engine.namespaceId };
    for (const [gauge, value] of readings) visit(gauge, tags, value);
    visitRecorded(engine.recorded, tags, visit);
  }
}

function visitRecorded(recorded: Recorded, shared: Tags, visit: Visit): void {
  for (const [instrument, ofInstrument] of recorded) {
    for (const series of ofInstrument.values()) {
      visit(instrument, tagsOf(instrument, series, shared), instrument.kind === 'histogram' ? series : series.sum);
    }
  }
}

/** The shared ones themselves where there are no others: whoever writes them can keep their text. */
function tagsOf(instrument: Instrument, series: Series, shared: Tags): Tags {
  if (instrument.tags.length === 0) return shared;
  const tags: Record<string, string> = { ...shared };
  instrument.tags.forEach((tag, i) => {
    tags[tag] = series.tags[i] ?? '';
  });
  return tags;
}
