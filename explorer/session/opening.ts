// Graphs that are opened in this page: samples and files, by the engine beside the explorer. What is shown stays until the new graph is there.

import { kindOf } from '../data/files.ts';
import { homeOf } from '../data/home.ts';
import { linesOfTable, type TableShape } from '../data/table.ts';
import type { Session } from './session.ts';

export interface Sample {
  readonly file: string;
  readonly title: string;
  readonly about: string;
}

export const samples: readonly Sample[] = [
  { file: 'karate.jsonl', title: 'Karate club', about: 'Who met whom before a club of 34 split in two' },
  { file: 'packages.jsonl', title: 'Packages', about: 'What Arcwise is built of, what needs what, and the licences' },
];

/** Where a graph of this page seems to be; nothing is asked of it. */
const pageUrl = 'http://page';

export async function openSample(session: Session, { file, title }: Sample): Promise<void> {
  await opening(session, title, async () => {
    const answer = await fetch(new URL(`./samples/${file}`, import.meta.url));
    if (!answer.ok) throw new Error(`The sample is missing: ${answer.status}.`);
    return answer.blob();
  });
}

/** A table of edges waits in the state until its columns are known. */
export async function openFile(session: Session, file: File): Promise<void> {
  try {
    if ((await kindOf(file)) !== 'table') return await opening(session, file.name, async () => file);
    session.put({ table: file });
  } catch (error) {
    told(session, error);
  }
}

export async function openTable(session: Session, file: File, shape: TableShape): Promise<void> {
  session.put({ table: null });
  await opening(session, file.name, () => linesOfTable(file, shape));
}

async function opening(session: Session, title: string, content: () => Promise<Blob>): Promise<void> {
  session.put({ busy: `Opening ${title} in this page …`, trouble: null });
  try {
    let shown = 0;
    const engine = await homeOf(await content(), (share) => {
      const percent = Math.floor(100 * share);
      if (percent > shown) session.put({ busy: `Opening ${title} in this page: ${percent} %` });
      shown = percent;
    });
    await session.open({ url: pageUrl, namespace: 'default', apiKey: null, home: { engine, title } });
  } catch (error) {
    told(session, error);
  }
}

function told(session: Session, error: unknown): void {
  session.put({ busy: null, trouble: error instanceof Error ? error.message : String(error) });
}
