// Documents that are converted and enriched by services that misbehave. Those are real HTTP servers with a script.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './support/client.ts';
import { ensured, on, sent, settled, upload } from './support/documents.ts';
import { allowPages } from './support/provider.ts';
import { expectProblem } from './support/requests.ts';
import { startService, type TestService } from './support/service.ts';

type Reply = (response: ServerResponse, body: string) => unknown;

/** A server whose paths answer as they are told. */
class Sidecar {
  readonly replies = new Map<string, Reply>();
  readonly received: { path: string; body: string }[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request: IncomingMessage, response) => {
      if (allowPages(request, response)) return;
      let body = '';
      request.on('data', (block) => {
        body += block;
      });
      request.on('end', () => {
        const path = request.url ?? '';
        this.received.push({ path, body });
        const reply = [...this.replies].find(([start]) => path.startsWith(start))?.[1];
        if (reply === undefined) response.writeHead(404).end();
        else reply(response, body);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const says =
  (value: unknown): Reply =>
  (response) =>
    response.end(typeof value === 'string' ? value : JSON.stringify(value));

describe('services beside it', () => {
  const docling = new Sidecar();
  const nlp = new Sidecar();
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      ...on,
      'Ingestion:Docling:Endpoint': await docling.start(),
      'Ingestion:Docling:TimeoutSeconds': 300, // no test of these is to meet it, on however slow a machine
      'Ingestion:Docling:PollIntervalSeconds': 1,
      'Ingestion:MaxPages': 3,
      'Ingestion:MaxQueueLength': 2,
      'Nlp:Enabled': true,
      'Nlp:Endpoint': await nlp.start(),
    });
    await ensured(service);
  });
  afterAll(async () => {
    await service.stop();
    docling.stop();
    nlp.stop();
  });

  let uploads = 0;
  const converted = async (): Promise<Awaited<ReturnType<typeof settled>>> => {
    const content = `%PDF ${uploads++}`;
    const answer = await upload(service, { file: { file: 'a.pdf', content } });
    expect(answer.status, answer.text).toBe(202);
    return settled(service, answer.json.documentId);
  };
  const polls = (...statuses: string[]): Reply => {
    return (response) =>
      response.end(JSON.stringify({ task_status: statuses.length > 1 ? statuses.shift() : statuses[0] }));
  };
  const result = (document: object): void => {
    docling.replies.set('/v1/result/', says({ document }));
  };

  test('convert, and their structure is walked with its pages', async () => {
    docling.replies.set('/v1/convert/file/async', says({ task_id: 'a b' }));
    docling.replies.set('/v1/status/poll/a%20b', polls('pending', 'success'));
    const texts = [
      { label: 'section_header', level: 1, text: 'Blades', prov: [{ page_no: 2 }] },
      { label: 'text', text: 'Blades are made of carbon.', prov: [{ page_no: 3 }] },
    ];
    const tables = [{ data: { grid: [[{ text: 'a' }], [{ text: 'b|c' }]] }, prov: [{ page_no: 3 }] }];
    const children = [{ $ref: '#/texts/0' }, { $ref: '#/texts/1' }, { $ref: '#/tables/0' }];
    result({ json_content: { body: { children }, texts, tables } });
    const { summary, chunks } = await converted();
    expect(summary).toMatchObject({ status: 'indexed', converter: 'docling-serve', pageCount: 3, sourceFormat: 'pdf' });
    expect(summary.chunkerConfig).toMatch(/^structured\/v1;/);
    expect(chunks[0]).toMatchObject({ headingPath: 'Blades', pageFrom: 2, pageTo: 3 });
    expect(chunks[1]).toMatchObject({ kind: 'table', textPreview: '| a |\n| --- |\n| b\\|c |' });
    expect(docling.received[0]?.body).toContain('name="to_formats"');
    result({ json_content: 'nonsense', md_content: '# Only\n\nmarkdown' });
    docling.replies.set('/v1/status/poll/a%20b', polls('success'));
    expect((await converted()).summary.chunkerConfig).toMatch(/^markdown\/v1;/);
  });

  test('that fail a conversion fail the document with the reason', async () => {
    const error = async (): Promise<string> => {
      const { summary, chunks } = await converted();
      expect([summary.status, chunks]).toEqual(['failed', []]);
      return summary.error;
    };
    docling.replies.set('/v1/status/poll/a%20b', polls('failure'));
    expect(await error()).toContain('could not convert');
    docling.replies.set('/v1/status/poll/a%20b', says('<html>'));
    expect(await error()).toContain('no JSON');
    docling.replies.set('/v1/status/poll/a%20b', polls('success'));
    result({});
    expect(await error()).toContain('no text');
    result({
      json_content: {
        body: { children: [{ label: 'text', text: 'x' }] },
        texts: [],
        pages: { 1: {}, 2: {}, 3: {}, 4: {} },
      },
      md_content: '',
    });
    expect(await error()).toContain('no text');
    const texts = [{ label: 'text', text: 'far', prov: [{ page_no: 4 }] }];
    result({ json_content: { body: { children: [{ $ref: '#/texts/0' }] }, texts } });
    expect(await error()).toContain('4 pages');
    docling.replies.set('/v1/convert/file/async', says({ task: 1 }));
    expect(await error()).toContain('no task');
    docling.replies.set('/v1/convert/file/async', (response) => response.writeHead(500).end());
    expect(await error()).toContain('500');
    docling.replies.set('/v1/convert/file/async', (response) => response.destroy());
    expect(await error()).toContain('cannot be reached');
  });

  test('make the queue full, which names the stub that failed', async () => {
    const held: ServerResponse[] = [];
    docling.replies.set('/v1/convert/file/async', (response) => held.push(response)); // answers later
    const answers: Answer[] = [];
    for (let i = 0; i < 4; i++)
      answers.push(await upload(service, { file: { file: 'q.pdf', content: `queued ${i}` } }));
    const full = answers.find(({ status }) => status !== 202) as Answer;
    const { documentId } = expectProblem(full, 503, 'Ingestion queue full');
    expect((await service.call('GET', `/document/${documentId}`)).json.summary.status).toBe('failed');
    docling.replies.set('/v1/convert/file/async', (response) => response.destroy());
    for (const response of held) response.destroy();
    for (const { status, json } of answers) if (status === 202) await settled(service, json.documentId);
  });

  test('enrich chunks with entities, and never fail a document', async () => {
    nlp.replies.set('/enrich', (response, body) => {
      const { items } = JSON.parse(body) as { items: { id: string; text: string }[] };
      const answers = items.map(({ id, text }) => ({
        id,
        language: 'en',
        entities: [
          { text: ' Ada  Lovelace ', label: 'PERSON', start: 0, end: 5 },
          { text: 'ada lovelace', label: 'PERSON', start: 0, end: 5 },
          { text: 'outside', label: 'X', start: 0, end: text.length + 1 },
          { text: 7, label: null },
          null,
        ],
        keyTerms: ['engine', 'engine', 3],
      }));
      response.end(JSON.stringify({ items: [...answers, { id: 'unknown' }, 'x'] }));
    });
    for (const text of ['Ada wrote notes', 'Ada wrote a programme']) {
      const { summary } = await settled(service, await sent(service, { name: text, text }));
      expect(summary.status).toBe('indexed');
    }
    const { entities, total } = (await service.call('GET', '/document/entities?type=person&contains=LOVE')).json;
    expect([entities, total]).toEqual([
      [{ id: expect.any(Number), text: 'Ada Lovelace', type: 'PERSON', mentionCount: 2 }],
      1,
    ]);
    expect((await service.call('GET', '/document/entities?type=place')).json).toEqual({ entities: [], total: 0 });
    nlp.replies.set('/enrich', says('nonsense'));
    const id = await sent(service, { name: 'plain', text: 'no service answers' });
    expect((await settled(service, id)).summary.status).toBe('indexed');
  });

  test('and a start finds what was interrupted, with nothing left of it', async () => {
    const before = (await service.call('GET', '/status')).json;
    const text = 'interrupted words. '.repeat(3000);
    docling.replies.set('/v1/convert/file/async', () => {}); // never answers
    const waiting = await upload(service, { file: { file: 'w.pdf', content: 'waits for ever' } });
    const behind = await sent(service, { name: 'behind', text });
    await service.restart();
    for (const id of [waiting.json.documentId, behind]) {
      const { summary, chunks } = (await service.call('GET', `/document/${id}`)).json;
      expect([summary.status, summary.error, chunks]).toEqual(['failed', 'interrupted', []]);
    }
    const after = (await service.call('GET', '/status')).json;
    expect([after.vertexCount, after.edgeCount]).toEqual([before.vertexCount + 2, before.edgeCount]);
  });
});

test('a conversion that never ends fails its document at the deadline', { tags: ['long'] }, async () => {
  const docling = new Sidecar();
  docling.replies.set('/v1/convert/file/async', says({ task_id: 'a' }));
  docling.replies.set('/v1/status/poll/a', says({ task_status: 'pending' }));
  const service = await startService({
    ...on,
    'Ingestion:Docling:Endpoint': await docling.start(),
    'Ingestion:Docling:TimeoutSeconds': 1,
  });
  try {
    await ensured(service);
    const answer = await upload(service, { file: { file: 'a.pdf', content: '%PDF' } });
    const { summary, chunks } = await settled(service, answer.json.documentId);
    expect([summary.status, chunks]).toEqual(['failed', []]);
    expect(summary.error).toContain('within 1 second');
  } finally {
    await service.stop();
    docling.stop();
  }
});
