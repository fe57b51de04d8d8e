# The local runtime of Workers with the objects of this folder: `workerd serve workerd.capnp --experimental` (docs/edge.md).

using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .arcwise),
    # Moved by --directory-path disk=<path>; it must be there.
    (name = "disk", disk = (path = "arcwise-objects", writable = true)),
    # For providers of models, which may run on this machine.
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  # Moved by --socket-addr http=<address>.
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "main")],
);

const arcwise :Workerd.Worker = (
  modules = [
    (name = "index.js", esModule = embed "index.js"),
    (name = "core.plain.turns.wasm", wasm = embed "core.plain.turns.wasm"),
    (name = "machine.plain.wasm", wasm = embed "machine.plain.wasm"),
    (name = "trampoline.i32.wasm", wasm = embed "trampoline.i32.wasm"),
    (name = "trampoline.f64.wasm", wasm = embed "trampoline.f64.wasm"),
  ],
  compatibilityDate = "2026-11-01",
  # Requests tell when their clients have gone.
  compatibilityFlags = ["enable_request_signal", "request_signal_passthrough"],
  bindings = [
    (name = "ARCWISE", durableObjectNamespace = "ArcwiseObject"),
    (name = "ARCWISE_SETTINGS", fromEnvironment = "ARCWISE_SETTINGS"),
    (name = "ARCWISE_OBJECTS", fromEnvironment = "ARCWISE_OBJECTS"),
    (name = "ARCWISE_CHECKPOINT_BYTES", fromEnvironment = "ARCWISE_CHECKPOINT_BYTES"),
  ],
  durableObjectNamespaces = [(className = "ArcwiseObject", uniqueKey = "arcwise-objects", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
);
