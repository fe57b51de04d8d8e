// The core's binary interface: the exports, nothing else.

import { LAYOUT_VERSION } from './memory/layout';

/** Version of every shape in shared memory; the host refuses a core whose version it does not know. */
export function layoutVersion(): u32 {
  return LAYOUT_VERSION;
}
