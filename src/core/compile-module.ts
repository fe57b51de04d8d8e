// The one place of src/ where a module is compiled at run time. Edge runtimes refuse that: what they run came with the deployment, and the
// interpreter runs fragments there (a test holds that nothing else in src/ compiles).

/** Throws WebAssembly.CompileError: for what is no module, and everywhere when the home forbids it. */
export function compileModule(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  return new WebAssembly.Module(bytes);
}

/** Whether the home lets modules be compiled that did not come with the deployment. */
export function canCompile(): boolean {
  try {
    compileModule(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
    return true;
  } catch {
    return false;
  }
}
