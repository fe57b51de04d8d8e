// Warnings of names that nothing in the graph has, with the one that was probably meant.

import type { Exchange } from './exchange.ts';

/** ` Did you mean 'x'?`, or nothing where the graph knows the name or has none like it. */
export function suggestion({ graph: { reads } }: Exchange, name: string): string {
  const like = reads.knowsName(name) ? null : reads.nameLike(name);
  return like === null ? '' : ` Did you mean '${like}'?`;
}

/** Warns of a label that the graph does not know; true when it did. */
export function noticeLabel(exchange: Exchange, label: string | null): boolean {
  if (label === null || exchange.graph.reads.knowsName(label)) return false;
  exchange.warnings.add('noSuchLabel', 'label', `Nothing is labelled '${label}'.${suggestion(exchange, label)}`);
  return true;
}
