// A connection of this thread on which another thread writes. Node cannot hand a socket from thread to thread, but a descriptor's number
// means the same in all of them, and a write on it is one system call. This thread keeps the connection: it reads, notices that the
// client has gone, ends the answer and closes. What must never happen is a write to a number that has been closed and given to
// somebody else; a gate in shared memory sees to that (./messages.ts). The closing of the handle waits until the gate is shut.

import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gateOpen, gateShut, type SharedSocket } from './messages.ts';

/** What Node keeps behind a socket: not documented, the same since its first versions; who does not find it serves in this thread. */
interface SocketHandle {
  readonly fd: number;
  close(done?: () => void): unknown;
  reset?(done?: () => void): number;
}

const pollMs = 1;
/** How long a head may take to leave. */
const headPollMs = 5;

/** Who else writes to a handle. */
interface Writer {
  readonly gate: Int32Array;
  /** Whether its thread has ended, wherever it was. */
  hasEnded(): boolean;
}

/** The last writer of each handle that has been shared. */
const writers = new WeakMap<SocketHandle, Writer>();

function handleOf(socket: Socket): SocketHandle | null {
  const handle = (socket as unknown as { _handle?: Partial<SocketHandle> | null })._handle;
  return typeof handle?.fd === 'number' && handle.fd >= 0 && typeof handle.close === 'function'
    ? (handle as SocketHandle)
    : null;
}

/** Whether another thread can write to the socket: a plain one of TCP, on a system where sockets are descriptors. */
export function canShare(socket: unknown): boolean {
  return socket instanceof Socket && !('encrypted' in socket) && handleOf(socket) !== null;
}

/**
 * Sends the answer's head, waits until it has left this thread altogether, and shares the socket. Null when the connection is gone.
 * From here on nothing may be written to the answer before the gate is shut. `hasEnded`: whether the thread that writes has ended.
 */
export async function shareSocket(response: ServerResponse, hasEnded: () => boolean): Promise<SharedSocket | null> {
  response.flushHeaders();
  while (true) {
    if (response.destroyed) return null;
    // An answer has no socket while one before it on the same connection is not finished.
    const { socket } = response;
    if (socket !== null && response.writableLength === 0 && socket.writableLength === 0) break;
    await pause(headPollMs);
  }
  const handle = handleOf(response.socket as Socket);
  if (handle === null) return null;
  const gate = new Int32Array(new SharedArrayBuffer(4));
  guard(handle, { gate, hasEnded });
  return { descriptor: handle.fd, gate, chunked: response.chunkedEncoding };
}

/** True when nobody writes and nobody will again; false when a write is under way at this moment. */
export function shutGate(gate: Int32Array): boolean {
  return Atomics.compareExchange(gate, 0, gateOpen, gateShut) !== 1;
}

function guard(handle: SocketHandle, writer: Writer): void {
  const isGuarded = writers.has(handle);
  writers.set(handle, writer);
  if (isGuarded) return;
  const close = handle.close.bind(handle);
  const reset = handle.reset?.bind(handle);
  handle.close = (done) => whenShut(handle, () => close(done));
  if (reset === undefined) return;
  handle.reset = (done) => {
    whenShut(handle, () => {
      if (reset(done) !== 0) close(done);
    });
    return 0;
  };
}

/** At once, unless a write is under way. A write does not wait for the client, so that is a matter of microseconds. */
function whenShut(handle: SocketHandle, run: () => void): void {
  const { gate, hasEnded } = writers.get(handle) as Writer;
  if (shutGate(gate) || hasEnded()) run();
  else setTimeout(() => whenShut(handle, run), pollMs);
}
