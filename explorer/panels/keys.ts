// The keyboard on the page, outside of fields and dialogs.

import type { Session } from '../session/session.ts';

/** Listens; answers what ends it. What belongs to the picture listens in the stage. */
export function keysOf(session: Session): () => void {
  const listen = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (target.closest('input, select, textarea, dialog') !== null) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === 'z') event.shiftKey ? session.redo() : session.undo();
    else if (command && key === 'y') session.redo();
    else if (command || event.altKey) return;
    else if (key === '/') document.getElementById('search')?.focus();
    else if (!act(session, key)) return;
    event.preventDefault();
  };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}

function act(session: Session, key: string): boolean {
  const { selected } = session.state;
  const [id] = selected;
  if (key === 'escape') session.select(new Set());
  else if (id === undefined) return false;
  else if (key === 'e') session.expand(id);
  else if (key === 'c') session.collapse(id);
  else if (key === 'p') session.togglePin(id);
  else if (key === 'h' || key === 'delete') session.hide(selected);
  else if (key === 'o') session.keepOnly(selected);
  else return false;
  return true;
}
