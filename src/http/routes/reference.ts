// The OpenAPI document and a page that shows it (contract part 1, Versioning 4; reference 1.5). Both are there only in development, and
// ask for the key like any other route. The page's script and style are the platform's: nothing comes from another host.

import { z } from 'zod';
import type { Settings } from '../../config/catalogue.ts';
import { apiVersion, type Exchange } from '../exchange.ts';
import { textInPath } from '../parameters.ts';
import { type HeaderList, Problem } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';
import { allRoutes } from '../routes.ts';

const documentPath = `/openapi/v${apiVersion}.json`;
const pagePath = `/scalar/v${apiVersion}`;
const development = 'development';

const mediaTypes: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
};

const scriptName = 'start.js';
const paths = { documentPath, pagePath, scriptName };

const shared: HeaderList = [
  ['x-content-type-options', 'nosniff'],
  ['cache-control', 'no-cache'],
];

const read = { method: 'GET', scope: 'service', tag: 'Admin', hidden: true } as const;

/** The routes that show the table's; none where the settings do not want them. */
export function referenceRoutes(settings: Settings): Route[] {
  if (!isWanted(settings)) return [];
  const apiKeyHeader = settings['Security:ApiKeyHeader'].trim() || 'X-Api-Key';
  let text: string | null = null;
  return [
    route({
      ...read,
      path: documentPath,
      summary: 'The OpenAPI document.',
      answers: { 200: shows('The document.', z.looseObject({})) },
      serve: async (exchange) => {
        text ??= await documentText(apiKeyHeader);
        return exchange.jsonText(text, 'application/json', []);
      },
    }),
    route({
      ...read,
      path: pagePath,
      summary: 'A page that shows the document.',
      answers: { 200: { description: 'The page.', schema: z.string(), mediaTypes: ['text/html'] } },
      serve: async (exchange) => {
        const { pageOf, policy } = await import('../openapi/page.ts');
        const headers: HeaderList = [...shared, ['content-security-policy', policy]];
        return exchange.jsonText(pageOf(paths), 'text/html; charset=utf-8', headers);
      },
    }),
    route({
      ...read,
      path: `${pagePath}/:file`,
      summary: 'Script and style of that page.',
      params: { file: textInPath('Name of the file.') },
      answers: { 200: { description: 'The file.', schema: z.string(), mediaTypes: ['text/javascript', 'text/css'] } },
      serve: (exchange, { file }) => answerFile(exchange, file),
    }),
  ];
}

async function documentText(apiKeyHeader: string): Promise<string> {
  const { openApiDocument } = await import('../openapi/document.ts');
  return JSON.stringify(openApiDocument(await allRoutes(), { apiKeyHeader }));
}

function isWanted(settings: Settings): boolean {
  return settings['OpenApi:Enabled'] ?? settings.Environment.trim().toLowerCase() === development;
}

async function answerFile(exchange: Exchange, name: string): Promise<Response> {
  if (name === scriptName) {
    const { scriptOf } = await import('../openapi/page.ts');
    return exchange.jsonText(scriptOf(paths), 'text/javascript; charset=utf-8', shared);
  }
  const mediaType = Object.hasOwn(mediaTypes, name) ? mediaTypes[name] : undefined;
  const file = mediaType === undefined ? null : await exchange.service.platform.referenceFiles?.open([name]);
  if (mediaType === undefined || !file) throw new Problem('notFound', `There is no file '${name}' of this page.`);
  const headers: HeaderList = [['content-type', mediaType], ['content-length', String(file.sizeBytes)], ...shared];
  if (exchange.method === 'GET') return exchange.file(file.stream(), 200, headers);
  await file.close();
  return exchange.file(null, 200, headers);
}
