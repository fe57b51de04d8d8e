// The order of the documentation: chapters and their pages, as the site lists them. A test holds that each page of docs/ stands here once.

/** The page that the others are found from. */
export const indexPage = 'README';

/** @type {readonly { title: string, pages: readonly string[] }[]} */
export const chapters = [
  { title: 'Begin', pages: ['tutorial', 'coming-from', 'explorer'] },
  { title: 'Keep', pages: ['values', 'import', 'indexes', 'vectors', 'changefeed'] },
  {
    title: 'Ask',
    pages: ['paths', 'fragments', 'fragments-members', 'subgraphs', 'analytics', 'plugins', 'plugins-members'],
  },
  { title: 'Models', pages: ['embedding', 'documents', 'chat'] },
  { title: 'Run', pages: ['operations', 'cluster', 'storage', 'settings', 'studio'] },
  { title: 'Build in', pages: ['embed', 'clients', 'browser', 'edge'] },
  { title: 'Look up', pages: ['http', 'architecture', 'compiler', 'jobs'] },
];
