// The left side: what the graph is, asking it, how it looks, taking it along. Tabs with the keys of tabs.

import type { Session } from '../session/session.ts';
import type { Tab } from '../session/state.ts';
import { Ask } from './ask.tsx';
import { Look } from './look.tsx';
import { Overview } from './overview.tsx';
import { Share } from './share.tsx';

const tabs: readonly (readonly [tab: Tab, title: string])[] = [
  ['overview', 'Overview'],
  ['ask', 'Ask'],
  ['look', 'Look'],
  ['share', 'Share'],
];

export function Side({ session }: { session: Session }) {
  const { tab } = session.state;
  const steer = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = tabs.findIndex(([name]) => name === tab);
    const [next] = tabs[(at + step + tabs.length) % tabs.length] as (typeof tabs)[number];
    session.put({ tab: next });
    document.getElementById(`tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <aside class="side" aria-label="Graph">
      <div class="tabs" role="tablist" aria-label="Graph" onKeyDown={steer}>
        {tabs.map(([name, title]) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === tab}
            aria-controls="side-panel"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => session.put({ tab: name })}
          >
            {title}
          </button>
        ))}
      </div>
      <div key={tab} class="overview" id="side-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab !== 'overview' && <h2 class="unseen">{tabs.find(([name]) => name === tab)?.[1]}</h2>}
        {tab === 'overview' && <Overview session={session} />}
        {tab === 'ask' && <Ask session={session} />}
        {tab === 'look' && <Look session={session} />}
        {tab === 'share' && <Share session={session} />}
      </div>
    </aside>
  );
}
