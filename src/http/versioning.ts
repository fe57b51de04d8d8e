// The API version a request may pin: query `api-version`, header `X-Version`, or the parameter `ver` of its media types. There is
// one version; without any of these it is served, and any other is refused.

import { apiVersion, type Exchange } from './exchange.ts';
import { Problem } from './problems.ts';

const mediaTypeVersion = /;\s*ver\s*=\s*"?([^\s;,"]*)/gi;

/** Throws a Problem when the request names another version. */
export function checkVersion(exchange: Exchange): void {
  check(exchange.query('api-version'));
  check(exchange.header('x-version'));
  checkMediaTypes(exchange.header('accept'));
  checkMediaTypes(exchange.header('content-type'));
}

function checkMediaTypes(header: string | null): void {
  if (header === null || !header.includes(';')) return;
  for (const [, version = ''] of header.matchAll(mediaTypeVersion)) check(version);
}

function check(version: string | null): void {
  if (version === null || version.trim() === apiVersion) return;
  throw new Problem('unsupportedVersion', `The API version '${version}' is not supported. Supported: ${apiVersion}.`);
}
