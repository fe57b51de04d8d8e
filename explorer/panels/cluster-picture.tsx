// The nodes of a cluster: the one that writes the namespace that is shown, and those that follow it. Below, what each of them writes.

import { shortened } from '../model/captions.ts';
import { type Cluster, writesWords } from '../model/cluster.ts';
import { labelPlace, lineBetween, radius, schemaHeight, schemaWidth } from '../render/schema-lines.ts';
import type { Session } from '../session/session.ts';

const maxNodes = 8;
const maxListed = 40;

export function ClusterPicture({ session, cluster }: { session: Session; cluster: Cluster }) {
  const { nodes, writer } = cluster;
  const { namespace } = session.state.connection;
  const lookAgain = (): Promise<void> =>
    session.asking('Looking at the cluster …', async () => session.put({ cluster: await session.source.cluster() }));
  const drawn = [...nodes].sort((a, b) => Number(b.url === writer) - Number(a.url === writer)).slice(0, maxNodes);
  const places = drawn.map((_, at) => labelPlace(at, drawn.length));
  const isWritten = drawn[0]?.url === writer;
  const words = isWritten
    ? `${shortened(namespace, 30)} is written at ${drawn[0]?.name}; the others follow.`
    : `Nobody is known to write ${shortened(namespace, 30)} just now. Another node takes over when the lease has run out.`;
  return (
    <>
      <h2>Cluster</h2>
      <div class="schema">
        <svg viewBox={`0 0 ${schemaWidth} ${schemaHeight}`} role="img" aria-label={words}>
          {isWritten &&
            places
              .slice(1)
              .map((place, at) => (
                <path
                  key={drawn[at + 1]?.url}
                  d={lineBetween(places[0] as (typeof places)[number], place).path}
                  class="tie"
                  stroke-width={2}
                />
              ))}
        </svg>
        {drawn.map(({ url, name, isAsked }, at) => {
          const { x, y } = places[at] as (typeof places)[number];
          const place = { left: `${(100 * x) / schemaWidth}%`, top: `${(100 * (y - radius - 3)) / schemaHeight}%` };
          return (
            <span key={url} class={`schema-label node ${url === writer ? 'writer' : ''}`} style={place}>
              <span class="swatch" aria-hidden="true" />
              {shortened(name, 18)}
              {isAsked && <span class="asked">asked here</span>}
            </span>
          );
        })}
      </div>
      <p class="small">{words}</p>
      <ul class="keys">
        {nodes.slice(0, maxListed).map((node) => (
          <li key={node.url}>
            <span>{shortened(node.name, 40)}</span> <span class="count">{writesWords(node)}</span>
          </li>
        ))}
        {nodes.length > maxListed && <li class="small">and {nodes.length - maxListed} more</li>}
      </ul>
      <button type="button" onClick={lookAgain}>
        Look at the cluster again
      </button>
    </>
  );
}
