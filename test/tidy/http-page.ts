// docs/http.md, made from the OpenAPI document that the route table makes.

import { openApiDocument } from '../../src/http/openapi/document.ts';
import { allRoutes } from '../../src/http/routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of JSON, whose shape other tests hold.
type Json = any;

const head = `# HTTP

<!-- Made from the route table by a test; \`npx vitest run test/tidy/http.test.ts -u\` makes it again. -->

After this page you know what a route takes, what it answers and what can go wrong; look it up, do not read it through.

Every route: what it takes, what it answers, what can go wrong. A path that is marked with _ns_ also exists below \`/ns/{ns}\`; bare it is that of
the namespace \`default\`. Names of members match in any case, and a number may come as its text. With an API key every route asks for it
(\`X-Api-Key\`) except those that say _anonymous_. Problems are \`application/problem+json\` with \`title\`, \`status\` and \`detail\`.

Where a service is followed by others or follows one, every path of a namespace takes \`atLeast\` in its query: the number of a commit, or a whole
\`x-arcwise-position\`. It answers when that commit is there, and 503 when it has not come in time ([cluster.md](cluster.md)).

A running service in development shows the same at \`/scalar/v0.1\`, and as a document at \`/openapi/v0.1.json\`.
`;

const twin = /^\/ns\/\{ns\}/;
/** What every route can answer and no line repeats. */
const everywhere = new Set(['401', '403']);

export async function httpPage(): Promise<string> {
  const document: Json = openApiDocument(await allRoutes(), { apiKeyHeader: 'X-Api-Key' });
  const chapters = new Map<string, string[]>();
  for (const [path, operations] of Object.entries<Json>(document.paths)) {
    if (twin.test(path) && document.paths[path.replace(twin, '')] !== undefined) continue;
    const hasTwin = document.paths[`/ns/{ns}${path}`] !== undefined;
    for (const [method, operation] of Object.entries<Json>(operations)) {
      const [tag] = operation.tags;
      chapters.set(tag, [...(chapters.get(tag) ?? []), sectionOf(method, path, operation, hasTwin)]);
    }
  }
  const parts = document.tags
    .filter(({ name }: Json) => chapters.has(name))
    .map(({ name, description }: Json) => `## ${name}\n\n${description}\n\n${chapters.get(name)?.join('\n')}`);
  return `${head}\n${parts.join('\n')}\n${shapesOf(document.components.schemas)}`;
}

function sectionOf(method: string, path: string, operation: Json, hasTwin: boolean): string {
  const marks = [...(hasTwin ? ['_ns_'] : []), ...(operation.security?.length === 0 ? ['_anonymous_'] : [])];
  const lines = [`### \`${method.toUpperCase()} ${path}\``, '', [operation.summary, ...marks].join(' '), ''];
  if (operation.description) lines.splice(3, 0, '', operation.description);
  for (const { name, in: place, description, schema } of operation.parameters ?? []) {
    if (name === 'api-version' || name === 'atLeast' || place === 'header') continue;
    lines.push(`- \`${name}\` (${place}): ${description ?? ''} ${typeOf(schema)}.`);
  }
  if (operation.requestBody) {
    const { content, description = '' } = operation.requestBody;
    const [media, { schema }] = Object.entries<Json>(content)[0] as [string, Json];
    lines.push(`- Body (\`${media.split(';')[0]}\`): ${typeOf(schema)}. ${description}`);
  }
  for (const [status, answer] of Object.entries<Json>(operation.responses)) {
    if (everywhere.has(status)) continue;
    const [media, shape] = Object.entries<Json>(answer.content ?? {})[0] ?? [];
    const isProblem = media === 'application/problem+json' || Number(status) >= 400;
    const body = shape === undefined || isProblem ? '' : ` ${capitalized(typeOf(shape.schema))}.`;
    lines.push(
      `- ${status}: ${isProblem ? answer.description.replace(/\.$/, '').replaceAll('; ', ', ') : answer.description.replace(/\.$/, '')}.${body}`,
    );
  }
  return `${lines.map((line) => line.replace(/ +$/, '')).join('\n')}\n`;
}

function shapesOf(schemas: Json): string {
  const parts = Object.entries<Json>(schemas)
    .filter(([name]) => !name.startsWith('Problem'))
    .map(([name, schema]) => `### ${name}\n\n${membersOf(schema)}\n`);
  return `## Shapes\n\nWhat bodies and answers are made of. A member without a default may be left out where its shape says so.\n\n${parts.join('\n')}`;
}

function membersOf(schema: Json): string {
  const { properties } = schema;
  if (properties !== undefined && Object.keys(properties).length === 0) return 'Nothing of it is read.';
  if (properties === undefined) return `${capitalized(typeOf(schema))}.`;
  const required = new Set(schema.required ?? []);
  return Object.entries<Json>(properties)
    .map(([name, member]) => {
      const preset = member.default === undefined ? '' : ` Default: \`${JSON.stringify(member.default)}\`.`;
      const must = required.has(name) ? ' Required.' : '';
      const told = member.description === undefined ? '' : ` ${member.description}`;
      return `- \`${name}\`: ${typeOf(member)}.${told}${must}${preset}`;
    })
    .join('\n');
}

/** A type in words. */
function typeOf(schema: Json): string {
  if (schema === undefined || Object.keys(schema).length === 0) return 'any value';
  if (schema.$ref) return linkTo(schema.$ref.split('/').pop());
  if (schema.anyOf) return [...new Set<string>(schema.anyOf.filter(isOwnForm).map(typeOf))].join(' or ');
  if (schema.enum) return schema.enum.map((word: unknown) => `\`${JSON.stringify(word)}\``).join(' or ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type })).join(' or ');
  switch (schema.type) {
    case 'array':
      return `a list of ${typeOf(schema.items)}`;
    case 'integer':
      return `a whole number${rangeOf(schema)}`;
    case 'number':
      return `a number${rangeOf(schema)}`;
    case 'string':
      return `a text${schema.format ? ` (${schema.format})` : ''}`;
    case 'boolean':
      return '`true` or `false`';
    case 'null':
      return 'null';
    default:
      return schema.additionalProperties ? `an object of ${typeOf(schema.additionalProperties)} by name` : 'an object';
  }
}

/** False for the text form of a number, which the page's head tells of once. */
function isOwnForm({ pattern, type }: Json): boolean {
  return !(type === 'string' && typeof pattern === 'string' && pattern.startsWith('^[+-]?'));
}

function rangeOf({ minimum, maximum }: Json): string {
  if (minimum === undefined && maximum === undefined) return '';
  if (maximum === undefined) return ` of at least ${minimum}`;
  return minimum === undefined ? ` of at most ${maximum}` : ` from ${minimum} to ${maximum}`;
}

function linkTo(name: string): string {
  return `[${name}](#${name.toLowerCase()})`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
