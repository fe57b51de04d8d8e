// The source of the fragment machine in AssemblyScript: one switch over the operations of src/fragments/machine/operations.ts, which says how
// they are written. An instruction that only computes is a row here: its operands and what comes of them.

const operand = { left: 4, right: 6 };
const left = (type) => `load<${type}>(fp + <usize>load<u16>(pc, ${operand.left}))`;
const right = (type) => `load<${type}>(fp + <usize>load<u16>(pc, ${operand.right}))`;
const result = (type, value) => `store<${type}>(fp + <usize>load<u16>(pc, 2), ${value});`;
const word = (type, at) => `load<${type}>(pc, ${at})`;
const target = (at) => `base + <usize>${word('u32', at)}`;
const withOperands = (expression, type, second) => expression.replaceAll('$a', left(type)).replaceAll('$b', second);

const signedComparisons = ['==', '!=', '<', '<', '>', '>', '<=', '<=', '>=', '>='];
const realComparisons = ['==', '!=', '<', '>', '<=', '>='];
const unary = ['abs', 'neg', 'ceil', 'floor', 'trunc', 'nearest', 'sqrt'];
const binaryReals = ['$a + $b', '$a - $b', '$a * $b', '$a / $b', 'min($a, $b)', 'max($a, $b)', 'copysign($a, $b)'];

/** Instructions on two integers, in WebAssembly's order: how the operands are taken, and what is computed. */
const integers = [
  ...[
    ['s', '$a + $b'],
    ['s', '$a - $b'],
    ['s', '$a * $b'],
    ['s', '$a / $b'],
    ['u', '$a / $b'],
    ['s', '$a % $b'],
  ],
  ...[
    ['u', '$a % $b'],
    ['s', '$a & $b'],
    ['s', '$a | $b'],
    ['s', '$a ^ $b'],
    ['s', '$a << $b'],
    ['s', '$a >> $b'],
  ],
  ...[
    ['u', '$a >> $b'],
    ['s', 'rotl($a, $b)'],
    ['s', 'rotr($a, $b)'],
  ],
];

/** Conversions, from the first on: what is read, what is written, as which type. */
const conversions = [
  ['i64', 'i32'], ['f32', 'i32'], ['f32', 'u32'], ['f64', 'i32'], ['f64', 'u32'], ['i32', 'i64'], ['u32', 'u64'],
  ['f32', 'i64'], ['f32', 'u64'], ['f64', 'i64'], ['f64', 'u64'], ['i32', 'f32'], ['u32', 'f32'], ['i64', 'f32'],
  ['u64', 'f32'], ['f64', 'f32'], ['i32', 'f64'], ['u32', 'f64'], ['i64', 'f64'], ['u64', 'f64'], ['f32', 'f64'],
  ['u32', 'u32', ''], ['u64', 'u64', ''], ['u32', 'u32', ''], ['u64', 'u64', ''],
  ['i32', 'i32', '<i32><i8>'], ['i32', 'i32', '<i32><i16>'],
  ['i64', 'i64', '<i64><i8>'], ['i64', 'i64', '<i64><i16>'], ['i64', 'i64', '<i64><i32>'],
]; // biome-ignore format: a table

/**
 * @param operations the module src/fragments/machine/operations.ts
 * @param opcodes the module src/fragments/emit/wasm/opcodes.ts
 */
export function machineSource(operations, opcodes) {
  const cases = new Map();
  const add = (code, body, bytes) => {
    if (cases.has(code)) throw new Error(`Operation ${code} stands here twice.`);
    cases.set(code, bytes === undefined ? body : `${body}\npc += ${bytes};\ncontinue;`);
  };
  addComparisons(add, operations, opcodes);
  addComputations(add, operations, opcodes);
  addControl(add, operations.operations);
  addMoves(add, operations.operations);
  addMemory(add, operations.operations, opcodes);
  addVectors(add, operations.operations);
  addCoreCalls(add, operations);
  const text = [...cases].sort(([a], [b]) => a - b).map(([code, body]) => `case ${code}: {\n${body}\n}`);
  return frame.replace('CASES', () => text.join('\n'));
}

function addComparisons(add, { withConstant, jumpWhere, jumpWhereConstant }, { i32, i64, f32, f64 }) {
  const integerTypes = (at, signed, unsigned) => (at >= 2 && at % 2 === 1 ? unsigned : signed);
  for (const [at, operator] of signedComparisons.entries()) {
    const code = i32.eq + at;
    const type = integerTypes(at, 'i32', 'u32');
    const holds = (second) => `${left(type)} ${operator} ${second}`;
    add(code, result('u32', `<u32>(${holds(right(type))})`), 8);
    add(code + withConstant, result('u32', `<u32>(${holds(word(type, 8))})`), 12);
    add(code + jumpWhere, `pc = ${holds(right(type))} ? ${target(8)} : pc + 12;\ncontinue;`);
    add(code + jumpWhereConstant, `pc = ${holds(word(type, 8))} ? ${target(12)} : pc + 16;\ncontinue;`);
    const long = integerTypes(at, 'i64', 'u64');
    add(i64.eq + at, result('u32', `<u32>(${left(long)} ${operator} ${right(long)})`), 8);
  }
  for (const [first, type] of [
    [f32.eq, 'f32'],
    [f64.eq, 'f64'],
  ])
    for (const [at, operator] of realComparisons.entries())
      add(first + at, result('u32', `<u32>(${left(type)} ${operator} ${right(type)})`), 8);
  add(i32.eqz, result('u32', `<u32>(${left('u32')} == 0)`), 8);
  add(i64.eqz, result('u32', `<u32>(${left('u64')} == 0)`), 8);
}

