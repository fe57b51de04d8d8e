// What every element of the reader proof must look like. Whatever an element shows is a function of its birth number, which is never
// used twice, of its revision and of the key, so that both sides can work out each value: a value that is torn, mixed from two
// revisions, of another element or of freed memory differs from all of them.
//
// An element of birth b and revision r has the properties `birth` (b), `p0` (r), `p1` ... and, last, `p<n-1>` (r); those between may
// be absent and have other types in other revisions. Going from r to r + 1 is one transaction of property writes in the order of the
// numbers, so a reader may find the first few at r + 1 and the others at r, and nothing else.

/** The types in use here, by their numbers in the core. */
export const TypeId = /** @type {const} */ ({
  string: 1,
  boolean: 2,
  int32: 7,
  int64: 9,
  uint64: 10,
  double: 12,
  decimal: 13,
  dateTimeOffset: 16,
  guid: 18,
});

/** Creation dates are this plus the birth number, commit times the other plus the transaction's number; in Unix seconds. */
export const creationBase = 1_000_000_000;
export const commitBase = 1_500_000_000;

/** Words of the control block that writer and readers share beside the core's memory. */
export const Control = {
  /** 1: readers shall finish. */
  stop: 0,
  /** Odd while a transaction is running. */
  sequence: 1,
  /** Number of the running or last transaction. */
  transaction: 2,
  /** 1: a held reader shall let go. */
  release: 3,
  /** An element that the writer is at work on. */
  hot: 4,
  /** Odd while a transaction is running that removes elements, for good or until it is taken back. */
  removal: 5,
  /** Checking readers that have done each kind of check a few times. */
  versed: 6,
  /** An export that the writer has begun, by its token; 0: none. */
  exporting: 7,
  /** Ids from there on are younger than the export. */
  exportLimit: 8,
};

