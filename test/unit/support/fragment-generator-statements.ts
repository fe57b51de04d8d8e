// The part of random fragments that makes things and takes them apart: arrays, tuples, boxed and anonymous objects, lambdas and local
// functions that change what they capture, exceptions, patterns, references, jumps. Each template is a statement (or a few) that declares what
// it needs under fresh names and puts what comes out into a variable of the fragment.

export interface StatementHost {
  /** Code of any type of the generator, two steps deep at most. */
  make(type: string): string;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
  /** A name that nothing else has. */
  name(): string;
  /** A variable that may be assigned. */
  variable(type: string): string;
  /** Any statement, one step less deep. */
  statement(): string;
  /** Only what C# 8 compiles and every runtime does alike. */
  readonly strict: boolean;
}

type Templates = readonly (() => string)[];

const exceptions = ['DivideByZeroException', 'OverflowException', 'NullReferenceException', 'IndexOutOfRangeException', 'InvalidOperationException', 'ArgumentException', 'FormatException', 'InvalidCastException', 'Exception']; // biome-ignore format: a list
const thrown = ['InvalidOperationException', 'ArgumentException', 'Exception', 'FormatException', 'OverflowException', 'TimeoutException']; // biome-ignore format: a list

/** Something of any type as an object. */
export function boxed({ make, pick }: StatementHost): string {
  const type = pick(['int', 'long', 'double', 'float', 'string', 'bool', 'char', 'byte', 'uint', 'decimal', 'DateTime', 'TimeSpan', 'int?', 'long?', 'bool?', 'short', 'tuple', 'null', 'vertex', 'array', 'enum', 'Guid']); // biome-ignore format: a list
  if (type === 'tuple') return `(object)(${make('int')}, ${make('string')})`;
  if (type === 'null') return '(object)null';
  if (type === 'vertex') return '(object)v';
  if (type === 'array') return `(object)new[] { ${make('int')}, ${make('int')} }`;
  if (type === 'enum') return `(object)(DayOfWeek)(${make('int')} & 7)`;
  return `(object)(${make(type)})`;
}

/** The arms of a switch over an object; each gives an int. */
function objectArms({ make, pick, name, strict, chance }: StatementHost): string {
  const [x, s, d] = [name(), name(), name()];
  const arms = [
    `int ${x} when ${x} > ${make('int')} => ${x} + ${make('int')}`, `int ${x}a => -${x}a`, `string ${s} when ${make('bool')} => ${s}.Length`, `string { Length: 5 } => ${make('int')}`,
    `string ${s}b => ${s}b.IndexOf('e')`, `double ${d} when ${d} > 1 => 7`, `double _ => ${make('int')}`, `long ${x}l => (int)(${x}l >> 7)`, `DateTime ${d}t => ${d}t.Day`, `TimeSpan { Days: 0 } => 11`, `TimeSpan ${d}s => ${d}s.Minutes`,
    `decimal ${d}m => (int)(${d}m % 7)`, `bool ${x}b => ${x}b ? 1 : 2`, "'a' => 5", `char ${x}c => ${x}c`, `null => ${make('int')}`, `VertexModel { Id: 3 } => 33`, `VertexModel ${x}v => ${x}v.Id`, `int[] ${x}i => ${x}i[0] ^ ${x}i.Length`,
    `ValueTuple<int, string> ${x}t => ${x}t.Item1`, `DayOfWeek.Monday => 3`, `DayOfWeek ${x}w => (int)${x}w`, `7 => 8`, `"person" => 9`, `2.5 => 10`, `uint ${x}u => (int)(${x}u & 255)`, `byte _ => 12`, `1L => 13`,
  ].filter(() => chance(0.4)); // biome-ignore format: a list
  if (!strict) arms.push(...[`> 100 and < 100000 => ${make('int')}`, 'not string => 21', `"a" or "n" or null => ${make('int')}`, '>= 0.5 => 22'].filter(() => chance(0.3))); // biome-ignore format: one list
  // An arm that another one handles already does not compile: those that take a whole type go last.
  const whole = (arm: string): number => (/^not /.test(arm) ? 2 : /^[A-Za-z<>,[\] ]+ (\w+|_) =>/.test(arm) && !/^null|^DayOfWeek\./.test(arm) ? 1 : 0); // biome-ignore format: one expression
  arms.sort((one, other) => whole(one) - whole(other));
  const left = arms.some((arm) => arm.startsWith('not ')) && arms.some((arm) => arm.startsWith('string ')) ? [] : [`_ => ${pick(['-1', make('int')])}`]; // biome-ignore format: one expression
  const later = arms.findIndex((arm) => arm.startsWith('not string'));
  return [...(later >= 0 ? arms.slice(0, later + 1) : arms), ...(later >= 0 ? ['_ => 23'] : left)].join(', ');
}

