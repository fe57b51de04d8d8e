/** Something does not fit into the memory a core may use. Nothing is half-done; whatever was asked can be asked again later. */
export class CoreMemoryExhausted extends Error {
  override readonly name = 'CoreMemoryExhausted';
}
