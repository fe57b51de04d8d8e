// Random transactions for the model test of the core: all kinds of operation, all types a host may send, with texts in several
// spellings, names from a small pool with awkward members, and now and then one mistake.

import type { Core } from '../../src/core/core.ts';
import type { PropertyText, WriteOperation } from '../../src/core/requests.ts';
import { TypeId } from '../../src/core/values.ts';
import { pick, randomValue, textOf } from '../unit/support/reads-values.ts';

export type Random = () => number;

export const below = (random: Random, count: number): number => Math.floor(random() * count);

/** Types 1 to 18: what Core.write takes. */
export const typeCount = 18;

const loneSurrogate = '\ud800';
export const keys = [
  '',
  'a',
  'b',
  'name',
  'Name',
  'é',
  '名',
  '\u{1F600}k',
  '10',
  '9',
  '__proto__',
  `k${loneSurrogate}`,
];
keys.push('$x:y', 'q"\\\n', 'long '.repeat(80), ...Array.from({ length: 12 }, (_, number) => `p${number}`));
export const labels = [null, null, '', 'person', 'Person', 'ünï', 'x'.repeat(300)];
const edgeTypes = ['knows', 'ä b', 'é', 'Knows', '7', ...Array.from({ length: 20 }, (_, number) => `type ${number}`)];

/** The same value in another spelling, or the text itself. */
function respell(type: TypeId, text: string, random: Random): string {
  const isNumber = type >= TypeId.byte && type <= TypeId.decimal;
  switch (below(random, 6)) {
    case 0:
      return isNumber || type === TypeId.boolean || type === TypeId.guid ? ` ${text}\t` : text;
    case 1:
      return isNumber && /^\d/.test(text) ? `+${text}` : text;
    case 2:
      return type === TypeId.guid ? text.toUpperCase() : type === TypeId.boolean ? text.toLowerCase() : text;
    case 3:
      return type === TypeId.guid ? `{${text}}` : type === TypeId.dateTime ? text.replace('T', ' ') : text;
    case 4:
      return type === TypeId.guid ? text.replaceAll('-', '') : text;
    default:
      return text;
  }
}

/** A random value text that its type takes. */
export function valueText(type: TypeId, random: Random): string {
  if (type === TypeId.decimal && random() < 0.2) {
    return `${below(random, 1e9)}${below(random, 1e9)}.${below(random, 1e9)}${below(random, 1e9)}${below(random, 1e9)}`;
  }
  if ((type === TypeId.double || type === TypeId.single) && random() < 0.4) {
    const number = (random() - 0.5) * 10 ** (below(random, 60) - 30);
    // Few digits for a Single: the naive model rounds text to it by way of a Double, and halves away from even.
    return type === TypeId.single ? number.toPrecision(6) : String(number);
  }
  if (type === TypeId.string && random() < 0.02) return 'é long text '.repeat(500 + below(random, 6000));
  // Letters with an upper case in ASCII, which never match ASCII letters: the naive scan does not know that.
  const text = textOf(randomValue(type, random)).replace(/[\u0131\u017f]/g, 'x');
  return respell(type, text, random);
}

const badTexts: Readonly<Record<number, readonly string[]>> = {
  [TypeId.boolean]: ['', 'yes', '1'],
  [TypeId.byte]: ['256', '-1', '1.0'],
  [TypeId.sbyte]: ['128', '-129'],
  [TypeId.int16]: ['32768', 'a'],
  [TypeId.uint16]: ['65536', '-1'],
  [TypeId.int32]: ['2147483648', '', '1 2'],
  [TypeId.uint32]: ['4294967296', '-1'],
  [TypeId.int64]: ['9223372036854775808'],
  [TypeId.uint64]: ['18446744073709551616', '-1'],
  [TypeId.single]: ['one', '1..2'],
  [TypeId.double]: ['', 'e5'],
  [TypeId.decimal]: ['79228162514264337593543950336', 'NaN'],
  [TypeId.char]: ['', 'ab'],
  [TypeId.dateTime]: ['2024-13-01', '2023-02-29', 'now'],
  [TypeId.dateTimeOffset]: ['2024-01-01T00:00:00+15:00', 'x'],
  [TypeId.timeSpan]: ['24:00', '1:60:00', ''],
  [TypeId.guid]: ['0', '00000000-0000-0000-0000-00000000000g'],
};

function randomType(random: Random): TypeId {
  return (1 + below(random, typeCount)) as TypeId;
}

/** A key has its own type most of the time, so that scans find company. */
function randomProperty(random: Random): PropertyText {
  const number = below(random, keys.length);
  const type = random() < 0.7 ? ((1 + (number % typeCount)) as TypeId) : randomType(random);
  return { key: keys[number] as string, type, text: valueText(type, random) };
}

function randomProperties(random: Random): PropertyText[] {
  const count = random() < 0.03 ? 20 : below(random, 6);
  const found = new Map<string, PropertyText>();
  for (let i = 0; i < count; i++) {
    const property = randomProperty(random);
    found.set(property.key, property);
  }
  return [...found.values()];
}

