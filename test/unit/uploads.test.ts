// Forms that are read into files and forms that are held in memory: the same for whoever sends them, however the bytes are cut. Of a form that
// comes to nothing no file stays.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createNodePlatform } from '../../runtime-node/http-platform.ts';
import { listen } from '../../runtime-node/listener.ts';
import { FileUploads } from '../../runtime-node/uploads.ts';
import { at } from '../../scripts/lib/freshness.mjs';
import { heldForm } from '../../src/http/multipart.ts';
import type { FormLimits, UploadedForm } from '../../src/http/platform.ts';

const directory = mkdtempSync(join(tmpdir(), 'arcwise-form-'));
const folder = join(directory, 'uploads');
const unreported = (message: string): void => {
  throw new Error(message);
};
const uploads = new FileUploads(directory, unreported);
afterAll(async () => {
  await uploads.close();
  expect(existsSync(folder)).toBe(false);
  rmSync(directory, { recursive: true });
});

const boundary = 'b-o_u.n';
const limits: FormLimits = { maxFileBytes: 100_000, maxFieldBytes: 1000, maxParts: 8, maxHeaderBytes: 500 };
const files = (): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

const part = (disposition: string, content: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data${disposition}\r\n\r\n`),
    ...[Buffer.from(content), Buffer.from('\r\n')],
  ]);
const end = Buffer.from(`--${boundary}--\r\n`);

async function* cut(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += length) yield bytes.subarray(at, at + length);
}

const roomy = { holdBody: () => true };

const readers = {
  files: (blocks: AsyncIterable<Uint8Array>) => uploads.read(blocks, boundary, 'file', limits, roomy),
  memory: (blocks: AsyncIterable<Uint8Array>) => heldForm(blocks, boundary, 'file', limits),
};

describe.each(Object.entries(readers))('a form that goes to %s', (kind, read) => {
  afterEach(() => expect(files()).toEqual([]));

  const content = Buffer.from(
    Array.from({ length: 20_000 }, (_, i) => (i * i) % 251).concat([...Buffer.from(`\r\n--${boundary.slice(0, 4)}x`)]),
  );
  const good = Buffer.concat([
    part('; name="Name"', 'wörter'),
    part('; name="file"; filename="a/b.md"', content),
    part('; name="name"', 'second'),
    part('; name="file"; filename="other.md"', 'more'),
    part('', 'nameless'),
    end,
  ]);

  test.each([1, 7, 64, 1021, 1_000_000])('is read in blocks of %i bytes', async (length) => {
    const { file, fields } = (await read(cut(good, length))) as UploadedForm;
    expect(fields.get('name')).toBe('wörter');
    expect(file?.name).toBe('b.md');
    expect(file?.content.byteLength).toBe(content.byteLength);
    expect(file?.content.heldBytes).toBe(kind === 'files' ? 0 : content.byteLength);
    expect(await file?.content.hash()).toBe(createHash('sha256').update(content).digest('hex'));
    expect(Buffer.from((await file?.content.bytes()) ?? []).equals(content)).toBe(true);
    expect(files()).toHaveLength(kind === 'files' ? 1 : 0);
    await file?.content.drop();
    await file?.content.drop();
  });

  test('without a file has none', async () => {
    const { file, fields } = await read(cut(Buffer.concat([part('; name="a"', 'x'), end]), 10));
    expect([file, fields.get('a')]).toEqual([null, 'x']);
  });

  test.each<[string, string, Buffer]>([
    ['a part that never ends', 'invalid', good.subarray(0, 5000)],
    ['no last boundary', 'invalid', good.subarray(0, -8)],
    ['no boundary at all', 'invalid', Buffer.from('just some text')],
    [
      'a file that is too large',
      'tooLarge',
      Buffer.concat([part('; name="file"; filename="f"', 'x'.repeat(100_001)), end]),
    ],
    ['too many parts', 'invalid', Buffer.concat([...Array(9).fill(part('; name="a"', 'x')), end])],
    ['fields that are too long', 'invalid', Buffer.concat([part('; name="a"', 'x'.repeat(1500)), end])],
  ])('with %s is refused', async (_what, flaw, bytes) => {
    await expect(read(cut(bytes, 333))).rejects.toMatchObject({ name: 'FormFlaw', kind: flaw });
  });

  test.each([1, 50, 100_000])('has headers up to a length, and none is cut, in blocks of %i bytes', async (length) => {
    const empty = 'content-disposition: form-data; name="a"; filename=""';
    const named = (bytes: number, lines = ''): Buffer => {
      const filename = 'n'.repeat(bytes - empty.length - lines.length);
      const header = `${lines}${empty.replace('""', `"${filename}"`)}`;
      expect(header).toHaveLength(bytes);
      return Buffer.concat([
        part('; name="file"; filename="f"', `text\r\n\r\n${'x'.repeat(600)}\r\n--b-o`),
        Buffer.from(`--${boundary}\r\n${header}\r\n\r\n`),
        ...[Buffer.from('\r\n'), end, Buffer.from('behind the end '.repeat(100))],
      ]);
    };
    // The parser in memory counts some of the line breaks behind it where they come one by one.
    for (const bytes of [495, kind === 'files' ? 500 : 496]) {
      for (const lines of ['', 'x-more: 1\r\n'])
        await (await read(cut(named(bytes, lines), length))).file?.content.drop();
    }
    const long = { name: 'FormFlaw', kind: 'invalid', message: expect.stringMatching(/header/i) };
    await expect(read(cut(named(501), length))).rejects.toMatchObject(long);
    await expect(read(cut(named(5000), length))).rejects.toMatchObject(long);
    // One that never ends is refused before it has.
    await expect(read(cut(named(9000).subarray(0, 1500), length))).rejects.toMatchObject({ name: 'FormFlaw' });
  });

  test('that ends anywhere is refused or whole', async () => {
    const small = Buffer.concat([
      part('; name="a"', 'x'),
      part('; name="file"; filename="f"', '\r\n--b-o'),
      part('; name="file"; filename="g"', 'y'),
      part('', 'z'),
      end,
    ]);
    // Behind the two dashes nothing is needed.
    for (let length = 0; length < small.byteLength - 2; length++) {
      const bytes = small.subarray(0, length);
      await expect(read(cut(bytes, 64)), `${length}`).rejects.toMatchObject({ name: 'FormFlaw', kind: 'invalid' });
    }
    await (await read(cut(small.subarray(0, -2), 64))).file?.content.drop();
  });

  test('whose sender goes is given up', async () => {
    async function* gone(): AsyncGenerator<Uint8Array> {
      yield* cut(good.subarray(0, 9000), 1000);
      throw new Error('gone');
    }
    await expect(read(gone())).rejects.toThrow('gone');
  });
});

describe('a form that goes to files', () => {
  afterEach(() => expect(files()).toEqual([]));

  test('counts what goes to none of them', async () => {
    let held = 0;
    const holder = {
      holdBody: (bytes: number) => {
        held += bytes;
        return true;
      },
    };
    const field = part('; name="a"', 'x'.repeat(900));
    const body = Buffer.concat([field, part('; name="file"; filename="f"', 'y'.repeat(90_000)), end]);
    const { file } = await uploads.read(cut(body, 1000), boundary, 'file', limits, holder);
    await file?.content.drop();
    expect(held).toBeGreaterThan(900);
    // Beside the field what the parser has taken in and not read yet.
    expect(held).toBeLessThan(20_000);
    const crowded = uploads.read(cut(body, 1000), boundary, 'file', limits, { holdBody: () => false });
    await expect(crowded).rejects.toMatchObject({ name: 'FormFlaw', kind: 'noRoom' });
  });

  test('has an end, whatever it is made of', async () => {
    const other = part('; name="other"; filename="o"', 'x'.repeat(90_000));
    const bodies = [
      [Buffer.alloc(200_000), end],
      [other, other, end],
      [part('; name="a"', ''), end, Buffer.alloc(200_000)],
    ];
    for (const body of bodies) {
      const read = uploads.read(cut(Buffer.concat(body), 1000), boundary, 'file', limits, roomy);
      await expect(read).rejects.toMatchObject({ name: 'FormFlaw', kind: 'tooLarge' });
    }
  });

  test('may have a boundary of any characters', async () => {
    const odd = 'a\\b\\\\c';
    const disposition = 'content-disposition: form-data; name="file"; filename="../../x\\y"';
    const body = Buffer.from(`--${odd}\r\n${disposition}\r\n\r\nz\r\n--${odd}--\r\n`);
    const { file } = await uploads.read(cut(body, 10), odd, 'file', limits, roomy);
    expect(Buffer.from((await file?.content.bytes()) ?? []).toString()).toBe('z');
    expect(files()).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
    await file?.content.drop();
  });
});

test('files that wait have so many bytes together', async () => {
  const other = mkdtempSync(join(tmpdir(), 'arcwise-form-'));
  const few = new FileUploads(other, unreported, 100);
  const read = (bytes: number): Promise<UploadedForm> => {
    const body = Buffer.concat([part('; name="file"; filename="f"', 'x'.repeat(bytes)), end]);
    return few.read(cut(body, 50), boundary, 'file', limits, roomy);
  };
  const first = await read(60);
  await expect(read(41)).rejects.toMatchObject({ name: 'FormFlaw', kind: 'noSpace' });
  await (await read(40)).file?.content.drop();
  await first.file?.content.drop();
  await (await read(100)).file?.content.drop();
  expect(readdirSync(join(other, 'uploads'))).toEqual([]);
  rmSync(other, { recursive: true });
});

test.skipIf(process.platform === 'win32')('a disk that is full takes nothing, and nothing stays on it', () => {
  const other = mkdtempSync(join(tmpdir(), 'arcwise-form-'));
  const program = `
    import { FileUploads } from ${JSON.stringify(at('dist/runtime-node/uploads.js'))};
    async function* blocks() {
      yield Buffer.from('--b\\r\\ncontent-disposition: form-data; name="file"; filename="f"\\r\\n\\r\\n');
      for (let i = 0; i < 64; i++) yield Buffer.alloc(1024, 120);
      yield Buffer.from('\\r\\n--b--\\r\\n');
    }
    const limits = { maxFileBytes: 100_000, maxFieldBytes: 1000, maxParts: 8, maxHeaderBytes: 500 };
    const uploads = new FileUploads(${JSON.stringify(other)}, console.error);
    await uploads.read(blocks(), 'b', 'file', limits, { holdBody: () => true }).then(
      () => console.log('taken'),
      (error) => console.log(error.name, error.kind),
    );`;
  // No file may have more than so many blocks: what a disk without room says comes of it too.
  const run = `ulimit -f 8; exec "${process.execPath}" --input-type=module`;
  expect(execFileSync('/bin/sh', ['-c', run], { input: program, encoding: 'utf8' }).trim()).toBe('FormFlaw noSpace');
  expect(readdirSync(join(other, 'uploads'))).toEqual([]);
  rmSync(other, { recursive: true });
});

test('a part that stands still on its connection is given up, and nothing of it stays', async () => {
  const other = mkdtempSync(join(tmpdir(), 'arcwise-form-'));
  const waiting = new FileUploads(other, unreported);
  const platform = createNodePlatform(
    { info: unreported, warn: unreported, error: unreported },
    { idleMs: 20, uploads: waiting },
  );
  let told: (flaw: unknown) => void = () => {};
  const flaw = new Promise<unknown>((resolve) => {
    told = resolve;
  });
  const handler = async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return new Response('here');
    await waiting.read(platform.bodyBlocks(request), boundary, 'file', limits, roomy).catch(told);
    return new Response('read');
  };
  const listener = await listen(handler, { host: '127.0.0.1', port: 0 });
  const { port } = new URL(listener.url);
  const sender = connect(Number(port), '127.0.0.1').on('error', () => {}); // a reset is an end, too
  const gone = once(sender, 'close');
  const begun = part('; name="file"; filename="f"', 'x'.repeat(5000)).subarray(0, -2);
  sender.write(`POST / HTTP/1.1\r\nHost: here\r\nContent-Length: ${begun.byteLength + 100}\r\n\r\n`);
  sender.write(begun);
  expect(await flaw).toMatchObject({ message: 'The body stood still for too long.' });
  await gone;
  expect(readdirSync(join(other, 'uploads'))).toEqual([]);
  expect(await (await fetch(listener.url)).text()).toBe('here');
  await listener.close(1000);
  rmSync(other, { recursive: true });
});

test('what an earlier process left behind goes at a start', async () => {
  const other = mkdtempSync(join(tmpdir(), 'arcwise-form-'));
  mkdirSync(join(other, 'uploads'));
  writeFileSync(join(other, 'uploads', 'left'), 'x');
  const next = new FileUploads(other, unreported);
  await next.clear();
  expect(existsSync(join(other, 'uploads'))).toBe(false);
  rmSync(other, { recursive: true });
});
