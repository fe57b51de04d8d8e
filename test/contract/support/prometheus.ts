// A strict reader of the text format of Prometheus (version 0.0.4): it throws at everything a lenient one would pass over.

export interface ScrapedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ScrapedFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: ScrapedSample[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** The families of a scrape by their names. */
export function parseScrape(text: string): Map<string, ScrapedFamily> {
  if (text !== '' && !text.endsWith('\n')) throw new Error('The last line has no end.');
  const families = new Map<string, ScrapedFamily>();
  const seen = new Set<string>();
  let help: { name: string; text: string } | null = null;
  let family: ScrapedFamily | null = null;
  for (const line of text.split('\n').slice(0, -1)) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment?.[1] === 'HELP') {
      help = { name: comment[2] as string, text: comment[3] as string };
    } else if (comment !== null) {
      const name = comment[2] as string;
      const type = comment[3] as string;
      if (help?.name !== name) throw new Error(`TYPE without HELP: ${line}`);
      if (!metricName.test(name) || families.has(name)) throw new Error(`A bad or second family: ${line}`);
      if (!['counter', 'gauge', 'histogram'].includes(type)) throw new Error(`An unknown type: ${line}`);
      if (type === 'counter' && !name.endsWith('_total')) throw new Error(`A counter without _total: ${line}`);
      family = { name, help: help.text, type, samples: [] };
      families.set(name, family);
    } else {
      const sample = parseSample(line);
      if (family === null || !belongs(sample.name, family)) throw new Error(`A sample outside its family: ${line}`);
      const identity = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
      if (seen.has(identity)) throw new Error(`A sample stands twice: ${line}`);
      seen.add(identity);
      family.samples.push(sample);
    }
  }
  for (const one of families.values()) if (one.type === 'histogram') checkHistogram(one);
  return families;
}

function belongs(sample: string, { name, type }: ScrapedFamily): boolean {
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].some((end) => sample === name + end) : sample === name;
}

function parseSample(line: string): ScrapedSample {
  const parts = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line);
  if (parts === null || !metricName.test(parts[1] as string)) throw new Error(`No sample: ${line}`);
  const value = parts[3] === '+Inf' ? Number.POSITIVE_INFINITY : Number(parts[3]);
  if (Number.isNaN(value)) throw new Error(`No number: ${line}`);
  return { name: parts[1] as string, labels: parseLabels(parts[2] ?? ''), value };
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  const pattern = /([^=,]+)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text);
    if (found === null) throw new Error(`Labels that cannot be read: ${text}`);
    const [, name = '', value = ''] = found;
    if (!labelName.test(name) || name in labels) throw new Error(`A bad or second label ${name}: ${text}`);
    labels[name] = value.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));
  }
  return labels;
}

/** Buckets ascend to +Inf, and that one says what _count says. */
function checkHistogram({ name, samples }: ScrapedFamily): void {
  const series = new Map<string, { bounds: number[]; counts: number[]; total: number | null; sum: number | null }>();
  for (const { name: sample, labels, value } of samples) {
    const { le, ...rest } = labels;
    const key = JSON.stringify(Object.entries(rest).sort());
    const one = series.get(key) ?? { bounds: [], counts: [], total: null, sum: null };
    series.set(key, one);
    if (sample === `${name}_sum`) one.sum = value;
    else if (sample === `${name}_count`) one.total = value;
    else {
      one.bounds.push(le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le));
      one.counts.push(value);
    }
  }
  for (const { bounds, counts, total, sum } of series.values()) {
    const ascends = (list: number[], strictly: boolean): boolean =>
      list.every((value, i) => i === 0 || value > (list[i - 1] as number) || (!strictly && value === list[i - 1]));
    const isWhole = bounds.at(-1) === Number.POSITIVE_INFINITY && counts.at(-1) === total && sum !== null;
    if (!isWhole || !ascends(bounds, true) || !ascends(counts, false)) throw new Error(`A broken histogram: ${name}`);
  }
}
