// Asking: what kind of question, its form, what came, names and the history.

import { useEffect, useState } from 'preact/hooks';
import { emptyQuestions, kindTitles, type Question, type QuestionKind, titleOf } from '../model/questions.ts';
import { ask, keepQuestion, keptQuestions, questionOf, stopAsking } from '../session/asking.ts';
import type { Session } from '../session/session.ts';
import { AnswerList } from './answer.tsx';
import { FormOf } from './ask-forms.tsx';

export function Ask({ session }: { session: Session }) {
  const { draft, asked, questions } = session.state;
  const setDraft = (question: Question): void => session.put({ draft: question });
  return (
    <div class="ask">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask(session, draft);
        }}
      >
        <label>
          Ask for
          <select
            value={draft.kind}
            onChange={(event) => setDraft(emptyQuestions[event.currentTarget.value as QuestionKind])}
          >
            {Object.entries(kindTitles).map(([kind, title]) => (
              <option key={kind} value={kind}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <FormOf session={session} question={draft} change={setDraft} />
        <div class="row">
          <button type="submit" class="main">
            Ask
          </button>
          <Keep session={session} question={draft} />
        </div>
      </form>
      {asked?.isRunning === true && <Running session={session} startMs={asked.startMs} question={asked.question} />}
      {asked?.trouble != null && (
        <p class="flaw" role="alert">
          {asked.trouble}
        </p>
      )}
      {asked?.warnings.map((message) => (
        <p key={message} class="warning">
          {message}
        </p>
      ))}
      {asked?.answer != null && <AnswerList session={session} answer={asked.answer} />}
      <Before session={session} questions={questions} />
    </div>
  );
}

/** How long it takes, beside how long it may. */
function Running({ session, startMs, question }: { session: Session; startMs: number; question: Question }) {
  const [nowMs, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, (nowMs - startMs) / 1000);
  const budget = question.kind === 'analytics' ? question.budgetSeconds : null;
  return (
    <div class="running">
      <progress aria-label="Time" {...(budget === null ? {} : { max: budget, value: Math.min(seconds, budget) })} />
      <span class="small">
        {seconds.toFixed(0)} s{budget === null ? '' : ` of up to ${budget} s`}
      </span>
      <button type="button" class="quiet" onClick={() => stopAsking(session)}>
        Stop
      </button>
    </div>
  );
}

function Keep({ session, question }: { session: Session; question: Question }) {
  const [name, setName] = useState<string | null>(null);
  if (name === null) {
    return (
      <button type="button" onClick={() => setName('')}>
        Keep as …
      </button>
    );
  }
  const keep = (): void => {
    if (name.trim() === '') return;
    keepQuestion(session, name.trim(), question);
    setName(null);
  };
  return (
    <span class="row">
      <input aria-label="Name of the question" value={name} onInput={(event) => setName(event.currentTarget.value)} />
      <button type="button" onClick={keep}>
        Keep
      </button>
    </span>
  );
}

function Before({ session, questions }: { session: Session; questions: readonly Question[] }) {
  const { stored, draft } = session.state;
  const kept = [
    ...stored.map((one) => [one.name, questionOf(one, draft)] as const),
    ...Object.entries(keptQuestions()),
  ];
  /** A path whose ends nobody has named yet waits in the form. */
  const again = (question: Question): void => {
    session.put({ draft: question });
    if (question.kind !== 'path' || (question.from !== null && question.to !== null)) ask(session, question);
  };
  return (
    <>
      {kept.length > 0 && <h3>Kept</h3>}
      <QuestionList entries={kept} again={again} />
      {questions.length > 0 && <h3>Asked before</h3>}
      <QuestionList entries={questions.map((question) => [titleOf(question), question])} again={again} />
    </>
  );
}

function QuestionList({
  entries,
  again,
}: {
  entries: readonly (readonly [string, Question])[];
  again: (question: Question) => void;
}) {
  return (
    <ul class="plain">
      {entries.map(([title, question]) => (
        <li key={title}>
          <button type="button" class="quiet wide" title="Ask again" onClick={() => again(question)}>
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}
