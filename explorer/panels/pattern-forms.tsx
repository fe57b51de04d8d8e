// The forms of what is made of fragments: paths, and patterns of vertices and edges.

import type { StoredQuery } from '../data/source.ts';
import { emptyStep, type PathQuestion, type PatternQuestion, type PatternStep } from '../model/questions.ts';
import type { Session } from '../session/session.ts';
import { Choice, type FormProps, LabelChoice, NumberField, VertexChoice } from './fields.tsx';
import { FragmentField } from './fragment-field.tsx';

const maxSteps = 6;

export function PathForm({ session, question, change }: FormProps<PathQuestion>) {
  const put = (patch: Partial<PathQuestion>): void => change({ ...question, ...patch });
  return (
    <>
      <VertexChoice session={session} title="From" value={question.from} change={(from) => put({ from })} />
      <VertexChoice session={session} title="To" value={question.to} change={(to) => put({ to })} />
      <label>
        Ways
        <select
          value={question.isCheapest ? 'cheapest' : 'shortest'}
          onChange={(event) => put({ isCheapest: event.currentTarget.value === 'cheapest' })}
        >
          <option value="shortest">all shortest</option>
          <option value="cheapest">cheapest</option>
        </select>
      </label>
      <div class="pair narrow">
        <NumberField title="Most edges" value={question.maxDepth} most={100} change={(maxDepth) => put({ maxDepth })} />
        <NumberField
          title="Most ways"
          value={question.maxResults}
          most={100}
          change={(maxResults) => put({ maxResults })}
        />
      </div>
      <StoredChoice
        session={session}
        kind="Path"
        value={question.storedQuery}
        change={(storedQuery) => put({ storedQuery })}
      />
      {question.storedQuery === '' && (
        <>
          <FragmentField
            session={session}
            title="Edge types that may be used"
            kind="EdgePropertyFilter"
            value={question.edgePropertyFilter}
            change={(edgePropertyFilter) => put({ edgePropertyFilter })}
          />
          <FragmentField
            session={session}
            title="Vertices that may be passed"
            kind="VertexFilter"
            value={question.vertexFilter}
            change={(vertexFilter) => put({ vertexFilter })}
          />
          {question.isCheapest && (
            <FragmentField
              session={session}
              title="What an edge costs"
              kind="EdgeCost"
              value={question.edgeCost}
              change={(edgeCost) => put({ edgeCost })}
            />
          )}
        </>
      )}
    </>
  );
}

export function PatternForm({ session, question, change }: FormProps<PatternQuestion>) {
  const { steps } = question;
  const put = (place: number, patch: Partial<PatternStep>): void =>
    change({ ...question, steps: steps.map((step, at) => (at === place ? { ...step, ...patch } : step)) });
  const types = (session.state.schema?.types ?? []).map(({ name }) => name);
  const { storedQuery } = question;
  const choice = (
    <StoredChoice
      session={session}
      kind="SubGraph"
      value={storedQuery}
      change={(name) => change({ ...question, storedQuery: name })}
    />
  );
  if (storedQuery !== '') return choice;
  return (
    <>
      {choice}
      {steps.map((step, place) => (
        <fieldset key={place}>
          <legend>Vertex {place + 1}</legend>
          <LabelChoice session={session} value={step.label} change={(label) => put(place, { label })} />
          <FragmentField
            session={session}
            title="Or a condition"
            kind="VertexFilter"
            value={step.vertexFilter}
            change={(vertexFilter) => put(place, { vertexFilter })}
          />
          {place < steps.length - 1 && <EdgeFields step={step} types={types} put={(patch) => put(place, patch)} />}
        </fieldset>
      ))}
      <div class="row">
        <button
          type="button"
          class="quiet"
          disabled={steps.length >= maxSteps}
          onClick={() => change({ ...question, steps: [...steps, emptyStep] })}
        >
          One more vertex
        </button>
        <button
          type="button"
          class="quiet"
          disabled={steps.length <= 2}
          onClick={() => change({ ...question, steps: steps.slice(0, -1) })}
        >
          One less
        </button>
      </div>
    </>
  );
}

interface StoredChoiceProps {
  readonly session: Session;
  readonly kind: StoredQuery['kind'];
  readonly value: string;
  readonly change: (name: string) => void;
}

/** Nothing where the service has no stored query of the kind. */
function StoredChoice({ session, kind, value, change }: StoredChoiceProps) {
  const names = session.state.stored.filter((one) => one.kind === kind).map(({ name }) => name);
  if (names.length === 0 && value === '') return null;
  return <Choice title="Fragments of" value={value} names={names} none="what is written below" change={change} />;
}

interface EdgeFieldsProps {
  readonly step: PatternStep;
  readonly types: readonly string[];
  readonly put: (patch: Partial<PatternStep>) => void;
}

function EdgeFields({ step, types, put }: EdgeFieldsProps) {
  return (
    <>
      <div class="pair narrow">
        <Choice
          title="Then an edge"
          value={step.edgeType}
          names={types}
          none="any type"
          change={(edgeType) => put({ edgeType })}
        />
        <label>
          Direction
          <select
            value={step.direction}
            onChange={(event) => put({ direction: event.currentTarget.value as PatternStep['direction'] })}
          >
            <option value="OutgoingEdge">→</option>
            <option value="IncomingEdge">←</option>
            <option value="UndirectedEdge">either</option>
          </select>
        </label>
      </div>
      <div class="pair narrow">
        <NumberField
          title="At least"
          value={step.minLength}
          most={10}
          change={(minLength) => put({ minLength, maxLength: Math.max(minLength, step.maxLength) })}
        />
        <NumberField
          title="At most"
          value={step.maxLength}
          most={10}
          change={(maxLength) => put({ maxLength, minLength: Math.min(maxLength, step.minLength) })}
        />
      </div>
    </>
  );
}
