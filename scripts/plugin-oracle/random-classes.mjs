// Random classes from a seed, as a source whose `Case.Run()` says what they do: objects that refer to each other, arrays, virtual calls, exceptions
// that are thrown and caught, closures over fields and locals, structs, static state. Every method spends from one tank, so that each program ends.

/** The same numbers for the same seed. */
function numbers(seed) {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

class Writer {
  /** @param {number} seed */
  constructor(seed) {
    this.below = numbers(seed);
    this.fresh = 0;
    // Exceptions of a source's own leave it to the interpreter, which every other one is to be spared.
    this.hasOwn = seed % 2 === 0;
    this.failure = this.hasOwn ? 'Failure' : 'InvalidOperationException';
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  thrown(code) {
    return this.hasOwn ? `new Failure(${code})` : `new InvalidOperationException("code " + ${code})`;
  }

  /** An `int` expression; `names` are variables that have a value. */
  int(names, depth) {
    if (depth <= 0)
      return this.pick([...names, ...names, String(this.below(20) - 5), 'first', 'Total', 'items.Length']);
    const own = () => this.int(names, depth - 1);
    switch (this.below(16)) {
      case 0:
      case 1:
      case 2:
        return `(${own()} ${this.pick(['+', '-', '*', '^', '&', '|'])} ${own()})`;
      case 3:
        return `(${own()} ${this.pick(['/', '%'])} (${own()} & 7))`;
      case 4:
        return `(${own()} ${this.pick(['<<', '>>'])} (${own()} & 3))`;
      case 5:
        return `(${this.bool(names, depth - 1)} ? ${own()} : ${own()})`;
      case 6:
        return `items[${own()} & 7]`;
      case 7:
        return `other.${this.pick(['Step', 'Turn'])}(${own()})`;
      case 8:
        return `${this.pick(['Step', 'Turn'])}(${own()})`;
      case 9:
        return `map(${own()})`;
      case 10:
        return `other.first`;
      case 11:
        return `unchecked((int)(${own()} * 3L >> 2))`;
      case 12:
        return `new Pair(${own()}, ${own()}).${this.pick(['Sum()', 'Left', 'Right'])}`;
      case 13:
        return `${own()}.ToString().Length`;
      case 14:
        return `unchecked((byte)(${own()}))`;
      default:
        return `Case.Note(${own()})`;
    }
  }

  /** A `bool` expression. */
  bool(names, depth) {
    if (depth <= 0) return this.pick(['first > 3', 'other == null', 'other is D0', 'Total % 2 == 0']);
    switch (this.below(5)) {
      case 0:
        return `!(${this.bool(names, depth - 1)})`;
      case 1:
        return `(${this.bool(names, depth - 1)} ${this.pick(['&&', '||'])} ${this.bool(names, depth - 1)})`;
      default:
        return `(${this.int(names, depth - 1)} ${this.pick(['<', '>', '==', '>=', '!='])} ${this.int(names, depth - 1)})`;
    }
  }

  /** Statements after each other. */
  block(names, depth, count) {
    const known = [...names];
    return Array.from({ length: count }, () => this.statement(known, depth)).join(' ');
  }

  /** One statement; a local that it declares joins `names`. */
  statement(names, depth) {
    const name = `v${this.fresh++}`;
    switch (this.below(depth <= 0 ? 6 : 13)) {
      case 0:
      case 1: {
        const text = `var ${name} = ${this.int(names, 2)};`;
        names.push(name);
        return text;
      }
      case 2:
        return `${this.pick(['first', 'Total', 'items[1]'])} ${this.pick(['=', '+=', '-=', '^='])} ${this.int(names, 2)};`;
      case 3:
        return `items[${this.int(names, 1)} & 7] = ${this.int(names, 2)};`;
      case 4: {
        const text = `Func<int, int> ${name} = w => Case.Spent() ? w : w ${this.pick(['+', '-', '^'])} ${this.int([...names, 'w'], 1)}; map = ${this.pick(['map', name])};`;
        return text;
      }
      case 5:
        return `if (other != null) other.first ${this.pick(['=', '+='])} ${this.int(names, 1)};`;
      case 6:
        return `if (${this.bool(names, 2)}) { ${this.block(names, depth - 1, 2)} } else { ${this.block(names, depth - 1, 1)} }`;
      case 7:
        return `for (var ${name} = 0; ${name} < ${1 + this.below(4)}; ${name}++) { ${this.block([...names, name], depth - 1, 2)} }`;
      case 8:
        return `try { ${this.block(names, depth - 1, 2)} } catch (${this.pick([this.failure, 'DivideByZeroException', 'IndexOutOfRangeException', 'NullReferenceException', 'Exception'])} ${name}) { Total += ${name} is ${this.failure} ? 1 : 2; Case.Note(${name}.GetType().Name.Length); }`;
      case 9:
        return `try { ${this.block(names, depth - 1, 1)} } finally { Case.Note(${this.int(names, 0)}); }`;
      case 10:
        return `if (${this.bool(names, 1)}) throw ${this.thrown(this.int(names, 1))};`;
      case 11:
        return `foreach (var ${name} in items) { ${this.block([...names, name], depth - 1, 1)} }`;
      default:
        return `switch (${this.int(names, 1)} & 3) { case 0: ${this.block(names, depth - 1, 1)} break; case 1: case 2: ${this.block(names, depth - 1, 1)} break; default: first++; break; }`;
    }
  }

  /** Every call spends from the tank. */
  method(head, depth) {
    const body = this.block(['n'], depth, 2 + this.below(3));
    return `${head} { if (Case.Spent()) return n; ${body} return ${this.int(['n'], 2)}; }`;
  }

  /** A class that derives from `Node` or one before it. */
  classAt(at) {
    const base = at === 0 || this.below(2) === 0 ? 'Node' : `D${this.below(at)}`;
    const members = [];
    if (this.below(3) > 0 || base === 'Node') members.push(this.method('public override int Step(int n)', 2));
    if (this.below(2) === 0) members.push(this.method('public override int Turn(int n)', 2));
    if (base !== 'Node' && this.below(2) === 0)
      members.push('public override string Text() { return base.Text() + "!"; }');
    return `public class D${at} : ${base} { public D${at}(int n) : base(n ${this.pick(['+', '*', '-'])} ${1 + this.below(5)}) { first += items[n & 3]; } ${members.join(' ')} }`;
  }
}

/**
 * The source of that seed.
 * @param {number} seed
 */
export function randomClasses(seed) {
  const writer = new Writer(seed);
  const classCount = 2 + writer.below(4);
  const classes = Array.from({ length: classCount }, (_, at) => writer.classAt(at));
  const objects = Array.from({ length: 4 }, (_, at) => `new D${writer.below(classCount)}(${at})`);
  const links = [0, 1, 2, 3].map(
    (at) => `nodes[${at}].other = ${writer.below(5) === 0 ? 'null' : `nodes[${writer.below(4)}]`};`,
  );
  return `using System;
using System.Collections.Generic;

${writer.hasOwn ? 'public class Failure : Exception { public readonly int Code; public Failure(int code) : base("code " + code) { Code = code; } }' : ''}
public struct Pair { public int Left; public int Right; public Pair(int left, int right) { Left = left; Right = right; } public int Sum() { Left += Right; return Left; } }
public abstract class Node {
  public static int Total;
  public int first; public Node other; protected int[] items = new int[6]; protected Func<int, int> map;
  protected Node(int n) { first = n; for (var i = 0; i < items.Length; i++) items[i] = n * i - 2; map = w => w + first; }
  public abstract int Step(int n);
  ${writer.method('public virtual int Turn(int n)', 1)}
  public virtual string Text() { return first + ":" + items[1] + "," + items[5]; }
}
${classes.join('\n')}
public static class Case {
  static int tank = 60; static int notes;
  public static bool Spent() { return --tank < 0; }
  public static int Note(int n) { notes = unchecked(notes * 31 + n); return n; }
  public static string Run() {
    var nodes = new Node[] { ${objects.join(', ')} };
    ${links.join(' ')}
    var text = "";
    for (var round = 0; round < 6; round++) {
      foreach (var node in nodes) {
        tank = 60;
        try { text += (round % 2 == 0 ? node.Step(round) : node.Turn(round)) + " "; }
        catch (${writer.failure} failure) { text += failure.Message + " "; }
        catch (Exception exception) { text += exception.GetType().Name + " "; }
      }
    }
    return text + "| " + nodes[0].Text() + " " + nodes[1].Text() + " " + nodes[2].Text() + " " + nodes[3].Text() + " | " + Node.Total + " " + notes;
  }
}
`;
}
