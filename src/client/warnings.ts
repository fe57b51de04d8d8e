// What a service says of a request that it did not use as it was sent (header `x-arcwise-warnings`).

export interface ServiceWarning {
  /** `ignoredMember`, `placeholder`, `ignoredParameter` … */
  readonly code: string;
  /** Place in the body, or name of the query parameter. */
  readonly at: string;
  readonly message: string;
}

/** What is told of one call: `POST /index`. */
export type OnWarnings = (warnings: readonly ServiceWarning[], call: string) => void;

const warningsHeader = 'x-arcwise-warnings';

/** Empty for an answer without warnings, and for a header that something on the way has broken. */
export function warningsOf({ headers }: Response): ServiceWarning[] {
  const text = headers.get(warningsHeader);
  if (text === null) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as ServiceWarning[]) : [];
  } catch {
    return [];
  }
}

/** One line a warning, on the console. */
export const logWarnings: OnWarnings = (warnings, call) => {
  for (const { at, message } of warnings) console.warn(`${call}: ${at}: ${message}`);
};
