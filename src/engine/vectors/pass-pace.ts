// Whether several threads read vectors sooner than one on this machine. Two processors may be two threads of one core, or share a memory
// that one of them takes up alone; then a second thread only adds what it costs to wake it. So passes are measured as they come: most go
// the way that took less time a byte lately, and now and then one goes the other way. Answers never depend on it.

/** A pass this often goes the way that is not taken otherwise. */
const probeEvery = 32;
/** @testonly Several threads must be this much faster to be taken: they also keep a thread from others. */
export const helpsFrom = 1.1;
/** Of so many passes of a kind the fastest one counts: the others met something else on the machine. */
const lately = 4;
/** Passes over less say nothing about memory. */
const leastBytes = 2 ** 24;
/** Kinds that are remembered; the one that was begun first goes. */
const mostKinds = 256;

/** Times of the passes of one kind. */
class Kind {
  private count = 0;
  private readonly alone: number[] = [];
  private readonly together: number[] = [];

  /** Whether the next pass is one of several threads. */
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

interface Pass {
  readonly members: number;
  readonly ended: (had: number) => void;
}

export class PassPace {
  private readonly nowMs: () => number;
  private readonly kinds = new Map<string, Kind>();

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /**
   * How many of at most `most` threads a pass over so many bytes takes; `ended` is told how many it had when it has ended well. `like` names what
   * else says how long a pass takes.
   */
  begin(most: number, bytes: number, like: string): Pass {
    if (most === 1 || bytes < leastBytes) return { members: most, ended: () => {} };
    const kind = this.kindOf(`${most} ${Math.round(Math.log2(bytes))} ${like}`);
    const together = kind.next();
    const members = together ? most : 1;
    const startMs = this.nowMs();
    const ended = (had: number): void => {
      if (had === members) kind.note(together, (this.nowMs() - startMs) / bytes);
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
