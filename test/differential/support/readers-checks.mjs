// What a reader thread of the reader proof does: every read call there is, at random, each value checked (readers-values.mjs) and
// set against what other reads of the same moment say. The writer runs meanwhile, so a comparison of two reads allows for what may
// lie between them, and is exact where no transaction ran in between.

import { ArenaTooSmall } from '../../../dist/src/core/reader.js';
import {
  Control,
  checkElement,
  commitBase,
  countOf,
  edgeTypeOf,
  fixedProperties,
  labelOf,
  propertiesAt,
  TypeId,
  termOf,
  violated,
} from './readers-values.mjs';

const decoder = new TextDecoder('utf-8', { fatal: true });
const none = -1;
/** How long two reads may contradict each other because a transaction is half way through, in milliseconds. */
const patience = 3000;
const exportChanged = 101;

export class Checks {
  /** How often each kind of read was made, and how many comparisons were exact. @type {Record<string, number>} */
  counts = {};

  /** `random(n)` answers a number below n. */
  constructor(reader, graph, control, random) {
    this.reader = reader;
    this.graph = graph;
    this.control = control;
    this.random = random;
    this.words = new Int32Array(reader.instance.memory.buffer);
    this.lastRevision = new Map();
    /** Ids seen lately. @type {number[]} */
    this.known = [];
    this.actions = [
      ...Array(8).fill(['element', () => this.element()]),
      ...Array(8).fill(['glance', () => this.glance()]),
      ...Array(4).fill(['traversal', () => this.traversal()]),
      ...Array(3).fill(['list', () => this.list()]),
      ...Array(3).fill(['property scan', () => this.propertyScan()]),
      ...Array(3).fill(['text scan', () => this.textScan()]),
      ...Array(2).fill(['page', () => this.page()]),
      ['sweep', () => this.sweep()],
      ['export', () => this.exported()],
    ];
  }

  /** One random read with its checks. */
  step() {
    const [name, action] = this.actions[this.random(this.actions.length)];
    this.count(name);
    this.reader.announced(action);
  }

