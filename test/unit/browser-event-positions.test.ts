// Where a listener to events goes on that connects again through the service worker.

import { describe, expect, it } from 'vitest';
import { EndedStreams, EventPosition } from '../../runtime-browser/event-positions.ts';

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
const frames = 'id: e:1\nevent: a\ndata: {}\n\n: keepalive\n\nid: e:2\nevent: b\ndata: {"x":"é\\nid: no"}\n\n';

describe('the position of a stream', () => {
  it('is that of the last whole event, wherever blocks begin', () => {
    const bytes = encoded(frames);
    const firstEnds = encoded('id: e:1\nevent: a\ndata: {}\n\n').length;
    for (let size = 1; size <= bytes.length; size++) {
      const position = new EventPosition('e:0');
      for (let at = 0; at < bytes.length; at += size) {
        position.passed(bytes.subarray(at, at + size));
        const passed = Math.min(bytes.length, at + size);
        expect(position.last).toBe(passed < firstEnds ? 'e:0' : passed < bytes.length ? 'e:1' : 'e:2');
      }
    }
  });
});

describe('ended streams', () => {
  it('are taken up once, the first that ended first, by their own listener', () => {
    const ended = new EndedStreams();
    ended.put('page /feed', 'e:3');
    ended.put('page /feed', 'e:5');
    ended.put('other /feed', null);
    expect(['page /feed', 'page /feed', 'page /feed', 'other /feed'].map((listener) => ended.take(listener))).toEqual([
      'e:3',
      'e:5',
      null,
      null,
    ]);
  });
});