function addComputations(add, { withConstant }, { i32, i64, f32, f64 }) {
  const put = (code, type, expression) => add(code, result(type, withOperands(expression, type, right(type))), 8);
  for (const [first, bits] of [
    [i32, 32],
    [i64, 64],
  ]) {
    for (const [at, name] of ['clz', 'ctz', 'popcnt'].entries()) put(first.clz + at, `i${bits}`, `${name}($a)`);
    for (const [at, [kind, expression]] of integers.entries()) {
      const type = `${kind === 's' ? 'i' : 'u'}${bits}`;
      put(first.add + at, type, expression);
      const constant = withOperands(expression, type, word(type, 8));
      if (bits === 32) add(first.add + at + withConstant, result(type, constant), 12);
    }
  }
  for (const [first, type] of [
    [f32, 'f32'],
    [f64, 'f64'],
  ]) {
    for (const [at, name] of unary.entries()) put(first.abs + at, type, name === 'neg' ? '-$a' : `${name}($a)`);
    for (const [at, expression] of binaryReals.entries()) put(first.add + at, type, expression);
  }
  for (const [at, [from, to, how = `<${to}>`]] of conversions.entries())
    add(i32.wrapI64 + at, result(to, `${how}(${left(from)})`), 8);
}

function addControl(add, of) {
  add(of.unreachable, 'unreachable();');
  add(of.jump, `pc = ${target(4)};\ncontinue;`);
  add(of.jumpIf, `pc = ${left('u32')} != 0 ? ${target(8)} : pc + 12;\ncontinue;`);
  add(of.jumpUnless, `pc = ${left('u32')} == 0 ? ${target(8)} : pc + 12;\ncontinue;`);
  add(of.return, 'return 0;');
  add(of.charge, `fuel -= ${word('i32', 4)};\nif (fuel < 0) refuel();`, 8);
  add(of.call, call);
  add(of.fail, `fail(${left('i32')});`, 8);
  add(of.failWith, `failWith(${left('i32')}, ${right('i32')});`, 8);
  add(of.refuel, 'refuel();', 8);
  add(of.throw, `thrown = ${left('i32')};\nreturn 1;`);
  add(of.throwHere, `thrown = ${left('i32')};\npc = ${target(8)};\ncontinue;`);
  add(of.caught, result('i32', 'thrown'), 8);
}

const call = `const entry = ${target(4)};
const next = fp + <usize>load<u16>(pc, 2);
if (next + <usize>load<u32>(entry) > stackEnd) overflow();
memory.fill(next + <usize>load<u16>(entry, 4), 0, <usize>load<u16>(entry, 6));
if (run(entry + 8, next)) {
  const handler = load<u32>(pc, 8);
  if (handler == 0) return 1;
  pc = base + <usize>handler;
} else pc += 12;
continue;`;

function addMoves(add, of) {
  const from = 'load<u16>(pc, 2)';
  const wide = (value) => `v128.store(fp + <usize>load<u16>(pc, 2), ${value});`;
  const global = 'base + <usize>load<u32>(pc, 4)';
  add(of.copy, result('u64', left('u64')), 8);
  add(of.copyWide, wide(wideLeft), 8);
  add(of.constant, result('u32', word('u32', 4)), 8);
  add(of.constantLong, result('u64', word('u64', 4)), 12);
  add(of.constantWide, wide('v128.load(pc, 4)'), 20);
  add(of.getGlobal, result('u64', `load<u64>(${global})`), 8);
  add(of.setGlobal, `store<u64>(${global}, load<u64>(fp + <usize>${from}));`, 8);
  add(of.getWideGlobal, wide(`v128.load(${global})`), 8);
  add(of.setWideGlobal, `v128.store(${global}, v128.load(fp + <usize>${from}));`, 8);
  add(of.getFuel, result('i32', 'fuel'), 8);
  add(of.setFuel, `fuel = load<i32>(fp + <usize>${from});`, 8);
  const chosen = `fp + <usize>(load<u32>(fp + <usize>${word('u32', 8)}) ? load<u16>(pc, ${operand.left}) : load<u16>(pc, ${operand.right}))`;
  add(of.select, result('u64', `load<u64>(${chosen})`), 12);
  add(of.selectWide, wide(`v128.load(${chosen})`), 12);
}

