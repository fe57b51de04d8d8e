// What the compiler says about a fragment: C#'s ids, wording of our own, places in the fragment's own coordinates. Offsets
// inside (UTF-16, end exclusive), 1-based lines and columns outside.

export interface Diagnostic {
  /** C#'s id, for example `CS1061`; `F8LIMIT` for a fragment that is too long. */
  readonly id: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** Collects what one compilation reports, in the order it was found. */
export interface DiagnosticSink {
  report(diagnostic: Diagnostic): void;
}
