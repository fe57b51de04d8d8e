// The whole library that a fragment can name, in the order in which it is read.

import { BASICS } from './basics.ts';
import { COLLECTIONS } from './collections.ts';
import { CONVERSIONS } from './conversions.ts';
import type { Declarations } from './declarations.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { MATHEMATICS } from './mathematics.ts';
import { MODELS } from './models.ts';
import { NUMBERS } from './numbers.ts';
import { OUTSIDE } from './outside.ts';
import { SEQUENCES } from './sequences.ts';
import { SPANS } from './spans.ts';
import { STRINGS } from './strings.ts';
import { TIMES } from './times.ts';

export const LIBRARY: readonly Declarations[] = [
  BASICS,
  EXCEPTIONS,
  NUMBERS,
  STRINGS,
  MATHEMATICS,
  TIMES,
  COLLECTIONS,
  SPANS,
  CONVERSIONS,
  SEQUENCES,
  MODELS,
  OUTSIDE,
];
