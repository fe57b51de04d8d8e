// docs/plugins-members.md: what a plugin can name beyond a fragment, read from the library's own declarations.

import { LIBRARY, PLUGIN_LIBRARY } from '../../src/fragments/library/index.ts';
import { bySpace, type Declared, declared } from './fragments-page.ts';

const head = `# Members that plugins have

<!-- Made from the library's declarations by a test; \`npx vitest run test/tidy/plugins-page.test.ts -u\` makes it again. -->

After this page you can look up what a plugin can name beyond a fragment. Plugins have all of [what fragments have](fragments-members.md) too; where a
type stands there and here, these are its further members. What a plugin is, what is refused and what stops it: [plugins.md](plugins.md).
`;

/** What the host asks of a call; no source can name it. */
const inner = 'Arcwise.Host';

export function pluginsPage(): string {
  const known = new Map(declared(LIBRARY).map((type) => [keyOf(type), new Set(type.members)]));
  const more = declared(PLUGIN_LIBRARY)
    .filter(({ space, title }) => space !== inner && !title.startsWith('['))
    .map((type) => ({ ...type, members: type.members.filter((member) => !known.get(keyOf(type))?.has(member)) }))
    .filter((type) => type.members.length > 0 || !known.has(keyOf(type)));
  return `${head}\n${bySpace(more)}`;
}

const keyOf = ({ space, title }: Declared): string => `${space} ${title}`;
