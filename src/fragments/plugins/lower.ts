// A plugin's class as the text of one lambda: fields become its variables, methods and computed properties its local functions, and behind them
// stands what the host does with a fresh object of the class. So each call has variables of its own, static ones too, and the
// binder of fragments understands the rest. Every piece of the text knows the place in the source that it stands for.

import type { Diagnostic } from '../diagnostics.ts';
import type { Token } from '../tokens.ts';
import { analyticsBase, contractShapes, type PluginContract, pluginMethods, pluginProperties } from './contract.ts';
import type { ClassUnit, Declarator, Member, TokenRange } from './unit.ts';

interface Piece {
  readonly text: string;
  readonly start: number;
  /** Of the source; a verbatim piece is as long there as here. */
  readonly end: number;
}

export interface Lowered {
  readonly text: string;
  /** The stretch of the source that a stretch of the text stands for. */
  readonly placeOf: (start: number, end: number) => { readonly start: number; readonly end: number };
}

type Report = (diagnostic: Diagnostic) => void;

/** Null when the class is none of a plugin of this contract; why has been reported. */
export function lower(unit: ClassUnit, source: string, contract: PluginContract, report: Report): Lowered | null {
  const lowering = new Lowering(unit, source, report);
  return lowering.write(contract);
}

class Lowering {
  private readonly unit: ClassUnit;
  private readonly source: string;
  private readonly report: Report;
  private readonly pieces: Piece[] = [];
  private readonly computed: ReadonlySet<string>;
  private errors = 0;

  constructor(unit: ClassUnit, source: string, report: Report) {
    this.unit = unit;
    this.source = source;
    this.report = report;
    this.computed = new Set(unit.members.flatMap((member) => (member.kind === 'property' ? [member.name.text] : [])));
  }

  write(contract: PluginContract): Lowered | null {
    const { members, bases } = this.unit;
    const shape = contractShapes[contract];
    const isDerived = contract === 'Analytics' && bases.includes(analyticsBase.name);
    if (!isDerived && !bases.includes(shape.interfaceName)) {
      this.atName('CS0535', `No public class that is not abstract implements ${shape.interfaceName}.`);
      return null;
    }
    this.checkMembers(isDerived ? analyticsBase.method : shape.method, isDerived);
    const fields = members.filter((member) => member.kind === 'field');
    // Constants first: they may stand in the values of others.
    for (const member of [...fields.filter(({ isConst }) => isConst), ...fields.filter(({ isConst }) => !isConst)]) {
      for (const declarator of member.declarators) this.field(member, declarator);
    }
    const opening = `return __call => {\n${isDerived ? `${coreName}.IFallen8 _fallen8 = null;\n` : ''}`;
    this.pieces.unshift({ text: opening, ...this.place(this.unit.name) });
    for (const member of members) this.function(member);
    const hasConstructor = members.some(({ kind }) => kind === 'constructor');
    this.synthetic(`${isDerived ? this.baseMembers() : ''}${calling(contract, hasConstructor)}};`);
    return this.errors === 0 ? this.lowered() : null;
  }

  private checkMembers(method: string, isDerived: boolean): void {
    const { members, name } = this.unit;
    const methods = new Map<string, number>();
    for (const member of members) {
      if (member.kind === 'method') methods.set(member.name.text, (methods.get(member.name.text) ?? 0) + 1);
    }
    const own = isDerived ? ['PluginName', 'Description'] : pluginProperties;
    const properties = new Set([
      ...this.computed,
      ...members.flatMap((member) => (member.kind === 'field' ? member.declarators.map((one) => one.name.text) : [])),
    ]);
    const missing = [
      ...own.filter((one) => !properties.has(one)),
      ...[...(isDerived ? [] : pluginMethods), method].filter((one) => !methods.has(one)),
    ];
    for (const one of missing) {
      const kind = isDerived ? 'inherited abstract' : 'interface';
      this.atName(isDerived ? 'CS0534' : 'CS0535', `'${name.text}' does not implement the ${kind} member '${one}'.`);
    }
    for (const member of members) {
      if (member.kind !== 'method' || (methods.get(member.name.text) ?? 0) < 2) continue;
      const { start, end } = member.name;
      this.error(
        'CS8652',
        `Several methods of one name, '${member.name.text}', are not part of plugins here.`,
        start,
        end,
      );
    }
  }

  private atName(id: string, message: string): void {
    const { start, end } = this.unit.name;
    this.error(id, message, start, end);
  }

  private error(id: string, message: string, start: number, end: number): void {
    this.errors++;
    this.report({ id, message, severity: 'error', start, end });
  }

  private place({ start, end }: { readonly start: number; readonly end: number }) {
    return { start, end };
  }

  /** Text that stands in no source: its place is the class's name. */
  private synthetic(text: string): void {
    this.pieces.push({ text, ...this.place(this.unit.name) });
  }

  private field({ isConst, type }: Member & { kind: 'field' }, { name, initial }: Declarator): void {
    if (isConst) this.synthetic('const ');
    this.copy(type);
    this.synthetic(' ');
    this.pieces.push({ text: this.source.slice(name.start, name.end), ...this.place(name) });
    this.synthetic(' = ');
    if (initial === null) this.synthetic('default');
    else this.copy(initial);
    this.synthetic(';\n');
  }

  private function(member: Member): void {
    switch (member.kind) {
      case 'property':
        this.copy(member.type);
        this.synthetic(' ');
        this.pieces.push({ text: `${member.name.text}()`, ...this.place(member.name) });
        this.synthetic(' ');
        this.copy(member.body);
        break;
      case 'method':
        this.copy(member.all, member.name);
        break;
      case 'constructor':
        this.synthetic('void __Construct() ');
        this.copy(member.body);
        break;
      case 'field':
        return;
    }
    this.synthetic('\n');
  }

