// A button that asks for a file: the field of the browser itself stands unseen behind it.

import { useRef } from 'preact/hooks';

interface Props {
  readonly title: string;
  /** What the field is called for who cannot see it. */
  readonly name: string;
  /** Endings of files, with their points, separated by commas. */
  readonly accept: string;
  readonly look?: string;
  readonly take: (file: File) => void;
}

export function FileButton({ title, name, accept, look = '', take }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={look} onClick={() => input.current?.click()}>
        {title}
      </button>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label={name}
        accept={accept}
        onChange={({ currentTarget: { files } }) => {
          const file = files?.[0];
          if (file !== undefined) take(file);
        }}
      />
    </>
  );
}
