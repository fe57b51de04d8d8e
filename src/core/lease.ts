// What the writer lends to a reader for the time of one job, and takes back afterwards: an arena, a reader slot, and to several readers
// that work together a block to meet at (assembly/memory/gang.ts). Everything here runs on the writer's thread. A reader that never
// gives back, because its thread has died, loses all of it by `takeBack`; nothing of it may run any more then.

import type { CoreInstance } from './instance.ts';
import { allocateReaderArena, type ReaderArena } from './reader.ts';

/** 0: go on. The values of assembly/memory/stop.ts. */
const stopWords = { cancelled: 1, deadline: 2 } as const;
export type StopReason = keyof typeof stopWords;

/** Where the share of a slot lies behind its stop word (assembly/memory/layout.ts). */
const shareBehindStop = 4;

export interface ReaderLease {
  readonly arena: ReaderArena;
  readonly slot: number;
}

/** The place of one reader in a gang. `address`: its block; the kernel's own part begins `gangHeaderBytes` behind it. */
export interface GangPlace {
  readonly address: number;
  readonly index: number;
  readonly count: number;
}

/** Words of a gang's block that the barrier keeps for itself (GANG_SHARED). */
const gangHeaderBytes = 64;

/** What a namespace whose memory is full can still give, out of what graphs leave to buffers. */
const leastArenaBytes = 64 * 1024;
/** Arenas up to this size may lie in headroom: a full memory can be read. */
const mostLentBytes = 1024 * 1024;

/**
 * A lease with an arena of `arenaBytes` bytes, or of less where the memory is nearly full. Null when there is no memory at all, or
 * when all reader slots are taken.
 */
export function lendReader(writer: CoreInstance, arenaBytes: number): ReaderLease | null {
  let arena = allocateReaderArena(writer, arenaBytes);
  for (let bytes = arenaBytes >> 1; arena === null && bytes >= leastArenaBytes; bytes >>= 1) {
    arena = allocateReaderArena(writer, bytes);
  }
  arena ??= arenaOfHeadroom(writer, Math.min(arenaBytes, leastArenaBytes));
  if (arena === null) return null;
  const slot = writer.exports.readerAttach();
  if (slot >= 0) return { arena, slot };
  writer.exports.arenaFree(arena.address);
  return null;
}

function arenaOfHeadroom(writer: CoreInstance, bytes: number): ReaderArena | null {
  const address = bytes > mostLentBytes ? 0 : writer.exports.arenaLend(bytes) >>> 0;
  return address === 0 ? null : { address, bytes };
}

/** Whatever the reader had announced is let go of as well. */
export function takeBack(writer: CoreInstance, { arena, slot }: ReaderLease): void {
  writer.exports.readerDetach(slot);
  writer.exports.arenaFree(arena.address);
}

/** The same lease with an arena of `bytes` bytes; null when that does not fit: the lease is then as it was. */
export function widenLease(writer: CoreInstance, lease: ReaderLease, bytes: number): ReaderLease | null {
  const arena = allocateReaderArena(writer, bytes) ?? arenaOfHeadroom(writer, bytes);
  if (arena === null) return null;
  writer.exports.arenaFree(lease.arena.address);
  return { arena, slot: lease.slot };
}

/** Tells the reader of a slot to stop; the first reason stands. */
export function stopReader(writer: CoreInstance, slot: number, reason: StopReason): void {
  const address = writer.exports.readerStopAddress(slot) >>> 0;
  Atomics.compareExchange(writer.words, address >>> 2, 0, stopWords[reason]);
}

/** Says which share of its time the reader of a slot may work, in per cent; 100: all. */
export function paceReader(writer: CoreInstance, slot: number, share: number): void {
  const address = (writer.exports.readerStopAddress(slot) >>> 0) + shareBehindStop;
  Atomics.store(writer.words, address >>> 2, share >= 100 ? 0 : share);
}

/** A block for `count` readers with `bytes` bytes of their own, zeros; 0 when that does not fit. */
export function lendGang(writer: CoreInstance, bytes: number, count: number): number {
  const all = gangHeaderBytes + bytes;
  const address = writer.exports.arenaAllocate(all) >>> 0 || (arenaOfHeadroom(writer, all)?.address ?? 0);
  if (address !== 0) writer.exports.gangBegin(address, all, count);
  return address;
}

/** Frees every member from the barrier. */
export function stopGang(writer: CoreInstance, gang: number, reason: StopReason): void {
  writer.exports.gangStop(gang, stopWords[reason]);
}

/** All its members have ended. */
export function takeBackGang(writer: CoreInstance, gang: number): void {
  writer.exports.arenaFree(gang);
}
