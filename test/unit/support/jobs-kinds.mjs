// Kinds of jobs that misbehave, and a gang: for the tests of jobs, on threads and on one. The kernels are those of test/assembly/jobs.ts.

/** @param {string} name @param {(reader: any, request: any, control: any) => unknown} run @param {object} [more] */
const kind = (name, run, more = {}) => ({ name, run, ...more });

export const kinds = {
  echo: kind('echo', (_reader, request) => request),
  arena: kind('arena', (reader) => reader.arenaBytes),
  /** Looks at the stop word from inside WebAssembly. */
  poll: kind('poll', async (reader, announce, control) => {
    await control.emit('begun');
    const { exports } = reader.instance;
    const word = announce ? reader.announced(() => exports.pollUntilStopped()) : exports.pollUntilStopped();
    await control.slice();
    return word;
  }),
  endless: kind('endless', async (reader, _request, control) => {
    await control.emit('begun');
    reader.announced(() => reader.instance.exports.endless(reader.instance.exports.inputEnsure(8)));
  }),
  slices: kind('slices', async (_reader, slices, control) => {
    for (let i = 0; i < slices; i++) await control.slice();
    return slices;
  }),
  /** Until it may work that share of its time; then some slices more, with rests. */
  givesWay: kind(
    'givesWay',
    async (reader, share, control) => {
      while (reader.share !== share) await control.slice();
      for (let i = 0; i < 1000; i++) await control.slice();
      return true;
    },
    { isLong: true, givesWay: true },
  ),
  limited: kind(
    'limited',
    async (_reader, _request, control) => {
      while (true) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        await control.slice();
      }
    },
    { atOnce: 1 },
  ),
  throws: kind('throws', () => {
    throw new Error('a defect');
  }),
  traps: kind('traps', (reader) => reader.announced(() => reader.instance.exports.trap())),
  exits: kind('exits', async (_reader, _request, control) => {
    await control.emit('begun');
    globalThis.process.exit(7);
  }),
  uncaught: kind('uncaught', async (_reader, _request, control) => {
    setTimeout(() => {
      throw new Error('out of the blue');
    }, 0);
    while (true) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      await control.slice();
    }
  }),
  unreadable: kind('unreadable', () => () => 1),
  numbers: kind('numbers', async (_reader, count, control) => {
    for (let i = 0; i < count; i++) await control.emit(new Uint8Array([i]).subarray(0, 1));
    return { bytes: new Uint8Array(64 * 1024).subarray(5, 9), list: [1, new Uint8Array([7])] };
  }),
  widens: kind('widens', async (reader, bytes, control) => {
    const before = reader.arenaBytes;
    const { instance } = reader;
    const address = await control.fitting(() => instance.input(bytes) ?? neededBytes(bytes));
    instance.bytes.fill(1, address, address + bytes);
    return { before, after: reader.arenaBytes };
  }),
  counts: kind('counts', (reader, graph) => ({ vertices: reader.vertexCount(graph), slot: reader.slot })),
  calls: kind('calls', (reader, key, control) => {
    const { instance } = reader;
    const index = instance.functions.install(key, () => [new WebAssembly.Instance(control.module(key)).exports.twice]);
    return instance.exports.callTable(index);
  }),
  gangSum: kind('gangSum', (reader, { numbers, rounds }, { gang }) => ({
    count: gang.count,
    rounds: reader.instance.exports.gangSum(gang.address, gang.index, gang.count, numbers, rounds),
  })),
  gangWait: kind('gangWait', async (reader, _request, control) => {
    await control.emit('begun');
    const word = reader.instance.exports.gangWait(control.gang.address, control.gang.index);
    await control.slice();
    return word;
  }),
  gangStuck: kind('gangStuck', async (reader, _request, control) => {
    await control.emit('begun');
    return reader.instance.exports.gangStuck(control.gang.address, control.gang.index);
  }),
  /** The last member traps, the others wait at the barrier. */
  gangTraps: kind('gangTraps', (reader, _request, { gang }) => {
    if (gang.index === gang.count - 1) return reader.instance.exports.trap();
    return reader.instance.exports.gangWait(gang.address, 1);
  }),
};

let ArenaTooSmall;
/** The class of the build that runs the job. */
export function useArenaTooSmall(one) {
  ArenaTooSmall = one;
}
const neededBytes = (bytes) => new ArenaTooSmall(8 * bytes + 64);
