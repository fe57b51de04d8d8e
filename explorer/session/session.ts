// What a person does, as methods: each asks for what it needs, makes one step of history, and says what came of it.

import { type Connection, type Found, Source, troubleOf } from '../data/source.ts';
import type { LayoutKind } from '../layout/messages.ts';
import { LayoutRunner, maxLayered } from '../layout/runner.ts';
import { captionOf, guessCaptions } from '../model/captions.ts';
import type { Direction, EdgeGroup } from '../model/elements.ts';
import { type Filter, filterWords } from '../model/filter.ts';
import { begun, redone, stepped, undone } from '../model/history.ts';
import { type Positions, placeNew } from '../model/positions.ts';
import {
  collapsed,
  emptyScene,
  onlyVertices,
  type Scene,
  toggledName,
  withEdgeHidden,
  withElements,
  withNothingHidden,
  withVerticesHidden,
} from '../model/scene.ts';
import type { Theme } from '../style/palette.ts';
import { withNextOf } from './expanding.ts';
import { initialState, type State, visibleIn } from './state.ts';

/** Vertices that analytics ranks in one answer. */
export const mostRanked = 10_000;
/** Vertices of the first picture, and edges of one step of an expansion. */
const firstVertices = 300;
const exampleVertices = 12;
export const stepEdges = 25;
/** Of a larger scene only the edges between so many are looked for when something is added. */
const joinedVertices = 5000;
/** A vertex with more edges is a hub: an expansion of it brings its own edges alone. */
const mostJoined = 1000;

export class Session {
  state: State;
  source: Source;
  readonly positions: Positions = new Map();
  /** Told when positions have changed. */
  onMove: () => void = () => {};
  /** Told when the picture should show these vertices, or all. */
  onFit: (ids?: ReadonlySet<number>) => void = () => {};
  onCentre: (id: number) => void = () => {};
  private readonly listeners = new Set<() => void>();
  private readonly layout: LayoutRunner;
  private opening = 0;
  private fitsWhenSettled = false;

