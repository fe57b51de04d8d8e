// Whether several threads do a job sooner than one on this machine. Two processors may be two threads of one core, share a memory that one
// of them takes up alone, or be far from each other's caches; then a second thread only adds what it costs to wake it and to meet it. (Two
// processors of a virtual machine: shortest paths with weights took 1.5 times as long on both of them as on one, PageRank 0.65 times.) So
// jobs are measured as they come: most go the way that took less time lately, and now and then one goes the other way. What a job
// answers never depends on it.

/** A job this often goes the way that is not taken otherwise. */
const probeEvery = 32;
/** @testonly Several threads must be this much faster to be taken: they also keep a thread from others. */
export const helpsFrom = 1.1;
/** Of so many jobs of a kind the fastest one counts: the others met something else on the machine. */
const lately = 4;
/** Kinds that are remembered; the one that was begun first goes. */
const mostKinds = 256;

/** Times of the jobs of one kind. */
class Kind {
  private count = 0;
  private readonly alone: number[] = [];
  private readonly together: number[] = [];

  /** Whether the next job is one of several threads. */
  next(): boolean {
    this.count++;
    if (this.together.length < lately) return true;
    if (this.alone.length < lately) return false;
    return this.helps !== (this.count % probeEvery === 0);
  }

  note(together: boolean, time: number): void {
    const times = together ? this.together : this.alone;
    times.push(time);
    if (times.length > lately) times.shift();
  }

  private get helps(): boolean {
    return Math.min(...this.alone) >= helpsFrom * Math.min(...this.together);
  }
}

interface Begun {
  readonly members: number;
  readonly ended: (had: number) => void;
}

export class GangPace {
  private readonly nowMs: () => number;
  private readonly kinds = new Map<string, Kind>();

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /**
   * How many of at most `most` threads a job takes; `ended` is told how many it had when it has ended well. `amount`: of what its time
   * grows with, bytes or elements. `like` names what else says how long it takes.
   */
  begin(most: number, amount: number, like: string): Begun {
    if (most === 1) return { members: most, ended: () => {} };
    const kind = this.kindOf(`${most} ${Math.round(Math.log2(Math.max(1, amount)))} ${like}`);
    const together = kind.next();
    const members = together ? most : 1;
    const startMs = this.nowMs();
    const ended = (had: number): void => {
      if (had === members) kind.note(together, (this.nowMs() - startMs) / Math.max(1, amount));
    };
    return { members, ended };
  }

  private kindOf(name: string): Kind {
    const known = this.kinds.get(name);
    if (known !== undefined) return known;
    const [oldest] = this.kinds.keys();
    if (this.kinds.size >= mostKinds && oldest !== undefined) this.kinds.delete(oldest);
    const kind = new Kind();
    this.kinds.set(name, kind);
    return kind;
  }
}
