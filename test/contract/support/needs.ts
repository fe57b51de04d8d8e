// Called by what gives a test more than answers: where the home under test lacks it, the test is left out with the home's own reason.

import type { Need } from './homes/home.ts';
import { home } from './homes/index.ts';
import { leaveOut } from './homes/leave-out.ts';

/** Returns where the home has it. */
export function needs(what: Need): void {
  const reason = home.lacks?.[what];
  if (reason !== undefined) leaveOut(reason);
}
