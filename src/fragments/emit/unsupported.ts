// What this back end leaves to the interpreter: it says so instead of guessing.

/** The tree holds something that is not compiled to WebAssembly; the fragment runs in the interpreter instead. */
export class NotCompiled extends Error {
  override readonly name = 'NotCompiled';

  constructor(what: string) {
    super(`${what} is left to the interpreter.`);
  }
}
