// Whether the newest checkpoint of a loaded namespace still holds all that there is: a clean stop writes no other one then.

import type { CheckpointInfo } from './types.ts';

/** Of all namespaces: a graph that takes the place of another one has another revision. */
let lastRevision = 0;

export class SavedState {
  private commits = 0;
  /** Another number after every change; 0 is never one. */
  revision = ++lastRevision;
  /** The newest checkpoint, and the number of commits that it holds. */
  private newest: { readonly name: string; readonly commits: number } | null;

  /** `name`: the checkpoint whose state the namespace was opened with, to the last commit; null when there is none. */
  constructor(name: string | null) {
    this.newest = name === null ? null : { name, commits: 0 };
  }

  /** Something has changed that a checkpoint would hold. */
  changed(): void {
    this.commits++;
    this.revision = ++lastRevision;
  }

  /** `save` calls `onAnchor` in the step that fixes what its checkpoint holds. A copy that is handed on is nothing to start from. */
  async saving(save: (onAnchor: () => void) => Promise<CheckpointInfo>, isCopy = false): Promise<CheckpointInfo> {
    let commits = 0;
    const info = await save(() => {
      commits = this.commits;
    });
    if (!isCopy) this.newest = { name: info.name, commits };
    return info;
  }

  /** Name of the checkpoint that a new one would repeat; null when there is none. */
  get name(): string | null {
    return this.newest?.commits === this.commits ? this.newest.name : null;
  }
}
