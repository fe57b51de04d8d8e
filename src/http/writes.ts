// How the outcome of a transaction becomes an answer. A waited write is answered when its log frame is on disk, with the status
// of its cause when it was refused (contract part 1, Errors 4); one that is not waited for is accepted at once, and a refusal
// that only applying it could show stays untold.

import type { PropertyText, WriteOperation, WriteRefusal } from '../core/requests.ts';
import { CoreStatus } from '../core/status.ts';
import { typeNamesOf } from '../core/values.ts';
import { largeWriteBytes, largeWriteOperations } from '../engine/large-writes.ts';
import type { Committed, WriteOutcome } from '../engine/types.ts';
import type { Exchange } from './exchange.ts';
import { type HeaderList, Problem, type ProblemKind } from './problems.ts';

const degradedHeader: HeaderList = [['x-durability', 'degraded']];

export interface WriteOptions {
  /** The entry for a value text that is not a value of its type; routes differ. */
  readonly badValue?: ProblemKind;
  /** Answers a waited write that committed; 202 without a body when missing. */
  readonly answer?: (committed: Committed) => Response;
}

/** What can become of a write that answers a Boolean. */
export const booleanProblems: readonly ProblemKind[] = ['internal', 'notDurable'];

/** What can become of a write. */
export const writeProblems: readonly ProblemKind[] = ['notFound', 'bodyTooLarge', 'internal', 'notDurable'];

/** Applies one transaction and answers it; a waited one once it is on disk. */
export async function write(
  exchange: Exchange,
  operations: readonly WriteOperation[],
  waited: boolean,
  options: WriteOptions = {},
): Promise<Response> {
  for (let hold = exchange.graph.writeHold(); hold !== null; hold = exchange.graph.writeHold()) await hold;
  const isLarge = operations.length >= largeWriteOperations || exchange.bodyBytes >= largeWriteBytes;
  const outcome = isLarge
    ? await exchange.spanned(() => exchange.graph.writeInSteps(operations))
    : exchange.spanned(() => exchange.graph.write(operations));
  if (!outcome.ok) {
    if (waited || !isUnseen(outcome)) throw refusalProblem(operations, outcome, options.badValue ?? 'badRequest');
    return accepted(exchange);
  }
  if (!waited) return accepted(exchange);
  await durable(outcome);
  return options.answer ? options.answer(outcome) : exchange.empty(202);
}

/**
 * The bare Boolean of a write to an index (contract part 1, Errors 3): false when it did not happen, be it that there was nothing to write
 * to or no memory left, which is never an error. One that happened and is not on disk says so in a header. A value that is none of its
 * type is a problem as everywhere.
 */
export async function booleanOf(exchange: Exchange, outcome: WriteOutcome | false): Promise<Response> {
  if (outcome === false || (!outcome.ok && isOutOfMemory(outcome))) return exchange.value(false);
  return writtenValue(exchange, true, committed(outcome).durable);
}

/** A value that answers what was written, and says in a header when that is not on disk. */
export async function writtenValue(
  exchange: Exchange,
  value: unknown,
  isDurable: Promise<boolean> | boolean,
): Promise<Response> {
  return exchange.value(value, 200, (await isDurable) ? [] : degradedHeader);
}

function isOutOfMemory({ status }: WriteRefusal): boolean {
  return status === CoreStatus.noMemory || status === CoreStatus.arenaTooSmall;
}

/** Applies one transaction; when this returns it is committed, and `durable` waits for its log frame. */
export function apply(exchange: Exchange, operations: readonly WriteOperation[]): Committed {
  const outcome = exchange.spanned(() => exchange.graph.write(operations));
  if (!outcome.ok) throw refusalProblem(operations, outcome, 'badRequest');
  return outcome;
}

/** What was committed; throws the problem of a refusal. */
export function committed(outcome: WriteOutcome): Committed {
  if (!outcome.ok) throw refusalProblem([], outcome, 'badRequest');
  return outcome;
}

/** Answers before the disk has the write, but not so fast that the log could never catch up. */
async function accepted(exchange: Exchange): Promise<Response> {
  const wait = exchange.graph.backpressure();
  if (wait !== null) await wait;
  return exchange.graph.durability.degraded ? exchange.empty(202, degradedHeader) : exchange.empty(202);
}

/** Returns when the write is on disk, as is every write committed before it. */
export async function durable(outcome: Committed): Promise<void> {
  if (await outcome.durable) return;
  const detail = 'The write is committed in memory, but its log frame could not be written: a restart may lose it.';
  throw new Problem('notDurable', detail, { durable: false });
}

/** True for causes that show only when a transaction is applied. */
function isUnseen({ status }: WriteRefusal): boolean {
  return status === CoreStatus.notFound || status === CoreStatus.wrongKind;
}

function refusalProblem(operations: readonly WriteOperation[], refusal: WriteRefusal, badValue: ProblemKind): Problem {
  const where = placeOf(operations, refusal);
  switch (refusal.status) {
    case CoreStatus.notFound:
    case CoreStatus.wrongKind:
      return new Problem('notFound', `${missingElement(operations, refusal)} Nothing was changed.`);
    case CoreStatus.badValue:
      return new Problem(badValue, `${where} is not a value of its type${givenValue(operations, refusal)}.`);
    case CoreStatus.duplicateKey:
      return new Problem('badRequest', `${where} has a key that the element already has in this request.`);
    case CoreStatus.tooManyIds:
      return new Problem('internal', 'The graph has no ids left. Nothing was changed.');
    case CoreStatus.noMemory:
    case CoreStatus.arenaTooSmall:
      return new Problem('memoryLimit', 'The namespace has no memory left for this write. Nothing was changed.');
    case CoreStatus.limitMet:
      return new Problem(
        'bodyTooLarge',
        `${where} is one change too many of elements with many properties. ${inParts}`,
      );
    case CoreStatus.badTransaction:
    case CoreStatus.stopped:
    case CoreStatus.notLinked:
      return new Problem('internal', 'The transaction was not understood. Nothing was changed.');
  }
}

const inParts = 'Nothing was changed; send the changes in several requests.';

function missingElement(operations: readonly WriteOperation[], { record, element }: WriteRefusal): string {
  const kind = operations[record]?.kind === 'createEdge' ? 'vertex' : 'element';
  return element === -1 ? `There is no such ${kind}.` : `There is no ${kind} ${element}.`;
}

/** Of a value in a message. */
const shownCharacters = 60;

/** The value that was given, and the type that it is not of. */
function givenValue(operations: readonly WriteOperation[], { record, property }: WriteRefusal): string {
  const operation = operations[record];
  if (operation === undefined) return '';
  const given = 'properties' in operation ? operation.properties[property] : operation;
  if (!('type' in (given ?? {}))) return '';
  const { text, type } = given as PropertyText;
  if (typeof text !== 'string') return '';
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  return `, ${typeNamesOf(1 << type).join()}: '${shown}'`;
}

function placeOf(operations: readonly WriteOperation[], { record, property }: WriteRefusal): string {
  const operation = operations[record];
  if (operation === undefined) return 'A property';
  if (operation.kind === 'setProperty' || operation.kind === 'removeProperty')
    return `Property '${operation.key}' of element ${operation.element}`;
  const key = 'properties' in operation ? operation.properties[property]?.key : undefined;
  return `Property '${key ?? property}' of element ${record} of the request`;
}
