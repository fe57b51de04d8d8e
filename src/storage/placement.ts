// Which node is to write which namespace, and which nodes there are: one object that every node reads and changes by compare-and-swap. It is a wish:
// who writes is decided by each namespace's log (shared-log.ts), so an old copy of it costs time and never a write.

import { type ObjectStore, type StoredObject, settledPut } from './objects.ts';

/** Of the object, in the store that all nodes share. */
export const placementName = 'placement';

export interface Place {
  /** Names the log of the namespace; another one each time the namespace is made. */
  readonly id: string;
  /** Where it is to be written. */
  readonly node: string;
}

export interface PlacementText {
  readonly format: 1;
  /** Of the last change: two that want the same put different texts. */
  readonly stamp: string;
  /** Where the nodes are found. */
  readonly nodes: readonly string[];
  /** By name. */
  readonly namespaces: Readonly<Record<string, Place>>;
}

/** What says where namespaces belong is not there any more. */
class PlacementMissing extends Error {
  override readonly name = 'PlacementMissing';
}

const nothing: PlacementText = { format: 1, stamp: '', nodes: [], namespaces: {} };

type Edit = (text: PlacementText) => Omit<PlacementText, 'format' | 'stamp'> | null;

export interface PlacementOptions {
  readonly store: ObjectStore;
  /** Of the object. */
  readonly name: string;
  /** A text that nobody has had before. */
  readonly newStamp: () => string;
  /** Waits before the next attempt of what has no outcome yet; ends all by rejecting. */
  readonly again: () => Promise<void>;
}

export class Placement {
  private readonly options: PlacementOptions;
  private known: PlacementText = nothing;
  /** One look or change behind the other: an answer that comes late would put an older text in the place of a newer one. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(options: PlacementOptions) {
    this.options = options;
  }

  /** As it was last read or put. */
  get text(): PlacementText {
    return this.known;
  }

  read(): Promise<PlacementText> {
    return this.inTurn(async () => {
      this.known = this.textOf(await this.options.store.get(this.options.name));
      return this.known;
    });
  }

  /** Nobody deletes it: read as if there were no namespaces, their logs would be deleted. */
  private textOf(found: StoredObject | null): PlacementText {
    if (found !== null) return JSON.parse(new TextDecoder().decode(found.bytes)) as PlacementText;
    if (this.known !== nothing) throw new PlacementMissing(`The object ${this.options.name} has gone.`);
    return nothing;
  }

  /**
   * `edit` answers what is to stand there, from what does; null: that is right already. Where an answer is lost it may be done twice, so it has to
   * come to the same.
   */
  change(edit: Edit): Promise<PlacementText> {
    return this.inTurn(() => this.changeNow(edit));
  }

  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    const mine = this.last.then(run);
    this.last = mine.catch(() => {}); // the caller has the rejection
    return mine;
  }

  private async changeNow(edit: Edit): Promise<PlacementText> {
    const { again, name, newStamp, store } = this.options;
    while (true) {
      const found = await store.get(name);
      const before = this.textOf(found);
      const wanted = edit(before);
      if (wanted === null) {
        this.known = before;
        return before;
      }
      const text: PlacementText = { ...wanted, format: 1, stamp: newStamp() };
      const bytes = new TextEncoder().encode(JSON.stringify(text));
      const { taken } = await settledPut(store, name, bytes, found?.tag ?? null, again);
      if (!taken) continue;
      this.known = text;
      return text;
    }
  }
}

/** `namespaces` with one more, with another place for one, or without it. */
export function placedIn(
  { namespaces }: Pick<PlacementText, 'namespaces'>,
  name: string,
  place: Place | null,
): Readonly<Record<string, Place>> {
  const others = Object.entries(namespaces).filter(([other]) => other !== name);
  // A name such as __proto__ is one like any other.
  return Object.fromEntries(place === null ? others : [...others, [name, place]]);
}

export function placeOf({ namespaces }: PlacementText, name: string): Place | null {
  return Object.hasOwn(namespaces, name) ? (namespaces[name] as Place) : null;
}

/** A node whose graphs do not follow leaves a log to others for this part of the lease. */
const othersFirst = 0.5;
/** It is waited for by a writer that gives the log up for it so long, from when it began to follow. */
const wholeWithinMs = 10_000;

/** What a node sees of a log that it does not write. */
export interface LogSeen {
  /** Who has it, and for how long still. */
  readonly holder: string;
  readonly leftMs: number;
  /** Since when it is nobody's. */
  readonly freeMs: number;
  /** Where it belongs; null: anywhere. */
  readonly place: string | null;
  readonly node: string;
  readonly leaseMs: number;
  /** The node follows it, and could not write within a moment yet. */
  readonly isBehind: boolean;
}

/** Whether a node may try to take a log. One that is given up for another node is that one's for as long as a lease, and then anybody's. */
export function mayTake({ freeMs, holder, isBehind, leaseMs, leftMs, node, place }: LogSeen): boolean {
  if (isBehind && freeMs < othersFirst * leaseMs) return false;
  const isForAnother = place !== null && place !== node && place !== holder;
  if (isForAnother) return leftMs <= 0 && freeMs > leaseMs;
  // A node that finds itself is another one than the one that was: it takes the log as any other does.
  return leftMs <= 0 || holder === node;
}

/** How far a node is that is to have a log. */
export interface Following {
  /** It could write within a moment. */
  readonly isReady: boolean;
  /** It has read the log ahead. */
  readonly hasRead: boolean;
  /** For how long it has followed. */
  readonly followsMs: number;
}

/** Whether a writer may give its log up for a node. One whose graphs do not come in time loads them instead. */
export function isAwaited({ followsMs, hasRead, isReady }: Following): boolean {
  return hasRead && (isReady || followsMs > wholeWithinMs);
}
