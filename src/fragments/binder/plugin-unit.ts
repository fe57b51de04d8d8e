// A plugin's source bound: its types, and behind them what the host does with an object of the plugin's class.

import type { Diagnostic } from '../diagnostics.ts';
import {
  analyticsBase,
  contractShapes,
  type PluginContract,
  pluginMethods,
  pluginProperties,
} from '../plugin-contract.ts';
import type * as Syntax from '../syntax.ts';
import type { TypeDeclaration, UnitSyntax } from '../unit-syntax.ts';
import { Binder } from './binder.ts';
import { newClasses } from './class-bodies.ts';
import { checkNames, declareBases, declareTypes, nameTypes } from './class-declarations.ts';
import { declareMembers } from './class-member-declarations.ts';
import { type ClassType, classOf } from './class-model.ts';
import type { Library } from './library.ts';

export interface PluginUnit {
  readonly text: string;
  readonly unit: UnitSyntax;
  /** Classes of the engine that the source names. */
  readonly prelude: readonly TypeDeclaration[];
  readonly imports: ReadonlySet<string>;
  readonly contract: PluginContract;
}

export interface DeclaredUnit {
  readonly b: Binder;
  readonly types: readonly ClassType[];
  readonly plugin: ClassType;
  /** What the host does, as the text of a lambda. */
  readonly calling: string;
}

/** Declares the types; answers why not, where there is no plugin among them. */
export function declareUnit(
  library: Library,
  { text, unit, prelude, imports, contract }: PluginUnit,
): DeclaredUnit | readonly Diagnostic[] {
  const own = declareTypes(unit.types);
  const types = [...own, ...declareTypes(prelude)];
  const visible = new Set([...imports, 'Arcwise.Host', ...prelude.map(({ namespace }) => namespace)]);
  const b = new Binder(library.extended(types, visible), text);
  b.classes = newClasses(types);
  checkNames(b, types);
  nameTypes(types);
  declareBases(b, types);
  const found = own.filter((one) => isImplementor(b, one, contract));
  const [plugin] = found;
  if (plugin === undefined || found.length > 1) {
    reportImplementors(b, own, contract, found);
    return b.diagnostics;
  }
  plugin.isAlone = isAlone(text.slice(0, endOf(unit)), plugin, own);
  for (let at = plugin.isAlone ? plugin.base : null; at !== null; at = at.base) at.isAlone = true;
  for (const one of types) declareMembers(b, one);
  checkContract(b, plugin, contract);
  b.typeNames = new Map([...namesOf(types), ['__Plugin', plugin.type]]);
  return { b, types, plugin, calling: calling(contract, plugin, prelude.length > 0) };
}

function endOf(unit: UnitSyntax): number {
  return unit.types.reduce((end, type) => Math.max(end, type.end), 0);
}

function namesOf(types: readonly ClassType[]): Map<string, ClassType['type']> {
  return new Map(types.filter(({ outer }) => outer === null).map((one) => [one.syntax.name.text, one.type]));
}

function implementsContract(b: Binder, one: ClassType, contract: PluginContract): boolean {
  for (let at: ClassType | null = one; at !== null; at = at.base) {
    const { interfaceName } = contractShapes[contract];
    for (const base of at.bases) {
      if (base.kind === 'named' && base.name === interfaceName) return true;
      const face = classOf(b.classes, base);
      if (face?.shape === 'interface' && implementsContract(b, face, contract)) return true;
    }
  }
  return false;
}

function isImplementor(b: Binder, one: ClassType, contract: PluginContract): boolean {
  if (one.shape !== 'class' || one.abstract || !implementsContract(b, one, contract)) return false;
  for (let at: ClassType | null = one; at !== null; at = at.outer) if (at.access !== 'public') return false;
  return true;
}

function reportImplementors(
  b: Binder,
  own: readonly ClassType[],
  contract: PluginContract,
  found: readonly ClassType[],
): void {
  const { interfaceName } = contractShapes[contract];
  const at: Syntax.Node = found[1]?.syntax.name ?? own[0]?.syntax.name ?? { start: 0, end: 0 };
  const what = found.length > 1 ? 'More than one public class' : 'No public class';
  b.diagnostics.push({
    ...{ id: 'CS0535', severity: 'error', start: at.start, end: at.end },
    message: `${what} that is not abstract implements ${interfaceName}.`,
  });
}

