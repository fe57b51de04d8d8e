// A property: its key, and its value as text and nothing else; a link opens safely.

import { useState } from 'preact/hooks';
import { shortened } from '../model/captions.ts';
import type { Property } from '../model/elements.ts';
import { number } from './overview.tsx';

/** Characters of a value shown at first, and at most. */
const [shortValue, longValue] = [400, 20_000];

export function PropertyRow({ property: { key, type, value } }: { property: Property }) {
  const [isOpen, setOpen] = useState(false);
  const most = isOpen ? longValue : shortValue;
  const isLink = /^https?:\/\/\S+$/i.test(value) && value.length < 2000;
  return (
    <div>
      <dt title={type}>{shortened(key, 60)}</dt>
      <dd dir="auto">
        {isLink ? (
          <a href={value} target="_blank" rel="noopener noreferrer nofollow">
            {shortened(value, 120)}
          </a>
        ) : (
          value.slice(0, most)
        )}
        {!isLink && value.length > most && (
          <button type="button" class="quiet" disabled={isOpen} onClick={() => setOpen(true)}>
            {isOpen
              ? `… ${number(value.length - longValue)} characters more are not shown`
              : `… show more of ${number(value.length)} characters`}
          </button>
        )}
      </dd>
    </div>
  );
}
