// The buttons over the picture.

import { useEffect, useState } from 'preact/hooks';
import type { Picture } from '../render/picture.ts';
import { setLive } from '../session/living.ts';
import { mostRanked, type Session } from '../session/session.ts';

/** Vertices of a picture: laid out up to 20,000, on a spiral beyond. */
const sizes = [100, 300, 1000, 5000, 10_000, 20_000, 200_000] as const;

interface Props {
  readonly session: Session;
  readonly picture: Picture;
  readonly showsTable: boolean;
  readonly toggleTable: () => void;
}

export function Tools({ session, picture, showsTable, toggleTable }: Props) {
  const { history, isFrozen, isLive, spacing } = session.state;
  const [isLasso, setLasso] = useState(false);
  useEffect(() => {
    picture.isLasso = isLasso;
  }, [picture, isLasso]);
  return (
    <>
      <div class="tools left" role="toolbar" aria-label="Steps">
        <Tool name="Undo" sign="↶" off={history.past.length === 0} act={() => session.undo()} />
        <Tool name="Redo" sign="↷" off={history.future.length === 0} act={() => session.redo()} />
        <select
          aria-label="Show so many vertices"
          value=""
          onChange={({ currentTarget }) => {
            const count = Number(currentTarget.value);
            currentTarget.value = '';
            session.showMany(count);
          }}
        >
          <option value="" disabled>
            Show …
          </option>
          {sizes.map((size) => (
            <option key={size} value={size}>
              the {size.toLocaleString('en')} {size <= mostRanked ? 'best connected' : 'first'}
            </option>
          ))}
        </select>
        <Tool name="Lasso" pressed={isLasso} act={() => setLasso(!isLasso)} />
        <Tool name="Live" pressed={isLive} act={() => setLive(session, !isLive)} />
        <Tool name="Table" pressed={showsTable} act={toggleTable} />
      </div>
      <div class="tools right" role="toolbar" aria-label="View" aria-orientation="vertical">
        <Tool name="Zoom in" sign="+" act={() => picture.zoomBy(1.35)} />
        <Tool name="Zoom out" sign="−" act={() => picture.zoomBy(1 / 1.35)} />
        <Tool name="Fit all into view" icon="M4 16 16 4M10 4h6v6M10 16H4v-6" act={() => picture.fit()} />
        <Tool name="Full screen" icon="M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5" act={fullScreen} />
      </div>
      <div class="tools bottom" role="toolbar" aria-label="Layout">
        <Tool name="Arrange again" act={() => session.arrange()} />
        <Tool name="Freeze" pressed={isFrozen} act={() => session.freeze(!isFrozen)} />
        <label class="slider">
          Spacing
          <input
            type="range"
            min="0.5"
            max="3"
            step="0.25"
            value={spacing}
            onChange={(event) => session.setSpacing(Number(event.currentTarget.value))}
          />
        </label>
      </div>
    </>
  );
}

function fullScreen(): void {
  if (document.fullscreenElement !== null) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

interface ToolProps {
  readonly name: string;
  readonly sign?: string;
  /** A path in a square of 20. */
  readonly icon?: string;
  /** Nothing to do now; the focus can stay on it, so that a press on the last step does not lose it. */
  readonly off?: boolean;
  readonly pressed?: boolean;
  readonly act: () => void;
}

function Tool({ name, sign, icon, off = false, pressed, act }: ToolProps) {
  return (
    <button
      type="button"
      title={name}
      aria-label={name}
      aria-disabled={off}
      onClick={() => off || act()}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
    >
      {icon === undefined ? (
        (sign ?? name)
      ) : (
        <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
          <path d={icon} />
        </svg>
      )}
    </button>
  );
}
