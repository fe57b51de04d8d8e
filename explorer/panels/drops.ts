// Files that are dropped anywhere on the page.

import { openFile } from '../session/opening.ts';
import type { Session } from '../session/session.ts';

/** Listens; answers what ends it. `hover` is told while something is held over the page. */
export function dropsOf(session: Session, hover: (isOver: boolean) => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;
  document.addEventListener(
    'dragover',
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      hover(true);
    },
    { signal },
  );
  document.addEventListener(
    'dragleave',
    ({ relatedTarget }) => {
      if (relatedTarget === null) hover(false);
    },
    { signal },
  );
  document.addEventListener(
    'drop',
    (event) => {
      hover(false);
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      const [item] = event.dataTransfer.items;
      const [file] = event.dataTransfer.files;
      if (item?.webkitGetAsEntry()?.isDirectory === true)
        session.put({ trouble: 'This is a folder. Drop one file: service-jsonl, a package, or a table of edges.' });
      else if (file !== undefined) openFile(session, file);
    },
    { signal },
  );
  return () => ending.abort();
}