function arrays(host: StatementHost): Templates {
  const { make, name, pick, variable } = host;
  const int = () => make('int');
  const a = name();
  const [x, y] = [name(), name()];
  return [
    () => `var ${a} = new[] { ${int()}, ${int()}, ${int()} }; ${a}[${int()} & 1] ${pick(['+=', '-=', '*=', '^=', '='])} ${int()}; ${a}[^1] ^= ${a}[0]++; ${variable('int')} += ${a}[0] ^ ${a}[1] - ${a}[2];`,
    () => `var ${a} = new int[${int()} & 3]; ${a}[${int()} & 3] = ${int()}; foreach (var ${x} in ${a}) ${variable('int')} = ${variable('int')} * 31 + ${x};`,
    () => `var ${a} = new long[] { ${make('long')}, ${int()} }; ${a}[1] <<= ${int()}; (${a}[0], ${a}[1]) = (${a}[1], ${a}[0]); ${variable('long')} += ${a}[${int()} & 1];`,
    () => `int[][] ${a} = { new[] { ${int()} }, new[] { ${int()}, ${int()} }, null }; ${a}[${int()} & 1][0] -= ${int()}; foreach (var ${x} in ${a}) foreach (var ${y} in ${x}) ${variable('int')} ^= ${y};`,
    () => `var ${a} = new (int p, string q)[2]; ${a}[1].p += ${int()}; ${a}[${int()} & 1].q = ${make('string')}; ${variable('int')} += ${a}[1].p + (${a}[1].q ?? "none").Length;`,
    () => `var ${a} = new double[3]; for (int ${x} = 0; ${x} < ${a}.Length; ${x}++) ${a}[${x}] = ${x} == 0 ? ${make('double')} : ${a}[${x} - 1] / 2 + ${x}; ${variable('double')} += ${a}[2];`,
    () => `byte[] ${a} = { 1, 2, (byte)${int()} }; ${a}[0] += ${make('byte')}; ${a}[2]++; ${variable('int')} += ${a}[0] | ${a}[2] << 8;`,
    () => `var ${a} = new string[2]; ${a}[${int()} & 1] += ${make('string')}; ${a}[1] ??= "x"; ${variable('string')} = ${a}[0] + "|" + ${a}[1];`,
    () => `var ${a} = new int?[] { ${make('int?')}, null }; ${a}[0] += ${int()}; ${a}[1] ??= ${int()}; ${variable('int')} += ${a}[0] ?? ${a}[1].Value;`,
    () => `var ${a} = new[] { ${int()}, ${int()}, ${int()} }; ref var ${x} = ref ${a}[${int()} & 1]; ${x} += ${int()}; ${a}[1] *= 3; ${x}--; ${variable('int')} ^= ${x} + ${a}[0];`,
    () => `var ${a} = new[] { ${int()}, ${int()}, 5, ${int()} }; ref int ${x} = ref ${a}[0]; for (int ${y} = 1; ${y} < 4; ${y}++) if (${a}[${y}] > ${x}) ${x} = ref ${a}[${y}]; ${x} = 7; ${variable('int')} += ${a}[0] ^ ${a}[1] ^ ${a}[3];`,
    () => `var ${a} = new object[] { ${boxed(host)}, ${boxed(host)} }; foreach (var ${x} in ${a}) if (${x} is int ${y}) ${variable('int')} += ${y}; else if (${x} is string ${y}s) ${variable('string')} = ${y}s;`,
    () => `int[,] ${a} = { { ${int()}, 2 }, { 3, ${int()} } }; ${a}[${int()} & 1, 1] += ${int()}; ${variable('int')} ^= ${a}[1, ${int()} & 1];`,
  ]; // biome-ignore format: a table
}

