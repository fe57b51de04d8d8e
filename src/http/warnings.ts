// What a request said that its answer does not show: members nobody reads, placeholders in place of values, answers that are true and
// probably not what was meant. The contract ignores all of it, so it goes into a header of its own; a strict request is refused instead.

import { Problem } from './problems.ts';

/** Each kind of warning and what a client reads it as. */
export type WarningCode =
  | 'ignoredMember'
  | 'placeholder'
  | 'ignoredParameter'
  | 'ignoredCost'
  | 'clampedCost'
  | 'defaultCost'
  | 'logReplayed'
  | 'unknownAlgorithm'
  | 'defaultDepth'
  | 'unknownOperator'
  | 'otherType'
  | 'decimalComma'
  | 'reversedLimits'
  | 'noSuchProperty'
  | 'otherIndexKind'
  | 'noSuchIndex'
  | 'emptyIndex'
  | 'noSuchVertex'
  | 'noSuchLabel'
  | 'noSuchEdgeType'
  | 'noSuchEmbedding'
  | 'nothingLoaded'
  | 'nothingImported'
  | 'indexNotCreated';

export interface Warning {
  readonly code: WarningCode;
  /** Place in the body (`properties[0].name`, `$` for the whole) or name of the query parameter. */
  readonly at: string;
  readonly message: string;
}

/** Name of the header; its value is a JSON list of warnings, in ASCII. */
export const warningsHeader = 'x-arcwise-warnings';

/** Warnings that are kept of one request; the rest is only counted. */
const mostKept = 20;
/** Warnings that are counted: a body has room for half a million members that nobody reads. */
const mostCounted = 1000;
/** Longest place and longest message, in characters: both repeat what the caller sent. */
const longestText = 200;
/** Longest value of the header, in bytes: many clients and proxies take 8 KiB of headers at most. */
const longestHeader = 4096;

/** The codes that a strict request is refused for: what the caller wrote was not used, or something else in its place. */
const strictCodes: ReadonlySet<WarningCode> = new Set(['ignoredMember', 'placeholder', 'ignoredParameter']);

export class Warnings {
  private readonly kept: Warning[] = [];
  /** All of them, kept or not. */
  count = 0;

  add(code: WarningCode, at: string, message: string): void {
    this.count++;
    if (this.kept.length < mostKept) this.kept.push({ code, at: cut(at), message: cut(message) });
  }

  /** Whether one of these codes is among those that are kept. */
  has(...codes: readonly WarningCode[]): boolean {
    return this.kept.some(({ code }) => codes.includes(code));
  }

  /** Whether another one would only be counted: who looks through many values may stop. */
  get isFull(): boolean {
    return this.kept.length === mostKept;
  }

  /** Whether another one would not even be counted. */
  get isOver(): boolean {
    return this.count >= mostCounted;
  }

  /** The problem of a strict request: every place that is not used as it was sent. Null when there is none. */
  refusal(): Problem | null {
    const errors: Record<string, string[]> = Object.create(null);
    for (const { code, at, message } of this.kept) {
      if (strictCodes.has(code)) errors[at] = [...(errors[at] ?? []), message];
    }
    const [first] = Object.entries(errors);
    if (first === undefined) return null;
    const [at, [message]] = first as [string, [string, ...string[]]];
    return new Problem('validation', `${at}: ${message}`, { errors });
  }

  /** The header's value; entries that do not fit are left out, and the last one says how many. */
  toHeader(): string {
    const entries: string[] = [];
    let length = 0;
    for (const warning of this.kept) {
      const entry = asciiJson(warning);
      if (length + entry.length > longestHeader) break;
      entries.push(entry);
      length += entry.length + 1;
    }
    const left = this.count - entries.length;
    const many = this.isOver ? `At least ${left}` : String(left);
    if (left > 0) entries.push(`{"code":"more","at":"$","message":"${many} more of the kind."}`);
    return `[${entries.join(',')}]`;
  }
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}

/** JSON that a header can carry: everything beyond ASCII as an escape. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether a request asks to be refused rather than read generously (RFC 7240); null when it does not say. */
export function strictnessOf(prefer: string | null): boolean | null {
  const word =
    prefer === null ? undefined : /(?:^|[,;\s])handling\s*=\s*"?(strict|lenient)"?(?:$|[,;\s])/i.exec(prefer)?.[1];
  return word === undefined ? null : word.toLowerCase() === 'strict';
}
