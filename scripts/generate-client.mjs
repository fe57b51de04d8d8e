// Makes the types of the client (src/client/api.ts) out of the OpenAPI document of the built service.
//
//   node scripts/generate-client.mjs            writes the file
//   node scripts/generate-client.mjs --check    says whether it is what would be written; exit code 1 when it is not

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { at } from './lib/freshness.mjs';

const target = 'src/client/api.ts';
const twin = '/ns/{ns}';

// The generator works on the compiler's JavaScript interface, which the compiler has no more from version 7 on.
register(
  `data:text/javascript,${encodeURIComponent(`
  export const resolve = (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript-5' : specifier, context);
`)}`,
);

/**
 * The document as a client needs it: each path of a namespace once, without what the client sets itself and without errors, which come as
 * ProblemError.
 * @param {{ paths: Record<string, Record<string, any>>, components: any }} document
 */
function forClients(document) {
  const paths = {};
  const service = [];
  for (const [path, item] of Object.entries(document.paths)) {
    if (path.startsWith(`${twin}/`)) paths[path.slice(twin.length)] = withoutNoise(item);
    else if (document.paths[twin + path] === undefined) {
      paths[path] = withoutNoise(item);
      service.push(path);
    }
  }
  return { document: { ...document, paths }, service };
}

function withoutNoise(item) {
  const own = ['api-version', 'X-Version', 'ns'];
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      {
        ...operation,
        operationId: undefined,
        parameters: operation.parameters.filter(({ name }) => !own.includes(name)),
        responses: Object.fromEntries(
          Object.entries(operation.responses)
            .filter(([status]) => status < '300')
            .map(([status, { headers: _headers, ...answer }]) => [status, answer]),
        ),
      },
    ]),
  );
}

const built = (path) => import(pathToFileURL(at(`dist/${path}`)).href);

async function generate() {
  const [{ openApiDocument }, { allRoutes }, { default: openapi, astToString }] = await Promise.all([
    built('src/http/openapi/document.js'),
    built('src/http/routes.js'),
    import('openapi-typescript'),
  ]);
  const whole = JSON.parse(JSON.stringify(openApiDocument(await allRoutes(), { apiKeyHeader: 'X-Api-Key' })));
  const { document, service } = forClients(whole);
  const text = astToString(
    await openapi(JSON.parse(JSON.stringify(document)), { silent: true, defaultNonNullable: false }),
  )
    .replace(/^export type (webhooks|\$defs) = .*\n/gm, '')
    .replace(/^export type operations = .*\n/m, '');
  const head = `// The types of the OpenAPI document, made by openapi-typescript: \`npm run generate\` writes this file.\n\n`;
  const list = `/** Paths that exist once, not for each namespace. */\nexport const servicePaths: readonly string[] = ${JSON.stringify(service)};\n`;
  return formatted(head + list + text);
}

function formatted(text) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [at('node_modules/@biomejs/biome/bin/biome'), 'check', '--write', `--stdin-file-path=${target}`],
    { input: text, encoding: 'utf8', cwd: at('.'), maxBuffer: 1 << 26 },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const text = await generate();
if (!process.argv.includes('--check')) writeFileSync(at(target), text);
else if (readFileSync(at(target), 'utf8') !== text) {
  console.error(`${target} does not say what the routes say: npm run generate`);
  process.exitCode = 1;
}
