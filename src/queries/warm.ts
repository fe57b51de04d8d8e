// Makes the compiler ready before the first request needs it: its tables, the library's declarations and the engine's own code for it come
// with the first fragment, some ten milliseconds of work.

import { compileDiagnostics } from '../fragments/compile.ts';

/** Compiles a fragment that nobody has asked for. */
export function warmCompiler(): void {
  compileDiagnostics('return v => v.TryGetProperty<int>(out var n, "n") && n > 1 && v.Label == "a";', 'VertexFilter');
  compileDiagnostics('return e => e.EdgePropertyId.Length * 1.0;', 'EdgeCost');
}