/** What the generator knows of the graph: the ids of its vertices and of all elements, and the next one. */
export interface Population {
  readonly vertices: readonly number[];
  readonly elements: readonly number[];
  readonly nextId: number;
}

/** By the core's own account, which the test has compared with the model's. */
export function populationOf(core: Core, graph: number): Population {
  const nextId = core.nextId(graph);
  const elements: number[] = [];
  const vertices: number[] = [];
  for (let id = 0; id < nextId; id++) {
    const isVertex = core.readDegree(graph, id, 0) !== null;
    if (isVertex) vertices.push(id);
    if (isVertex || core.readEndpoint(graph, id, 0) !== null) elements.push(id);
  }
  return { vertices, elements, nextId };
}

/** Some creates, then property writes, then removals; or one trim, or erase if that `mayErase`. */
export function randomTransaction(random: Random, known: Population, mayErase: boolean): WriteOperation[] {
  const dice = random();
  const mistaken = random() < 0.12;
  if (mayErase && dice < 0.004) return [{ kind: 'erase' }];
  if (dice < 0.02) return [{ kind: 'trim' }];
  const operations: WriteOperation[] = [];
  const vertices = [...known.vertices];
  let next = known.nextId;
  const crowded = known.elements.length > 500;
  for (let i = below(random, crowded ? 3 : 12); i > 0; i--) {
    const label = pick(labels, random);
    const creationDate = random() < 0.1 ? 2 ** 32 - 1 : 1_600_000_000 + below(random, 1e6);
    const properties = randomProperties(random);
    if (vertices.length === 0 || random() < 0.35) {
      operations.push({ kind: 'createVertex', creationDate, label, properties });
      vertices.push(next);
    } else {
      const hub = vertices[below(random, Math.min(3, vertices.length))] as number;
      const source = random() < 0.3 ? hub : pick(vertices, random);
      const target = random() < 0.1 ? source : random() < 0.3 ? hub : pick(vertices, random);
      const edgeType = pick(edgeTypes, random);
      operations.push({ kind: 'createEdge', creationDate, source, target, edgeType, label, properties });
    }
    next++;
  }
  const targets = [...known.elements];
  for (let id = known.nextId; id < next; id++) targets.push(id);
  for (let i = below(random, 5); i > 0 && targets.length > 0; i--) {
    const element = pick(targets, random);
    if (random() < 0.3) operations.push({ kind: 'removeProperty', element, key: pick(keys, random) });
    else operations.push({ kind: 'setProperty', element, ...randomProperty(random) });
  }
  if (mistaken) return withMistake(random, operations, known);
  if (random() < (crowded ? 0.6 : 0.15)) {
    for (let i = 1 + below(random, crowded ? 8 : 3); i > 0 && targets.length > 0; i--) {
      // Any id there ever was, gone or not: only one that is not skipped when gone may fail, and it comes last.
      operations.push({ kind: 'removeElement', element: below(random, next), skipRemoved: true });
    }
    if (random() < 0.2) operations.push({ kind: 'removeElement', element: below(random, next), skipRemoved: false });
  }
  return operations;
}

function withMistake(random: Random, operations: WriteOperation[], { nextId, vertices, elements }: Population) {
  const created = operations.filter(({ kind }) => kind === 'createVertex' || kind === 'createEdge').length;
  const missing = pick([nextId + created, 2 ** 31 - 1, nextId + created + 1000], random);
  const common = { creationDate: 1, label: null, properties: [] };
  const edge = { kind: 'createEdge', edgeType: 'knows', ...common } as const;
  const anEdge = elements.find((id) => !vertices.includes(id)) ?? missing;
  const type = (2 + below(random, typeCount - 1)) as TypeId;
  const bad: PropertyText = { key: 'bad', type, text: pick(badTexts[type] as readonly string[], random) };
  const good: PropertyText = { key: 'good', type: TypeId.string, text: '' };
  const mistakes: WriteOperation[] = [
    { ...edge, source: missing, target: vertices[0] ?? missing },
    { ...edge, source: vertices[0] ?? missing, target: anEdge },
    { kind: 'createVertex', ...common, properties: [good, bad] },
    { kind: 'createVertex', ...common, properties: [good, { ...good, text: 'again' }] },
    { kind: 'setProperty', element: missing, ...good },
    { kind: 'setProperty', element: elements[0] ?? 0, ...bad },
    { kind: 'removeProperty', element: missing, key: 'a' },
    { kind: 'removeElement', element: missing, skipRemoved: true },
  ];
  const place = below(random, operations.length + 1);
  // A create in front would take the id that is missing.
  return [...operations.slice(0, place), pick(mistakes, random), ...operations.slice(place).filter(isNoCreate)];
}

function isNoCreate({ kind }: WriteOperation): boolean {
  return kind !== 'createVertex' && kind !== 'createEdge';
}
