// Scans of the graph and of its indexes as a plugin asks the engine for them.

import type { FulltextHit, NearestHits } from '../../engine-reader.ts';
import type { Type } from '../../types.ts';
import type { ArrayObject } from '../array-objects.ts';
import type { ElementObject } from '../elements.ts';
import type { EngineObject } from '../engine.ts';
import { argumentNull, badArgument } from '../exceptions.ts';
import { runtimeType } from '../runtime-types.ts';
import { type Cell, ItemSequence, newList, type Value } from '../values.ts';
import { propertyText } from '../writer-context.ts';
import type { MemberTable } from './native.ts';

const named = (name: string, ...list: readonly Type[]): Type => ({ kind: 'named', name, arguments: list });
const typeNamed = (name: string, ...list: readonly Type[]) => runtimeType(named(name, ...list));
const STRING: Type = { kind: 'primitive', name: 'string' };
const ELEMENTS = typeNamed('IReadOnlyList', named('AGraphElementModel'));
const ENTRIES = typeNamed('IReadOnlyList', named('VectorSearchEntry'));

/** Puts the elements into the cell; whether there are any. */
function found(engine: EngineObject, cell: Cell, ids: readonly number[] | null): boolean {
  cell.value = ids === null || ids.length === 0 ? null : new ItemSequence(ELEMENTS, engine.listOf(ids).items);
  return cell.value !== null;
}

class FulltextElementObject {
  readonly type = typeNamed('FulltextSearchResultElement');
  readonly element: ElementObject | null;
  readonly highlights: Value;
  readonly score: number;

  constructor(engine: EngineObject, { id, highlights, score }: FulltextHit) {
    this.element = engine.element(id, null);
    this.highlights = newList(STRING, [...highlights]);
    this.score = score;
  }
}

class FulltextResultObject {
  readonly type = typeNamed('FulltextSearchResult');
  readonly best: number;
  readonly elements: Value;

  constructor(engine: EngineObject, hits: readonly FulltextHit[]) {
    this.best = hits.reduce((best, { score }) => Math.max(best, score), 0);
    const elements = hits.map((hit) => new FulltextElementObject(engine, hit));
    this.elements = newList(
      named('FulltextSearchResultElement'),
      elements.filter(({ element }) => element !== null),
    );
  }
}

class VectorEntryObject {
  readonly type = typeNamed('VectorSearchEntry');
  readonly element: Value;
  readonly score: number;

  constructor(element: Value, score: number) {
    this.element = element;
    this.score = score;
  }
}

class VectorResultObject {
  readonly type = typeNamed('VectorSearchResult');
  readonly metric: number;
  readonly entries: Value;

  constructor(engine: EngineObject, { metric, ids, scores }: NearestHits) {
    this.metric = metric;
    const entries = ids.map((id, at) => new VectorEntryObject(engine.element(id, null), scores[at] as number));
    this.entries = new ItemSequence(
      ENTRIES,
      entries.filter(({ element }) => element !== null),
    );
  }
}

class VectorConstraintObject {
  readonly type = typeNamed('VectorSearchConstraint');
  /** A number of VectorSearchElementKind. */
  kind = 0;
  label: string | null = null;
}

const kindMasks = [3, 1, 2] as const;

export const SCAN_MEMBERS: MemberTable = {
  'IFallen8Read.GraphScanAllProperties(out List<AGraphElementModel>,string,string)': (
    engine: EngineObject,
    cell: Cell,
    term: string | null,
    label: string | null,
  ) => {
    cell.value = engine.listOf(term === null ? [] : engine.reader.scanTexts(term, label));
    return cell.value.items.length > 0;
  },
  'IFallen8Read.IndexScan(out IReadOnlyList<AGraphElementModel>,string,IComparable,BinaryOperator)': (
    engine: EngineObject,
    cell: Cell,
    index: string | null,
    literal: Value,
    operator: number,
  ) => {
    const { type, text } = propertyText(literal);
    return found(engine, cell, engine.reader.indexScan(index ?? argumentNull('indexId'), operator, type, text));
  },
  'IFallen8Read.RangeIndexScan(out IReadOnlyList<AGraphElementModel>,string,IComparable,IComparable,bool,bool)': (
    engine: EngineObject,
    cell: Cell,
    index: string | null,
    leftLimit: Value,
    rightLimit: Value,
    includeLeft: boolean,
    includeRight: boolean,
  ) => {
    const [left, right] = [propertyText(leftLimit), propertyText(rightLimit)];
    if (left.type !== right.type) badArgument('The limits of a range are of different types.');
    const range = { type: left.type, left: left.text, right: right.text, includeLeft, includeRight };
    return found(engine, cell, engine.reader.indexRange(index ?? argumentNull('indexId'), range));
  },
  'IFallen8Read.FulltextIndexScan(out FulltextSearchResult,string,string)': (
    engine: EngineObject,
    cell: Cell,
    index: string | null,
    expression: string | null,
  ) => {
    const hits = engine.reader.fulltext(index ?? argumentNull('indexId'), expression ?? argumentNull('searchQuery'));
    cell.value = hits === null || hits.length === 0 ? null : new FulltextResultObject(engine, hits);
    return cell.value !== null;
  },
  'IFallen8Read.VectorIndexScan(out VectorSearchResult,string,float[],int,VectorSearchConstraint)': (
    engine: EngineObject,
    cell: Cell,
    index: string | null,
    query: ArrayObject | null,
    k: number,
    constraint: VectorConstraintObject | null,
  ) => {
    const vector = Float32Array.from((query ?? argumentNull('query')).items);
    const kinds = kindMasks[constraint?.kind ?? 0] ?? 3;
    const hits = engine.reader.nearest(index ?? argumentNull('indexId'), vector, k, kinds, constraint?.label ?? null);
    cell.value = hits === null ? null : new VectorResultObject(engine, hits);
    return hits !== null && hits.ids.length > 0;
  },
  'FulltextSearchResult.get_MaximumScore()': (result: FulltextResultObject) => result.best,
  'FulltextSearchResult.get_Elements()': (result: FulltextResultObject) => result.elements,
  'FulltextSearchResultElement.get_GraphElement()': (result: FulltextElementObject) => result.element,
  'FulltextSearchResultElement.get_Highlights()': (result: FulltextElementObject) => result.highlights,
  'FulltextSearchResultElement.get_Score()': (result: FulltextElementObject) => result.score,
  'VectorSearchConstraint.new()': () => new VectorConstraintObject(),
  'VectorSearchConstraint.get_Kind()': (constraint: VectorConstraintObject) => constraint.kind,
  'VectorSearchConstraint.set_Kind(VectorSearchElementKind)': (constraint: VectorConstraintObject, kind: number) => {
    constraint.kind = kind;
  },
  'VectorSearchConstraint.get_Label()': (constraint: VectorConstraintObject) => constraint.label,
  'VectorSearchConstraint.set_Label(string)': (constraint: VectorConstraintObject, label: string | null) => {
    constraint.label = label;
  },
  'VectorSearchResult.get_Metric()': (result: VectorResultObject) => result.metric,
  'VectorSearchResult.get_HigherIsBetter()': (result: VectorResultObject) => result.metric !== 2,
  'VectorSearchResult.get_Entries()': (result: VectorResultObject) => result.entries,
  'VectorSearchEntry.Element': (entry: VectorEntryObject) => entry.element,
  'VectorSearchEntry.Score': (entry: VectorEntryObject) => entry.score,
};
