// The change feed: server-sent events of what was committed in a namespace (contract part 1, Change feed).

import { z } from 'zod';
import { parseFilter } from '../../engine/feed/filter.ts';
import type { Exchange } from '../exchange.ts';
import { textInQuery } from '../parameters.ts';
import { type HeaderList, Problem, type ProblemKind } from '../problems.ts';
import { type Route, route } from '../route.ts';

const events = z.string().meta({
  description:
    'Server-sent events: id `<epoch>:<seq>`, event the kind, data the event as JSON; comments keep the connection.',
});
const words = ' Repeatable, or parted by commas.';

export const changeFeedRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/changefeed',
    scope: 'namespace',
    tag: 'ChangeFeed',
    summary: 'Events of what is committed, as they come.',
    query: {
      kinds: textInQuery(`Kinds of events; resync always comes.${words}`),
      elements: textInQuery(`vertex, edge.${words}`),
      labels: textInQuery(`Labels of elements.${words}`),
      keys: textInQuery(`Keys of properties.${words}`),
      since: textInQuery('Position to go on behind: the id of an event, or its number.'),
    },
    answers: {
      200: {
        description: 'Stays open.',
        schema: events,
        mediaTypes: ['text/event-stream'],
        headers: { 'x-changefeed-head': 'Position of the last event before the stream began.' },
      },
    },
    problems: [
      'changeFeedFilterInvalid',
      'sinceInvalid',
      'changeFeedDisabled',
      'changeFeedUnavailable',
      'subscriberLimitReached',
    ],
    serve: subscribe,
  }),
];

const failures = {
  disabled: 'changeFeedDisabled',
  unavailable: 'changeFeedUnavailable',
  limitReached: 'subscriberLimitReached',
  invalidSince: 'sinceInvalid',
} as const satisfies Record<string, ProblemKind>;

function subscribe(exchange: Exchange): Response {
  const { changeFeed } = exchange.graph;
  if (!changeFeed.enabled) throw new Problem('changeFeedDisabled', 'The change feed is switched off.');
  const query = exchange.queryParameters();
  const filter = parseFilter(query);
  if (!filter.ok) throw new Problem('changeFeedFilterInvalid', filter.detail);
  const request = { filter: filter.filter, since: query.get('since'), lastEventId: exchange.header('last-event-id') };
  const headers: HeaderList = [['x-changefeed-head', changeFeed.head]];
  const { feedOutlet } = exchange.service.platform;
  if (exchange.method === 'GET' && feedOutlet?.takes(exchange.request) === true) {
    const reserved = changeFeed.reserve(request);
    if (!reserved.ok) throw new Problem(failures[reserved.failure], reserved.detail);
    return exchange.events(feedOutlet.bodyFor(changeFeed, reserved.place), headers);
  }
  // A HEAD request is told what a GET would be, and takes no place.
  const abort = exchange.method === 'HEAD' ? AbortSignal.abort() : exchange.request.signal;
  const result = changeFeed.subscribe({ ...request, signal: abort });
  if (!result.ok) throw new Problem(failures[result.failure], result.detail);
  return exchange.events(result.stream, headers);
}