function tuples(host: StatementHost): Templates {
  const { make, name, variable, pick } = host;
  const int = () => make('int');
  const t = name();
  const [x, y] = [name(), name()];
  return [
    () => `var ${t} = (${int()}, ${make('string')}, ${make('double')}); ${t}.Item1 += ${int()}; var (${x}, ${y}, _) = ${t}; ${variable('int')} ^= ${x} + (${y} ?? "").Length; ${variable('double')} -= ${t}.Item3;`,
    () => `(int a, (long b, bool c) d) ${t} = (${int()}, (${int()}, ${make('bool')})); ${t}.d.b *= 3; ${t}.d.c ^= ${make('bool')}; ${variable('long')} += ${t}.d.c ? ${t}.d.b : ${t}.a;`,
    () => `(${variable('int')}, ${variable('long')}) = (${int()}, ${int()}); var ${t} = (${variable('int')}, ${variable('int')}); (${t}.Item2, ${t}.Item1) = ${t}; ${variable('int')} -= ${t}.Item1;`,
    () => `if ((${int()}, ${make('string')}) ${pick(['==', '!='])} (${pick([int(), make('long')])}, ${make('string')})) ${variable('int')}++;`,
    () => `var ${t} = (${int()} & 3, ${make('bool')}); ${variable('int')} += ${t} switch { (0, true) => 1, (1, _) => ${int()}, (var ${x}, false) when ${x} > 1 => ${x}, (_, true) => 3, _ => 4 };`,
    () => `(int, double)? ${t} = ${make('bool')} ? ((int, double)?)(${int()}, ${make('double')}) : null; ${variable('double')} = ${t}?.Item2 ?? ${t}.GetValueOrDefault().Item1;`,
    () => `object ${t} = (${int()}, ${int()}); ${variable('int')} += ${t} is ValueTuple<int, int> ${x} ? ${x}.Item1 ^ ${x}.Item2 : 5; ${variable('int')} += ${t}.Equals((${int()}, 1)) ? 1 : 2;`,
    () => `var ${t} = new { A = ${int()}, B = ${make('string')}, C = ${make('decimal')} }; ${variable('int')} += ${t}.A + (${t}.Equals(new { A = ${int()}, B = ${t}.B, C = 1m }) ? 1 : 0) + ${t}.ToString().Length;`,
    () => `var ${t} = new[] { (${int()}, "b"), (${int()}, "a"), (2, null) }.OrderBy(${x} => ${x}.Item2).ThenBy(${x} => ${x}).Last(); ${variable('int')} ^= ${t}.Item1;`,
    () => `var ${t} = ((${int()}, "x").ToString() + "").Length; ${variable('int')} += ${t};`,
  ]; // biome-ignore format: a table
}

