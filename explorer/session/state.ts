// Everything the page shows, as one value that is replaced and never changed.

import type { Answer } from '../data/asking.ts';
import type { Connection, Counts, Offers, Schema } from '../data/source.ts';
import type { LayoutKind } from '../layout/messages.ts';

export type { LayoutKind };

import type { EdgeGroup, VertexData } from '../model/elements.ts';
import { begun, type History } from '../model/history.ts';
import { defaultLooks, type LookChoice } from '../model/looks.ts';
import { emptyQuestions, type Question } from '../model/questions.ts';
import { emptyScene, type Scene, type Visible, visibleOf } from '../model/scene.ts';
import type { Theme } from '../style/palette.ts';

export type Phase = 'connecting' | 'needsKey' | 'failed' | 'open';

/** What was asked last, and what came; `answer` is null while it is awaited, and after a failure. */
export interface Asked {
  readonly question: Question;
  readonly answer: Answer | null;
  readonly trouble: string | null;
  /** What the service did not use of the question, or looked for in vain. */
  readonly warnings: readonly string[];
  readonly isRunning: boolean;
  readonly startMs: number;
}

/** A change of the graph that can be taken back. */
export interface Edit {
  readonly title: string;
  readonly undo: () => Promise<void>;
}

/** A change before it is sent. */
export interface Plan {
  readonly title: string;
  /** What will be sent, to be read. */
  readonly calls: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[];
  /** Sends it; answers what takes it back, or null where nothing does. */
  readonly send: () => Promise<(() => Promise<void>) | null>;
}

export interface Edits {
  readonly isOn: boolean;
  readonly plan: Plan | null;
  readonly done: readonly Edit[];
}

export interface SearchState {
  readonly text: string;
  readonly hits: readonly VertexData[];
  readonly total: number;
  readonly isRunning: boolean;
}

export type Tab = 'overview' | 'ask' | 'look' | 'share';

export interface State extends Offers {
  readonly phase: Phase;
  /** What went wrong last; null when nothing did. */
  readonly trouble: string | null;
  /** What is being waited for. */
  readonly busy: string | null;
  /** A table that waits to be told which of its columns are what. */
  readonly table: File | null;
  /** The last thing that happened, for those who cannot see it. */
  readonly note: string;
  readonly connection: Connection;
  readonly counts: Counts | null;
  readonly schema: Schema | null;
  readonly history: History<Scene>;
  readonly selected: ReadonlySet<number>;
  /** An edge that was chosen; null: none. */
  readonly selectedEdge: number | null;
  /** Edges of the path that is shown. */
  readonly marked: ReadonlySet<number>;
  readonly tab: Tab;
  /** The question in the form. */
  readonly draft: Question;
  readonly asked: Asked | null;
  /** What was asked, the newest first. */
  readonly questions: readonly Question[];
  readonly looks: LookChoice;
  readonly layout: LayoutKind;
  /** False: there were more edges between the vertices than one answer looks at. */
  readonly isComplete: boolean;
  /** True: every edge is drawn, however many. */
  readonly drawsAll: boolean;
  /** True: what is committed elsewhere comes into the picture. */
  readonly isLive: boolean;
  readonly edits: Edits;
  /** Edges of vertices that were looked at. */
  readonly groups: ReadonlyMap<number, readonly EdgeGroup[]>;
  readonly pins: ReadonlySet<number>;
  readonly captions: ReadonlyMap<string, string>;
  readonly search: SearchState | null;
  readonly isSettling: boolean;
  readonly isFrozen: boolean;
  readonly spacing: number;
  readonly theme: Theme;
}

export const emptySearch: SearchState = { text: '', hits: [], total: 0, isRunning: false };

export function initialState(connection: Connection, theme: Theme): State {
  return {
    phase: 'connecting',
    trouble: null,
    busy: null,
    table: null,
    note: '',
    connection,
    counts: null,
    schema: null,
    history: begun(emptyScene),
    selected: new Set(),
    selectedEdge: null,
    marked: new Set(),
    tab: 'overview',
    draft: emptyQuestions.analytics,
    asked: null,
    questions: [],
    indexes: [],
    algorithms: {},
    stored: [],
    cluster: null,
    looks: defaultLooks,
    layout: 'force',
    isComplete: true,
    drawsAll: false,
    isLive: false,
    edits: { isOn: false, plan: null, done: [] },
    groups: new Map(),
    pins: new Set(),
    captions: new Map(),
    search: null,
    isSettling: false,
    isFrozen: false,
    spacing: 1,
    theme,
  };
}

const visibles = new WeakMap<Scene, Visible>();

/** What of the scene is not hidden; made once a scene. */
export function visibleIn({ history }: State): Visible {
  const known = visibles.get(history.present);
  if (known !== undefined) return known;
  const visible = visibleOf(history.present);
  visibles.set(history.present, visible);
  return visible;
}

const degrees = new WeakMap<Visible, ReadonlyMap<number, number>>();

/** Edges in the picture by vertex. */
export function degreesOf(visible: Visible): ReadonlyMap<number, number> {
  const known = degrees.get(visible);
  if (known !== undefined) return known;
  const counts = new Map<number, number>();
  for (const { source, target } of visible.edges) {
    counts.set(source, (counts.get(source) ?? 0) + 1);
    if (target !== source) counts.set(target, (counts.get(target) ?? 0) + 1);
  }
  degrees.set(visible, counts);
  return counts;
}

/** Labels in the order in which they get colours: the graph's most frequent first, then others of the picture. */
export function labelOrder(state: State): string[] {
  const names = (state.counts?.labels ?? []).map(({ name }) => (name === '' ? '(no label)' : name));
  const known = new Set(names);
  for (const { label } of state.history.present.vertices.values()) {
    const name = label === null || label === '' ? '(no label)' : label;
    if (!known.has(name)) names.push(name);
    known.add(name);
  }
  return names;
}