  count(name, by = 1) {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** While announced: two equal answers mean one state, since its address cannot be in use again. */
  state() {
    return Atomics.load(this.words, this.graph >>> 2);
  }

  /** A number that is the same twice, and even, when no transaction ran in between. */
  sequence() {
    return Atomics.load(this.control, Control.sequence);
  }

  /** The same for transactions that remove elements. */
  removal() {
    return Atomics.load(this.control, Control.removal);
  }

  /** An id that was alive a while ago, one of the lowest, or any, now and then one beyond the end. */
  randomId() {
    const dice = this.random(6);
    const known = this.known[this.random(Math.max(1, this.known.length))]; // a place may have been skipped
    if (dice > 1 && known !== undefined) return known;
    const next = this.reader.nextId(this.graph);
    return this.random(dice === 0 ? Math.min(next + 2, 16) : next + 2);
  }

  /** The answer of a read as text; null stays null. */
  text(answer) {
    if (answer instanceof ArenaTooSmall) violated(`an arena of ${answer.neededBytes} bytes is wanted`);
    return answer === null ? null : decoder.decode(answer);
  }

  json(answer) {
    const text = this.text(answer);
    if (text === null) return null;
    try {
      return JSON.parse(text);
    } catch (error) {
      return violated(`no JSON (${error.message}): ${text.slice(0, 300)}`);
    }
  }

  /** The items of a list block. */
  items(bytes) {
    return this.json(new TextEncoder().encode(`[${decoder.decode(bytes)}]`));
  }

  /** Checks one element by itself and against what was seen of it before. */
  check(element, isEdge) {
    const seen = checkElement(element, isEdge);
    this.count('elements');
    this.known[this.counts.elements % 2048] = seen.id;
    if (!seen.finished) this.count('halfway');
    const transaction = Atomics.load(this.control, Control.transaction);
    if (seen.modification > commitBase + transaction) violated(`element ${seen.id} was changed in the future`);
    const last = this.lastRevision.get(seen.birth) ?? 0;
    // A transaction that failed may have been seen before it was taken back.
    if (seen.revision < last - 1) violated(`birth ${seen.birth} went back from revision ${last} to ${seen.revision}`);
    if (this.lastRevision.size > 100_000) this.lastRevision.clear();
    this.lastRevision.set(seen.birth, Math.max(last, seen.revision));
    if (isEdge && 'edgePropertyId' in element) {
      if (element.edgePropertyId !== edgeTypeOf(seen.sourceBirth, seen.targetBirth)) {
        violated(
          `edge ${seen.id} of type ${element.edgePropertyId} between ${seen.sourceBirth} and ${seen.targetBirth}`,
        );
      }
    }
    if (!isEdge && 'outEdges' in element) {
      for (const groups of [element.outEdges, element.inEdges]) {
        for (const ids of Object.values(groups ?? {})) checkAscending(ids, `vertex ${seen.id}`);
      }
    }
    return seen;
  }

  /** The element as an object; null when it is not there. */
  read(id, kind) {
    return this.json(this.reader.readElement(this.graph, id, kind));
  }

  element() {
    const state = this.state();
    const id = this.randomId();
    const element = this.read(id, 0);
    if (element === null) return;
    if (element.id !== id) violated(`element ${element.id} in the place of ${id}`);
    const isEdge = 'sourceVertex' in element;
    const seen = this.check(element, isEdge);
    const other = this.read(id, isEdge ? 1 : 2);
    if (other !== null && this.state() === state) violated(`element ${id} is of both kinds`);
    if (isEdge) this.ends(element, seen, state);
    else this.neighbours(element, seen, state);
  }

  /** What the writer is at work on, again and again as fast as it goes; what differs from the time before is checked. */
  glance() {
    const id = Atomics.load(this.control, Control.hot);
    let last = null;
    for (let i = 0; i < 300; i++) {
      const answer = this.reader.readElement(this.graph, id, 0);
      this.count('glances');
      if (answer instanceof Uint8Array && last !== null && Buffer.compare(last, answer) === 0) continue;
      const element = this.json(answer);
      if (element === null) continue;
      last = answer;
      this.check(element, 'sourceVertex' in element);
    }
  }

  /** Edges of a few groups of a vertex: each must be there with this vertex at its end, or soon be out of the group. */
  neighbours(vertex, seen, state) {
    for (const [end, groups] of [
      ['source', vertex.outEdges],
      ['target', vertex.inEdges],
    ]) {
      const types = Object.keys(groups ?? {});
      for (let i = 0; i < Math.min(types.length, 3); i++) {
        const type = types[this.random(types.length)];
        const edge = groups[type][this.random(groups[type].length)];
        this.until(`edge ${edge} in group ${type} of vertex ${vertex.id}`, state, () => {
          const found = this.read(edge, 2);
          if (this.state() !== state) return true;
          if (found !== null) {
            const { sourceBirth, targetBirth } = this.check(found, true);
            const right = found[`${end}Vertex`] === vertex.id && found.edgePropertyId === type;
            if (!right || (end === 'source' ? sourceBirth : targetBirth) !== seen.birth) {
              violated(
                `edge ${JSON.stringify(found).slice(0, 400)} in group ${type} of vertex ${vertex.id}, birth ${seen.birth}`,
              );
            }
            return true;
          }
          const again = this.read(vertex.id, 1);
          return again === null || !(again[end === 'source' ? 'outEdges' : 'inEdges']?.[type] ?? []).includes(edge);
        });
      }
    }
  }

  /** Both ends of an edge: each must be there with the edge in its group, or the edge soon be gone. */
  ends(edge, seen, state) {
    for (const end of ['source', 'target']) {
      const id = edge[`${end}Vertex`];
      const point = this.reader.readEndpoint(this.graph, edge.id, end === 'source' ? 0 : 1);
      if (point !== null && point !== id && this.state() === state)
        violated(`edge ${edge.id} ends at ${id} and ${point}`);
      this.until(`vertex ${id} of edge ${edge.id}`, state, () => {
        const vertex = this.read(id, 1);
        if (this.state() !== state) return true;
        if (vertex !== null) {
          const { birth } = this.check(vertex, false);
          if (birth !== (end === 'source' ? seen.sourceBirth : seen.targetBirth)) {
            violated(`edge ${edge.id} ends at vertex ${id} of birth ${birth}: ${JSON.stringify(seen)}`);
          }
          const ids = vertex[end === 'source' ? 'outEdges' : 'inEdges']?.[edge.edgePropertyId] ?? [];
          if (ids.includes(edge.id)) return true;
        }
        return this.read(edge.id, 2) === null;
      });
    }
  }

  /** Repeats `settled` until it is true; what a running transaction explains must be over soon. */
  until(what, state, settled) {
    const start = performance.now();
    while (!settled()) {
      if (this.state() !== state) return;
      this.count('waited');
      if (performance.now() - start > patience) violated(`${what} does not fit`);
    }
  }

  list() {
    const ids = Int32Array.from({ length: 1 + this.random(60) }, () => this.randomId());
    for (let start = 0; start < ids.length; ) {
      const block = this.reader.readElements(this.graph, ids, start);
      if (block instanceof ArenaTooSmall) violated(`an arena of ${block.neededBytes} bytes is wanted`);
      const found = this.items(block.items);
      for (const item of found) this.check(item, item.kind === 'edge');
      const asked = ids.slice(start, block.next).sort();
      const answered = Int32Array.from([...found.map(({ id }) => id), ...block.missing]).sort();
      if (block.next <= start || asked.join() !== answered.join()) violated(`asked for ${asked}, got ${answered}`);
      start = block.next;
    }
  }

  page() {
    const kind = 1 + this.random(2);
    const from = this.randomId();
    const limit = 1 + this.random(150);
    const block = this.reader.readGraph(this.graph, kind, from, limit);
    if (block instanceof ArenaTooSmall) violated(`an arena of ${block.neededBytes} bytes is wanted`);
    const found = this.items(block.items);
    for (const element of found) this.check(element, kind === 2);
    const ids = found.map(({ id }) => id);
    // An erase since `from` was chosen leaves no id at or above it.
    if (ids.length > 0) checkAscending([from - 1, ...ids, block.next], `a page from ${from}`);
    if (ids.length !== block.count || block.count > limit)
      violated(`a page of ${ids.length} with count ${block.count}`);
  }

  /** All traversal reads of one vertex; they agree when no transaction ran in between. */
  traversal() {
    const { reader, graph } = this;
    for (let spin = 0; spin < 20_000 && this.sequence() % 2 !== 0; spin++);
    const sequence = this.sequence();
    const vertex = this.read(this.randomId(), 1);
    if (vertex === null) return;
    const mistakes = [];
    for (const [direction, groups] of [vertex.outEdges, vertex.inEdges].entries()) {
      const types = this.json(reader.readEdgeTypes(graph, vertex.id, direction)) ?? [];
      if (new Set(types).size !== types.length) violated(`vertex ${vertex.id} has a type twice: ${types}`);
      const expected = groups ?? {};
      if (types.join() !== Object.keys(expected).join()) mistakes.push(`types ${types}`);
      const degree = reader.readDegree(graph, vertex.id, direction);
      if (degree !== Object.values(expected).reduce((sum, ids) => sum + ids.length, 0))
        mistakes.push(`degree ${degree}`);
      for (const type of types.slice(0, 5)) {
        const ids = this.json(reader.readGroup(graph, vertex.id, direction, type)) ?? [];
        checkAscending(ids, `group ${type} of vertex ${vertex.id}`);
        const size = reader.readGroupDegree(graph, vertex.id, direction, type);
        if (ids.join() !== (expected[type] ?? []).join() || size !== ids.length) mistakes.push(`group ${type}`);
      }
      if (reader.readGroup(graph, vertex.id, direction, 'no such type') !== null) violated('a type that nobody has');
    }
    if (sequence % 2 !== 0 || this.sequence() !== sequence) return;
    this.count('exact');
    if (mistakes.length > 0) violated(`${mistakes.join(', ')} of ${JSON.stringify(vertex).slice(0, 400)}`);
  }

  /** Elements with ids in [from, to) by id. */
  range(from, to) {
    const ids = Int32Array.from({ length: to - from }, (_, index) => from + index);
    const found = new Map();
    for (let start = 0; start < ids.length; ) {
      const block = this.reader.readElements(this.graph, ids, start);
      if (block instanceof ArenaTooSmall) violated(`an arena of ${block.neededBytes} bytes is wanted`);
      for (const item of this.items(block.items)) found.set(item.id, this.check(item, item.kind === 'edge'));
      start = block.next;
    }
    return found;
  }

  /**
   * Runs `scan` over a few ids between two reads of them. `judge` says whether an element is to be found at a revision; it is asked
   * for all revisions that the scan may have seen, and one that it says the same of all must or must not be among the answers.
   */
  between(scan, judge) {
    const state = this.state();
    const from = this.randomId();
    const to = from + 1 + this.random(120);
    const [sequence, removal] = [this.sequence(), this.removal()];
    const before = this.range(from, to);
    const seen = [...before.values()];
    const victim = seen[this.random(seen.length)];
    if (victim === undefined) return;
    const asked = scan(victim, from, to);
    if (asked.found instanceof ArenaTooSmall) violated(`an arena of ${asked.found.neededBytes} bytes is wanted`);
    checkAscending([from - 1, ...asked.found, to], asked.what);
    const ids = new Set(asked.found);
    const after = this.range(from, to);
    if (this.state() !== state) return;
    const quiet = sequence % 2 === 0 && this.sequence() === sequence;
    const lasting = removal % 2 === 0 && this.removal() === removal;
    for (const [id, first] of before) {
      const last = after.get(id);
      if (last === undefined) continue;
      if (last.birth !== first.birth) violated(`element ${id} was ${first.birth} and is ${last.birth}`);
      const low = quiet ? first.revision : Math.max(0, Math.min(first.revision, last.revision) - 1);
      const high = quiet ? first.revision : Math.max(first.revision, last.revision) + 1;
      const answers = [];
      for (let revision = low; revision <= high; revision++) answers.push(judge(first, revision, asked));
      // A text scan may look at a row between two revisions, which lacks what both have, and any scan at an element that is
      // removed and will be there again when the transaction has failed.
      const must = (quiet || (lasting && asked.query !== undefined)) && !answers.includes(false);
      const may = answers.includes(true);
      if ((must && !ids.has(id)) || (!may && ids.has(id))) {
        violated(`${asked.what} ${ids.has(id) ? 'found' : 'missed'} ${JSON.stringify([first, last])}`);
      }
    }
    this.count('found', ids.size);
    if (quiet) this.count('exact');
  }

  propertyScan() {
    const { reader, graph, random } = this;
    this.between(
      (victim, from, to) => {
        const choices = allAt(victim, victim.revision);
        const { key, type, text } = choices[random(choices.length)];
        const operator = ordered.has(type) ? random(6) : random(2) * 5;
        const label = random(3) === 0 ? labelOf(victim.birth) : null;
        const query = { key, operator, type, text, label, mask: 1 + random(3) };
        const found = reader.scanProperty(graph, query, from, to);
        if (found === null) violated(`${text} is refused as type ${type}`);
        return { query, found, what: `scan ${JSON.stringify(query).slice(0, 300)}` };
      },
      (element, revision, { query }) => {
        if ((query.mask & (element.isEdge ? 2 : 1)) === 0) return false;
        if (query.label !== null && query.label !== labelOf(element.birth)) return false;
        return matches(
          allAt(element, revision).find(({ key }) => key === query.key),
          query,
        );
      },
    );
  }

  textScan() {
    const { reader, graph, random } = this;
    this.between(
      (victim, from, to) => {
        const term = termOf(victim.birth, victim.revision) + (random(2) === 0 ? '' : `${random(8)}|É`);
        const found = reader.scanText(graph, { term, label: null, mask: 3 }, from, to);
        return { term: term.toUpperCase(), found, what: `text scan ${term}` };
      },
      (element, revision, { term }) => allAt(element, revision).some(({ text }) => text.toUpperCase().includes(term)),
    );
  }

  sweep() {
    const edges = this.reader.instance.exports.sweepOutEdges(this.graph, 0, none);
    if (!(edges >= 0 && edges < 1e7)) violated(`a sweep over ${edges} edges`);
  }

  /** One block of the bulk export that the writer has begun. */
  exported() {
    const { exports } = this.reader.instance;
    const token = Atomics.load(this.control, Control.exporting);
    const limit = Atomics.load(this.control, Control.exportLimit) >>> 0;
    if (token === 0) return;
    const phase = this.random(2);
    const status = exports.exportBlock(this.graph, token, none, none, none, phase, this.random(limit + 1), limit);
    if (status === exportChanged) return;
    if (status !== 0) violated(`an export block answers ${status}`);
    const lines = decoder.decode(this.reader.instance.takeOutput()).split('\n');
    if (lines.pop() !== '') violated('an export block ends in the middle of a line');
    for (const line of lines) {
      const parsed = this.json(new TextEncoder().encode(line));
      this.check(elementOfLine(parsed), parsed.type === 'edge');
    }
  }
}

/** All properties of an element at a revision. */
function allAt(element, revision) {
  const { birth, isEdge } = element;
  return [...fixedProperties(birth, isEdge ? element : null), ...propertiesAt(birth, revision, countOf(birth, isEdge))];
}

/** A bulk line in the shape of an element read. */
function elementOfLine({ type, id, label, creationDate, properties, edgePropertyId }) {
  const date = new Date(creationDate * 1000).toISOString().slice(0, 19);
  return {
    id,
    label: label ?? null,
    creationDate: date,
    modificationDate: date,
    properties: Object.entries(properties ?? {}).map(([propertyId, property]) => ({
      propertyId,
      fullQualifiedTypeName: property.type,
      propertyValue: property.value === 'true' ? 'True' : property.value === 'false' ? 'False' : property.value,
    })),
    ...(type === 'edge' ? { edgePropertyId } : {}),
  };
}

function checkAscending(ids, what) {
  for (let i = 1; i < ids.length; i++) {
    if (!(ids[i - 1] < ids[i])) violated(`ids out of order in ${what}: ${ids.slice(Math.max(0, i - 3), i + 3)}`);
  }
}

const integers = new Set([TypeId.int32, TypeId.int64, TypeId.uint64]);
const ordered = new Set([...integers, TypeId.double, TypeId.string]);

/** What the contract says about one value under one comparison. */
function matches(property, query) {
  if (property === undefined) return false;
  if (property.type !== query.type) return query.operator === 5;
  const [a, b] = [comparable(property), comparable(query)];
  return [a === b, a > b, a >= b, a < b, a <= b, a !== b][query.operator];
}

function comparable({ type, text }) {
  if (integers.has(type)) return BigInt(text);
  if (type === TypeId.double) return Number(text);
  if (type !== TypeId.dateTimeOffset) return text;
  // Equal instants are equal, whatever their offsets.
  return `${Date.parse(text.replace(/\.\d+/, ''))} ${/\.(\d+)/.exec(text)?.[1]}`;
}
