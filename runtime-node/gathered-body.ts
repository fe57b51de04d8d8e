// The bytes of a body as they arrive. A large one is copied into its place block by block: joining thirty megabytes at the end would hold up
// every other request meanwhile, most of it in the system that has to find the memory (`_copyActual` in a profile).

/** Below it blocks are kept as they are, so that a length that is only claimed costs nothing. */
const placedFromBytes = 1024 * 1024;

export class GatheredBody {
  private readonly claimedBytes: number;
  private blocks: Buffer[] = [];
  private place: Buffer | null = null;
  private used = 0;

  /** `claimedBytes`: what the head says of its length, 0 when it says nothing. */
  constructor(claimedBytes: number) {
    this.claimedBytes = claimedBytes;
  }

  get bytes(): number {
    return this.used;
  }

  add(block: Buffer): void {
    if (this.place === null && this.used + block.length < placedFromBytes) this.blocks.push(block);
    else this.put(block);
    this.used += block.length;
  }

  /** All of it. */
  whole(): Uint8Array {
    if (this.place !== null) return this.place.subarray(0, this.used);
    return this.blocks.length === 1 ? (this.blocks[0] as Buffer) : Buffer.concat(this.blocks, this.used);
  }

  private put(block: Buffer): void {
    const wanted = this.used + block.length;
    if (this.place === null) {
      this.place = Buffer.allocUnsafeSlow(Math.max(wanted, this.claimedBytes));
      Buffer.concat(this.blocks, this.used).copy(this.place);
      this.blocks = [];
    } else if (wanted > this.place.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.place.length));
      this.place.copy(larger, 0, 0, this.used);
      this.place = larger;
    }
    block.copy(this.place, this.used);
  }
}
