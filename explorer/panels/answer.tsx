// What came of a question: how it was looked for, the ways, the vertices, and what can be done with them.

import type { Answer } from '../data/asking.ts';
import { captionOf, shortened } from '../model/captions.ts';
import { labelOf } from '../model/elements.ts';
import { showAnswer, showPath } from '../session/asking.ts';
import type { Session } from '../session/session.ts';
import { number } from './overview.tsx';

const captionLength = 60;

export function AnswerList({ session, answer }: { session: Session; answer: Answer }) {
  const { hits, total, note, paths, scores, groups, graph } = answer;
  const { captions, selected, asked } = session.state;
  const isRanked = asked?.question.kind === 'analytics' && total > 0;
  const isPlaced = isRanked && scores !== null;
  return (
    <section class="answer" aria-label="Answer">
      <h3>{headOf(answer, isPlaced)}</h3>
      <p class="small">
        {note}
        {isRanked && ' Choose one to see why: its place, and the edges that lead to it.'}
      </p>
      <div class="row">
        {hits.length > 0 && (
          <button type="button" onClick={() => showAnswer(session, answer, false)}>
            Add to the picture
          </button>
        )}
        {hits.length > 0 && (
          <button type="button" onClick={() => showAnswer(session, answer, true)}>
            Only these
          </button>
        )}
        {(scores !== null || groups !== null) && (
          <button
            type="button"
            onClick={() =>
              session.put({
                looks: { ...session.state.looks, colourBy: 'answer', sizeBy: scores === null ? 'degree' : 'answer' },
              })
            }
          >
            Colour by this
          </button>
        )}
        {graph !== null && (
          <button type="button" class="main" onClick={() => showAnswer(session, answer, true)}>
            Open as a graph of its own
          </button>
        )}
      </div>
      {paths.length > 0 && (
        <ol class="plain ways">
          {paths.map((path, place) => (
            <li key={path.edges.join(' ')}>
              <button type="button" class="quiet wide" onClick={() => showPath(session, answer, place)}>
                {path.edges.length} {path.edges.length === 1 ? 'edge' : 'edges'}
                {path.weight > 0 ? `, weight ${path.weight.toPrecision(4)}` : ''}:{' '}
                {path.vertices.map((id) => shortened(nameOf(answer, session, id), 20)).join(' → ')}
              </button>
            </li>
          ))}
        </ol>
      )}
      <ol class="plain found">
        {hits.map(({ vertex, detail }, place) => (
          <li key={vertex.id} class={selected.has(vertex.id) ? 'chosen' : ''}>
            <button type="button" class="quiet wide" onClick={() => session.add([vertex.id])}>
              <span dir="auto">{captionOf(vertex, captions, captionLength)}</span>
              <span class="small">
                {[isPlaced ? `place ${place + 1}` : '', shortened(detail, 60), shortened(labelOf(vertex), 16)]
                  .filter((part) => part !== '')
                  .join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function headOf({ hits, total, graph }: Answer, isPlaced: boolean): string {
  if (graph !== null) return 'A match';
  if (total === 0) return 'Nothing found';
  return isPlaced
    ? `The first ${number(hits.length)} of ${number(total)}`
    : `${number(hits.length)} of ${number(total)} shown`;
}

function nameOf({ hits }: Answer, session: Session, id: number): string {
  const vertex = hits.find((hit) => hit.vertex.id === id)?.vertex;
  return vertex === undefined ? `#${id}` : captionOf(vertex, session.state.captions);
}
