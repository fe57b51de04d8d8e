// Uploads that go to files as they arrive: of a form's file no more than a block is held, whatever its length. The folder is this process's
// own; what an earlier one has left in it is taken away before the first upload.

import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Content } from '../src/documents/content.ts';
import { type BodyHolder, FormFlaw, type FormLimits, type UploadedForm, type Uploads } from '../src/http/platform.ts';
import { HeaderMeter } from './header-meter.ts';

/** What a system says of a disk that takes no more. */
const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** Bytes of all files together: what waits may not take the disk from the log. */
const mostBytes = 2 ** 34;

/** Of all files that lie in the folder. */
interface Space {
  readonly mostBytes: number;
  usedBytes: number;
}

export class FileUploads implements Uploads {
  private readonly folder: string;
  private readonly report: (message: string) => void;
  private readonly space: Space;

  /** `directory`: of the storage, which is this process's alone. */
  constructor(directory: string, report: (message: string) => void, most: number = mostBytes) {
    this.folder = join(directory, 'uploads');
    this.report = report;
    this.space = { mostBytes: most, usedBytes: 0 };
  }

  async read(
    blocks: AsyncIterable<Uint8Array>,
    boundary: string,
    fileField: string,
    limits: FormLimits,
    holder: BodyHolder,
  ): Promise<UploadedForm> {
    return new FormReader({ folder: this.folder, space: this.space, fileField, limits, holder }).read(blocks, boundary);
  }

  /** Takes the folder away with everything in it: at a start what an earlier process has left behind, at the end what this one has. */
  async clear(): Promise<void> {
    try {
      await rm(this.folder, { recursive: true, force: true });
    } catch (error) {
      this.report(`Uploads stay behind in ${this.folder}: ${(error as Error).message}`);
    }
  }

  close(): Promise<void> {
    return this.clear();
  }
}

interface Reading {
  readonly folder: string;
  readonly space: Space;
  readonly fileField: string;
  readonly limits: FormLimits;
  readonly holder: BodyHolder;
}

/** As the parser gives it: it counts what it has put in. */
type FileStream = Readable & { readonly bytesRead: number };

class FormReader {
  private readonly reading: Reading;
  private readonly fields = new Map<string, string>();
  /** Of every file, wanted or not. */
  private readonly streams: FileStream[] = [];
  private fieldBytes = 0;
  private receivedBytes = 0;
  private heldBytes = 0;
  private file: { readonly name: string; readonly stream: Readable; readonly saved: Promise<Content> } | null = null;
  private flaw: FormFlaw | null = null;
  /** Rejects when the file cannot be written: the parser would wait for it. */
  private readonly broken: Promise<never>;
  private break: (error: unknown) => void = () => {};

  constructor(reading: Reading) {
    this.reading = reading;
    this.broken = new Promise((_resolve, reject) => {
      this.break = reject;
    });
    this.broken.catch(() => {}); // whoever waits is told
  }

