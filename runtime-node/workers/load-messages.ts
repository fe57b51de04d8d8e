// What the writer's thread and a thread that helps to load a graph say to each other. Every request is answered once, with a status.

import type { HelperHeaps, LinkPart } from '../../src/core/checkpoint.ts';
import type { ColumnPagesMessage } from '../../src/core/column-pages.ts';
import type { CoreBinary } from '../../src/core/instance.ts';

export type ToHelper =
  /** Answered ok when all pages have been taken. */
  | { readonly kind: 'touch'; readonly memory: WebAssembly.Memory; readonly pages: ColumnPagesMessage }
  /** Answered ok, or noMemory when there is none for its scratch. */
  | {
      readonly kind: 'attach';
      readonly binary: CoreBinary;
      readonly memory: WebAssembly.Memory;
      readonly heaps: HelperHeaps;
    }
  | { readonly kind: 'run'; readonly part: LinkPart }
  /** Lets go of the memory; not answered. */
  | { readonly kind: 'detach' };

export interface FromHelper {
  readonly status: number;
}
