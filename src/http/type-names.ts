// Names of types in requests (contract part 1, Values).

import { TypeId, typeIdOf, typeNamesOf } from '../core/values.ts';
import { Problem } from './problems.ts';

/** The type of a name or an alias; throws the problem that lists those there are. */
export function typeNamed(name: string): TypeId {
  const type = typeIdOf(name);
  if (type !== TypeId.none) return type;
  throw new Problem('badRequest', `Unknown type '${name}'; there are ${typeNamesOf(-1).join(', ')}.`);
}