function functions(host: StatementHost): Templates {
  const { make, name, variable, chance } = host;
  const int = () => make('int');
  const [c, f, g] = [name(), name(), name()];
  const [x, y] = [name(), name()];
  return [
    () => `int ${c} = ${int()}; Func<int, int> ${f} = ${x} => ${c} += ${x}; Func<int> ${g} = () => { ${c} ^= ${int()}; return ${c}; }; ${variable('int')} += ${f}(${int()}) - ${g}() + ${f}(1) * ${c};`,
    () => `var ${f} = new Func<int>[3]; for (int ${x} = 0; ${x} < 3; ${x}++) { int ${y} = ${x} * ${int()}; ${f}[${x}] = () => ${y}++ + ${x}; } ${variable('int')} += ${f}[0]() + ${f}[1]() * 3 + ${f}[2]() + ${f}[1]();`,
    () => `int ${c} = ${int()}; var ${f} = new System.Collections.Generic.List<Func<int>>(); foreach (var ${x} in new[] { ${int()}, ${int()} }) ${f}.Add(() => ${x} ^ ${c} + ${int()}); foreach (var ${g} in ${f}) ${variable('int')} -= ${g}();`,
    () => `Func<int, int> ${f} = null; ${f} = ${x} => ${x} <= 0 ? ${int()} : ${f}(${x} - 1) ^ ${x}; ${variable('int')} += ${f}(${int()} & 15);`,
    () => `int ${c} = ${int()}; Func<int, Func<int, int>> ${f} = ${x} => ${y} => (${c} += ${x}) * ${y}; var ${g} = ${f}(${int()}); ${variable('int')} ^= ${g}(2) + ${g}(3) + ${c};`,
    () => `int ${f}(int ${x}, ref int ${y}, out long ${c}) { ${y} += ${x}; ${c} = ${y} ^ ${x}; return ${y} - 1; } ${variable('int')} -= ${f}(${int()}, ref ${variable('int')}, out var ${g}) ^ (int)${g};`,
    () => `int ${c} = 0; int ${f}(int ${x} = 3, int ${y} = 4) => ++${c} + ${x} * 10 + ${y}; ${variable('int')} += ${f}(${y}: ${int()}) ^ ${f}(${int()}) ^ ${f}(${y}: ${int()}, ${x}: ${int()}) ^ ${c};`,
    () => `int ${f}(params int[] ${x}) => ${x}.Length == 0 ? -1 : ${x}[0] + ${x}.Length; ${variable('int')} += ${f}() * ${f}(${int()}) - ${f}(${int()}, ${int()}, 1);`,
    () => `T ${f}<T>(T ${x}, Func<T, T> ${y}, int ${c}) { while (${c}-- > 0) ${x} = ${y}(${x}); return ${x}; } ${variable('int')} = ${f}(${int()}, ${g} => ${g} * 3 - 1, ${int()} & 3); ${variable('string')} = ${f}(${make('string')}, ${g} => ${g} + "e", 2);`,
    () => `T ${f}<T>(T ${x}, T ${y}) where T : IComparable<T> => ${x}.CompareTo(${y}) >= 0 ? ${x} : ${y}; ${variable('int')} += ${f}(${int()}, ${int()}); ${variable('decimal')} = ${f}(${make('decimal')}, 3m);`,
    () => `int ${c} = ${int()}; void ${f}(int ${x}) { if (${x} > 0) { ${c} = ${c} * 7 + ${x}; ${g}(${x} - 1); } } void ${g}(int ${y}) { if (${make('bool')}) ${f}(${y} - 1); else ${c}--; } ${f}(${int()} & 7); ${variable('int')} ^= ${c};`,
    () => `Action<int> ${f} = ${x} => { if (${x} > 2) throw new InvalidOperationException("no"); ${variable('int')} += ${x}; }; ${chance(0.5) ? `try { ${f}(${int()} & 3); } catch (InvalidOperationException) { ${variable('int')}--; }` : `${f}(${int()} & 3);`}`,
    () => `Predicate<string> ${f} = string.IsNullOrEmpty; Func<int, int, int> ${g} = Math.Max; ${variable('int')} ^= ${g}(${int()}, ${f}(${make('string')}) ? 1 : 100);`,
    () => `var ${c} = new System.Collections.Generic.Dictionary<string, int>(); foreach (var ${x} in new[] { ${make('string')} ?? "", "b", "b" }) { ${c}.TryGetValue(${x}, out var ${y}); ${c}[${x}] = ${y} + ${int()}; } foreach (var (${f}, ${g}) in ${c}) ${variable('int')} += ${f}.Length ^ ${g};`,
    () => `var ${c} = new System.Collections.Generic.List<int> { ${int()}, ${int()} }; ${c}.Add(${c}[0] ^ ${c}[^1]); ${c}[1] += ${int()}; ${c}.RemoveAt(${int()} & 1); ${c}.Insert(0, ${int()}); ${variable('int')} += ${c}.Count * ${c}[1] + ${c}.IndexOf(5);`,
    () => `int ${c} = 0; var ${f} = new[] { 1, 2, 3, 4 }.Where(${x} => { ${c}++; return ${x} % 2 == (${int()} & 1); }).Select(${x} => ${x} * ++${c}); ${variable('int')} += ${f}.Sum() * 100 + ${f}.FirstOrDefault() + ${c};`,
  ]; // biome-ignore format: a table
}