/** Mixes up to three numbers into 32 bits. */
export function mix(a, b = 0, c = 0) {
  let h =
    Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^
    Math.imul(b + 0x7f4a7c15, 0xc2b2ae35) ^
    Math.imul(c + 0x165667b1, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}

/** Label of the element; null for some. @returns {string | null} */
export function labelOf(birth) {
  const label = mix(birth, 1) % 6;
  return label === 0 ? null : `L${label} é`;
}

/** Edge type between two elements, by their birth numbers. */
export function edgeTypeOf(sourceBirth, targetBirth) {
  return `E${mix(sourceBirth % 7, targetBirth, 2) % 40}`;
}

/** How many properties p0 ... the element has at most; one in forty has more than a shape finds by walking. */
export function countOf(birth, isEdge) {
  if (mix(birth, 3) % 40 === 0) return 24;
  return isEdge ? 2 + (mix(birth, 4) % 3) : 4 + (mix(birth, 4) % 5);
}

const types = [
  TypeId.int32,
  TypeId.string,
  TypeId.guid,
  TypeId.decimal,
  TypeId.string,
  TypeId.dateTimeOffset,
  TypeId.double,
  TypeId.boolean,
  TypeId.uint64,
  TypeId.string,
];
const typeNames = new Map(
  Object.entries({
    String: TypeId.string,
    Boolean: TypeId.boolean,
    Int32: TypeId.int32,
    Int64: TypeId.int64,
    UInt64: TypeId.uint64,
    Double: TypeId.double,
    Decimal: TypeId.decimal,
    DateTimeOffset: TypeId.dateTimeOffset,
    Guid: TypeId.guid,
  }).map(([name, id]) => [id, `System.${name}`]),
);

/** @typedef {{ key: string, type: (typeof TypeId)[keyof typeof TypeId], text: string }} Property */

/**
 * Property number `index` of `count` at a revision; null when it is absent then.
 * @returns {Property | null}
 */
export function propertyAt(birth, revision, index, count) {
  const key = `p${index}`;
  if (index === 0) return { key, type: TypeId.int32, text: String(revision) };
  if (index === count - 1) {
    return { key, type: revision % 2 === 0 ? TypeId.int64 : TypeId.int32, text: String(revision) };
  }
  const dice = mix(birth, revision, index);
  if (dice % 4 === 0) return null;
  // The type stays for a few revisions, so that writes change values in place as well.
  const type = types[mix(birth, revision >> 2, index) % types.length] ?? TypeId.int32;
  return { key, type, text: textOf(type, birth, revision, index, dice >>> 3) };
}

/** A text that the core gives back letter by letter. */
function textOf(type, birth, revision, index, dice) {
  switch (type) {
    case TypeId.string:
      return stringOf(birth, revision, index, dice);
    case TypeId.guid: {
      const words = [birth, revision, index, dice].map((word) => word.toString(16).padStart(8, '0')).join('');
      return words.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    }
    case TypeId.decimal:
      return `${birth}${String(revision).padStart(6, '0')}.${String(index).padStart(2, '0')}5`;
    case TypeId.dateTimeOffset: {
      const clock = new Date((birth * 1000 + revision) * 1000).toISOString().slice(0, 19);
      return `${clock}.${String(index).padStart(7, '0')}+${String(dice % 12).padStart(2, '0')}:30`;
    }
    case TypeId.boolean:
      return dice % 2 === 0 ? 'True' : 'False';
    case TypeId.uint64:
      return String(10_000_000_000_000_000_000n + BigInt(birth) * 1_000_000n + BigInt(revision * 100 + index));
    default:
      return String(dice % 1_000_000_000);
  }
}

/** Mostly short, now and then some kilobytes, one in a thousand longer than 64 KiB. */
function stringOf(birth, revision, index, dice) {
  const unit = `<${birth}:${revision}:${index}|é"\n`;
  const size = dice % 1000;
  if (size === 0) return unit.repeat(6000);
  return unit.repeat(size < 700 ? 1 : size < 970 ? 1 + (dice % 30) : 100 + (dice % 300));
}

/** Part of every string value of this birth and revision, and of no other value. */
export function termOf(birth, revision) {
  return `<${birth}:${revision}:`;
}

/** Properties that never change, by key. @returns {Property[]} */
export function fixedProperties(birth, ends) {
  const numbers = ends === null ? { birth } : { birth, s: ends.sourceBirth, t: ends.targetBirth };
  return Object.entries(numbers).map(([key, value]) => ({ key, type: TypeId.int32, text: String(value) }));
}

/** All properties p0 ... at a revision. @returns {Property[]} */
export function propertiesAt(birth, revision, count) {
  return Array.from({ length: count }, (_, index) => propertyAt(birth, revision, index, count)).filter(
    (property) => property !== null,
  );
}

class Violation extends Error {
  name = 'Violation';
}

/** @param {string} message @returns {never} */
export function violated(message) {
  throw new Violation(message);
}

/**
 * Checks all that an element read says about itself; answers what the others need of it. `finished`: it is of one revision.
 * @returns {{ id: number, birth: number, revision: number, finished: boolean, isEdge: boolean, modification: number,
 *   sourceBirth: number, targetBirth: number }}
 */
export function checkElement(element, isEdge) {
  const what = () => `element ${JSON.stringify(element).slice(0, 600)}`;
  const found = new Map();
  let last = '';
  for (const { propertyId, fullQualifiedTypeName, propertyValue } of element.properties) {
    if (propertyId <= last) violated(`keys out of order in ${what()}`);
    last = propertyId;
    found.set(propertyId, `${fullQualifiedTypeName} ${propertyValue}`);
  }
  const number = (key) => {
    const match = /^System\.Int(?:32|64) (\d+)$/.exec(found.get(key) ?? '');
    return match ? Number(match[1]) : violated(`no number ${key} in ${what()}`);
  };
  const birth = number('birth');
  const count = countOf(birth, isEdge);
  const revision = number('p0');
  const finished = number(`p${count - 1}`) === revision;
  // The longest beginning at the new revision; all behind it must stand at the one before.
  let current = true;
  let seen = isEdge ? 3 : 1;
  for (let index = 0; index < count; index++) {
    const value = found.get(`p${index}`);
    if (value !== undefined) seen++;
    if (current && value === shown(propertyAt(birth, revision, index, count))) continue;
    if (finished || revision === 0) violated(`p${index} is not of revision ${revision} in ${what()}`);
    current = false;
    if (value !== shown(propertyAt(birth, revision - 1, index, count))) {
      violated(`p${index} is of neither revision around ${revision} in ${what()}`);
    }
  }
  if (seen !== found.size) violated(`properties of something else in ${what()}`);
  if (element.label !== labelOf(birth)) violated(`wrong label in ${what()}`);
  if (secondsOf(element.creationDate) !== creationBase + birth) violated(`wrong creation date in ${what()}`);
  const modification = secondsOf(element.modificationDate);
  if (modification !== creationBase + birth && modification <= commitBase)
    violated(`wrong modification date in ${what()}`);
  const [sourceBirth, targetBirth] = isEdge ? [number('s'), number('t')] : [0, 0];
  return { id: element.id, birth, revision, finished, isEdge, modification, sourceBirth, targetBirth };
}

function shown(property) {
  return property === null ? undefined : `${typeNames.get(property.type)} ${property.text}`;
}

function secondsOf(date) {
  return Date.parse(`${date}Z`) / 1000;
}
