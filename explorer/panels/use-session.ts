// The session's state for a component, drawn again when it changes.

import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../session/session.ts';
import type { State } from '../session/state.ts';

export function useSession(session: Session): State {
  const [, again] = useState(0);
  const { state } = session;
  useEffect(() => {
    const draw = (): void => again((count) => count + 1);
    const end = session.subscribe(draw);
    // What changed before anybody listened.
    if (session.state !== state) draw();
    return end;
  }, [session]);
  return state;
}
