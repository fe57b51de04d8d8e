// Deterministic graphs for the benchmarks: uniform random targets from a 32-bit generator with a printed seed, as typed arrays or
// as blocks of service-jsonl lines.

/** Mulberry32: a small generator with a full period of 2^32, good enough to scatter targets. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  below(limit: number): number {
    return Math.floor((this.next() / 2 ** 32) * limit);
  }
}

export interface EdgeList {
  readonly vertexCount: number;
  readonly source: Uint32Array;
  readonly target: Uint32Array;
}

/** `degree` out-edges for each vertex to uniform targets; by source, or in random order when `shuffled`. */
export function uniformGraph(vertexCount: number, degree: number, seed: number, shuffled = false): EdgeList {
  const random = new Random(seed);
  const edgeCount = vertexCount * degree;
  const source = new Uint32Array(edgeCount);
  const target = new Uint32Array(edgeCount);
  for (let i = 0; i < edgeCount; i++) {
    source[i] = shuffled ? random.below(vertexCount) : Math.floor(i / degree);
    target[i] = random.below(vertexCount);
  }
  return { vertexCount, source, target };
}

/**
 * The graph as service-jsonl in blocks of about 1 MiB: each vertex with `name` (String) and `age` (Int32), each edge with `since`
 * (Int32) and `weight` (Double).
 */
export function jsonlBlocks(graph: EdgeList, seed: number): Uint8Array[] {
  const random = new Random(seed);
  const encoder = new TextEncoder();
  const blocks: Uint8Array[] = [];
  let text = '';
  const put = (line: string): void => {
    text += line;
    if (text.length < 2 ** 20) return;
    blocks.push(encoder.encode(text));
    text = '';
  };
  const edgeCount = graph.source.length;
  put(
    `{"type":"meta","format":"service-jsonl","version":2,"vertexCount":${graph.vertexCount},"edgeCount":${edgeCount}}\n`,
  );
  for (let id = 0; id < graph.vertexCount; id++) {
    const age = random.below(90);
    put(
      `{"type":"vertex","id":${id},"label":"person","creationDate":1700000000,"properties":{"name":{"type":"System.String",` +
        `"value":"person ${id}"},"age":{"type":"System.Int32","value":"${age}"}}}\n`,
    );
  }
  for (let i = 0; i < edgeCount; i++) {
    const weight = random.below(10_000) / 100;
    put(
      `{"type":"edge","id":${graph.vertexCount + i},"edgePropertyId":"knows","source":${graph.source[i]},"target":${graph.target[i]},` +
        `"creationDate":1700000000,"properties":{"since":{"type":"System.Int32","value":"${1950 + random.below(75)}"},` +
        `"weight":{"type":"System.Double","value":"${weight}"}}}\n`,
    );
  }
  blocks.push(encoder.encode(text));
  return blocks;
}