/**
 * Whether nothing but the host makes an object of the class or holds one: its name stands where it is declared and before a dot alone, and
 * `this` before a dot. Its fields then are variables, and its methods functions without an object.
 */
function isAlone(text: string, plugin: ClassType, own: readonly ClassType[]): boolean {
  for (let at: ClassType | null = plugin; at !== null; at = at.base) {
    const one = at;
    if (own.some(({ base }) => base === one && base !== plugin.base && one === plugin)) return false;
    if (one !== plugin && own.some((other) => other !== plugin && other.base === one)) return false;
  }
  if (own.some(({ base }) => base === plugin)) return false;
  const code = text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"/g, ' ');
  if (/(?<![\w@])this(?!\s*[.?]|\w)/.test(code) || /(?<![\w@])this\s*\?/.test(code)) return false;
  const names = new Set<string>();
  for (let at: ClassType | null = plugin; at !== null; at = at.base) names.add(at.syntax.name.text);
  for (const name of names) {
    for (const match of code.matchAll(new RegExp(`(?<![\\w@.])${name}(?!\\w)`, 'g'))) {
      const before = code.slice(Math.max(0, match.index - 24), match.index);
      const after = code.slice(match.index + name.length, match.index + name.length + 24);
      const isDeclaration = /\bclass\s+$/.test(before);
      const isConstructor = /^\s*\(/.test(after) && !/\bnew\s+$/.test(before);
      const isBase = /[:,]\s*$/.test(before) && name !== plugin.syntax.name.text;
      if (
        !isDeclaration &&
        !isConstructor &&
        !isBase &&
        !/^\s*\./.test(after) &&
        !/\b(?:nameof|typeof)\s*\(\s*$/.test(before)
      )
        return false;
    }
  }
  return true;
}

/** CS0535, CS7036: what the contract wants of the class. */
function checkContract(b: Binder, plugin: ClassType, contract: PluginContract): void {
  const { method } = contractShapes[contract];
  const has = (name: string, kind: 'method' | 'property'): boolean => {
    for (let at: ClassType | null = plugin; at !== null; at = at.base) {
      if (at.membersNamed(name).some((member) => member.kind === kind && member.user?.access === 'public')) return true;
    }
    return false;
  };
  const isDerived = plugin.base?.syntax.name.text === analyticsBase.name;
  const missing = [
    ...pluginProperties.filter((name) => !has(name, 'property')),
    ...[...pluginMethods, method].filter((name) => !has(name, 'method')),
  ];
  for (const name of isDerived ? [] : missing) b.report('CS0535', plugin.syntax.name, plugin.name, name);
  const usual = plugin.constructors.find(({ symbol }) => symbol.parameters.length === 0);
  if (usual === undefined)
    b.report('CS7036', plugin.syntax.name, 'the constructor of a plugin has no parameters', plugin.name);
  else if (usual.access !== 'public')
    b.report('CS0122', plugin.syntax.name, `${plugin.name}.${plugin.syntax.name.text}()`);
}

const engineCalls: Readonly<Record<PluginContract, string>> = {
  Path: 'TryCalculateShortestPath(out var __result, __call.PathDefinition)',
  SubGraph: 'TryCreateSubgraph(out var __result, __call.SubGraphDefinition)',
  Analytics: 'TryRunAnalytics(out var __result, __call.AnalyticsDefinition)',
  GraphFunction: 'TryInvoke(out var __result, __call.Parameters)',
};

/** What happens with a fresh object: it is made, asked for its name or initialised and called, and disposed of. */
function calling(contract: PluginContract, plugin: ClassType, hasBase: boolean): string {
  const object = plugin.isAlone ? '__Plugin' : '__plugin';
  return [
    'return __call => {',
    hasBase ? 'Arcwise.Host.Running.Call = __call;' : '',
    plugin.isAlone ? '__Plugin.__Construct();' : 'var __plugin = new __Plugin();',
    `if (__call.AsksName) return ${object}.PluginName;`,
    'try {',
    `${object}.Initialize(__call.Engine, null);`,
    `if (!${object}.${engineCalls[contract]}) return false;`,
    'return __result;',
    `} finally { ${object}.Dispose(); }`,
    '};',
  ].join('\n');
}
