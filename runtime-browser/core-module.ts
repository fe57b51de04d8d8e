// The core as a page loads it: one binary of two, compiled while it arrives.

/** Bundlers find the binaries by this form, written out. */
const sharedCore = (): URL => new URL('./core.shared.wasm', import.meta.url);
const plainCore = (): URL => new URL('./core.plain.turns.wasm', import.meta.url);

/** `shared`: the one whose memory threads share. Rejects when it cannot be had or compiled. */
export async function loadCoreModule(shared: boolean): Promise<WebAssembly.Module> {
  const url = shared ? sharedCore() : plainCore();
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The core cannot be loaded: ${url.href} answers ${answer.status}.`);
  // Compiling while it arrives is refused for any other type; servers of plain files often know none.
  const streams = answer.headers.get('content-type') === 'application/wasm';
  return streams ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}
