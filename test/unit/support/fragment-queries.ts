// Random fragments whose queries leave the place where they are made: in variables that are assigned again, handed to local functions and
// lambdas and back, chosen among, gone over twice and beside one another, over sources and variables that change meanwhile. Their lambdas
// write into a log, so that the order of everything shows.

/** Numbers below a bound, the same for the same seed. */
export type Pick = (bound: number) => number;

const generic = 'System.Collections.Generic.';

class QueryGenerator {
  private readonly below: Pick;

  constructor(below: Pick) {
    this.below = below;
  }

  private one<T>(...choices: readonly (() => T)[]): T {
    return (choices[this.below(choices.length)] as () => T)();
  }

  private source(depth: number): string {
    return this.one(
      () => 'new[] { 3, 1, 2, 3 }',
      () => `Enumerable.Range(${this.below(4)}, ${this.below(6)})`,
      () => `new ${generic}List<int> { 4, 0, ${this.below(9)} }`,
      () => `new ${generic}HashSet<int> { 1, 5, ${this.below(9)}, 2 }`,
      () => `new ${generic}Dictionary<int, int> { [2] = 7, [3] = ${this.below(5)} }.Values`,
      () => 'list',
      () => (depth > 0 ? `Same(${this.chain(depth - 1)})` : 'array'),
      () => (depth > 0 ? `(v.Id % 2 == 0 ? Same(${this.chain(depth - 1)}) : ${this.chain(depth - 1)})` : 'list'),
    );
  }

  private selector(): string {
    const texts = [
      'i => { log += "a" + i; return i + 1; }',
      'i => i * 2',
      'i => i - k',
      'i => { k++; return i; }',
      'i => 12 / (i - 3)',
    ];
    return texts[this.below(texts.length)] as string;
  }

  private predicate(): string {
    const texts = ['i => i > 1', 'i => { log += "p" + i; return i % 2 == 0; }', 'i => i != k', 'i => 6 / i > 1'];
    return texts[this.below(texts.length)] as string;
  }

  private step(depth: number): string {
    return this.one(
      () => `.Where(${this.predicate()})`,
      () => `.Select(${this.selector()})`,
      () => `.Take(${this.below(5)})`,
      () => `.Skip(${this.below(3)})`,
      () => `.TakeLast(${this.below(4)})`,
      () => `.SkipLast(${this.below(3)})`,
      () => `.TakeWhile(${this.predicate()})`,
      () => `.SkipWhile(${this.predicate()})`,
      () => `.Append(${this.below(9)})`,
      () => `.Concat(${this.source(depth)})`,
      () => `.Union(${this.source(depth)})`,
      () => `.Except(${this.source(depth)})`,
      () => `.Zip(${this.source(depth)}, (a, b) => a + b)`,
      () => `.Join(${this.source(depth)}, a => a % 4, b => b % 4, (a, b) => a * 10 + b)`,
      () => this.plainStep(),
    );
  }

  private plainStep(): string {
    const texts = [
      '.Reverse()',
      '.OrderBy(i => -i)',
      '.Distinct()',
      '.Prepend(k)',
      '.Select((p, i) => p * 10 + i)',
      '.SelectMany(i => Enumerable.Range(i, 2))',
      '.SelectMany(i => Same(new[] { i, k }))',
      '.DefaultIfEmpty(77)',
      '.GroupBy(i => i % 3).Select(g => g.Key * 100 + g.Count())',
      '.GroupBy(i => i % 2).SelectMany(g => Same(g))',
      '.ToList()',
      '.ToArray()',
      '.AsEnumerable()',
    ];
    return texts[this.below(texts.length)] as string;
  }

  private chain(depth: number): string {
    let text = this.source(depth);
    for (let left = this.below(3); left > 0; left--) text += this.step(depth);
    return text;
  }

  fragment(): string {
    const uses = [
      'foreach (var x in q) { log += "[" + x + "]"; if (x > 20) break; }',
      'log += string.Join(",", q) + "|" + string.Join(",", q);',
      'log += Same(q).Count() + "," + q.FirstOrDefault();',
      'list.Add(5); k = 2; log += string.Join(",", Same(q));',
      'foreach (var x in Same(q)) foreach (var y in q) { log += x * y + " "; if (log.Length > 200) break; }',
      'made.Add(() => q); k++; made.Add(() => q.Select(i => i + k)); k++; foreach (var f in made) log += string.Join(",", f()) + ";";',
    ];
    const changed = this.one(
      () => '',
      () => `q = q${this.step(1)};`,
      () => 'for (int z = 0; z < 2; z++) { var w = z; q = q.Select(i => i + w); }',
      () => `if (v.Id > 2) q = ${this.chain(1)};`,
    );
    const sequence = `${generic}IEnumerable<int>`;
    const body = `${sequence} q = ${this.chain(2)}; ${changed} ${uses[this.below(uses.length)]}`;
    const caught = this.below(2) === 0 ? body : `try { ${body} } catch (DivideByZeroException) { log += "!"; }`;
    const variables = `var log = ""; var k = 1; var list = new ${generic}List<int> { 6, 1, 6 }; var array = new[] { 9, 8 };`;
    const functions = `var made = new ${generic}List<Func<${sequence}>>(); ${sequence} Same(${sequence} s) => s;`;
    return `return v => { ${variables} ${functions} ${caught} throw new Exception(log); };`;
  }
}

/** A fragment of kind VertexFilter; some do not compile in C# either. */
export function randomQueries(below: Pick): string {
  return new QueryGenerator(below).fragment();
}
