// Which functions of a module may want what they made to be collected while they run, and what is done about it: a loop that allocates, or
// allocates by what it calls, and a function that allocates and calls itself. Everything else is left as it is, so a filter that allocates
// a little for each element costs what it did.

import { CodeWriter } from '../wasm/code-writer.ts';
import { coreFunctions, hostFunctions } from '../wasm/core-functions.ts';
import { failures } from '../wasm/failures.ts';
import type { ModuleWriter } from '../wasm/module-writer.ts';
import { i32, i64 } from '../wasm/opcodes.ts';
import type { SpillPlan } from '../wasm/spill-plan.ts';
import { Spiller } from '../wasm/spills.ts';

/** Functions of the core that make something. What is missing here is no danger: its loops ask for no collection. */
const making =
  /^(bytes|composite|date|decimal(Text|Bits)|guid|items(Sort|Order)|list(Add|Create|Shift)|object(Array|Box|Copy|Create|Grid|OfElement|OfProperty|Slice|Twin)|order|sequence(Begin|Next)|sort(Start|Apply)|span(Text|Format)|table(Add|Copy|Create|Like)|text(?!Equals|Length|Unit|Compare|Find|Name|Hash|Starts|Ends|Last|First|Is)|time|value|view(Array|OfText|Places|Text)|writer|builder|number|fragmentRowText)/;

function makesSomething(module: string, name: string): boolean {
  return module === 'core' ? making.test(name) : name === 'ask';
}

/** What the parts of a module are, for the passes over all of them. */
interface Graph {
  readonly calls: readonly ReadonlySet<number>[];
  readonly allocates: readonly boolean[];
}

/** `holds[f]` for every function that calls one for which it holds, too. */
function spread(holds: boolean[], { calls }: Graph): void {
  const callers: number[][] = holds.map(() => []);
  for (const [caller, callees] of calls.entries()) for (const callee of callees) callers[callee]?.push(caller);
  const rest = holds.flatMap((own, index) => (own ? [index] : []));
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const caller of callers[next] as number[]) {
      if (holds[caller]) continue;
      holds[caller] = true;
      rest.push(caller);
    }
  }
}

/** Functions that reach themselves. */
function recursive({ calls }: Graph): boolean[] {
  // Tarjan's components, with a stack of its own instead of recursion.
  const order = calls.map(() => -1);
  const low = calls.map(() => 0);
  const onPath = calls.map(() => false);
  const found = calls.map((callees, index) => callees.has(index));
  const path: number[] = [];
  let count = 0;
  for (const root of calls.keys()) {
    if (order[root] !== -1) continue;
    const work: { readonly at: number; readonly rest: Iterator<number> }[] = [];
    const enter = (at: number): void => {
      order[at] = count;
      low[at] = count++;
      onPath[at] = true;
      path.push(at);
      work.push({ at, rest: (calls[at] as ReadonlySet<number>).values() });
    };
    enter(root);
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const { at, rest } = top;
      const next = rest.next();
      if (next.done !== true) {
        if (order[next.value] === -1) enter(next.value);
        else if (onPath[next.value]) low[at] = Math.min(low[at] as number, order[next.value] as number);
        continue;
      }
      work.pop();
      const caller = work.at(-1)?.at;
      if (caller !== undefined) low[caller] = Math.min(low[caller] as number, low[at] as number);
      if (low[at] !== order[at]) continue;
      const size = path.length - path.lastIndexOf(at);
      for (let member = path.pop(); member !== undefined; member = path.pop()) {
        onPath[member] = false;
        if (size > 1) found[member] = true;
        if (member === at) break;
      }
    }
  }
  return found;
}

/**
 * Behind everything else: makes functions collect where that is of use. `init` and the other functions that are called from outside, by
 * their numbers.
 */
