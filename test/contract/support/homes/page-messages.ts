// What the server of the page home and the page tell each other.

/** To the page. `open` and `close` are answered by `done` or `refused`, a request by its `block`s and its `last`, or by `failed`. */
export type Command =
  | { readonly kind: 'open'; readonly store: `opfs://${string}`; readonly settings: Readonly<Record<string, string>> }
  | { readonly kind: 'close' }
  /** Nobody waits for this answer any more. */
  | { readonly kind: 'abort'; readonly id: number }
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: string;
      readonly target: string;
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** Base64; `later`: the page fetches it as a stream. */
      readonly body: string | null;
    };

/** Goes with the first message of an answer. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}
