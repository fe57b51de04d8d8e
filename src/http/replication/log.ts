// GET /log: the frames behind a position, for replicas.

import { joinedBytes } from '../../core/joined.ts';
import type { FrameTail } from '../../engine/replication/tail.ts';
import type { Exchange } from '../exchange.ts';
import { Problem } from '../problems.ts';
import { decodeSegment } from '../target.ts';
import { positionHeader } from './guard.ts';

/** Of frames in one answer, about. */
const answerBytes = 4 * 1024 * 1024;
const longestWaitMs = 20_000;

export interface LogRequest {
  readonly from: number;
  /** Of the position; null: whoever asks does not know. */
  readonly epoch: string | null;
  readonly chain: number | null;
  readonly waitMs: number;
}

export async function answerLog(exchange: Exchange, { chain, epoch, from, waitMs }: LogRequest): Promise<Response> {
  const tail = tailOf(exchange);
  let read = tail.read(from, answerBytes);
  if (read !== null && read.blocks.length === 0 && waitMs > 0) {
    await tail.changed(from, Math.min(waitMs, longestWaitMs), exchange.request.signal);
    read = tail.read(from, answerBytes);
  }
  const at = tail.position;
  const isAnother =
    read !== null &&
    ((epoch !== null && read.before.epoch !== epoch) || (chain !== null && read.before.chain !== chain));
  if (read === null || at === null || isAnother) {
    const head = at === null ? 'there is none' : `this is commit ${at.sequence} of the history ${at.epoch}`;
    throw new Problem(
      'conflict',
      `What follows commit ${from} is not to be had: ${head}. GET /package?anchored=true begins anew.`,
    );
  }
  const { last, blocks, feedSequence } = read;
  return exchange.binary(joinedBytes(blocks), [
    [positionHeader, `${last.epoch}:${last.sequence}:${last.chain}`],
    ['x-arcwise-head', String(at.sequence)],
    ['x-arcwise-feed', `${exchange.graph.changeFeed.epoch}:${feedSequence}`],
  ]);
}

function tailOf(exchange: Exchange): FrameTail {
  const { engine, tails } = exchange.service;
  const id = engine.find(decodeSegment(exchange.encodedNamespace))?.id;
  if (tails === undefined || id === undefined)
    throw new Problem('forbidden', 'Replicas may not follow this service (Replica:Serve).');
  return tails(id);
}