function failures(host: StatementHost): Templates {
  const { make, name, pick, variable, statement, chance } = host;
  const int = () => make('int');
  const e = name();
  const x = name();
  const kind = () => pick(exceptions);
  return [
    () => `try { ${statement()} ${chance(0.5) ? `throw new ${pick(thrown)}("m" + ${int()});` : statement()} } catch (${kind()} ${e}) when (${make('bool')}) { ${variable('int')} += ${e}.Message.StartsWith("m") ? ${e}.Message.Length : 1; } catch (Exception) { ${statement()} }`,
    () => `try { ${variable('int')} = checked(${int()} ${pick(['*', '+', '-'])} ${int()}); } catch (OverflowException) { ${variable('int')}++; } finally { ${variable('int')} ^= 5; }`,
    () => `try { try { ${statement()} if (${make('bool')}) ${variable('int')} /= ${int()}; } catch (Exception ${e}) { ${variable('int')}--; if (${make('bool')}) throw; ${variable('int')} += ${e} is DivideByZeroException ? 2 : 3; } finally { ${statement()} } } catch (${pick(['DivideByZeroException', 'Exception'])}) { ${variable('int')} += 9; }`,
    () => `for (int ${x} = 0; ${x} < 3; ${x}++) { try { if (${x} == (${int()} & 3)) continue; if (${make('bool')}) break; ${variable('int')} += ${x}; } finally { ${variable('int')} *= 3; } }`,
    () => `try { ${variable('int')} += (${make('string')} ?? throw new ArgumentNullException("x")).Length; } catch (ArgumentException ${e}) { ${variable('int')} -= ${e}.Message.Length > 3 ? 1 : 0; }`,
    () => `int ${x}() { try { if (${make('bool')}) return ${int()}; ${variable('int')}++; return ${int()} / ${int()}; } catch (DivideByZeroException) { return -7; } finally { ${variable('int')} += 2; } } ${variable('int')} ^= ${x}();`,
    () => `try { object ${x} = ${boxed(host)}; ${variable('int')} += ${pick([`(int)${x}`, `((string)${x}).Length`, `(int)(long)${x}`, `((int?)${x}) ?? 3`, `${x}.ToString().Length & 1`])}; } catch (InvalidCastException) { ${variable('int')} = 11; } catch (NullReferenceException) { ${variable('int')} = 12; }`,
    () => `try { var ${x} = new[] { 1, 2 }; ${variable('int')} += ${x}[${int()} & 3]; } catch (IndexOutOfRangeException) when (${make('bool')}) { ${variable('int')} = 13; }`,
    () => `try { if (${make('bool')}) throw new ${pick(thrown)}("inner", new ${pick(thrown)}("m")); } catch (Exception ${e}) when (${e}.InnerException is ${kind()}) { ${variable('int')} += ${e}.InnerException.Message.Length; } catch (${pick(thrown.filter((one) => one !== 'Exception'))}) { ${variable('int')} += 4; }`,
  ]; // biome-ignore format: a table
}

