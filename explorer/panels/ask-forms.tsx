// A form for each kind of question. What can be chosen comes from the graph: its keys, labels, types, indexes and algorithms.

import {
  type AnalyticsQuestion,
  type FulltextQuestion,
  operators,
  type PropertyQuestion,
  type Question,
  type SimilarQuestion,
} from '../model/questions.ts';
import { Choice, type FormProps, indexesWith, LabelChoice, Missing, NumberField, VertexChoice } from './fields.tsx';
import { PathForm, PatternForm } from './pattern-forms.tsx';

export function FormOf({ session, question, change }: FormProps<Question>) {
  switch (question.kind) {
    case 'property':
      return <PropertyForm session={session} question={question} change={change} />;
    case 'fulltext':
      return <FulltextForm session={session} question={question} change={change} />;
    case 'path':
      return <PathForm session={session} question={question} change={change} />;
    case 'pattern':
      return <PatternForm session={session} question={question} change={change} />;
    case 'similar':
      return <SimilarForm session={session} question={question} change={change} />;
    case 'analytics':
      return <AnalyticsForm session={session} question={question} change={change} />;
  }
}

const types = ['System.String', 'System.Int32', 'System.Int64', 'System.Double', 'System.Boolean', 'System.DateTime'];

function PropertyForm({ session, question, change }: FormProps<PropertyQuestion>) {
  const { counts } = session.state;
  const indexes = indexesWith(session, ['equality', 'range']);
  return (
    <>
      <Choice
        title="Property"
        value={question.key}
        names={(counts?.keys ?? []).map(({ name }) => name)}
        none="choose one"
        isRequired
        change={(key) => change({ ...question, key })}
      />
      <div class="pair narrow">
        <label>
          Compares
          <select
            value={question.operator}
            onChange={(event) => change({ ...question, operator: Number(event.currentTarget.value) })}
          >
            {operators.map((sign, place) => (
              <option key={sign} value={place}>
                {sign}
              </option>
            ))}
          </select>
        </label>
        <label>
          Value
          <input
            value={question.value}
            onInput={(event) => change({ ...question, value: event.currentTarget.value })}
          />
        </label>
      </div>
      <div class="pair narrow">
        <label>
          Type
          <select value={question.type} onChange={(event) => change({ ...question, type: event.currentTarget.value })}>
            {types.map((type) => (
              <option key={type} value={type}>
                {type.replace('System.', '')}
              </option>
            ))}
          </select>
        </label>
        <LabelChoice session={session} value={question.label} change={(label) => change({ ...question, label })} />
      </div>
      <Choice
        title="By"
        value={question.index}
        names={indexes}
        none="a scan of all elements"
        change={(index) => change({ ...question, index })}
      />
    </>
  );
}

interface IndexChoiceProps {
  readonly value: string;
  readonly names: readonly string[];
  readonly change: (index: string) => void;
}

function IndexChoice({ value, names, change }: IndexChoiceProps) {
  return <Choice title="Index" value={value} names={names} none="choose one" isRequired change={change} />;
}

function FulltextForm({ session, question, change }: FormProps<FulltextQuestion>) {
  const indexes = indexesWith(session, ['fulltext']);
  if (indexes.length === 0)
    return (
      <Missing>
        This graph has no full-text index. Create one with <code>POST /index</code> (pluginType RegExIndex) and fill it;
        the search above scans all values without one.
      </Missing>
    );
  return (
    <>
      <IndexChoice value={question.index} names={indexes} change={(index) => change({ ...question, index })} />
      <label>
        Regular expression
        <input
          required
          value={question.text}
          onInput={(event) => change({ ...question, text: event.currentTarget.value })}
        />
      </label>
    </>
  );
}

function SimilarForm({ session, question, change }: FormProps<SimilarQuestion>) {
  const indexes = indexesWith(session, ['vector']);
  if (indexes.length === 0)
    return (
      <Missing>
        This graph has no vector index. <code>docs/vectors.md</code> tells how vertices get vectors, and an index over
        them.
      </Missing>
    );
  return (
    <>
      <VertexChoice
        session={session}
        title="Vertex"
        value={question.vertex}
        change={(vertex) => change({ ...question, vertex })}
      />
      <IndexChoice value={question.index} names={indexes} change={(index) => change({ ...question, index })} />
      <NumberField
        title="How many"
        value={question.count}
        most={100}
        change={(count) => change({ ...question, count })}
      />
    </>
  );
}

function AnalyticsForm({ session, question, change }: FormProps<AnalyticsQuestion>) {
  const { algorithms, schema } = session.state;
  const known = Object.keys(algorithms);
  const names = known.length === 0 ? [question.algorithm] : known;
  return (
    <>
      <label>
        Algorithm
        <select
          value={question.algorithm}
          onChange={(event) => change({ ...question, algorithm: event.currentTarget.value })}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p class="small">{algorithms[question.algorithm] ?? ''}</p>
      <div class="pair narrow">
        <LabelChoice session={session} value={question.label} change={(label) => change({ ...question, label })} />
        <Choice
          title="Edges"
          value={question.edgeType}
          names={(schema?.types ?? []).map(({ name }) => name)}
          none="all types"
          change={(edgeType) => change({ ...question, edgeType })}
        />
      </div>
      <NumberField
        title="Time budget in seconds"
        value={question.budgetSeconds}
        most={300}
        change={(budgetSeconds) => change({ ...question, budgetSeconds })}
      />
    </>
  );
}
