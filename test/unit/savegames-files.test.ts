// File descriptors are numbers that the system hands out again: a handle that is closed twice must not close another one's file.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFileSystem } from '../../runtime-node/storage/file-system.ts';

it('closing a file twice leaves every other file open', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'arcwise-files-'));
  try {
    const first = await nodeFileSystem.open(join(directory, 'first'), 'new', false);
    await first.close();
    const others = await Promise.all(
      [1, 2, 3].map((i) => nodeFileSystem.open(join(directory, `other-${i}`), 'new', false)),
    );
    await first.close();
    for (const other of others) {
      expect(await other.write(new Uint8Array([1, 2, 3]), 0)).toBe(3);
      await other.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
