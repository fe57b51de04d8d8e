// What may be typed next in a fragment: the members of an element behind a dot, else the words that fragments begin with.

export type DelegateKind = 'VertexFilter' | 'EdgeFilter' | 'EdgePropertyFilter' | 'VertexCost' | 'EdgeCost';

const common = ['Id', 'Label', 'TryGetProperty<', 'GetPropertyCount()', 'GetCreationDate()', 'GetModificationDate()'];
const members: Readonly<Record<DelegateKind, readonly string[]>> = {
  VertexFilter: [
    ...common,
    'GetOutDegree()',
    'GetInDegree()',
    'OutEdges',
    'InEdges',
    'TryGetEmbedding(out var vector)',
  ],
  EdgeFilter: [...common, 'SourceVertex', 'TargetVertex', 'EdgePropertyId'],
  EdgePropertyFilter: ['Length', 'StartsWith("")', 'EndsWith("")', 'Contains("")', 'ToUpper()', 'ToLower()'],
  VertexCost: [...common, 'GetOutDegree()', 'GetInDegree()'],
  EdgeCost: [...common, 'SourceVertex', 'TargetVertex', 'EdgePropertyId'],
};
const words = ['return', 'var', 'out', 'true', 'false', 'Math.', 'string', 'int', 'double', 'DateTime', 'null'];
const typeNames = ['string', 'int', 'long', 'double', 'bool', 'DateTime', 'float'];
const maxOffers = 8;

export interface Completion {
  /** Where what is replaced begins; it ends at the caret. */
  readonly start: number;
  readonly offers: readonly string[];
  /** What stands behind the offer that is taken: the quote that closes a name. */
  readonly end: string;
}

/** An example of each kind, with the graph's own names. */
export function exampleOf(kind: DelegateKind, names: { label: string; key: string; type: string }): string {
  switch (kind) {
    case 'VertexFilter':
      return `return v => v.Label == ${JSON.stringify(names.label)};`;
    case 'EdgeFilter':
      return `return e => e.TargetVertex.Label == ${JSON.stringify(names.label)};`;
    case 'EdgePropertyFilter':
      return `return t => t == ${JSON.stringify(names.type)};`;
    case 'VertexCost':
      return 'return v => 1 + v.GetInDegree();';
    case 'EdgeCost':
      return `return e => e.TryGetProperty<double>(out var x, ${JSON.stringify(names.key)}) ? x : 1;`;
  }
}

/** Offers for the caret's place; `texts` are names of the graph, offered inside of quotes. Null: nothing fits. */
export function completionAt(
  text: string,
  caret: number,
  kind: DelegateKind,
  texts: readonly string[],
): Completion | null {
  const before = text.slice(0, caret);
  const quotes = before.split('"').length - 1;
  if (quotes % 2 === 1) {
    const start = before.lastIndexOf('"') + 1;
    const completion = offersOf(start, before.slice(start), texts);
    return completion === null ? null : { ...completion, end: text.startsWith('"', caret) ? '' : '"' };
  }
  const typed = /(?:([.<])\s*)?([A-Za-z_]*)$/.exec(before);
  const [, mark, part = ''] = typed ?? [];
  const start = caret - part.length;
  if (mark === '.') return offersOf(start, part, members[kind]);
  if (mark === '<')
    return offersOf(
      start,
      part,
      typeNames.map((name) => `${name}>(out var x, "`),
    );
  return part === '' ? null : offersOf(start, part, words);
}

function offersOf(start: number, part: string, all: readonly string[]): Completion | null {
  const wanted = part.toLowerCase();
  const offers = all.filter((one) => one.toLowerCase().startsWith(wanted) && one !== part).slice(0, maxOffers);
  return offers.length === 0 ? null : { start, offers, end: '' };
}
