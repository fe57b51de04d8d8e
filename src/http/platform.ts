// What the home the service runs in gives to HTTP: how to build an answer, read a body and digest a key. Handlers use the web's
// `Request` and `Response` and this, and nothing of any one runtime.

import type { Slices } from '../core/slices.ts';
import type { Content } from '../documents/content.ts';
import type { ChangeFeed, FeedPlace } from '../engine/feed/feed.ts';
import type { Logger } from '../engine/logger.ts';
import type { Family } from '../telemetry/families.ts';

export type BodyRead =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** `maxBytes`: where the home takes less than was allowed. */
  | { readonly ok: false; readonly reason: 'tooLarge' | 'noRoom' | 'aborted' | 'timedOut'; readonly maxBytes?: number };

/** Whoever answers for the bytes of a body while they are held. */
export interface BodyHolder {
  /** False: there is no room for so many more. */
  holdBody(bytes: number): boolean;
}

export type AnswerBody = Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array>;

export interface AnswerInit {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: [name: string, value: string][];
}

/** Delivers change feeds away from the thread that answers requests. */
export interface FeedOutlet {
  /** Whether it can reach the connection this request came on. */
  takes(request: Request): boolean;
  /** The body of the answer to a subscriber that has taken a place. */
  bodyFor(feed: ChangeFeed, place: FeedPlace): AnswerBody;
}

/** A file that is open; either its bytes are read to the end or given up, or it is closed. */
export interface StaticFile {
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  /** All of it, read as it is taken; closes the file at its end and when it is cancelled. */
  stream(): ReadableStream<Uint8Array>;
  close(): Promise<void>;
}

/** A folder of files that belong to a web page. */
export interface StaticFiles {
  /**
   * The plain file below the folder that `names` lead to, each the name of a folder or file without slashes; null when there is none.
   * Never one outside the folder.
   */
  open(names: readonly string[]): Promise<StaticFile | null>;
}

/** Writes what a scrape shows in the text format of its reader. */
export interface ScrapeFormat {
  readonly contentType: string;
  /** The text as it is made. */
  write(families: readonly Family[]): ReadableStream<Uint8Array<ArrayBuffer>>;
}

export interface FormLimits {
  readonly maxFileBytes: number;
  /** Of all fields beside the file together. */
  readonly maxFieldBytes: number;
  readonly maxParts: number;
  /** Of one part. */
  readonly maxHeaderBytes: number;
}

/** What a form has that it may not have. */
export class FormFlaw extends Error {
  override readonly name = 'FormFlaw';
  readonly kind: 'invalid' | 'tooLarge' | 'noRoom' | 'noSpace';

  constructor(kind: FormFlaw['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface UploadedForm {
  /** Null when there is none under the field that was asked for. Whoever takes it gives it back (`drop`). */
  readonly file: { readonly name: string; readonly content: Content } | null;
  /** First value of each field, by name in lower case. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Takes forms whose file goes where the home keeps files, a block at a time. */
export interface Uploads {
  /** Throws FormFlaw, and whatever `blocks` throws; nothing of the form is kept then. `holder`: of what goes to no file. */
  read(
    blocks: AsyncIterable<Uint8Array>,
    boundary: string,
    fileField: string,
    limits: FormLimits,
    holder: BodyHolder,
  ): Promise<UploadedForm>;
}

/**
 * A time of the clock that never goes back. Requests that came at once share it: a number in an exchange is an object of its own, and in no
 * cache any more when the request ends.
 */
export interface Moment {
  readonly ms: number;
}

export interface HttpPlatform {
  /** Missing: forms are held in memory while they are read. */
  readonly uploads?: Uploads;
  /** Missing: there is no scrape endpoint. */
  readonly scrapeFormat?: ScrapeFormat;
  /** Missing: the answers' streams deliver. */
  readonly feedOutlet?: FeedOutlet;
  /** The explorer's page. Missing: it is not there. */
  readonly explorerFiles?: StaticFiles;
  /** The documentation. Missing: it is not there. */
  readonly docsFiles?: StaticFiles;
  /** Missing: there is no web page beside the routes. */
  readonly staticFiles?: StaticFiles;
  /** Names whoever sent a request: clients take turns where there is a queue. Missing: they are all one. */
  clientOf?(request: Request): string;
  /** A header by its name in lower case, found without the request's list of headers. Missing: that list is asked. */
  headerOf?(request: Request, name: string): string | null;
  /** Script and style of the page that shows the OpenAPI document. Missing: the page stays empty. */
  readonly referenceFiles?: StaticFiles;
  /** Makes an answer: the platform's own `Response`, or one that its listener can send cheaply. */
  respond(body: AnswerBody | null, init: AnswerInit): Response;
  /** Calls `done` once, when the answer to a request is sent or never will be. Missing: nobody knows, and answers are not counted. */
  whenSent?(request: Request, done: () => void): void;
  readonly logger: Logger;
  /**
   * The whole body, each block of which `holder` is asked for. Stops reading at the first byte beyond `maxBytes`; the rest is then the
   * platform's to get rid of.
   */
  readBody(request: Request, maxBytes: number, holder: BodyHolder): Promise<BodyRead>;
  /** The body as it arrives; throws when the client goes away. Ending the loop early leaves the rest to the platform. */
  bodyBlocks(request: Request): AsyncIterable<Uint8Array>;
  /** A collision-free digest of fixed length (SHA-256). */
  digest(text: string): Uint8Array;
  /** Bytes of memory the whole process holds. */
  usedMemoryBytes(): number;
  /** The heap of the language: what is in use, and what is set aside for it. Cheap: collects nothing. */
  heap(): { readonly heapUsedBytes: number; readonly heapTotalBytes: number };
  /** Lets other requests be answered; work that takes long is cut into slices with one of these in between. */
  pause(): Promise<void>;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number;
  /** How work between two pauses is measured; missing: by that clock. */
  readonly slices?: Slices;
}
