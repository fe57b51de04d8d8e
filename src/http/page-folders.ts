// The folders of files that a service brings along: the explorer and the documentation. How their files are answered loads with the first
// that is asked for (static-files.ts); many services have none.

import type { HttpPlatform, StaticFiles } from './platform.ts';

export interface PageFolder {
  readonly name: 'explorer' | 'docs';
  /** `/explorer` */
  readonly path: string;
  readonly files: StaticFiles;
}

/** The folders that a platform has. */
export function pageFolders({ explorerFiles, docsFiles }: HttpPlatform): PageFolder[] {
  return [
    ...(explorerFiles ? [{ name: 'explorer' as const, path: '/explorer', files: explorerFiles }] : []),
    ...(docsFiles ? [{ name: 'docs' as const, path: '/docs', files: docsFiles }] : []),
  ];
}
