// JSON bodies from bytes to checked values: media type, size, limits, UTF-8, JSON, schema, in this order and nowhere else. What takes
// long is done in slices, between which other requests are answered: the look at the bytes of a large body, and the items of a list.

import { z } from 'zod';
import type { Exchange } from './exchange.ts';
import { type Inspection, inspectionOf } from './inspection.ts';
import { JsonText, maxDigits, type TextFlaw, type TextLimits } from './json-text.ts';
import { type BodySchema, type ListSchema, unlessPlain } from './plain-bodies.ts';
import type { BodyRead } from './platform.ts';
import { Problem } from './problems.ts';
import { Slices } from './slices.ts';
import type { Warnings } from './warnings.ts';

/** Largest body of a route that names no other limit, in bytes. */
const defaultBodyBytes = 30_000_000;

/** The most of a route that takes code. */
export const codeBodyBytes = 1_048_576;

/** Problems listed of one body; the rest would only be noise. */
const maxIssues = 100;

/** Bytes that are looked at in one go. */
const walkBytes = 1024 * 1024;

/** Bytes of an item that a schema reads in one step of a slice. */
const bytesPerStep = 128;

const jsonType = /^\s*(?:application\/(?:json|[\w.!#$&^-]+\+json)|text\/json)\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });
/** For a piece of a body: a byte-order mark stands only at the start of the whole. */
const pieceDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export interface BodyLimits extends TextLimits {
  /** Properties that one element is created with. */
  readonly properties: number;
}

/** Refuses a value before anything is made of it; throws a Problem. */
export type Refusal = (value: unknown, limits: BodyLimits) => void;

interface BodyOptions {
  readonly maxBytes?: number;
  readonly refuse?: Refusal;
  /** No body at all is one without members. */
  readonly mayBeEmpty?: boolean;
}

/** The body that a route takes. */
export interface Body<Value> {
  readonly mediaType: string;
  readonly schema: z.ZodType;
  readonly maxBytes: number | null;
  readonly required: boolean;
  /** Missing: the route reads it itself, or refuses whatever it says. */
  readonly read?: (exchange: Exchange) => Promise<Value>;
}

const jsonMediaType = 'application/json; ver=0.1';

/** A JSON body. Values that `isPlain` recognises are what `schema` would make of them. */
export function json<Value>(
  schema: z.ZodType<Value>,
  { isPlain, ...options }: BodyOptions & { readonly isPlain?: (value: unknown) => boolean } = {},
): Body<Value> {
  const { maxBytes = defaultBodyBytes, mayBeEmpty = false } = options;
  const inspect = inspectionOf(schema);
  const reader = isPlain === undefined ? schema : unlessPlain(schema, isPlain);
  return {
    mediaType: jsonMediaType,
    schema,
    maxBytes,
    required: !mayBeEmpty,
    read: async (exchange) => {
      const { value, sent } = await readJson(exchange, reader, options);
      if (inspect !== null && !isPlain?.(sent)) inspect(sent, '', exchange.warnings);
      exchange.refuseIfStrict();
      return value;
    },
  };
}

/** A JSON body that is a list, whose items are checked one by one. */
export function list<Item>(
  item: z.ZodType<Item>,
  options: Omit<ListSchema<Item>, 'item'> & { readonly description?: string } = {},
): Body<Item[]> {
  const { maxItems, description } = options;
  const items = maxItems === undefined ? z.array(item) : z.array(item).max(maxItems);
  const inspect = inspectionOf(item);
  return {
    mediaType: jsonMediaType,
    schema: description === undefined ? items : items.meta({ description }),
    maxBytes: defaultBodyBytes,
    required: true,
    read: (exchange) => readList(exchange, { item, ...options }, inspect),
  };
}

/** A JSON body that nobody looks at, because the route refuses whatever it says. */
export function unread(schema: z.ZodType, maxBytes = defaultBodyBytes): Body<undefined> {
  return { mediaType: jsonMediaType, schema, maxBytes, required: true };
}

/** The body of the request, as it was sent and as `schema` reads it; throws a Problem. */
async function readJson<Value>(
  exchange: Exchange,
  schema: BodySchema<Value>,
  { maxBytes = defaultBodyBytes, mayBeEmpty = false, refuse }: BodyOptions = {},
): Promise<{ value: Value; sent: unknown }> {
  const bytes = await readBytes(exchange, maxBytes);
  if (bytes.byteLength === 0 && !mayBeEmpty) throw nothingProblem();
  if (isLarge(exchange, bytes)) await examined(exchange, bytes, false);
  const sent = bytes.byteLength === 0 ? {} : await parsedBody(exchange, bytes);
  refuse?.(sent, exchange.service.bodyLimits);
  const result = schema.safeParse(sent);
  if (result.success) return { value: result.data, sent };
  throw validationProblem(result.error.issues);
}

/** The body of the request as a list whose items `list` reads; throws a Problem. */
async function readList<Item>(exchange: Exchange, list: ListSchema<Item>, inspect: Inspection | null): Promise<Item[]> {
  const items = await checkedItems(exchange, new CheckedItems(list, exchange, inspect));
  exchange.refuseIfStrict();
  return items;
}

async function checkedItems<Item>(exchange: Exchange, items: CheckedItems<Item>): Promise<Item[]> {
  const bytes = await readBytes(exchange, defaultBodyBytes);
  if (bytes.byteLength === 0) throw nothingProblem();
  const large = isLarge(exchange, bytes);
  if (!large || !JsonText.startsList(bytes)) {
    if (large) await examined(exchange, bytes, false);
    const value = await parsedBody(exchange, bytes);
    if (!Array.isArray(value)) throw rootProblem('Expected an array.');
    for (const item of value) items.add(item);
    return items.checked();
  }
  const { pieces } = await examined(exchange, bytes, true);
  const slices = new Slices(exchange.service.platform);
  for (const { start, end } of pieces) {
    const values = parseJson(`[${decodedText(bytes.subarray(start, end), pieceDecoder)}]`) as unknown[];
    if (values.length === 0 && pieces.length > 1) throw syntaxProblem();
    const steps = Math.ceil((end - start) / (bytesPerStep * values.length));
    for (const value of values) {
      items.add(value);
      if (slices.isOver(steps)) await slices.next();
    }
  }
  return items.checked();
}

/** Takes the items of a list one by one and stops when enough is wrong with them. */
class CheckedItems<Item> {
  private readonly list: ListSchema<Item>;
  private readonly limits: BodyLimits;
  private readonly warnings: Warnings;
  private readonly inspect: Inspection | null;
  private readonly values: Item[] = [];
  private readonly issues: z.core.$ZodIssue[] = [];
  private seen = 0;

  constructor(list: ListSchema<Item>, exchange: Exchange, inspect: Inspection | null) {
    this.list = list;
    this.limits = exchange.service.bodyLimits;
    this.warnings = exchange.warnings;
    this.inspect = inspect;
  }

  add(value: unknown): void {
    const { item, isPlain, maxItems, refuse } = this.list;
    const index = this.seen++;
    refuse?.(value, this.limits);
    if (maxItems !== undefined && index === maxItems) throw rootProblem(`At most ${maxItems} items are taken.`);
    if (isPlain?.(value)) {
      this.values.push(value as Item);
      return;
    }
    const result = item.safeParse(value);
    if (result.success) {
      this.values.push(result.data);
      if (!this.warnings.isFull) this.inspect?.(value, `[${index}]`, this.warnings);
    } else for (const issue of result.error.issues) this.issues.push({ ...issue, path: [index, ...issue.path] });
    if (this.issues.length >= maxIssues) throw validationProblem(this.issues);
  }

  checked(): Item[] {
    if (this.issues.length > 0) throw validationProblem(this.issues);
    return this.values;
  }
}

async function readBytes(exchange: Exchange, maxBytes: number): Promise<Uint8Array> {
  checkMediaType(exchange);
  const read = await exchange.service.platform.readBody(exchange.request, maxBytes, exchange);
  if (!read.ok) throw bodyProblem(read, maxBytes);
  return read.bytes;
}

/** Whether a body could break a limit: one of so many bytes has no more values than bytes. */
function isLarge({ service: { bodyLimits } }: Exchange, { byteLength }: Uint8Array): boolean {
  const { depth, values, itemValues, items, members, text } = bodyLimits;
  return byteLength > Math.min(depth, values, itemValues, items, members, text);
}

/** What is wrong with a JSON text that came in another way than as a body, and is small: by its limits, not by its grammar. Null: nothing. */
export function textProblem(source: string, limits: TextLimits): Problem | null {
  const text = new JsonText(encoder.encode(source), limits, false);
  while (!text.walk(walkBytes)) {}
  return text.flaw === null ? null : flawProblem(text.flaw, limits);
}

async function examined(exchange: Exchange, bytes: Uint8Array, asList: boolean): Promise<JsonText> {
  const { bodyLimits, platform } = exchange.service;
  const text = new JsonText(bytes, bodyLimits, asList);
  while (!text.walk(walkBytes)) await platform.pause();
  if (text.flaw !== null) throw flawProblem(text.flaw, bodyLimits);
  return text;
}

function flawProblem(flaw: TextFlaw, limits: TextLimits): Problem {
  switch (flaw) {
    case 'syntax':
      return syntaxProblem();
    case 'digits':
      return rootProblem(`The body has a number of more than ${maxDigits} digits.`);
    case 'members': {
      const detail = `An object of the body has more than the ${limits.members} members of Http:MaxObjectMembers.`;
      return new Problem('bodyTooLarge', detail);
    }
    case 'text':
      return new Problem(
        'bodyTooLarge',
        `A text of the body has more than the ${limits.text} bytes of Http:MaxTextBytes.`,
      );
    case 'depth':
      return rootProblem(`The body is nested deeper than the ${limits.depth} levels of Http:MaxBodyDepth.`);
    case 'items':
      return new Problem('bodyTooLarge', `The body has more than the ${limits.items} items of Http:MaxBatchItems.`);
    case 'values':
      return new Problem('bodyTooLarge', `The body has more than the ${limits.values} values of Http:MaxBodyValues.`);
    case 'itemValues': {
      const detail = `The body, or one item of it, has more than the ${limits.itemValues} values of Http:MaxItemValues.`;
      return new Problem('bodyTooLarge', detail);
    }
  }
}

function checkMediaType(exchange: Exchange): void {
  const contentType = exchange.header('content-type');
  if (contentType !== null && !isUtf8Json(contentType)) {
    throw new Problem('unsupportedMediaType', `The body must be application/json in UTF-8, not ${contentType}.`);
  }
  const encoding = exchange.header('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupportedMediaType', `The content encoding ${encoding} is not supported.`);
  }
}

function isUtf8Json(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  if (!jsonType.test(contentType)) return false;
  const name = charset.exec(contentType)?.[1]?.toLowerCase();
  return name === undefined || name === 'utf-8' || name === 'utf8';
}

/** What becomes of a request whose body finds no room beside those of others. */
export function noBodyRoom(): Problem {
  const detail = 'The bodies of all requests together have the bytes of Http:MaxHeldBodyBytes.';
  return new Problem('overloaded', detail, {}, [['retry-after', '1']]);
}

function bodyProblem(read: BodyRead & { ok: false }, maxBytes: number): Problem {
  switch (read.reason) {
    case 'tooLarge':
      return new Problem('bodyTooLarge', `The body is larger than ${read.maxBytes ?? maxBytes} bytes.`);
    case 'noRoom':
      return noBodyRoom();
    case 'timedOut':
      return new Problem('requestTimeout', 'The body did not arrive in time.', {}, [['connection', 'close']]);
    case 'aborted':
      return new Problem('badRequest', 'The body ended before it was complete.');
  }
}

/** What stands in a body; of a large one each step has a turn of its own, and making a text of bytes many. */
async function parsedBody({ service: { platform } }: Exchange, bytes: Uint8Array): Promise<unknown> {
  if (bytes.byteLength <= walkBytes) return parseJson(decodedText(bytes, decoder));
  const pieces: string[] = [];
  for (let from = 0; from < bytes.byteLength; ) {
    let to = Math.min(bytes.byteLength, from + walkBytes);
    // A character of several bytes is not parted; more than three that continue are none.
    for (let back = 0; back < 3 && to < bytes.byteLength && ((bytes[to] as number) & 0xc0) === 0x80; back++) to--;
    pieces.push(decodedText(bytes.subarray(from, to), from === 0 ? decoder : pieceDecoder));
    from = to;
    await platform.pause();
  }
  const text = pieces.join('');
  await platform.pause();
  const value = parseJson(text);
  await platform.pause();
  return value;
}

function decodedText(bytes: Uint8Array, utf8: TextDecoder): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw rootProblem('The body is not valid UTF-8.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw syntaxProblem();
  }
}

function nothingProblem(): Problem {
  return rootProblem('A non-empty request body is required.');
}

function syntaxProblem(): Problem {
  return rootProblem('The body is not valid JSON.');
}

function rootProblem(message: string): Problem {
  return new Problem('validation', message, { errors: { $: [message] } });
}

/** `errors` maps a member's place (`properties[0].propertyId`, `$` for the body itself) to what is wrong with it. */
function validationProblem(issues: readonly z.core.$ZodIssue[]): Problem {
  const errors: Record<string, string[]> = Object.create(null);
  for (const issue of issues.slice(0, maxIssues)) {
    const place = placeOf(issue.path);
    errors[place] = [...(errors[place] ?? []), issue.message];
  }
  const [place, messages] = Object.entries(errors)[0] ?? ['$', ['The body is not valid.']];
  return new Problem('validation', `${place}: ${messages[0]}`, { errors });
}

function placeOf(path: readonly PropertyKey[]): string {
  let place = '';
  for (const part of path) {
    if (typeof part === 'number') place += `[${part}]`;
    else place += place === '' ? String(part) : `.${String(part)}`;
  }
  return place === '' ? '$' : place;
}
