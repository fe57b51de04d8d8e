// Errors of the service as errors of the language: the problem document of an answer, told apart by its title.

import type { components } from './api.ts';

type Schemas = components['schemas'];

/** Every problem document there is; `title` tells which. */
export type ProblemDocument = Schemas[Extract<keyof Schemas, `Problem${string}`>];

export type ProblemTitle = ProblemDocument['title'];

/** The service answered with an error. */
export class ProblemError<Document extends ProblemDocument = ProblemDocument> extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly problem: Document;
  /** The answer's header, in seconds; null without one. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: Document, status: number, retryAfterSeconds: number | null) {
    super(`${problem.title}: ${problem.detail}`);
    this.problem = problem;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether something thrown is the problem of that title; its members are then known. */
export function isProblem<Title extends ProblemTitle>(
  error: unknown,
  title: Title,
): error is ProblemError<Extract<ProblemDocument, { title: Title }>> {
  return error instanceof ProblemError && error.problem.title === title;
}

/** The error of an answer that is none of success. What is no problem document, such as a proxy's page, becomes one. */
export async function problemOf(answer: Response): Promise<ProblemError> {
  const text = await answer.text().catch(() => '');
  return new ProblemError(documentOf(text, answer), answer.status, retryAfterOf(answer));
}

function documentOf(text: string, { status, statusText }: Response): ProblemDocument {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && typeof (value as { title?: unknown }).title === 'string') {
      return { detail: '', ...value, status } as ProblemDocument;
    }
  } catch {
    // not JSON: told as it is, below
  }
  return { title: statusText || `Status ${status}`, status, detail: text.slice(0, 500) } as ProblemDocument;
}

/** Seconds, or a date that is yet to come. */
function retryAfterOf(answer: Response): number | null {
  const header = answer.headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(header)) return Number(header);
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? null : Math.max(0, (dateMs - Date.now()) / 1000);
}
