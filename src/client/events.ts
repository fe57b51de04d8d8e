// Server-sent events out of a stream of bytes: lines of fields, a blank line behind each event, comments that keep the connection.

export interface ServerEvent {
  /** Of this event, or of the last one that had one. */
  readonly id: string;
  readonly data: string;
}

/** Longest line that is taken, in characters: a stream of anything else must not fill the memory. */
const maxLine = 16 * 1024 * 1024;

/** The events of a stream until it ends. `alive` is called for whatever arrives. */
export async function* readEvents(body: ReadableStream<Uint8Array>, alive: () => void): AsyncGenerator<ServerEvent> {
  let id = '';
  let data: string[] = [];
  for await (const line of readLines(body, alive)) {
    if (line === '') {
      if (data.length > 0) yield { id, data: data.join('\n') };
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
}

/** The lines of a stream of UTF-8, without their ends; the last one too when no line feed follows it. */
export async function* readLines(body: ReadableStream<Uint8Array>, alive?: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      alive?.();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() as string;
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
      if (rest.length > maxLine) throw new Error(`A line of the answer is longer than ${maxLine} characters.`);
      if (!done) continue;
      if (rest !== '') yield rest;
      return;
    }
  } finally {
    // Whoever stops early does not want the rest, and does not wait for it to be gone.
    reader.cancel().catch(() => {});
  }
}
