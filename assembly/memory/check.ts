// Debug-only checks of the core's invariants. A build with CORE_DEBUG=1 traps on a broken one and names it by a number;
// a release build contains neither the test nor the call, and then does not import the hook at all. May know nothing else.

// @ts-ignore: decorator
@external('env', 'abort')
declare function abortHook(code: u32): void;

/**
 * Traps when `condition` is false, in debug builds only. `code` names the check in the host's error; the hook is
 * expected to throw, and `unreachable` stands behind it should it return.
 * The condition is still evaluated where it has side effects, so give it none.
 */
// @ts-ignore: decorator
@inline
export function check(condition: bool, code: u32): void {
  if (CORE_DEBUG != 0) {
    if (!condition) {
      abortHook(code);
      unreachable();
    }
  }
}
