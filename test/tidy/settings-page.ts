// docs/settings.md, made from the catalogue.

import { catalogue, settingsRoot } from '../../src/config/catalogue.ts';
import type { Setting } from '../../src/config/kinds.ts';

const head = `# Settings

<!-- Made from src/config/catalogue.ts by a test; \`npx vitest run test/tidy/settings.test.ts -u\` makes it again. -->

After this page you can set every setting, in the place that wins, and know when a change counts.

Every setting of the service, by its key below \`${settingsRoot}:\`. A value comes, from weakest to strongest, from

1. the configuration file: member \`${settingsRoot}\` of \`appsettings.json\` in the working directory, or of \`--config FILE\`,
2. the program that embeds the service,
3. what was written over HTTP (\`PATCH /config\`),
4. the environment: \`${settingsRoot}__Http__Port=9000\`,
5. the command line: \`--${settingsRoot}:Http:Port=9000\`.

Keys are found in any case. Lists are given by items (\`…:0\`, \`…:1\`) or as one text with commas; a stronger source replaces the whole list. A value
that is not of its form ends the start with a message; where a number has to be above 0, one that is not is reported and the default used.

\`PATCH /config\` takes \`{"settings": {"${settingsRoot}:Observability:StatisticsTopN": "50"}}\`, texts or null, which takes a written value away. It needs an API key,
\`Security:EnableConfigurationWrite\` and a \`Metadata:Directory\` that is named; all that is refused of a batch is told together, and then nothing of it
is stored. A setting that the environment or the command line names is refused with 409. _Changes_ says when a written value counts:
_at once_; _new work_, for what begins after it; _restart_, with the next start; or the rule by which it is never written.
`;

export function settingsPage(): string {
  const sections = new Map<string, [key: string, setting: Setting<unknown>][]>();
  for (const [key, setting] of Object.entries(catalogue).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const section = key.split(':')[0] as string;
    sections.set(section, [...(sections.get(section) ?? []), [key, setting as Setting<unknown>]]);
  }
  const rules = [...rulesOf(Object.values(catalogue) as Setting<unknown>[])].sort().map((rule) => `- ${rule}`);
  const parts = [...sections].map(([section, settings]) => `## ${section}\n\n${settings.map(lineOf).join('\n')}\n`);
  return `${head}\n${rules.join('\n')}\n\n${parts.join('\n')}`;
}

function rulesOf(settings: readonly Setting<unknown>[]): Set<string> {
  const rules = settings.flatMap(({ exclusion }) =>
    exclusion === null ? [] : [`${exclusion.rule}: ${exclusion.reason}`],
  );
  return new Set(rules);
}

const changes = { live: 'at once', liveForNewWork: 'new work', restart: 'restart', never: '' } as const;

function lineOf([key, setting]: readonly [string, Setting<unknown>]): string {
  const { initial, expected, description, applyMode, exclusion } = setting;
  const nothing = initial === null || initial === '' || (Array.isArray(initial) && initial.length === 0);
  const value = nothing ? 'none' : `\`${String(initial)}\``;
  const when = exclusion === null ? changes[applyMode] : `never (${exclusion.rule})`;
  return `- **\`${key}\`**: ${description} Takes ${expected}. Default: ${value}. Changes: ${when}.`;
}
