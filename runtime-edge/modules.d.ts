// Modules of WebAssembly that come with the deployment, compiled before it starts.

declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
