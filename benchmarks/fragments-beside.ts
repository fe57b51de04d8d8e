// What a point read meets while fragments are compiled: GET /vertex/{id} at a steady rate, alone, beside clients that post normal fragments,
// and beside clients that post hostile ones as well. Latencies count from the moment at which a read was due, so a service that stands still
// shows. `npm run bench -- fragments-beside [--seconds 10] [--reads 200]`

import { Agent, request } from 'node:http';
import { machineLine, percentile, setting, table, target } from './lib/measure.ts';
import { startService } from './lib/servers.ts';
import { steadyReads } from './lib/steady-reads.ts';

const seconds = setting('seconds', 10);
const readsPerSecond = setting('reads', 200);

interface Phase {
  readonly name: string;
  /** Texts of posts that follow each other; `n` makes each a new one. */
  readonly clients: readonly ((n: number) => string)[];
}

/** Short texts that a compiler without limits takes seconds, or forever, for; none is correct for ever. */
const hostile: readonly ((n: number) => string)[] = [
  // A type that doubles with each variable.
  (n) => {
    const doubled = Array.from({ length: 24 }, (_, i) => `var t${i + 1} = (t${i}, t${i});`);
    return `var t0 = (${n}, 2); ${doubled.join(' ')} return v => t24.Equals(t24);`;
  },
  // Ranges in thousands of arms.
  (n) => {
    const arms = Array.from({ length: 3000 }, (_, i) => `>= ${i * 3 + (n % 100)} and < ${i * 3 + 2} => ${i},`);
    return `return v => v.Id switch { ${arms.join(' ')} _ => 1 } > 1;`;
  },
  // The same over doubles.
  (n) => {
    const arms = Array.from({ length: 1500 }, (_, i) => `> ${i}.25 and < ${i}.${500 + (n % 100)} => ${i},`);
    return `return v => ((double)v.Id) switch { ${arms.join(' ')} _ => 1 } > 1;`;
  },
  // A constant that doubles.
  (n) => {
    const doubled = Array.from({ length: 22 }, (_, i) => `const string s${i + 1} = s${i} + s${i};`);
    return `const string s0 = "${n}"; ${doubled.join(' ')} return v => v.Label == s22;`;
  },
  // Generic calls that nest.
  (n) => {
    const nested = `${'D('.repeat(20)}${n}${')'.repeat(20)}`;
    return `(T, T) D<T>(T x) => (x, x); return v => ${nested}.Equals(v.Id);`;
  },
];

const normal = (n: number): string =>
  `return v => v.TryGetProperty<int>(out var age, "age") && age > ${n} && v.Label == "person";`;

const phases: readonly Phase[] = [
  { name: 'alone', clients: [] },
  { name: 'beside normal fragments, 2 clients', clients: [normal, normal] },
  {
    name: 'beside hostile ones, 4 clients, and normal ones',
    clients: [...[0, 1, 2, 3].map((by) => (n: number) => hostile[(n + by) % hostile.length]?.(n) ?? ''), normal],
  },
];

interface Answered {
  readonly ms: number;
  readonly status: number;
}

/** Resolves with status 0 when no answer comes. */
function send(
  port: number,
  agent: Agent,
  method: string,
  path: string,
  body: string | null,
  localAddress = '127.0.0.1',
): Promise<Answered> {
  const started = performance.now();
  return new Promise((resolve) => {
    const done = (status: number): void => resolve({ ms: performance.now() - started, status });
    const headers = body === null ? {} : { 'content-type': 'application/json' };
    const outgoing = request({ host: '127.0.0.1', localAddress, port, agent, method, path, headers }, (incoming) => {
      incoming.resume();
      incoming.on('end', () => done(incoming.statusCode ?? 0));
      incoming.on('error', () => done(0));
    });
    outgoing.on('error', () => done(0));
    outgoing.end(body ?? undefined);
  });
}

let lastNumber = 0;

async function run(port: number, { name, clients }: Phase): Promise<(string | number)[]> {
  const agent = new Agent({ keepAlive: true });
  const durationMs = seconds * 1000;
  const endsAt = performance.now() + durationMs;
  const normalMs: number[] = [];
  const hostileMs: number[] = [];
  const posting = clients.map(async (textOf) => {
    while (performance.now() < endsAt) {
      const body = JSON.stringify({ filter: { vertexFilter: textOf(++lastNumber) } });
      // Hostile clients share an address, which takes its turns like any other.
      const address = textOf === normal ? '127.0.0.2' : '127.0.0.3';
      const { ms, status } = await send(port, agent, 'POST', '/path/0/to/1', body, address);
      if (status !== 0) (textOf === normal ? normalMs : hostileMs).push(ms);
    }
  });
  const readMs = await steadyReads({
    ...{ port, path: '/vertex/0', perSecond: readsPerSecond, durationMs },
    patienceMs: 60_000,
  });
  agent.destroy();
  await Promise.all(posting);
  const posts = [normalMs.length, percentile(normalMs, 0.5), percentile(normalMs, 0.99), hostileMs.length];
  return [name, percentile(readMs, 0.5), percentile(readMs, 0.99), Math.max(...readMs), ...posts];
}

const service = await startService(['--Service:Security:SensitiveRateLimitPermitPerWindow=1000000']);
const two = JSON.stringify([{ label: 'person' }, { label: 'person' }]);
await send(service.port, new Agent(), 'PUT', '/vertices?waitForCompletion=true', two);
await new Promise((resolve) => setTimeout(resolve, 1000));
console.log(`${machineLine()}; ${readsPerSecond} reads a second, ${seconds} s a line`);
const rows: (string | number)[][] = [
  ['ms', 'GET p50', 'GET p99', 'GET most', 'normal', 'p50', 'p99', 'hostile answered'],
];
for (const phase of phases) rows.push(await run(service.port, phase));
console.log(table(rows));
console.log(target('GET /vertex/{id} beside hostile fragments, p99', rows[3]?.[2] as number, '<=', 20, 'ms'));
service.process.kill('SIGKILL');
await service.stop();
