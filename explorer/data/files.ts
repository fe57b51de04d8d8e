// What a dropped file is, told by its first bytes and not by its name.

/** `lines`: service-jsonl. `table`: comma-separated values or the like. */
export type FileKind = 'lines' | 'package' | 'table';

/** Larger files belong into a service: a page holds the whole graph. */
const maxFileBytes = 1024 ** 3;

const packageMark = 'ARCWPACK';
const headBytes = 4096;

/** Throws with a sentence for people when the file is none of them. */
export async function kindOf(file: Blob): Promise<FileKind> {
  if (file.size === 0) throw new Error('The file is empty.');
  if (file.size > maxFileBytes)
    throw new Error(
      `The file has ${(file.size / 1024 ** 3).toFixed(1)} GiB; a page opens up to 1 GiB. Load it into a service: npm run sample -- FILE.`,
    );
  const head = await headOf(file);
  if (head.startsWith(packageMark)) return 'package';
  if (head.trimStart().startsWith('{')) return 'lines';
  const [line = ''] = head.split(/\r?\n/);
  if (!head.includes('\0') && /[,;\t|]/.test(line)) return 'table';
  throw new Error('The file is no graph: neither service-jsonl, nor a package, nor a table of edges (CSV).');
}

async function headOf(file: Blob): Promise<string> {
  try {
    return (await file.slice(0, headBytes).text()).replace(/^\ufeff/, '');
  } catch {
    throw new Error('The file cannot be read: it may be a folder, or have been moved.');
  }
}

/** The bytes of a file as they are taken; `advance` hears the share of them that was, from 0 to 1. */
export function readWith(file: Blob, advance: (share: number) => void): ReadableStream<Uint8Array> {
  let taken = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (block, controller) => {
      taken += block.byteLength;
      controller.enqueue(block);
      advance(taken / file.size);
    },
  });
  return file.stream().pipeThrough(counting);
}
