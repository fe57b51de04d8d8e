// The entry of a thread that compiles fragments.

import { CompilerServer } from '../../src/queries/fragments/compiler-server.ts';
import type { FromCompiler, ToCompiler } from '../../src/queries/fragments/compilers.ts';
import { serveThread } from './served-thread.ts';

serveThread<ToCompiler, FromCompiler>((post) => {
  const server = new CompilerServer(post, null);
  server.begin();
  return (message) => server.receive(message);
});
