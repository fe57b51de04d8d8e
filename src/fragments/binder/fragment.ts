// A whole fragment: the body of the factory method that C# would compile, bound against the delegate type of its kind.

import type { Diagnostic } from '../diagnostics.ts';
import { LIBRARY, PLUGIN_LIBRARY } from '../library/index.ts';
import { uncounted } from '../steps.ts';
import type * as Syntax from '../syntax.ts';
import type * as Tree from '../tree.ts';
import { Binder } from './binder.ts';
import { convert } from './converting.ts';
import { Library } from './library.ts';
import { declareUnit, type PluginUnit } from './plugin-unit.ts';
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

/** The same of a plugin's source; null where it holds no plugin. `parse` reads the host's part. */
export function bindPluginUnit(
  plugin: PluginUnit,
  parse: (text: string) => Syntax.Fragment,
): (Binding & { readonly at: { readonly start: number; readonly end: number } }) | null {
  pluginLibrary ??= uncounted(() => new Library(PLUGIN_LIBRARY));
  const declared = declareUnit(pluginLibrary, plugin);
  const { start, end } = ('plugin' in declared ? declared.plugin.syntax.name : plugin.unit.types[0]?.name) ?? {
    start: 0,
    end: 0,
  };
  const at = { start, end };
  if (!('plugin' in declared)) return { fragment: nothing, diagnostics: declared, at };
  const { b, calling, types } = declared;
  const syntax = parse(' '.repeat(plugin.text.length) + calling);
  const opening: Syntax.Statement = { kind: 'classes', start: 0, end: 0 };
  const own = syntax.statements[0];
  if (own?.kind !== 'return' || own.value?.kind !== 'lambda' || !('statements' in own.value.body)) return null;
  const body = { ...own.value.body, statements: own.value.body.statements };
  const lambda: Syntax.Statement = { ...own, value: { ...own.value, body } };
  const whole = { ...syntax, statements: [opening, lambda] };
  // No source can name this parameter.
  const binding = bindIn(b, ' context', whole, 'Plugin');
  const userTypes = types.map(({ user }) => user);
  return { fragment: { ...binding.fragment, userTypes }, diagnostics: binding.diagnostics, at };
}

const nothing: Binding['fragment'] = {
  kind: 'Plugin',
  context: { id: 0, name: '', type: named('TraversalContext'), captured: false, byReference: false },
  body: { kind: 'block', declares: [], statements: [] },
  locals: [],
};

/** Binds a parsed fragment. Where there are errors among the diagnostics the tree must not be run. */
export function bindSyntax(text: string, syntax: Syntax.Fragment, kind: Tree.DelegateKind): Binding {
  return bindIn(new Binder(sharedLibrary(), text), 'context', syntax, kind);
}

function bindIn(b: Binder, contextName: string, syntax: Syntax.Fragment, kind: Tree.DelegateKind): Binding {
  const delegate = named(kind);
  b.owner.returnType = delegate;
  const context = b.declare({ text: contextName, start: 0, end: 0 }, named('TraversalContext'), { parameter: true });
  b.assign(context);
  const body = b.inScope([syntax.statements], (scope): Tree.Block => {
    const statements = bindStatements(b, syntax.statements);
    return { kind: 'block', declares: scope.declares, statements };
  });
  // Nothing returns: C# marks the name of the method, which lies before the fragment.
  if (b.reachable) b.report('CS0161', { start: 0, end: 0 }, 'the fragment', " It ends with 'return x => …;'.");
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
