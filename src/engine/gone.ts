// A graph that has gone: its namespace was dropped while something still held it.

import { JobFailed } from './jobs/failure.ts';

export class NamespaceGone extends Error {
  override readonly name = 'NamespaceGone';

  constructor() {
    super('The namespace is not there any more.');
  }
}

/** Whether work ended because its graph had gone; a job says so by its reason. */
export function isGone(error: unknown): boolean {
  return error instanceof NamespaceGone || (error instanceof JobFailed && error.reason === 'closed');
}
