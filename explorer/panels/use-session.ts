// The session's state for a component, drawn again when it changes.

import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../session/session.ts';
import type { State } from '../session/state.ts';

export function useSession(session: Session): State {
  const [, again] = useState(0);
  useEffect(() => session.subscribe(() => again((count) => count + 1)), [session]);
  return session.state;
}