function patterns(host: StatementHost): Templates {
  const { make, name, pick, variable, strict } = host;
  const int = () => make('int');
  const [o, x, y] = [name(), name(), name()];
  const newer: Templates = [
    () => `${variable('int')} += ${int()} switch { < -1000 => 1, >= -1000 and < 0 => ${int()}, 0 or 7 or 31 => 3, > 1000000 and not int.MaxValue => 4, _ => 5 };`,
    () => `if (${int()} is (> 3 and < 1000) or -1 or not > -5) ${variable('int')}++; if (${make('string')} is not null and not "a") ${variable('int')} ^= 3; if (${make('char')} is >= 'a' and <= 'z' or 'Z') ${variable('int')}--;`,
    () => `object ${o} = ${boxed(host)}; if (${o} is not (int or string)) ${variable('int')} += 2; if (${o} is int and > 5) ${variable('int')} += 4; if (${o} is not string ${x}) ${variable('int')}++; else ${variable('int')} += ${x}.Length;`,
    () => `if (new[] { ${int()}, ${int()}, 3 } is [${pick(['0', '> 0', '_', 'var q'])}, .., 3]) ${variable('int')}++; if (${make('string')} is ['a' or 'T', ..]) ${variable('int')} += 2;`,
    () => `if (v is { Label.Length: > 3 and < 100, Id: not 2 }) ${variable('int')}++; if (${make('double')} is < 0.5 or double.NaN) ${variable('int')} ^= 1;`,
  ]; // biome-ignore format: a table
  return [
    () => `object ${o} = ${boxed(host)}; ${variable('int')} += ${o} switch { ${objectArms(host)} };`,
    () => `object ${o} = ${boxed(host)}; switch (${o}) { case int ${x} when ${x} > 3: ${variable('int')} += ${x}; break; case string ${y}: ${variable('string')} = ${y}; goto default; case null: goto case 7; case 7L: case 7: ${variable('int')} += 7; break; default: ${variable('int')} ^= 9; break; }`,
    () => `switch (${int()} & 3) { case 0: goto case 2; case 1: ${variable('int')} += 1; goto ${x}; case 2: ${variable('int')} += 10; goto default; default: ${variable('int')} += 100; ${x}: ${variable('int')} *= 2; break; }`,
    () => `int ${x} = ${int()} & 3; ${y}: ${variable('int')} = ${variable('int')} * 5 + ${x}; if (--${x} > 0) goto ${y}; if (${make('bool')}) goto ${o}; ${variable('int')}++; ${o}: ${variable('int')} ^= 1;`,
    () => `if (v is { Id: ${pick(['1', '3', `var ${x}`])}, Label: string ${y} } && ${y}.Length > 2) ${variable('int')} += ${y}.Length; if (${make('int?')} is { } ${o}) ${variable('int')} ^= ${o};`,
    () => `${variable('string')} = ${make('string')} switch { null => "e", "" => "x", var ${x} when ${x}.Length > 4 => ${x}.Substring(2), string { Length: 1 } ${y} => ${y} + ${y}, var ${o} => ${o} };`,
    () => `${variable('int')} += (${make('string')}, ${int()}, ${make('bool?')}) switch { (null, _, true) => 1, ("person", var ${x}, _) => ${x}, (_, 0, null) => 3, ({ Length: 3 }, _, false) => 4, var (${y}, ${o}, _) => (${y}?.Length ?? 7) ^ ${o} };`,
    () => `if (${make('DateTime')} is { Year: 2024 } || ${make('decimal')} is 1.1m || !(${make('double')} is 0.1)) ${variable('int')} += 3;`,
    () => `int? ${x} = ${make('int?')}; ${x}++; ${x} ${pick(['+=', '*=', '|='])} ${int()}; ${x} ??= ${int()}; ${variable('int')} += ${x} switch { null => 1, 5 => 2, int ${y} => ${y} };`,
    () => `int ${x} = ${int()}, ${y} = ${int()}; ref int ${o} = ref (${make('bool')} ? ref ${x} : ref ${y}); ${o} += 5; (${make('bool')} ? ref ${o} : ref ${y}) ^= 3; ${variable('int')} += ${x} - ${y};`,
    ...(strict ? [] : [...newer, ...newer]),
  ]; // biome-ignore format: a table
}

/** A statement that makes things and takes them apart, as a block of its own. */
export function richStatement(host: StatementHost): string {
  const templates = host.pick([arrays, tuples, functions, failures, patterns, patterns])(host);
  return `{ ${host.pick(templates)()} }`;
}
