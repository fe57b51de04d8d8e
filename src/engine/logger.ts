// What the engine tells whoever runs it. The home passes an implementation in; nothing in the engine writes to a console.

export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Where commit times and stamps come from. */
export interface Clock {
  /** Unix milliseconds. */
  nowMs(): number;
}
