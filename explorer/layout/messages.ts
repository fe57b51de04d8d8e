// Between the page and the thread that lays out. A new run ends the one before.

import type { LayoutInput } from './force.ts';

export type LayoutKind = 'force' | 'layered' | 'radial';

export type ToLayout =
  | {
      readonly kind: 'start';
      readonly run: number;
      readonly layout: LayoutKind;
      /** The vertex in the middle of a radial layout: a place in the list. */
      readonly root: number;
      readonly input: LayoutInput;
    }
  | { readonly kind: 'stop' };

export interface FromLayout {
  readonly run: number;
  readonly places: Float32Array<ArrayBuffer>;
  readonly isDone: boolean;
}
