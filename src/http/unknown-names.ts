// Warnings of names that nothing in the graph has, with the one that was probably meant.

import { nearestOf } from '../words/nearest.ts';
import type { Exchange } from './exchange.ts';

/** Longest name for which others are looked through: each costs at most a table of 40 by 40, a thousand some milliseconds. */
const longestName = 40;

/** ` Did you mean 'x'?`, or nothing where the graph knows the name or has none like it. */
export function suggestion({ graph: { reads } }: Exchange, name: string): string {
  if (name.length > longestName || reads.knowsName(name)) return '';
  const like = nearestOf(name, reads.listedNames());
  return like === null ? '' : ` Did you mean '${like}'?`;
}

/** Warns of a label that the graph does not know; true when it did. */
export function noticeLabel(exchange: Exchange, label: string | null): boolean {
  if (label === null || exchange.graph.reads.knowsName(label)) return false;
  exchange.warnings.add('noSuchLabel', 'label', `Nothing is labelled '${label}'.${suggestion(exchange, label)}`);
  return true;
}
