// Between the page and the thread that lays out. A new run ends the one before.

import type { LayoutInput } from './force.ts';

export type ToLayout =
  | { readonly kind: 'start'; readonly run: number; readonly input: LayoutInput }
  | { readonly kind: 'stop' };

export interface FromLayout {
  readonly run: number;
  readonly places: Float32Array<ArrayBuffer>;
  readonly isDone: boolean;
}
