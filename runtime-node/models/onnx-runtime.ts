// The runtime that computes ONNX models: the native one where somebody has installed it, else the one in WebAssembly on this thread.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { nativePackage } from './messages.ts';

interface OnnxRuntime {
  readonly InferenceSession: typeof InferenceSession;
  readonly Tensor: typeof Tensor;
}

const wasmFile = 'onnxruntime-web/ort-wasm-simd-threaded.wasm';
/** The native runtime's own threads; one leaves the other processors to requests. */
const threads = 1;

export async function openSession(model: Uint8Array): Promise<{ session: InferenceSession; runtime: OnnxRuntime }> {
  const runtime = (await native()) ?? (await wasm());
  const session = await runtime.InferenceSession.create(model, {
    ...{ intraOpNumThreads: threads, interOpNumThreads: threads, graphOptimizationLevel: 'all', logSeverityLevel: 4 },
  });
  return { session, runtime };
}

async function native(): Promise<OnnxRuntime | null> {
  try {
    return (await import(nativePackage)) as OnnxRuntime;
  } catch {
    return null; // not installed, or not for this machine
  }
}

async function wasm(): Promise<OnnxRuntime> {
  const runtime = await import('onnxruntime-web/wasm');
  runtime.env.wasm.numThreads = threads;
  runtime.env.wasm.wasmBinary = readFileSync(createRequire(import.meta.url).resolve(wasmFile));
  return runtime;
}