function addMemory(add, of, { i32, i64, f32, f64 }) {
  const address = `<usize>${left('u32')} + <usize>${word('u32', 8)}`;
  for (const [code, type] of [
    [i32.load, 'u32'],
    [i64.load, 'u64'],
    [f32.load, 'u32'],
    [f64.load, 'u64'],
  ])
    add(code, result(type, `load<${type}>(${address})`), 12);
  add(i32.load8U, result('u32', `<u32>load<u8>(${address})`), 12);
  for (const [code, type] of [
    [i32.store, 'u32'],
    [i64.store, 'u64'],
    [f32.store, 'u32'],
    [f64.store, 'u64'],
  ])
    add(code, `store<${type}>(${address}, ${right(type)});`, 12);
  add(of.loadWide, `v128.store(fp + <usize>load<u16>(pc, 2), v128.load(${address}));`, 12);
  add(of.storeWide, `v128.store(${address}, ${wideRight});`, 12);
}

const wideLeft = `v128.load(fp + <usize>load<u16>(pc, ${operand.left}))`;
const wideRight = `v128.load(fp + <usize>load<u16>(pc, ${operand.right}))`;

function addVectors(add, of) {
  const wide = (value) => `v128.store(fp + <usize>load<u16>(pc, 2), ${value});`;
  const lane = (shift) => `fp + <usize>load<u16>(pc, 4) + (<usize>${word('u32', 8)} << ${shift})`;
  add(of.andWide, wide(`v128.and(${wideLeft}, ${wideRight})`), 8);
  add(of.orWide, wide(`v128.or(${wideLeft}, ${wideRight})`), 8);
  add(of.xorWide, wide(`v128.xor(${wideLeft}, ${wideRight})`), 8);
  add(of.anyTrue, result('u32', `<u32>v128.any_true(${wideLeft})`), 8);
  add(of.splatLong, wide(`i64x2.splat(${left('i64')})`), 8);
  add(of.splatDouble, wide(`f64x2.splat(${left('f64')})`), 8);
  add(of.wordLane, result('u32', `load<u32>(${lane(2)})`), 12);
  add(of.longLane, result('u64', `load<u64>(${lane(3)})`), 12);
  const put = `store<u64>(fp + <usize>load<u16>(pc, 2) + (<usize>${word('u32', 8)} << 3), value);`;
  add(of.replaceLong, `const value = ${right('u64')};\n${wide(wideLeft)}\n${put}`, 12);
}

function addCoreCalls(add, { coreSignatures, coreCall, takesRegisters, registerBytes }) {
  for (const signature of coreSignatures) {
    const [list, answer] = signature.split('>');
    const parameters = list === '' ? [] : list.split(',');
    const where = (type, at) => {
      if (takesRegisters(parameters)) return at === 0 ? left(type) : right(type);
      const offset = at * registerBytes;
      return type === 'v128' ? `v128.load(first, ${offset})` : `load<${type}>(first, ${offset})`;
    };
    const values = [word('u32', 8), ...parameters.map(where)].join(', ');
    const called = `call_indirect<${answer || 'void'}>(${values})`;
    const before = takesRegisters(parameters) ? '' : 'const first = fp + <usize>load<u16>(pc, 4);\n';
    const kept = answer === 'v128' ? `v128.store(fp + <usize>load<u16>(pc, 2), ${called});` : result(answer, called);
    add(coreCall(signature), before + (answer === '' ? `${called};` : kept), 12);
  }
}

const frame = `@external('env', 'fuel')
declare let fuel: i32;
@external('env', 'refuel')
declare function refuel(): void;
@external('env', 'fail')
declare function fail(failure: i32): void;
@external('env', 'failWith')
declare function failWith(failure: i32, text: i32): void;
@external('env', 'overflow')
declare function overflow(): void;

let base: usize = 0;
let stack: usize = 0;
let stackEnd: usize = 0;
let thrown: i32 = 0;

export function place(program: usize, from: usize, to: usize): void {
  base = program;
  stack = from;
  stackEnd = to;
}

function enter(at: usize): void {
  const entry = base + <usize>load<u32>(base + at);
  if (stack + <usize>load<u32>(entry) > stackEnd) overflow();
  memory.fill(stack + <usize>load<u16>(entry, 4), 0, <usize>load<u16>(entry, 6));
  if (run(entry + 8, stack)) unreachable();
}

export function init(): void {
  enter(0);
}

export function call(id: i32): i32 {
  store<i32>(stack, id);
  enter(4);
  return load<i32>(stack);
}

export function callReal(id: i32): f64 {
  store<i32>(stack, id);
  enter(4);
  return load<f64>(stack);
}

export function select(ids: i32, count: i32, out: i32): i32 {
  store<i32>(stack, ids);
  store<i32>(stack, count, 16);
  store<i32>(stack, out, 32);
  enter(8);
  return load<i32>(stack);
}

function run(pc: usize, fp: usize): u32 {
  for (let going = true; going; ) {
    switch (load<u16>(pc)) {
CASES
      default: unreachable();
    }
  }
  return 0;
}
`;
