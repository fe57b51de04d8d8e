// A dialog over the page: the browser keeps the focus in it and closes it on Escape.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function Modal({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={close} aria-label={title}>
      <div class="dialog-head">
        <h2>{title}</h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </div>
      {children}
    </dialog>
  );
}
