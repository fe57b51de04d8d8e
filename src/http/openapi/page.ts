// The page that shows the OpenAPI document (routes/reference.ts serves it).

import { apiVersion } from '../exchange.ts';

export interface PagePaths {
  readonly documentPath: string;
  readonly pagePath: string;
  /** Of the page's own script, below `pagePath`. */
  readonly scriptName: string;
}

export function scriptOf({ documentPath }: PagePaths): string {
  return `SwaggerUIBundle({ url: '${documentPath}', dom_id: '#reference', deepLinking: true, validatorUrl: null });\n`;
}

export function pageOf({ pagePath, scriptName }: PagePaths): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Arcwise ${apiVersion}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${pagePath}/swagger-ui.css">
<style>.swagger-ui { overflow-wrap: anywhere; }</style>
</head>
<body>
<div id="reference"></div>
<script src="${pagePath}/swagger-ui-bundle.js"></script>
<script src="${pagePath}/${scriptName}"></script>
</body>
</html>
`;
}

/** The page's library writes style attributes and shows images of its own; everything else is the service's. */
export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