  /** What the source says, with the object itself left out: its members are in scope. */
  private copy({ from, to }: TokenRange, declared: Token | null = null): void {
    const { tokens } = this.unit;
    let copied = tokens[from]?.start ?? 0;
    const through = (end: number): void => {
      if (end > copied) this.pieces.push({ text: this.source.slice(copied, end), start: copied, end });
      copied = end;
    };
    for (let at = from; at < to; at++) {
      const token = tokens[at] as Token;
      const next = tokens[at + 1];
      if (token.kind === 'this' || token.kind === 'base' || this.namesClass(at)) {
        through(token.start);
        if (next?.kind !== '.') {
          const what = token.kind === 'identifier' ? 'The class as a type' : `'${token.kind}' by itself`;
          this.error('CS8652', `${what} is not part of plugins here.`, token.start, token.end);
        } else at++;
        copied = tokens[at + 1]?.start ?? copied;
        if (this.computed.has(tokens[at + 1]?.text ?? '')) {
          at++;
          through((tokens[at] as Token).end);
          this.pieces.push({ text: '()', start: copied, end: copied });
        }
      } else if (token !== declared && this.namesComputed(at)) {
        through(token.end);
        this.pieces.push({ text: '()', start: token.start, end: token.end });
      }
    }
    through(tokens[to - 1]?.end ?? copied);
  }

  /** `MyPlugin` in `MyPlugin.Limit`. */
  private namesClass(at: number): boolean {
    const token = this.unit.tokens[at] as Token;
    return token.kind === 'identifier' && token.text === this.unit.name.text && this.unit.tokens[at - 1]?.kind !== '.';
  }

  /** Whether a token reads a property that computes its value. */
  private namesComputed(at: number): boolean {
    const { tokens } = this.unit;
    const token = tokens[at] as Token;
    if (token.kind !== 'identifier' || !this.computed.has(token.text)) return false;
    const [before, after] = [tokens[at - 1]?.kind, tokens[at + 1]?.kind];
    if (before === '.' || after === ':' || after === '=') return after === ':' && before === '?';
    return !(before === '(' && tokens[at - 2]?.text === 'nameof');
  }

  /** What those who derive from the base class have of it. */
  private baseMembers(): string {
    const own = new Set(this.unit.members.flatMap((member) => ('name' in member ? [member.name.text] : [])));
    const { method } = analyticsBase;
    const names = `${coreName}.Algorithms.Analytics`;
    const members: Readonly<Record<string, string>> = {
      Initialize: `void Initialize(${coreName}.IFallen8 fallen8, System.Collections.Generic.IDictionary<string, object> parameter) { _fallen8 = fallen8; }\n`,
      Dispose: 'void Dispose() { _fallen8 = null; }\n',
      TryGetDoubleParameter:
        `bool TryGetDoubleParameter(${names}.GraphAnalyticsDefinition definition, string name, out double value, out bool invalid) {\n` +
        'value = 0; invalid = false;\n' +
        'if (definition.Parameters == null || !definition.Parameters.TryGetValue(name, out var raw) || raw == null) return false;\n' +
        'if (raw is double number) { value = number; return true; }\n' +
        'invalid = true; return false; }\n',
      TryRunAnalytics:
        `bool TryRunAnalytics(out ${names}.GraphAnalyticsResult result, ${names}.GraphAnalyticsDefinition definition) =>\n` +
        `${method}(out result, definition, __call.Workspace, __call.Budget, System.Diagnostics.Stopwatch.StartNew());\n`,
    };
    return Object.entries(members)
      .filter(([name]) => !own.has(name))
      .map(([, text]) => text)
      .join('');
  }

  private lowered(): Lowered {
    const { pieces } = this;
    const starts: number[] = [];
    let length = 0;
    for (const { text } of pieces) {
      starts.push(length);
      length += text.length;
    }
    const offsetOf = (at: number, isEnd: boolean): number => {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] as number) < at || (!isEnd && starts[middle] === at)) low = middle;
        else high = middle - 1;
      }
      const { text, start, end } = pieces[low] as Piece;
      if (text.length !== end - start) return isEnd ? end : start;
      return Math.min(end, start + at - (starts[low] as number));
    };
    return {
      text: pieces.map(({ text }) => text).join(''),
      placeOf: (start, end) => {
        const from = offsetOf(start, false);
        return { start: from, end: Math.max(from, offsetOf(end, true)) };
      },
    };
  }
}

const coreName = 'NoSQL.GraphDB.Core';

const engineCalls: Readonly<Record<PluginContract, string>> = {
  Path: 'TryCalculateShortestPath(out var __result, __call.PathDefinition)',
  SubGraph: 'TryCreateSubgraph(out var __result, __call.SubGraphDefinition)',
  Analytics: 'TryRunAnalytics(out var __result, __call.AnalyticsDefinition)',
  GraphFunction: 'TryInvoke(out var __result, __call.Parameters)',
};

/** What happens with a fresh object: it is made, asked for its name or initialised and called, and disposed of. */
function calling(contract: PluginContract, hasConstructor: boolean): string {
  return [
    hasConstructor ? '__Construct();' : '',
    'if (__call.AsksName) return PluginName();',
    'try {',
    'Initialize(__call.Engine, null);',
    `if (!${engineCalls[contract]}) return false;`,
    'return __result;',
    '} finally { Dispose(); }',
  ].join('\n');
}
