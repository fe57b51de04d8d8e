// Route and query parameters as values: element ids and keys of the path, numbers of the query.

import type { Exchange } from './exchange.ts';
import { Problem } from './problems.ts';
import { decodeSegment } from './target.ts';

const integerText = /^[+-]?\d{1,20}$/;

/** A path parameter as a 32-bit integer. */
export function idParameter(exchange: Exchange, name = 'id'): number {
  const text = textParameter(exchange, name);
  const id = Number(text);
  if (!integerText.test(text) || (id | 0) !== id) {
    throw new Problem('badRequest', `'${text}' is not an id: ids are 32-bit integers.`);
  }
  return id;
}

/** A path parameter, percent-decoded. */
export function textParameter(exchange: Exchange, name: string): string {
  return decodeSegment(exchange.params[name] ?? '');
}

/** A query parameter that is a 32-bit integer; `initial` when missing. */
export function integerQuery(exchange: Exchange, name: string, initial: number): number {
  const text = exchange.query(name);
  if (text === null) return initial;
  const value = Number(text);
  if (!integerText.test(text.trim()) || (value | 0) !== value) {
    throw new Problem('badRequest', `The query parameter ${name} takes a 32-bit integer.`);
  }
  return value;
}

/** As integerQuery, but a blank text is one left out. */
export function optionalIntegerQuery(exchange: Exchange, name: string, initial: number): number {
  const text = exchange.query(name);
  return text !== null && text.trim() === '' ? initial : integerQuery(exchange, name, initial);
}

/** A query parameter that is a text; null when missing or empty. */
export function textQuery(exchange: Exchange, name: string): string | null {
  const text = exchange.query(name);
  return text === '' ? null : text;
}
