// The priority of a thread among those of the machine. On Linux a thread has one of its own, named by its number; elsewhere nothing happens.

import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** What a thread that gives way finds as its `workerData`. */
export interface ThreadData {
  readonly niceness: number;
}

/** Makes the calling thread give way to others that want its processor: 0 not at all, 19 the most. It cannot take that back. */
export function giveWay(niceness: number): void {
  if (niceness === 0 || process.platform !== 'linux') return;
  try {
    // <process>/task/<thread>
    const thread = Number(readlinkSync('/proc/thread-self').split('/').pop());
    if (Number.isInteger(thread) && thread > 0) setPriority(thread, niceness);
  } catch {
    // Without /proc, or where it is forbidden, the thread runs like any other.
  }
}
