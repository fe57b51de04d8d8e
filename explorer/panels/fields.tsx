// Fields that forms are made of.

import type { ComponentChildren } from 'preact';
import { shortened } from '../model/captions.ts';
import type { Question } from '../model/questions.ts';
import type { Session } from '../session/session.ts';

export interface FormProps<Kind extends Question> {
  readonly session: Session;
  readonly question: Kind;
  readonly change: (question: Question) => void;
}

export function Missing({ children }: { children: ComponentChildren }) {
  return <p class="small missing">{children}</p>;
}

export function indexesWith({ state }: Session, wanted: readonly string[]): string[] {
  return state.indexes
    .filter(({ capabilities }) => capabilities.some((one) => wanted.includes(one)))
    .map(({ id }) => id);
}

export function LabelChoice({
  session,
  value,
  change,
}: {
  session: Session;
  value: string;
  change: (label: string) => void;
}) {
  const names = (session.state.counts?.labels ?? []).map(({ name }) => name).filter((name) => name !== '');
  return <Choice title="Label" value={value} names={names} none="all labels" change={change} />;
}

interface ChoiceProps {
  readonly title: string;
  readonly value: string;
  readonly names: readonly string[];
  /** What choosing nothing is called. */
  readonly none: string;
  readonly isRequired?: boolean;
  readonly change: (name: string) => void;
}

export function Choice({ title, value, names, none, isRequired = false, change }: ChoiceProps) {
  return (
    <label>
      {title}
      <select value={value} required={isRequired} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">{none}</option>
        {(names.includes(value) || value === '' ? names : [value, ...names]).map((name) => (
          <option key={name} value={name}>
            {shortened(name, 40)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A vertex by its id, or the one that is chosen in the picture. */
export function VertexChoice({
  session,
  title,
  value,
  change,
}: {
  session: Session;
  title: string;
  value: number | null;
  change: (vertex: number | null) => void;
}) {
  const [chosen] = session.state.selected;
  const text = value !== null && session.scene.vertices.has(value) ? session.captionOf(value) : 'Use the chosen one';
  return (
    <div class="vertex-choice">
      <label>
        {title}
        <input
          inputMode="numeric"
          required
          placeholder="an id"
          value={value ?? ''}
          onInput={({ currentTarget: { value: text } }) => {
            const id = Number(text.replace('#', ''));
            change(text === '' || !Number.isInteger(id) ? null : id);
          }}
        />
      </label>
      <button
        type="button"
        class="quiet chosen-vertex"
        disabled={chosen === undefined}
        onClick={() => change(chosen ?? null)}
        aria-label={`${title}: ${text}`}
        title="The chosen vertex"
      >
        {text}
      </button>
    </div>
  );
}

export function NumberField({
  title,
  value,
  least = 1,
  most,
  change,
}: {
  title: string;
  value: number;
  least?: number;
  most: number;
  change: (value: number) => void;
}) {
  return (
    <label>
      {title}
      <input
        type="number"
        min={least}
        max={most}
        required
        value={value}
        onChange={(event) =>
          change(Math.min(most, Math.max(least, Math.round(Number(event.currentTarget.value)) || least)))
        }
      />
    </label>
  );
}
