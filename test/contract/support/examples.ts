// The `$ curl …` lines of a page, asked of a running service: what a page shows is what a reader gets.

export interface Example {
  readonly command: string;
  readonly answer: string;
  /** Where the answer begins, and how many lines it has. */
  readonly line: number;
  readonly lines: number;
}

/** `$ command` lines of a page with the output that follows each: up to the next command, or the end of the block. */
export function examplesOf(text: string): Example[] {
  const examples: Example[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('$ ')) continue;
    const after = lines.slice(index + 1);
    const end = after.findIndex((one) => one.startsWith('$ ') || one.startsWith('```'));
    const answer = after.slice(0, end === -1 ? after.length : end);
    examples.push({ command: line.slice(2), answer: answer.join('\n'), line: index + 1, lines: answer.length });
  }
  return examples;
}

/** The words of a command line that quotes with single quotes only. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

/** Files that a page's commands name, by their names. */
export type Files = Readonly<Record<string, string>>;

/** The body of the answer; a command without one answers its status. What a service would ignore of it is refused. */
export async function ask(command: string, service: string, files: Files = {}): Promise<string> {
  const words = wordsOf(command);
  const url = words.find((word) => word.startsWith('localhost:8080')) ?? '';
  const after = (flag: string): string | undefined => {
    const at = words.indexOf(flag);
    return at < 0 ? undefined : words[at + 1];
  };
  const file = after('--data-binary')?.replace('@', '');
  const body = file === undefined ? after('-d') : files[file];
  const headers = words.flatMap((word, i) => (word === '-H' ? [words[i + 1]?.split(': ') as [string, string]] : []));
  const answer = await fetch(`${service}${url.slice('localhost:8080'.length)}`, {
    method: after('-X') ?? (body === undefined ? 'GET' : 'POST'),
    headers: { prefer: 'handling=strict', ...Object.fromEntries(headers) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  return text.trimEnd() === '' ? `HTTP ${answer.status}` : text.trimEnd();
}

/** An answer without what differs each time: made ids, and how long it took. */
export function steady(answer: string): string {
  return answer
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'GUID')
    .replace(/"call_[\da-f]{8}_/g, '"call_')
    .replace(/"elapsedMs":[\d.]+/g, '"elapsedMs":0')
    .replace(/"(exportedAtUtc|createdAt)":"[^"]*"/g, '"$1":""');
}
