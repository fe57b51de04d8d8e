// Asking questions: one at a time, kept in a history that asks again, and by name where that is wanted.

import { type Answer, answerTo, matched } from '../data/asking.ts';
import { homeOf } from '../data/home.ts';
import { type StoredQuery, troubleOf } from '../data/source.ts';
import { guessCaptions } from '../model/captions.ts';
import {
  emptyQuestions,
  type PathQuestion,
  type PatternQuestion,
  patternsOf,
  type Question,
  titleOf,
} from '../model/questions.ts';
import { emptyScene, withElements } from '../model/scene.ts';
import type { Session } from './session.ts';
import type { Asked } from './state.ts';

const maxHistory = 30;
const place = 'arcwise.questions';
let asking = new AbortController();

export async function ask(session: Session, question: Question): Promise<void> {
  asking.abort();
  const own = new AbortController();
  asking = own;
  const { source } = session;
  const startMs = performance.now();
  const [lastCall = null] = source.log.calls;
  const put = (patch: Partial<Asked>): void => {
    const base = { question, answer: null, trouble: null, warnings: [], isRunning: true, startMs };
    if (asking === own) session.put({ asked: { ...base, ...patch } });
  };
  const title = titleOf(question);
  const before = session.state.questions.filter((one) => titleOf(one) !== title);
  session.put({ questions: [question, ...before].slice(0, maxHistory) });
  put({});
  try {
    const answer =
      question.kind === 'pattern'
        ? await matched(source, question, own.signal)
        : await answerTo(source, question, own.signal);
    const captions = new Map([...guessCaptions(answer.hits.map(({ vertex }) => vertex)), ...session.state.captions]);
    if (asking === own) session.put({ captions, note: answer.note });
    const made = source.log.calls.filter(({ number }) => number > (lastCall?.number ?? 0));
    const warnings = [...new Set(made.flatMap((call) => call.warnings.map(({ message }) => message)))];
    put({ answer, warnings, isRunning: false });
  } catch (error) {
    if (own.signal.aborted) return;
    put({ trouble: troubleOf(error, session.state.connection), isRunning: false });
  }
}

export function stopAsking(session: Session): void {
  asking.abort();
  session.put({ asked: null, note: 'Given up.' });
}

/** Into the picture, beside what is there or in its place. */
export async function showAnswer(session: Session, answer: Answer, replaces: boolean): Promise<void> {
  const { asked } = session.state;
  if (answer.graph !== null) {
    const title = asked === null ? 'match' : titleOf(asked.question);
    await session.asking('Opening the match …', async () => {
      const engine = await homeOf(answer.graph as Blob);
      await session.open({ url: 'http://page', namespace: 'default', apiKey: null, home: { engine, title } });
    });
    return;
  }
  const vertices = answer.hits.map(({ vertex }) => vertex);
  await session.asking('Adding …', async () => {
    const base = replaces ? emptyScene : session.scene;
    const scene = await session.joined(withElements(base, vertices, answer.edges));
    session.step(scene, `${vertices.length} vertices of the answer are in the picture.`);
    const ids = new Set(vertices.map(({ id }) => id));
    session.select(ids);
    session.onFit(ids);
  });
}

/** A path of the answer, chosen in the picture; what is missing of it is added. */
export async function showPath(session: Session, answer: Answer, place: number): Promise<void> {
  const path = answer.paths[place];
  if (path === undefined) return;
  const ids = new Set(path.vertices);
  const vertices = answer.hits.map(({ vertex }) => vertex).filter(({ id }) => ids.has(id));
  const edges = answer.edges.filter(({ id }) => path.edges.includes(id));
  session.step(withElements(session.scene, vertices, edges), `Path ${place + 1} with ${path.edges.length} edges.`);
  session.select(ids);
  session.put({ marked: new Set(path.edges) });
  session.onFit(ids);
}

// --- Names --------------------------------------------------------------------------------------------------------------

/** What was kept under names in this browser: questions that are no fragments. */
export function keptQuestions(): Readonly<Record<string, Question>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, Question>) : {};
  } catch {
    return {};
  }
}

/** Where the question is made of fragments of its own the service keeps it, as a stored query; any other this browser. */
export async function keepQuestion(session: Session, name: string, question: Question): Promise<void> {
  if ((question.kind === 'path' || question.kind === 'pattern') && question.storedQuery === '') {
    await session.asking('Keeping …', async () => {
      await session.source.client.post('/storedquery', { body: storedOf(name, question) });
      session.put({ ...(await session.source.offers()), note: `${name} is a stored query of the service.` });
    });
    return;
  }
  localStorage.setItem(place, JSON.stringify({ ...keptQuestions(), [name]: question }));
  session.put({ note: `${name} is kept in this browser.` });
}

/** What a stored query asks; the ends of a path are those of the form, or still to be chosen. */
export function questionOf({ name, kind }: StoredQuery, draft: Question): Question {
  if (kind === 'SubGraph') return { ...emptyQuestions.pattern, storedQuery: name };
  const { from, to, maxDepth, maxResults } = draft.kind === 'path' ? draft : emptyQuestions.path;
  return { ...emptyQuestions.path, from, to, maxDepth, maxResults, storedQuery: name };
}

function storedOf(name: string, question: PathQuestion | PatternQuestion) {
  if (question.kind === 'pattern')
    return { name, kind: 'SubGraph', subGraph: { patterns: patternsOf(question.steps) } };
  const { vertexFilter, edgeFilter, edgePropertyFilter, edgeCost } = question;
  const filter = { vertexFilter, edgeFilter, edgePropertyFilter };
  const named = Object.fromEntries(Object.entries(filter).filter(([, text]) => text.trim() !== ''));
  const cost = edgeCost.trim() === '' ? {} : { cost: { edgeCost, vertexCost: 'return v => 0;' } };
  return { name, kind: 'Path', path: { filter: named, ...cost } };
}
