// Memory of WebAssembly never shrinks. A graph that was erased gets a new memory: what is left of it (indexes, stored queries) is saved,
// opened in an instance of its own beside the old one, and takes over with all writes that came meanwhile. Contents of subgraphs are in no save
// game, so a graph that has any keeps its memory until they are dropped.

import type { SaveGame } from '../src/engine/savegames/registry.ts';
import type { NamespaceInfo } from '../src/engine/types.ts';
import type { ArcwiseService } from '../src/service.ts';

/** An erased graph that holds less keeps its memory: a new one takes about as much. */
const worthwhileBytes = 4 * 2 ** 20;
const pageBytes = 65_536;

export class FreshMemory {
  private readonly service: ArcwiseService;
  /** What graphs held when they had been renewed. */
  private readonly renewed = new Map<string, number>();
  private running: Promise<unknown> | null = null;

  constructor(service: ArcwiseService) {
    this.service = service;
  }

  /** `save`: writes a checkpoint of everything. Null: no memory is worth it, or that is under way. */
  begin(save: () => Promise<SaveGame | null>): Promise<unknown> | null {
    if (this.running !== null || !this.service.engine.list().some((one) => this.isWorthwhile(one))) return null;
    this.running = this.renew(save).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** Resolves when none is under way. Never rejects. */
  async settled(): Promise<void> {
    while (this.running !== null) await this.running.catch(() => {}); // whoever began it was told
  }

  private async renew(save: () => Promise<SaveGame | null>): Promise<void> {
    const { engine } = this.service;
    const entry = await save();
    for (const { name, location } of entry?.namespaces ?? []) {
      const found = engine.find(name);
      if (found === undefined || !this.isWorthwhile(found)) continue;
      await this.service.renew(name, location);
      this.renewed.set(name, heldBytes(found));
    }
  }

  /** One that still held as much behind the last time would again. */
  private isWorthwhile(namespace: NamespaceInfo): boolean {
    const { graph, name } = namespace;
    if (graph === null || graph.vertexCount + graph.edgeCount + graph.extracts.count > 0) return false;
    return heldBytes(namespace) > Math.max(worthwhileBytes, 2 * (this.renewed.get(name) ?? 0));
  }
}

function heldBytes({ graph }: NamespaceInfo): number {
  return (graph?.memory.grownPages ?? 0) * pageBytes;
}
