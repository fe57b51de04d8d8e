// A list of edges, imported by a running service.

import type { EdgeList } from './graphs.ts';
import type { RunningServer } from './servers.ts';

/** Bare vertices and edges as lines, in blocks of about 1 MiB; edges are of so many types by turns. */
function* linesOf({ vertexCount, source, target: targets }: EdgeList, types: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const head = `"vertexCount":${vertexCount},"edgeCount":${source.length}`;
  let text = `{"type":"meta","format":"service-jsonl","version":2,${head}}\n`;
  for (let id = 0; id < vertexCount + source.length; id++) {
    const i = id - vertexCount;
    const type = types === 1 ? 'to' : `to${i % types}`;
    text +=
      i < 0
        ? `{"type":"vertex","id":${id},"creationDate":0}\n`
        : `{"type":"edge","id":${id},"edgePropertyId":"${type}","source":${source[i]},"target":${targets[i]},"creationDate":0}\n`;
    if (text.length < 2 ** 20) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}

/** Into its default namespace, which is empty. */
export async function importGraph(server: RunningServer, list: EdgeList, types = 1): Promise<void> {
  const lines = linesOf(list, types);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = lines.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const init = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body, duplex: 'half' };
  const answer = await fetch(`http://127.0.0.1:${server.port}/bulk/import`, init as RequestInit);
  if (answer.status !== 200) throw new Error(await answer.text());
}
