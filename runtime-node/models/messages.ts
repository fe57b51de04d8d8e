// What the thread of a model and the service's own thread tell each other.

import type { GgufOptions, OnnxOptions } from '../../src/providers/embedding/backends.ts';
import type { ProviderFailure } from '../../src/providers/failure.ts';
import type { ThreadData } from '../workers/priority.ts';

/** The native runtime of ONNX models. Never a dependency: its install step fetches a library. */
export const nativePackage: string = 'onnxruntime-node';
/** The runtime of GGUF models. Never a dependency: it brings libraries for every machine, each of many megabytes. */
export const ggufPackage: string = '@fugood/llama.node';

export interface OnnxThreadData extends ThreadData {
  readonly options: OnnxOptions;
}

export interface GgufThreadData extends ThreadData {
  readonly options: GgufOptions;
  /** Where the runtime was found. */
  readonly runtimePath: string;
}

export type ModelThreadData = OnnxThreadData | GgufThreadData;

export type ToModel =
  | { readonly kind: 'embed'; readonly id: number; readonly texts: readonly string[] }
  /** Nobody waits for these texts any more. */
  | { readonly kind: 'leave'; readonly id: number };

export type FromModel =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'notLoaded'; readonly reason: ProviderFailure; readonly detail: string }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: ProviderFailure; readonly detail: string };
