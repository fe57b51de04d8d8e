// A whole fragment: the body of the factory method that C# would compile, bound against the delegate type of its kind.

import type { Diagnostic } from '../diagnostics.ts';
import { LIBRARY, PLUGIN_LIBRARY } from '../library/index.ts';
import { uncounted } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import { Binder } from './binder.ts';
import { convert } from './converting.ts';
import { Library } from './library.ts';
import { bindStatements } from './statements.ts';
import { named } from './typing.ts';

let library: Library | null = null;

/** The library is read when the first fragment needs it, and then shared: its symbols never change. */
function sharedLibrary(): Library {
  library ??= new Library(LIBRARY);
  return library;
}

/** Reads what all fragments need of it, which is nothing that one of them should pay for. */
export function readLibrary(): void {
  sharedLibrary();
}

export interface Binding {
  readonly fragment: Omit<Tree.BoundFragment, 'stepsLeft'>;
  readonly diagnostics: readonly Diagnostic[];
}

let pluginLibrary: Library | null = null;

/** The same of a plugin's class, once it is lowered. `imports`: the namespaces whose types need no qualification. */
export function bindLowered(text: string, syntax: Syntax.Fragment, imports: ReadonlySet<string>): Binding {
  pluginLibrary ??= uncounted(() => new Library(PLUGIN_LIBRARY));
  pluginLibrary.imports = imports;
  // No source can name this parameter.
  return bindIn(pluginLibrary, ' context', text, syntax, 'Plugin');
}

/** Binds a parsed fragment. Where there are errors among the diagnostics the tree must not be run. */
export function bindSyntax(text: string, syntax: Syntax.Fragment, kind: Tree.DelegateKind): Binding {
  return bindIn(sharedLibrary(), 'context', text, syntax, kind);
}

function bindIn(
  library: Library,
  contextName: string,
  text: string,
  syntax: Syntax.Fragment,
  kind: Tree.DelegateKind,
): Binding {
  const b = new Binder(library, text);
  const delegate = named(kind);
  b.owner.returnType = delegate;
  const context = b.declare({ text: contextName, start: 0, end: 0 }, named('TraversalContext'), { parameter: true });
  b.assign(context);
  const body = b.inScope([syntax.statements], (scope): Tree.Block => {
    const statements = bindStatements(b, syntax.statements);
    return { kind: 'block', declares: scope.declares, statements };
  });
  // Nothing returns: C# marks the name of the method, which lies before the fragment.
  if (b.reachable) b.report('CS0161', { start: 0, end: 0 }, 'the fragment');
  for (const { value, syntax: at, node } of b.owner.returns) {
    if (value) node.value = convert(b, value, delegate);
    else b.report('CS0126', { start: at.start, end: at.start + 'return'.length }, kind);
  }
  reportUnused(b);
  const fragment = { kind, context: context.local, body, locals: b.owner.locals };
  return { fragment, diagnostics: b.diagnostics };
}

/** CS0168, CS0219 for locals, CS8321 for local functions that nothing uses. */
function reportUnused(b: Binder): void {
  for (const symbol of b.symbols) {
    if (symbol.used || symbol.name === '') continue;
    if (symbol.assigned) continue;
    const given = symbol.constant !== undefined || b.everAssigned(symbol);
    b.warn(given ? 'CS0219' : 'CS0168', symbol.declaration, symbol.name);
  }
  for (const symbol of b.functions) if (!symbol.used) b.warn('CS8321', symbol.syntax.name, symbol.name);
}
