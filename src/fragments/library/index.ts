// The whole library that a fragment can name, in the order in which it is read.

import { BASICS } from './basics.ts';
import { COLLECTIONS } from './collections.ts';
import { CONVERSIONS } from './conversions.ts';
import type { Declarations } from './declarations.ts';
import { ENGINE } from './engine.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { MATHEMATICS } from './mathematics.ts';
import { MODELS } from './models.ts';
import { NUMBERS } from './numbers.ts';
import { OUTSIDE } from './outside.ts';
import { PLUGIN_TYPES, wider } from './plugins.ts';
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

/** That of plugins: what they have more takes the place of what fragments are refused. */
export const PLUGIN_LIBRARY: readonly Declarations[] = [
  ...LIBRARY.map((text) => wider.reduce((rest, [refused, declared]) => rest.replace(refused, declared), text)),
  PLUGIN_TYPES,
  ENGINE,
];
