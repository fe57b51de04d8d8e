// A queue in which clients take turns: whoever has much waiting holds nobody up who has little.

export class FairQueue<Item> {
  /** In the order of their next turns; none is empty. */
  private readonly lanes = new Map<string, Item[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(client: string, item: Item): void {
    const lane = this.lanes.get(client);
    if (lane === undefined) this.lanes.set(client, [item]);
    else lane.push(item);
    this.count++;
  }

  /** The next one; of clients that are not `served` already before others. */
  take(served: ReadonlySet<string>): Item | undefined {
    const clients = [...this.lanes.keys()];
    const client = clients.find((one) => !served.has(one)) ?? clients[0];
    if (client === undefined) return undefined;
    const lane = this.lanes.get(client) as Item[];
    const item = lane.shift();
    this.lanes.delete(client);
    if (lane.length > 0) this.lanes.set(client, lane);
    this.count--;
    return item;
  }

  /** The newest of the client that has most waiting. */
  takeNewest(): Item | undefined {
    let [client, most]: [string, Item[]] = ['', []];
    for (const entry of this.lanes) if (entry[1].length >= most.length) [client, most] = entry;
    const item = most.at(-1);
    if (item !== undefined) this.remove(client, item);
    return item;
  }

  remove(client: string, item: Item): void {
    const lane = this.lanes.get(client) ?? [];
    const at = lane.lastIndexOf(item);
    if (at < 0) return;
    lane.splice(at, 1);
    this.count--;
    if (lane.length === 0) this.lanes.delete(client);
  }
}
