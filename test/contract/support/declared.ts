// What the OpenAPI document declares, held against what a service answers: status, media type and body. Every answer of the contract
// tests' client goes through here.

import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../../src/http/openapi/document.ts';
import { allRoutes } from '../../../src/http/routes.ts';

interface Operation {
  readonly deprecated?: boolean;
  readonly responses: Readonly<Record<string, Declared>>;
}

interface Declared {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

type PathItem = Readonly<Record<string, Operation>>;

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const { paths, components } = openApiDocument(await allRoutes(), { apiKeyHeader: 'X-Api-Key' }) as {
  paths: Record<string, PathItem>;
  components: object;
};

const problemType = 'application/problem+json';

/** Templates as patterns, those with the most literal segments first. */
const templates = Object.entries(paths)
  .map(([path, item]) => ({ item, holes: path.split('{').length, pattern: patternOf(path) }))
  .sort((a, b) => a.holes - b.holes);

function patternOf(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '[^/]+' : segment.replaceAll('.', '\\.')));
  return new RegExp(`^${segments.join('/')}$`);
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new Map<string, ValidateFunction>();

/** The last long body of each schema that was found to fit: the same again need not be read again. */
const longBodies = new Map<ValidateFunction, string>();
const longBody = 65_536;

function validatorOf(schema: object): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = validators.get(key);
  if (known !== undefined) return known;
  // Beside the components, so that references into them lead there.
  const made = ajv.compile({ ...schema, components });
  validators.set(key, made);
  return made;
}

/** Throws when the document knows the path and method, and declares no such answer. */
export function checkDeclared(method: string, target: string, answer: Answered): void {
  const path = target.split(/[?#]/, 1)[0] as string;
  // A name holds no slash, so such a path is that of no route.
  if (/%2f/i.test(path)) return;
  const item = templates.find(({ pattern }) => pattern.test(path))?.item;
  if (item === undefined || method === 'OPTIONS') return;
  const operation = item[method.toLowerCase()] ?? (method === 'HEAD' ? item.get : undefined);
  const what = `${method} ${path} answered ${answer.status}`;
  if (operation === undefined || answer.status === 405) {
    if (answer.status < 400) throw new Error(`${what}, but the document has no such operation`);
    return;
  }
  const declared = operation.responses[String(answer.status)];
  // An alias that only refuses lists its own refusal and nothing that keeps a request from getting there.
  if (declared === undefined && operation.deprecated === true && answer.status > 400) return;
  if (declared === undefined)
    throw new Error(`${what}, which the document does not declare: ${answer.text.slice(0, 300)}`);
  if (method === 'HEAD') return;
  checkBody(what, declared, answer);
}

function checkBody(what: string, { content }: Declared, { headers, text }: Answered): void {
  const type = headers['content-type']?.split(';', 1)[0];
  if (content === undefined || type === undefined) {
    if (content !== undefined || text !== '')
      throw new Error(`${what} with ${type ?? 'no'} body, against the document`);
    return;
  }
  const media = content[type];
  if (media === undefined) throw new Error(`${what} as ${type}, which the document does not declare`);
  if (type !== 'application/json' && type !== problemType) return;
  const validate = validatorOf(media.schema);
  if (text.length > longBody && longBodies.get(validate) === text) return;
  if (validate(JSON.parse(text))) {
    if (text.length > longBody) longBodies.set(validate, text);
    return;
  }
  const flaws = validate.errors?.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  throw new Error(
    `${what} with a body that its schema refuses: ${flaws?.slice(0, 5).join('; ')}\n${text.slice(0, 500)}`,
  );
}