  async read(blocks: AsyncIterable<Uint8Array>, boundary: string): Promise<UploadedForm> {
    const { maxFileBytes, maxFieldBytes, maxParts, maxHeaderBytes } = this.reading.limits;
    // Most services never take a form.
    const { Busboy } = await import('@fastify/busboy');
    const parser = new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary.replaceAll('\\', '\\\\')}"` },
      limits: {
        ...{ fileSize: maxFileBytes, fieldSize: maxFieldBytes + 1, parts: maxParts, headerSize: 2 * maxHeaderBytes },
      },
      isPartAFile: (_field, _type, name) => name !== undefined,
    });
    const ended = new Promise<void>((resolve, reject) => {
      parser.on('finish', resolve);
      parser.on('error', (error) => reject(new FormFlaw('invalid', `${(error as Error).message}`)));
    });
    ended.catch(() => {}); // whoever waits is told
    parser.on('field', (name, value) => this.addField(name, value));
    parser.on('file', (name, stream, fileName) => this.addFile(name, stream as FileStream, fileName));
    parser.on('partsLimit', () => this.spoil(new FormFlaw('invalid', `more than ${maxParts} parts`)));
    const headers = new HeaderMeter(boundary, maxHeaderBytes);
    try {
      for await (const block of blocks) {
        if (this.flaw !== null) throw this.flaw;
        headers.take(block);
        this.receivedBytes += block.byteLength;
        if (!parser.write(block)) await Promise.race([once(parser, 'drain'), ended, this.broken]);
        this.hold();
      }
      parser.end();
      await Promise.race([ended, this.broken]);
      if (this.flaw !== null) throw this.flaw;
      const file = this.file === null ? null : { name: this.file.name, content: await this.file.saved };
      return { file, fields: this.fields };
    } catch (error) {
      parser.destroy();
      this.file?.stream.destroy(new Error('The upload was given up.'));
      await (await this.file?.saved.catch(() => null))?.drop();
      throw error;
    }
  }

  /** What goes to no file is counted as held: fields, and headers until they are read. */
  private hold(): void {
    const { holder, limits } = this.reading;
    if (this.receivedBytes > limits.maxFileBytes + limits.maxFieldBytes + limits.maxParts * limits.maxHeaderBytes) {
      throw new FormFlaw('tooLarge', 'it is too large');
    }
    const more = this.streams.reduce((rest, { bytesRead }) => rest - bytesRead, this.receivedBytes) - this.heldBytes;
    if (more <= 0) return;
    if (!holder.holdBody(more)) throw new FormFlaw('noRoom', 'there is no room for its fields');
    this.heldBytes += more;
  }

  private spoil(flaw: FormFlaw): void {
    this.flaw ??= flaw;
  }

  private addField(name: string | undefined, value: string): void {
    if (name === undefined) return;
    this.fieldBytes += Buffer.byteLength(value);
    if (this.fieldBytes > this.reading.limits.maxFieldBytes) {
      this.spoil(new FormFlaw('invalid', `its fields have more than ${this.reading.limits.maxFieldBytes} bytes`));
    }
    const key = name.toLowerCase();
    if (!this.fields.has(key)) this.fields.set(key, value);
  }

  private addFile(name: string | undefined, stream: FileStream, fileName: string): void {
    this.streams.push(stream);
    if (name?.toLowerCase() !== this.reading.fileField || this.file !== null) {
      stream.on('error', () => {}).resume();
      return;
    }
    // The parser tells a part that ends too early to whoever listens: the stream itself has to know, before somebody reads it.
    stream.on('error', (error) => stream.destroy(error));
    stream.on('limit', () => this.spoil(new FormFlaw('tooLarge', 'its file is too large')));
    const saved = save(stream, this.reading);
    saved.catch(this.break);
    this.file = { name: fileName, stream, saved };
  }
}

/** The content of a stream in a file whose name nobody else has given. */
async function save(stream: Readable, { folder, space }: Reading): Promise<Content> {
  const path = join(folder, randomUUID());
  let byteLength = 0;
  const drop = async (): Promise<void> => {
    await rm(path, { force: true });
    space.usedBytes -= byteLength;
    byteLength = 0;
  };
  const hash = createHash('sha256');
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(path, 'wx');
    try {
      for await (const block of stream as AsyncIterable<Buffer>) {
        if (space.usedBytes + block.byteLength > space.mostBytes)
          throw new FormFlaw('noSpace', 'too many uploads wait');
        byteLength += block.byteLength;
        space.usedBytes += block.byteLength;
        hash.update(block);
        await file.writeFile(block);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    await drop();
    throw full.has((error as NodeJS.ErrnoException).code ?? '') ? new FormFlaw('noSpace', 'the disk is full') : error;
  }
  const digest = hash.digest('hex');
  return { byteLength, heldBytes: 0, hash: async () => digest, bytes: () => readFile(path), drop };
}
