// A large transaction made in steps: its operations are encoded and built in parts, then the core applies it a stretch at a time
// (assembly/transaction/apply-steps.ts). Between two steps the graph may be read, and not changed: whoever is about to change it has `finish`
// take what is left at once. What comes out is what `Core.write` would have answered at the moment of the end.
//
// Memory that is short is not this file's business: it gives up without a trace, and the caller writes at once, as what finds its own ways.

import type { Applied, Core } from './core.ts';
import { encodeRequests, requestBound } from './encode.ts';
import type { WriteOperation, WriteRefusal } from './requests.ts';
import { CoreStatus } from './status.ts';

/** What is encoded and built at a time, and applied in a step: about a millisecond. */
const partOperations = 512;
/** A property counts as an operation, and so do this many characters. */
const charactersOfOperation = 1024;
const stepOperations = 2048;
const more = -1;

export class SteppedWrite {
  private readonly core: Core;
  private readonly graph: number;
  private readonly operations: readonly WriteOperation[];
  private readonly ended: (outcome: Applied | WriteRefusal) => void;
  private built = 0;
  private address = 0;
  private bytes = 0;
  private isApplying = false;
  /** How applying ended, until `ended` is told. */
  private status: number | null = null;
  private changes: Uint32Array[] | null = null;

  /** `ended` is called with the outcome in the turn of the last step; the view of the buffer in it is valid until it returns. */
  constructor(
    core: Core,
    graph: number,
    operations: readonly WriteOperation[],
    ended: (outcome: Applied | WriteRefusal) => void,
  ) {
    this.core = core;
    this.graph = graph;
    this.operations = operations;
    this.ended = ended;
  }

  /** False: no memory. */
  begin(timeMs: number): boolean {
    return this.core.instance.exports.partsBegin(Math.floor(timeMs / 1000), timeMs) === CoreStatus.ok;
  }

  /** Encodes and builds the next operations. Null while there are more; true when all are built; a refusal ends the write. */
  build(): true | WriteRefusal | null {
    const { exports } = this.core.instance;
    const part = this.operations.slice(this.built, this.partEnd());
    const address = this.core.instance.input(requestBound(part));
    if (address === null) return this.refused(CoreStatus.noMemory, 0, 0);
    const bytes = encodeRequests(this.core.instance.bytes, this.core.instance.words, address, part);
    const status = exports.partsBuild(address, bytes);
    this.core.instance.trimAfter(bytes);
    if (status !== CoreStatus.ok) return this.refused(status, exports.buildErrorRecord(), exports.buildErrorProperty());
    this.built += part.length;
    if (this.built < this.operations.length) return null;
    if (exports.partsEnd() !== CoreStatus.ok) return this.refused(CoreStatus.noMemory, 0, 0);
    this.address = exports.partsBase() >>> 0;
    this.bytes = exports.partsBytes() >>> 0;
    return true;
  }

  /** Behind at least one operation. */
  private partEnd(): number {
    let end = this.built;
    let weight = 0;
    while (end < this.operations.length && weight < partOperations) {
      weight += weightOf(this.operations[end++] as WriteOperation);
    }
    return end;
  }

  private refused(status: number, record: number, property: number): WriteRefusal {
    return { ok: false, status: status as WriteRefusal['status'], record, property, element: -1 };
  }

  /** From here `step` applies what was built. False: it must be written at once. */
  apply(): boolean {
    const { core } = this;
    // A checkpoint that is being written knows whole transactions only.
    if (core.tap !== null) return false;
    core.finishStepped();
    const wanted = core.recordChanges ? 1 : 0;
    if (core.instance.exports.applyBegin(this.graph, this.address, this.bytes, wanted) === 0) return false;
    this.changes = core.recordChanges ? [] : null;
    this.isApplying = true;
    core.stepped = this;
    return true;
  }

  /** Applies some more. True: it has ended, and `ended` was told, which takes a step of its own: it copies the whole buffer into the log. */
  step(most = stepOperations): boolean {
    if (!this.isApplying) return true;
    if (this.status === null) {
      this.status = this.applied(most);
      return false;
    }
    this.isApplying = false;
    this.core.stepped = null;
    this.ended(this.core.outcomeOf(this.status, this.address, this.bytes, this.changes));
    return true;
  }

  /** Null while there is more to apply. */
  private applied(most: number): number | null {
    const { exports } = this.core.instance;
    if (this.changes !== null) exports.outBegin();
    const status = exports.applyStep(most);
    this.changes?.push(...this.core.takeChanges());
    return status === more ? null : status;
  }

  /** All the rest at once. */
  finish(): void {
    while (!this.step(0xffff_ffff)) {}
  }

  /** To be called when nothing more is asked of it, whatever became of it. */
  drop(): void {
    if (this.isApplying) this.finish();
    this.core.instance.exports.partsDrop();
    this.core.trimBuffers();
  }
}

function weightOf(operation: WriteOperation): number {
  if ('properties' in operation) {
    let weight = 1;
    for (const { text } of operation.properties) weight += 1 + text.length / charactersOfOperation;
    return weight;
  }
  return 'text' in operation ? 1 + operation.text.length / charactersOfOperation : 1;
}
