// All implementations of library members, by key.

import { AGGREGATE_MEMBERS } from './aggregates.ts';
import { ARRAY_MEMBERS } from './arrays.ts';
import { BIT_MEMBERS } from './bits.ts';
import { CHARACTER_MEMBERS } from './characters.ts';
import { COLLECTION_MEMBERS } from './collections.ts';
import { CONVERT_MEMBERS } from './convert.ts';
import { DAY_MEMBERS } from './days.ts';
import { ENCODING_MEMBERS } from './encodings.ts';
import { ENGINE_MEMBERS } from './engine.ts';
import { GROUP_MEMBERS } from './groups.ts';
import { GUID_MEMBERS } from './guids.ts';
import { INTERFACE_MEMBERS } from './interfaces.ts';
import { MATHEMATICS_MEMBERS } from './mathematics.ts';
import { MODEL_MEMBERS } from './models.ts';
import type { MemberTable, Native, SiteNative } from './native.ts';
import { NUMBER_MEMBERS } from './numbers.ts';
import { OBJECT_MEMBERS } from './objects.ts';
import { ORDER_MEMBERS } from './ordering.ts';
import { RANDOM_MEMBERS } from './random.ts';
import { SEQUENCE_MEMBERS } from './sequences.ts';
import { SET_MEMBERS } from './sets.ts';
import { SPAN_MEMBERS } from './spans.ts';
import { STRING_BUILDER_MEMBERS } from './string-builder.ts';
import { STRING_SEARCH_MEMBERS } from './string-search.ts';
import { STRING_MEMBERS } from './strings.ts';
import { TIME_SPAN_MEMBERS } from './time-spans.ts';
import { TIME_MEMBERS } from './times.ts';

const TABLES: readonly MemberTable[] = [
  OBJECT_MEMBERS,
  NUMBER_MEMBERS,
  MATHEMATICS_MEMBERS,
  BIT_MEMBERS,
  STRING_MEMBERS,
  STRING_SEARCH_MEMBERS,
  STRING_BUILDER_MEMBERS,
  CHARACTER_MEMBERS,
  TIME_MEMBERS,
  TIME_SPAN_MEMBERS,
  DAY_MEMBERS,
  ENCODING_MEMBERS,
  GUID_MEMBERS,
  CONVERT_MEMBERS,
  ARRAY_MEMBERS,
  INTERFACE_MEMBERS,
  COLLECTION_MEMBERS,
  SET_MEMBERS,
  SPAN_MEMBERS,
  SEQUENCE_MEMBERS,
  GROUP_MEMBERS,
  ORDER_MEMBERS,
  RANDOM_MEMBERS,
  AGGREGATE_MEMBERS,
  MODEL_MEMBERS,
  ENGINE_MEMBERS,
];

const implementations = new Map<string, Native | SiteNative>(TABLES.flatMap((table) => Object.entries(table)));

/** The implementation behind a key; a key without one is a defect of who declares or emits it, not of the fragment. */
export function memberImplementation(key: string): Native | SiteNative {
  const found = implementations.get(key);
  if (!found) throw new Error(`the library member ${key} is not implemented`);
  return found;
}
