// The walk along the pairs of one adjacency word that every path search makes: types that pass only, group by group, with a look at the
// stop word every POLL_PAIRS pairs. One walk at a time in an instance:
//
//   for (let pair = firstPair(word); pair; pair = pairAfter(pair)) …
//
// Pairs are handed out in runs that end with their group or with the next look, so that a step within a run is one comparison. A walk that
// was told to stop ends at once, and so does every later one until `pairsBegin`.

import { adjacencyGroup, adjacencyGroups, GROUP_HEADER, groupType, groupUsed, PAIR_BYTES } from '../graph/adjacency';
import { stopWord } from '../memory/stop';
import { searchPulse, typePasses } from './filters';

/** Pairs between two looks at the stop word. */
const POLL_PAIRS: usize = 1024;

let word: u32 = 0;
let groups: u32 = 0;
let nextGroup: u32 = 0;
let groupEnd: usize = 0;
let runEnd: usize = 0;
/** The end of the run when nothing comes after it, otherwise 0. */
let walkEnd: usize = 0;
let left: usize = 0;
let stopped: bool = false;

/** Before each search. */
export function pairsBegin(): void {
  left = POLL_PAIRS;
  stopped = false;
}

/** The stop word has ended a walk since `pairsBegin`. */
// @ts-ignore: decorator
@inline
export function pairsStopped(): bool {
  return stopped;
}

/** The first pair of a word's groups, 0 = none. Pairs that were removed are among them: their neighbour is NONE. */
// @ts-ignore: decorator
@inline
export function firstPair(adjacency: u32): usize {
  word = adjacency;
  groups = adjacencyGroups(adjacency);
  nextGroup = 0;
  groupEnd = 0;
  runEnd = 0;
  return nextRun();
}

/** The pair after `pair`, 0 = none. */
// @ts-ignore: decorator
@inline
export function pairAfter(pair: usize): usize {
  pair += PAIR_BYTES;
  if (pair != runEnd) return pair;
  return pair == walkEnd ? 0 : nextRun();
}

function nextRun(): usize {
  let at = runEnd;
  while (at == groupEnd) {
    if (nextGroup == groups) return 0;
    const group = adjacencyGroup(word, nextGroup++);
    if (!typePasses(groupType(group))) continue;
    at = group + GROUP_HEADER;
    groupEnd = at + PAIR_BYTES * <usize>groupUsed(group);
  }
  if (left == 0) {
    left = POLL_PAIRS;
    searchPulse();
    stopped = stopped || stopWord() != 0;
  }
  if (stopped) return 0;
  const bytes = min<usize>(PAIR_BYTES * left, groupEnd - at);
  left -= bytes / PAIR_BYTES;
  runEnd = at + bytes;
  walkEnd = runEnd == groupEnd && nextGroup == groups ? runEnd : 0;
  return at;
}