  constructor(connection: Connection, theme: Theme) {
    this.state = initialState(connection, theme);
    this.source = new Source(connection, () => this.tell());
    this.layout = new LayoutRunner({
      positions: this.positions,
      onMove: () => {
        this.onMove();
        if (this.fitsWhenSettled) this.onFit();
      },
      onDone: () => {
        this.onMove();
        if (this.fitsWhenSettled) this.onFit();
        this.fitsWhenSettled = false;
        if (this.state.isSettling) this.put({ isSettling: false });
      },
    });
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get scene(): Scene {
    return this.state.history.present;
  }

  captionOf(id: number): string {
    const vertex = this.scene.vertices.get(id);
    return vertex === undefined ? `#${id}` : captionOf(vertex, this.state.captions);
  }

  // --- Connecting -----------------------------------------------------------------------------------------------------

  /** Numbers first, then the picture, then the schema: each shows as soon as it is there. `draw` may put another picture in place of the first. */
  async open(connection: Connection, draw: () => Promise<void> = async () => {}): Promise<void> {
    const opening = ++this.opening;
    const isCurrent = (): boolean => opening === this.opening;
    this.layout.stop();
    this.positions.clear();
    const before = this.state.connection.home;
    if (before !== undefined && before !== connection.home) before.engine.close().catch(() => {}); // nobody asks it any more
    this.source = new Source(connection, () => this.tell());
    const { theme, spacing } = this.state;
    this.put({ ...initialState(connection, theme), spacing, busy: 'Looking at the graph …' });
    const { source } = this;
    try {
      const size = await source.open();
      if (!isCurrent()) return;
      if (size === null) {
        this.put({ phase: 'needsKey', busy: null });
        return;
      }
      const counts = await source.counts();
      if (!isCurrent()) return;
      this.put({
        phase: 'open',
        counts,
        busy: counts.vertexCount > 0 ? 'Drawing the best-connected vertices …' : null,
      });
      if (counts.vertexCount === 0) return;
      await draw();
      const found = this.scene.vertices.size === 0 ? await source.bestConnected(firstVertices) : null;
      if (!isCurrent()) return;
      if (found !== null) this.begin(found);
      const schema = await source.schema(counts);
      if (!isCurrent()) return;
      this.put({ schema, isComplete: source.isComplete });
      const offers = await source.offers();
      if (isCurrent()) this.put(offers);
    } catch (error) {
      if (!isCurrent()) return;
      const trouble = troubleOf(error, connection);
      this.put(this.state.phase === 'open' ? { trouble, busy: null } : { phase: 'failed', trouble, busy: null });
    }
  }

  /** Another picture in place of this one; the way back is undo. */
  async showMany(count: number): Promise<void> {
    const { counts } = this.state;
    await this.asking(`Drawing ${count.toLocaleString('en')} vertices …`, async () => {
      const isBest = count <= mostRanked || counts === null;
      const found = isBest ? await this.source.bestConnected(count) : await this.source.oldest(count, counts);
      this.fitsWhenSettled = true;
      this.step(withElements(emptyScene, found.vertices, found.edges), `${found.vertices.length} vertices.`);
      this.put({ isComplete: this.source.isComplete });
      this.onFit();
    });
  }

  /** The best-connected vertices of a label, chosen. */
  async showExamples(label: string): Promise<void> {
    await this.asking('Looking for examples …', async () => {
      const { vertices } = await this.source.bestConnected(exampleVertices, label);
      const scene = await this.joined(withElements(this.scene, vertices, []));
      this.step(scene, `${vertices.length} vertices of the label ${label}.`);
      const ids = new Set(vertices.map(({ id }) => id));
      this.select(ids);
      this.onFit(ids);
    });
  }

  private begin({ vertices, edges }: Found): void {
    const note = `The ${vertices.length} best-connected vertices and the edges between them.`;
    const scene = withElements(emptyScene, vertices, edges);
    this.put({ history: begun(scene), captions: guessCaptions(scene.vertices.values()), busy: null, note });
    this.fitsWhenSettled = true;
    this.settleNew();
    this.onFit();
  }

  // --- Adding and taking away ------------------------------------------------------------------------------------------

  /** The groups of a vertex's edges, asked once. */
  async groupsOf(id: number): Promise<readonly EdgeGroup[]> {
    const known = this.state.groups.get(id);
    if (known !== undefined) return known;
    const groups = (await this.source.groups(id)) ?? [];
    this.put({ groups: new Map(this.state.groups).set(id, groups) });
    return groups;
  }

  /** The next edges of one group, or of all of a vertex's groups in turn. */
  async expand(id: number, only?: { direction: Direction; type: string }): Promise<void> {
    await this.asking('Expanding …', async () => {
      const groups = await this.groupsOf(id);
      let scene = this.scene;
      let [left, shownNew] = [stepEdges, 0];
      for (const group of groups) {
        if (only && (only.direction !== group.direction || only.type !== group.type)) continue;
        if (left === 0) break;
        const before = scene;
        scene = await withNextOf(
          this.source,
          scene,
          { vertex: id, direction: group.direction, type: group.type },
          left,
        );
        left -= scene.edges.size - before.edges.size;
        shownNew += scene.vertices.size - before.vertices.size;
      }
      const took = stepEdges - left;
      if (took === 0) this.put({ note: `All edges of ${this.captionOf(id)} are shown.` });
      else {
        // Of a hub no other edges come along than those asked for: it may have thousands to each of its neighbours.
        const edgeCount = groups.reduce((sum, { count }) => sum + count, 0);
        const joined = await this.joined(scene, edgeCount > mostJoined ? id : null);
        this.step(joined, `${took} more edges of ${this.captionOf(id)}, ${shownNew} new vertices.`);
      }
    });
  }

  collapse(id: number): void {
    this.step(collapsed(this.scene, id), `What expanding ${this.captionOf(id)} had brought is gone.`);
  }

  hide(ids: ReadonlySet<number>): void {
    if (ids.size === 0) return;
    this.step(withVerticesHidden(this.scene, ids), `${ids.size} hidden. Undo brings them back.`);
    this.select(new Set());
  }

  hideEdge(id: number): void {
    this.step(withEdgeHidden(this.scene, id), 'One edge is hidden. Undo brings it back.');
    this.put({ selectedEdge: null });
  }

  setFilter(filter: Filter | null): void {
    this.step({ ...this.scene, filter }, filter === null ? 'Nothing is filtered.' : filterWords(filter));
  }

  keepOnly(ids: ReadonlySet<number>): void {
    const near = new Set(ids);
    for (const { source, target } of visibleIn(this.state).edges) {
      if (ids.has(source)) near.add(target);
      if (ids.has(target)) near.add(source);
    }
    this.step(onlyVertices(this.scene, near), `${near.size} vertices are left.`);
  }

  toggle(of: 'hiddenLabels' | 'hiddenTypes', name: string): void {
    this.step(toggledName(this.scene, of, name), `${name} ${this.scene[of].has(name) ? 'is shown' : 'is hidden'}.`);
  }

  showAll(): void {
    this.step(withNothingHidden(this.scene), 'Nothing is hidden.');
  }

  /** Puts vertices into the picture, with the edges between them and what is there. */
  async add(ids: readonly number[]): Promise<void> {
    await this.asking('Adding …', async () => {
      const vertices = await this.source.vertices(ids.filter((id) => !this.scene.vertices.has(id)));
      this.step(await this.joined(withElements(this.scene, vertices, [])), `${vertices.length} more vertices.`);
      const [first] = ids;
      if (first === undefined) return;
      this.select(new Set([first]));
      this.onCentre(first);
    });
  }

  undo(): void {
    this.put({ history: undone(this.state.history), note: 'Undone.' });
    this.settleNew();
  }

  redo(): void {
    this.put({ history: redone(this.state.history), note: 'Done again.' });
    this.settleNew();
  }

  /** The scene with the edges between its new vertices and all others, but for those of one vertex. */
  async joined(scene: Scene, without: number | null = null): Promise<Scene> {
    const ids = [...scene.vertices.keys()].filter((id) => id !== without);
    const edges = await this.source.edgesBetween(ids.slice(0, joinedVertices));
    this.put({ isComplete: this.source.isComplete && scene.vertices.size <= joinedVertices });
    return withElements(scene, [], edges);
  }

  step(scene: Scene, note: string): void {
    const captions = new Map([...guessCaptions(scene.vertices.values()), ...this.state.captions]);
    this.put({ history: stepped(this.state.history, scene), captions, note });
    this.settleNew();
  }

  /** The graph itself has changed: no step that undo takes back. What is new gets a place. */
  replaceScene(scene: Scene): void {
    this.put({ history: { ...this.state.history, present: scene } });
    this.settleNew();
  }

  // --- Choosing and searching ------------------------------------------------------------------------------------------

  select(selected: ReadonlySet<number>): void {
    this.put({ selected, selectedEdge: null, marked: new Set() });
  }

  selectEdge(id: number): void {
    this.put({ selected: new Set(), selectedEdge: id, marked: new Set() });
  }

  pick(id: number | null, adds: boolean): void {
    if (id === null) {
      this.select(adds ? this.state.selected : new Set());
      return;
    }
    const selected = new Set(adds ? this.state.selected : []);
    if (adds && selected.has(id)) selected.delete(id);
    else selected.add(id);
    this.select(selected);
  }

  // --- Looks and layout ------------------------------------------------------------------------------------------------

  setTheme(theme: Theme): void {
    this.put({ theme });
  }

  setLayout(layout: LayoutKind): void {
    this.put({ layout });
    this.arrange();
  }

  setCaption(label: string, key: string): void {
    this.put({ captions: new Map(this.state.captions).set(label, key) });
  }

  pin(id: number): void {
    this.put({ pins: new Set([...this.state.pins, id]) });
  }

  togglePin(id: number): void {
    const pins = new Set(this.state.pins);
    if (!pins.delete(id)) pins.add(id);
    this.put({ pins });
  }

  freeze(isFrozen: boolean): void {
    if (isFrozen) this.layout.stop();
    this.put({ isFrozen, isSettling: false, note: isFrozen ? 'The picture is frozen.' : 'The layout goes on.' });
    if (!isFrozen) this.arrange();
  }

  setSpacing(spacing: number): void {
    this.put({ spacing });
    this.arrange();
  }

  /** Lays everything out again from where it stands, but for pins. */
  arrange(): void {
    const { vertices, edges } = visibleIn(this.state);
    const { layout } = this.state;
    const count = vertices.length + edges.length;
    if (layout === 'layered' && count > maxLayered) {
      this.put({
        trouble: `Layers are for up to ${maxLayered} vertices and edges; ${count} are shown. Hide some first.`,
      });
      return;
    }
    this.fitsWhenSettled = true;
    this.settle(new Set(vertices.map(({ id }) => id)), layout);
  }

  /** What has no place yet gets one; everything else stands where it stood. */
  settleNew(): void {
    const { vertices, edges } = visibleIn(this.state);
    this.settle(placeNew(this.positions, vertices, edges), 'force');
    this.onMove();
  }

  private settle(movable: ReadonlySet<number>, kind: LayoutKind): void {
    if (this.state.isFrozen || movable.size === 0) return;
    const { pins, spacing, selected } = this.state;
    const [root = null] = selected;
    this.put({ isSettling: true });
    this.layout.start(visibleIn(this.state), movable, pins, { kind, spacing, root });
  }

  // --- State -------------------------------------------------------------------------------------------------------------

  dismiss(): void {
    this.put({ trouble: null });
  }

  failed(error: unknown): void {
    this.put({ trouble: troubleOf(error, this.state.connection) });
  }

  /** Does something that may fail, and tells when it does. What was given up is no failure. */
  async asking(busy: string | null, work: () => Promise<unknown>): Promise<void> {
    const { opening } = this;
    if (busy !== null) this.put({ busy, trouble: null });
    try {
      await work();
    } catch (error) {
      const isGivenUp = error instanceof DOMException && error.name === 'AbortError';
      if (!isGivenUp && opening === this.opening) this.failed(error);
    } finally {
      if (busy !== null && opening === this.opening) this.put({ busy: null });
    }
  }

  put(patch: Partial<State>): void {
    this.state = { ...this.state, ...patch };
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
