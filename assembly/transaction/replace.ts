// A graph whose contents change all at once: erased, trimmed, or dropped as a whole, its indexes with it.

import { internRenew } from '../graph/intern';
import { keepsReplaced } from '../graph/keeps';
import { GRAPH_RETIRES, graphRetire, graphState, stateBumpVersion, stateCreate, statePublish } from '../graph/state';
import { catalogueRetire, catalogueRetires } from '../index/catalogue';
import { ROOT_GRAPHS } from '../memory/layout';
import { retireReserve } from '../memory/retire';
import { NO_MEMORY, OK } from '../status';
import { OP_ERASE, OP_TRIM } from './format';
import { trimNeeded, trimOvertaken, trimState } from './trim';

/** Erase and trim: a new state takes the place of the old one, unless there is nothing to trim. */
export function replaceState(graph: usize, state: usize, operation: u32): i32 {
  if (operation == OP_TRIM && !trimNeeded(state)) {
    stateBumpVersion(state);
    return OK;
  }
  if (operation == OP_ERASE) trimOvertaken(state);
  if (!retireReserve(2 + catalogueRetires(state))) return NO_MEMORY;
  const fresh = operation == OP_ERASE ? stateCreate() : trimState(state);
  if (fresh == 0) return NO_MEMORY;
  keepsReplaced(state);
  statePublish(graph, fresh);
  catalogueRetire(state);
  if (operation == OP_ERASE && load<u32>(ROOT_GRAPHS) == 1) internRenew();
  return OK;
}

/** Gives a graph back once no reader holds it. False when memory does not even suffice to note that; try again later. */
export function graphDrop(graph: usize): bool {
  const state = graphState(graph);
  if (!retireReserve(GRAPH_RETIRES + catalogueRetires(state))) return false;
  catalogueRetire(state);
  graphRetire(graph);
  return true;
}
