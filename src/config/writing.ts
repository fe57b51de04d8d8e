// Which settings a write over HTTP may change, and when it counts (contract part 3, Configuration read; reference 16). What is not said
// to be otherwise is written for the next start. The rules R1 to R8 are the contract's; what is ours falls under the one that fits.

import type { Setting } from './kinds.ts';

const rules = {
  R1: 'who may call the service, and what for, is decided where it is started',
  R2: 'where data lie on disk is decided where the service is started',
  R3: 'stored data carry it: another value would make them mean something else',
  R4: 'the service would call whatever address it names',
  R5: 'whether a capability is there is decided where the service is started',
  R6: 'telemetry of a whole fleet is told apart by it',
  R8: 'a credential that is shown to somebody else comes from the environment alone',
} as const;

type Rule = keyof typeof rules;

/** `reason`: why this one falls under the rule, where the rule's own words do not say it. */
export function never<Value>(rule: Rule, setting: Setting<Value>, reason: string = rules[rule]): Setting<Value> {
  return { ...setting, applyMode: 'never', exclusion: { rule, reason } };
}

/** Counts at once, for what is running as well. */
export function live<Value>(setting: Setting<Value>): Setting<Value> {
  return { ...setting, applyMode: 'live' };
}

/** Counts at once, for what begins after it: a subscription, a new namespace, another stored query. */
export function liveForNewWork<Value>(setting: Setting<Value>): Setting<Value> {
  return { ...setting, applyMode: 'liveForNewWork' };
}
