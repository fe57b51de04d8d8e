// The OpenAPI document and a page that shows it (contract part 1, Versioning 4; reference 1.5). Both are there only in development, and
// ask for the key like any other route. The page's script and style are the platform's: nothing comes from another host.

import { z } from 'zod';
import type { Settings } from '../../config/catalogue.ts';
import { apiVersion, type Exchange } from '../exchange.ts';
import { openApiDocument } from '../openapi/document.ts';
import { textInPath } from '../parameters.ts';
import { type HeaderList, Problem } from '../problems.ts';
import { type Route, route, shows } from '../route.ts';

const documentPath = `/openapi/v${apiVersion}.json`;
const pagePath = `/scalar/v${apiVersion}`;
const development = 'development';

const mediaTypes: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
};

const script = `SwaggerUIBundle({ url: '${documentPath}', dom_id: '#reference', deepLinking: true, validatorUrl: null });\n`;
const scriptName = 'start.js';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Arcwise ${apiVersion}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${pagePath}/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="${pagePath}/swagger-ui-bundle.js"></script>
<script src="${pagePath}/${scriptName}"></script>
</body>
</html>
`;

/** The page's library writes style attributes and shows images of its own; everything else is the service's. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const shared: HeaderList = [
  ['x-content-type-options', 'nosniff'],
  ['cache-control', 'no-cache'],
];

const read = { method: 'GET', scope: 'service', tag: 'Admin', hidden: true } as const;

/** The routes that show the other ones; none where the settings do not want them. */
export function referenceRoutes(routes: readonly Route[], settings: Settings): Route[] {
  if (!isWanted(settings)) return [];
  const apiKeyHeader = settings['Security:ApiKeyHeader'].trim() || 'X-Api-Key';
  let text: string | null = null;
  return [
    route({
      ...read,
      path: documentPath,
      summary: 'The OpenAPI document.',
      answers: { 200: shows('The document.', z.looseObject({})) },
      serve: (exchange) => {
        text ??= JSON.stringify(openApiDocument(routes, { apiKeyHeader }));
        return exchange.jsonText(text, 'application/json', []);
      },
    }),
    route({
      ...read,
      path: pagePath,
      summary: 'A page that shows the document.',
      answers: { 200: { description: 'The page.', schema: z.string(), mediaTypes: ['text/html'] } },
      serve: (exchange) =>
        exchange.jsonText(page, 'text/html; charset=utf-8', [...shared, ['content-security-policy', policy]]),
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

function isWanted(settings: Settings): boolean {
  return settings['OpenApi:Enabled'] ?? settings.Environment.trim().toLowerCase() === development;
}

async function answerFile(exchange: Exchange, name: string): Promise<Response> {
  if (name === scriptName) return exchange.jsonText(script, 'text/javascript; charset=utf-8', shared);
  const mediaType = Object.hasOwn(mediaTypes, name) ? mediaTypes[name] : undefined;
  const file = mediaType === undefined ? null : await exchange.service.platform.referenceFiles?.open([name]);
  if (mediaType === undefined || !file) throw new Problem('notFound', `There is no file '${name}' of this page.`);
  const headers: HeaderList = [['content-type', mediaType], ['content-length', String(file.sizeBytes)], ...shared];
  if (exchange.method === 'GET') return exchange.file(file.stream(), 200, headers);
  await file.close();
  return exchange.file(null, 200, headers);
}
