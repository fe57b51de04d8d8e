// Runs in the page of the page home: starts an engine when told, asks it what its server was asked, and gives the answers back. Every path is
// relative to the page. Commands come as lines of one long answer; blocks of an answer go out one after the other, each as a request.

import type { Arcwise, createArcwise } from '../../../../runtime-browser/index.ts';
import type { Command, Head } from './page-messages.ts';

type Library = { readonly createArcwise: typeof createArcwise };

let arcwise: Arcwise | null = null;
const underWay = new Map<number, AbortController>();

async function tell(path: string, body: BodyInit | null, head?: Head): Promise<void> {
  const headers = head === undefined ? undefined : { 'x-head': encodeURIComponent(JSON.stringify(head)) };
  await fetch(path, { method: 'POST', body, ...(headers === undefined ? {} : { headers }) });
}

async function obey(command: Command): Promise<void> {
  switch (command.kind) {
    case 'open': {
      const library = (await import(new URL('./arcwise/index.js', location.href).href)) as Library;
      arcwise = await library.createArcwise({ store: command.store, settings: command.settings });
      await tell('done', '');
      break;
    }
    case 'close':
      await arcwise?.close();
      await tell('done', '');
      break;
    case 'abort':
      underWay.get(command.id)?.abort();
      break;
    case 'request':
      await ask(command);
      break;
  }
}

async function ask(command: Extract<Command, { kind: 'request' }>): Promise<void> {
  const { id, method, target, headers, body } = command;
  const stop = new AbortController();
  underWay.set(id, stop);
  try {
    if (arcwise === null) throw new Error('There is no engine.');
    const init: RequestInit = { method, headers: headers as [string, string][], signal: stop.signal };
    if (body === 'later') init.body = (await fetch(`body/${id}`, { signal: stop.signal })).body;
    else if (body !== null) init.body = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
    const answer = await arcwise.fetch(`http://arcwise.invalid${target}`, init);
    await giveBack(id, answer);
  } catch (error) {
    await tell(`failed/${id}`, String(error));
  } finally {
    underWay.delete(id);
  }
}

async function giveBack(id: number, answer: Response): Promise<void> {
  const head: Head = { status: answer.status, statusText: answer.statusText, headers: [...answer.headers] };
  const reader = answer.body?.getReader();
  let next = reader?.read();
  // A whole body is there at once and goes with the head; one that waits, such as the change feed, must not keep the head back.
  const first = await Promise.race([next, new Promise<null>((resolve) => setTimeout(resolve, 0, null))]);
  if (reader === undefined || next === undefined || first?.done === true) {
    await tell(`last/${id}`, null, head);
    return;
  }
  if (first === null) await tell(`block/${id}`, null, head);
  for (let told = first === null; ; told = true) {
    const { done, value } = await next;
    if (done) break;
    next = reader.read();
    await tell(`block/${id}`, value as Uint8Array<ArrayBuffer>, told ? undefined : head);
  }
  await tell(`last/${id}`, null);
}

async function takeCommands(): Promise<void> {
  const reader = ((await fetch(`commands${location.search}`)).body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += decoder.decode(next.value, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) void obey(JSON.parse(line)).catch((error: Error) => tell('refused', String(error)));
  }
}

void takeCommands();
