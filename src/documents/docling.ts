// Conversion by docling-serve (reference 20.3, Conversion): hand the file over, ask for its task until it ends, take the result. One
// deadline for all of it.

import type { Settings } from '../config/catalogue.ts';
import { pause } from '../engine/pause.ts';
import { type Converted, type Converter, IngestFailed } from './conversion.ts';
import { askSidecar, membersOf, type SidecarCall, SidecarFailed } from './sidecar.ts';
import { structureOf } from './structure.ts';
import type { Submission } from './submission.ts';
import { markdownBlocks } from './texts.ts';

const failed: ReadonlySet<unknown> = new Set(['failure', 'error']);

export function doclingConverter(settings: Settings, fetch: typeof globalThis.fetch): Converter {
  return { name: 'docling-serve', convert: (submission, signal) => convert(settings, fetch, submission, signal) };
}

async function convert(
  settings: Settings,
  fetch: typeof globalThis.fetch,
  submission: Submission,
  caller: AbortSignal,
): Promise<Converted> {
  const seconds = settings['Ingestion:Docling:TimeoutSeconds'];
  const deadline = AbortSignal.timeout(Math.ceil(seconds * 1000));
  const signal = AbortSignal.any([caller, deadline]);
  const endpoint = settings['Ingestion:Docling:Endpoint'] ?? '';
  const ask = (path: string, init: SidecarCall = { method: 'GET' }): Promise<unknown> =>
    askSidecar(fetch, endpoint, path, init, signal);
  try {
    const task = await ask('v1/convert/file/async', await encoded(await formOf(settings, submission)));
    const id = membersOf(task).task_id;
    if (typeof id !== 'string' || id === '') throw new IngestFailed('The converter named no task.');
    const path = encodeURIComponent(id);
    for (let status: unknown; status !== 'success'; ) {
      status = membersOf(await ask(`v1/status/poll/${path}`)).task_status;
      if (failed.has(status)) throw new IngestFailed('The converter could not convert the document.');
      if (status !== 'success') await wait(settings['Ingestion:Docling:PollIntervalSeconds'] * 1000, signal);
    }
    return resultOf(await ask(`v1/result/${path}`));
  } catch (error) {
    caller.throwIfAborted();
    if (deadline.aborted) throw new IngestFailed(`The document was not converted within ${seconds} seconds.`);
    if (error instanceof SidecarFailed) throw new IngestFailed(`The document could not be converted. ${error.message}`);
    throw error;
  }
}

/** As bytes: not every home's own requests take a form. */
async function encoded(form: FormData): Promise<SidecarCall> {
  const response = new Response(form);
  const headers = { 'content-type': response.headers.get('content-type') ?? '' };
  return { method: 'POST', headers, body: new Uint8Array(await response.arrayBuffer()) };
}

async function formOf(settings: Settings, { content, name, sourceFormat }: Submission): Promise<FormData> {
  const form = new FormData();
  // The converter goes by the ending of the name.
  const file = name.toLowerCase().endsWith(`.${sourceFormat}`) ? name : `${name}.${sourceFormat}`;
  form.append('files', new Blob([(await content.bytes()) as Uint8Array<ArrayBuffer>]), file);
  for (const format of ['json', 'md']) form.append('to_formats', format);
  form.append('do_ocr', String(settings['Ingestion:Docling:DoOcr']));
  form.append('table_mode', settings['Ingestion:Docling:TableMode']);
  const engine = settings['Ingestion:Docling:OcrEngine'];
  if (engine !== '') form.append('ocr_engine', engine);
  return form;
}

/** The structured document; without one, its markdown. */
function resultOf(answer: unknown): Converted {
  const result = membersOf(membersOf(answer).document);
  const structure = structureOf(result.json_content);
  if (structure !== null) return { pipeline: 'structured/v1', ...structure };
  const markdown = result.md_content;
  if (typeof markdown !== 'string' || markdown.trim() === '') throw new IngestFailed('The converter found no text.');
  return { pipeline: 'markdown/v1', blocks: markdownBlocks(markdown), pageCount: null };
}

/** Resolves after the time; rejects with the signal's reason when that comes first. */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, signal);
  signal.throwIfAborted();
}