export function collectGarbage(
  writer: ModuleWriter,
  entries: { readonly init: number; readonly others: readonly number[] },
): void {
  const functions = writer.allFunctions();
  const makers = new Set(writer.importsThat(makesSomething));
  const calls = functions.map(({ code }) => code.ownCallees);
  const allocates = functions.map(({ code }) => [...code.importCallees].some((index) => makers.has(index)));
  const graph: Graph = { calls, allocates };
  spread(allocates, graph);
  const again = recursive(graph);
  const collects = functions.map(
    ({ code }, index) => allocates[index] === true && (code.hasLoops || again[index] === true),
  );
  if (!collects.includes(true)) return;
  spread(collects, graph);
  collects[entries.init] = true;
  const plan = makePlan(writer, collects, allocates);
  for (const [index, { signature, code }] of functions.entries()) {
    if (collects[index] !== true && !code.importCallees.has(plan.enter)) continue;
    const { locals, bytes } = code.contents(writer.importCount);
    const spiller = new Spiller(plan, {
      ...signature,
      locals,
      code: bytes,
      isEntry: index === entries.init || entries.others.includes(index),
      isFirst: index === entries.init,
      isRecursive: again[index] === true && allocates[index] === true,
    });
    writer.replace(index, spiller.spill());
  }
}

function makePlan(writer: ModuleWriter, collects: readonly boolean[], allocates: readonly boolean[]): SpillPlan {
  const globals = writer.globalTypes();
  const control = writer.addGlobal('i32');
  const sp = writer.addGlobal('i32');
  const core = (name: 'fragmentCollect' | 'fragmentEnter' | 'runBegin' | 'runPrepare'): number =>
    writer.import('core', name, coreFunctions[name]);
  const fail = writer.import('env', 'fail', hostFunctions.fail);
  const [collection, enter, begin, prepare] = [
    core('fragmentCollect'),
    core('fragmentEnter'),
    core('runBegin'),
    core('runPrepare'),
  ];
  const failing = (name: 'OutOfMemoryException' | 'InsufficientExecutionStackException'): number => {
    const index = writer.declare({ parameters: [], result: null });
    const code = new CodeWriter(0);
    code.i32(failures.indexOf(name));
    code.call(fail);
    writer.define(index, code);
    return index;
  };
  const [tooDeep, full] = [failing('InsufficientExecutionStackException'), failing('OutOfMemoryException')];
  const collect = writer.declare({ parameters: ['i32'], result: null });
  const words = globals
    .map((type, at) => ({ type, index: at + 1 }))
    .filter(({ type }) => type === 'i32' || type === 'i64');
  defineCollect(writer, collect, { control, collection, full, words });
  const { importCount } = writer;
  const own = (index: number): number => index + importCount;
  return {
    signatureOf: (target) => writer.signatureOf(target),
    globalType: (index) => writer.globalType(index),
    mayCollect: (target) => target >= importCount && collects[target - importCount] === true,
    allocates: (target) =>
      target >= importCount ? allocates[target - importCount] === true : writer.importIs(target, makesSomething),
    ...{ control, sp, enter, begin, prepare },
    ...{ collect: own(collect), tooDeep: own(tooDeep), full: own(full) },
    beyond: 8 * words.length,
  };
}

/** Stores the module's variables behind the stack, and calls the core. */
function defineCollect(
  writer: ModuleWriter,
  index: number,
  parts: {
    readonly control: number;
    readonly collection: number;
    readonly full: number;
    readonly words: readonly { readonly type: string; readonly index: number }[];
  },
): void {
  const code = new CodeWriter(1);
  let offset = 0;
  for (const { type, index: word } of parts.words) {
    code.get(0);
    code.getGlobal(word);
    code.load(type === 'i32' ? i32.store : i64.store, offset);
    offset += type === 'i32' ? 4 : 8;
  }
  code.getGlobal(parts.control);
  code.get(0);
  code.i32(offset);
  code.op(i32.add);
  code.call(parts.collection);
  code.op(i32.eqz);
  code.if();
  code.callOwn(parts.full);
  code.end();
  writer.define(index, code);
}
